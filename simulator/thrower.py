"""The simulated hand: throws the dice of the simulated tray that the table does not hold."""

import random
from collections.abc import Callable, Sequence

import cv2
import numpy as np

from calibration.profile import CalibrationProfile
from messages.errors import RefusalError
from simulator import SimulatedTray

CLEAR_PX = 12.0
"""How far from the keeper's line a hand lays the middle of a die."""


class SimulatedHand:
    """Knows the dice it touches, as any hand does, and tells nobody.

    rng: decides the faces where a roll was typed in that does not lie in the tray. profile: the
    one in use, in which a dice keeper may be marked.
    """

    def __init__(
        self,
        tray: SimulatedTray,
        rng: random.Random,
        profile: Callable[[], CalibrationProfile | None] = lambda: None,
    ) -> None:
        self._tray = tray
        self._rng = rng
        self._profile = profile

    def lay(self, place: int, face: int, *, kept: bool) -> None:
        """Carry the die with that face, next to that place from the left, into the dice keeper or out of it.

        Raises RefusalError where no keeper is marked, there is no such die, or no room.
        """
        profile = self._profile()
        if profile is None or profile.keeper is None:
            raise RefusalError("throw/no_keeper")
        same = [i for i, die in enumerate(self._tray.truth()) if die.face == face]
        if not same:
            raise RefusalError("throw/no_such_die", face=face)
        ring = np.array(profile.keeper, np.float32)

        def allowed(x: float, y: float) -> bool:
            depth = cv2.pointPolygonTest(ring, (x, y), measureDist=True)
            return depth > CLEAR_PX if kept else depth < -CLEAR_PX

        self._tray.carry(min(same, key=lambda i: abs(i - place)), allowed)

    def throw(
        self, count: int, *, held: Sequence[tuple[int, int]] = (), faces: Sequence[int] | None = None
    ) -> None:
        """Throw all dice but the held ones, given as (place from the left, face).

        The picture's left to right is not quite the tray's, seen at an angle: a die that is held is
        looked for by its face, next to its place. Where the tray does not show the held faces (the roll
        was typed in), all dice are thrown and those faces come up as if by agreement.
        """
        self._tray.dice = count
        lying = [die.face for die in self._tray.truth()]
        keep: list[int] = []
        for place, face in held:
            same = [i for i, other in enumerate(lying) if other == face and i not in keep]
            if not same:
                keep = []
                break
            keep.append(min(same, key=lambda i, place=place: abs(i - place)))  # type: ignore[misc]
        if len(keep) == len(held) and (len(lying) == count or not held):
            self._tray.throw(faces, keep=sorted(keep))
            return
        free = count - len(held)
        others = list(faces) if faces is not None else [self._rng.randint(1, 6) for _ in range(free)]
        self._tray.throw([*(face for _, face in held), *others])
