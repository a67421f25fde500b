"""The simulated person who lays things into the simulated tray while it is calibrated."""

import time
from collections.abc import Callable

from messages.errors import FailedError
from simulator import SimulatedTray
from simulator.things import corner_markers, held_board

THROW_S = 20.0
"""A simulated throw takes some 3 s; more than this is no throw."""


class SimulatedPerson:
    """Does with the simulated tray what the page asks a person to do.

    clock, sleep: of the time throws take, seconds.
    """

    def __init__(
        self,
        tray: SimulatedTray,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._tray, self._clock, self._sleep = tray, clock, sleep
        self._things = tray.scene.things
        self._holds = 0

    def lay_markers(self) -> None:
        """Four markers in the corners, no dice."""
        self._tray.clear()
        self._tray.lay(corner_markers(self._tray.scene.tray))

    def hold_board(self) -> None:
        """The board for the lens into the picture, each time elsewhere and leaning another way."""
        self._tray.clear()
        self._tray.lay((held_board(self._tray.view, self._holds),))
        self._holds += 1

    def clear(self) -> None:
        """Markers and dice away; what lay there before all this stays."""
        self._tray.clear()
        self._tray.lay(self._things)

    def throw(self, dice: int) -> None:
        """Throw all dice and wait until they lie. Raises FailedError when they never do."""
        if self._tray.scene.things != self._things:
            self._tray.lay(self._things)
        self._tray.dice = dice
        self._tray.throw()
        until_s = self._clock() + THROW_S
        while self._tray.moving:
            if self._clock() > until_s:
                raise FailedError("simulated/no_rest")
            self._sleep(0.02)
