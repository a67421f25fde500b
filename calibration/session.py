"""Calibration step by step: each step takes frames and says what it found; the result is a profile.

Nothing is written before `save`, and a step that fails changes nothing, so a failed calibration never
replaces the one in use.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from calibration import dice_in_use, light
from calibration.dice_in_use import SeenDie
from calibration.empty_tray import learn_empty
from calibration.lens import Lens
from calibration.markers import left_lying
from calibration.outline import inside
from calibration.profile import CalibrationProfile, KnownDice, LightFigures
from calibration.profile_files import save_profile
from calibration.target import MARKER_MM
from calibration.tray_geometry import TrayFound, find_tray, from_corners
from calibration.usual import USUAL_DIE_MM
from messages.errors import BadInputError
from messages.message import Message

Image = NDArray[np.uint8]
Look = Callable[[Image], Sequence[SeenDie]]
"""A reader as far as calibration knows one: the dice in a picture, left to right."""


@dataclass(frozen=True, slots=True)
class Sureness:
    """Results of the readings that a person checked. dice: in all; wrong: misread ones."""

    throws: int = 0
    dice: int = 0
    wrong: int = 0
    unsure: int = 0

    @property
    def message(self) -> Message:
        """The result in words."""
        if not self.dice:
            return Message("calibration/check/none")
        if self.wrong:
            return Message("calibration/check/wrong", count=self.wrong, dice=self.dice)
        # With no error in n, the true rate is below 3/n with 95 % confidence (the rule of three,
        # Hanley and Lippman-Hand 1983).
        bound = self.dice // 3
        if bound < 2:
            return Message("calibration/check/few", count=self.dice)
        if not self.unsure:
            return Message("calibration/check/right", dice=self.dice, bound=bound)
        return Message(
            "calibration/check/unsure", dice=self.dice, count=self.unsure, throws=self.throws, bound=bound
        )


class CalibrationSession:
    """One calibration of one camera.

    look: a reader. camera: its name. now: the wall clock. start: a profile to go on from. left_in: the reader
    for the empty tray, which raises BadInputError where a hand is in the picture; None takes `look`.
    """

    def __init__(
        self,
        look: Look,
        camera: str,
        now: Callable[[], datetime],
        start: CalibrationProfile | None = None,
        *,
        left_in: Look | None = None,
    ) -> None:
        self._look, self._camera, self._now = look, camera, now
        self._left_in = left_in or look
        self._lens: Lens | None = None if start is None else start.lens
        self._controls = () if start is None else start.controls
        self.tray: TrayFound | None = None
        self.empty: Image | None = None
        self.report: light.LightReport | None = None
        self.sureness = Sureness()
        self._size: tuple[int, int] | None = None
        self.dice: KnownDice | None = None if start is None else start.dice

    def use_lens(self, lens: Lens) -> Message:
        """The lens is known from its board; the tray has to be found after that."""
        self._lens, self.tray = lens, None
        return lens.message

    def hold_controls(self, controls: Sequence[tuple[str, float]]) -> None:
        """Settings of the camera that were locked."""
        self._controls = tuple(controls)

    def find_tray(self, frame: Image, marker_mm: float = MARKER_MM) -> Message:
        """Step 1, with the printed markers. Raises BadInputError."""
        size = (frame.shape[1], frame.shape[0])
        self.tray = find_tray(frame, lens=self._lens_for(size), marker_mm=marker_mm)
        self._size = size
        return self._tray_message()

    def set_corners(
        self, frame: Image, corners_px: Sequence[tuple[float, float]], width_mm: float
    ) -> Message:
        """Step 1, by hand. Raises BadInputError."""
        size = (frame.shape[1], frame.shape[0])
        self.tray = from_corners(np.array(corners_px, np.float64), width_mm, size, self._lens_for(size))
        self._size = size
        return self._tray_message()

    def _lens_for(self, size_wh: tuple[int, int]) -> Lens | None:
        return None if self._lens is None else self._lens.for_picture(size_wh)

    def _tray_message(self) -> Message:
        tray = self._known_tray()
        return Message(
            "calibration/tray_found",
            width=tray.size_mm[0],
            depth=tray.size_mm[1],
            height=tray.height_mm / 10,
            edge=USUAL_DIE_MM,
            pixels=USUAL_DIE_MM / tray.mm_per_px,
        )

    def learn_empty(self, frames: Sequence[Image], *, surely_empty: bool = False) -> tuple[Message, ...]:
        """Step 2, and the light report.

        Raises BadInputError when it is not empty, a hand is there or something moves, or the pictures have
        another size by now.

        surely_empty: a person has looked; anything that looks like a die is part of the tray.
        """
        tray = self._known_tray()
        self._check_size(frames)
        dice = 0
        if not surely_empty:
            dice = sum(inside(tray.outline, *die.center) for die in self._left_in(frames[-1]))
            if any(inside(tray.outline, x, y) for x, y in left_lying(frames[-1]).tolist()):
                raise BadInputError("calibration/marker/left")
        empty = learn_empty(frames, dice)
        report = light.inspect(frames, self._outline(), USUAL_DIE_MM / tray.mm_per_px)
        self.empty, self.report = empty, report
        return (Message("calibration/empty/learnt"), *report.messages)

    def learn_dice(self, frame: Image) -> Message:
        """Step 4. Raises BadInputError when there are none, or sizes that cannot be, of dice or picture."""
        tray = self._known_tray()
        self._check_size([frame])
        in_tray = [die for die in self._look(frame) if inside(tray.outline, *die.center)]
        self.dice = dice_in_use.learn_dice(frame, in_tray, tray)
        edge = dice_in_use.usual_edge_mm(self.dice)
        colours = tuple(Message(f"page/colour/{body}") for body in sorted(set(self.dice.bodies)))
        count, least, most = self.dice.count, min(self.dice.edge_mm), max(self.dice.edge_mm)
        if edge:
            return Message("calibration/dice/one_size", count=count, edge=edge, colours=colours)
        return Message("calibration/dice/sizes", count=count, least=least, most=most, colours=colours)

    def checked(self, dice: int, wrong: int, *, sure: bool) -> Message:
        """Step 6: a throw was read and a person nodded, or corrected `wrong` of its dice."""
        before = self.sureness
        self.sureness = Sureness(
            before.throws + 1, before.dice + dice, before.wrong + wrong, before.unsure + (not sure)
        )
        return self.sureness.message

    def profile(self, name: str = "table") -> CalibrationProfile:
        """The profile as far as it is known. Raises BadInputError while the tray has not been found."""
        tray = self._known_tray()
        figures: LightFigures | None = self.report.figures if self.report else None
        known = CalibrationProfile(
            name=name,
            made=self._now().isoformat(timespec="seconds"),
            camera=self._camera,
            size_wh=self._size,
            outline=self._outline(),
            tray_mm=(round(tray.size_mm[0], 2), round(tray.size_mm[1], 2)),
            to_mm=tuple(float(value) for value in tray.to_mm.ravel()),
            mm_per_px=tray.mm_per_px_at(USUAL_DIE_MM),
            lens=tray.lens,
            light=figures,
            controls=self._controls,
        )
        return known if self.dice is None else dice_in_use.with_dice(known, tray, self.dice)

    def save(self, path: Path, name: str = "table") -> CalibrationProfile:
        """Write the profile, and the empty tray beside it. Raises FailedError; the old ones stay then."""
        return save_profile(path, self.profile(name), self.empty, self._now())

    def _check_size(self, frames: Sequence[Image]) -> None:
        """Raise BadInputError where the tray was found in pictures of another size."""
        if any((frame.shape[1], frame.shape[0]) != self._size for frame in frames):
            raise BadInputError("calibration/size_changed")

    def _known_tray(self) -> TrayFound:
        if self.tray is None:
            raise BadInputError("calibration/tray_first")
        return self.tray

    def _outline(self) -> tuple[tuple[float, float], ...]:
        return tuple((round(float(x), 2), round(float(y), 2)) for x, y in self._known_tray().outline)
