"""Calibration step by step: each step takes frames and gives a sentence; the result is a profile.

Nothing is written before `save`, and a step that fails changes nothing, so a failed calibration never
replaces the one in use.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration import dice_in_use as dice_step
from calibration import light as light_step
from calibration.dice_in_use import SeenDie
from calibration.empty_tray import learn_empty
from calibration.lens import Lens
from calibration.markers import left_lying
from calibration.profile import KnownDice, LightFigures, Profile
from calibration.profile_files import keep
from calibration.target import MARKER_MM
from calibration.tray_geometry import TrayFound, find_tray, from_corners
from messages.errors import BadInputError

Image = NDArray[np.uint8]
Look = Callable[[Image], Sequence[SeenDie]]
"""A reader as far as calibration knows one: the dice in a picture, left to right."""
USUAL_DIE_MM = 16.0


@dataclass(frozen=True, slots=True)
class Sureness:
    """How often the station read rightly when a person checked. dice: in all; wrong: of them."""

    throws: int = 0
    dice: int = 0
    wrong: int = 0
    unsure: int = 0

    @property
    def in_words(self) -> str:
        """What that says about this table."""
        if not self.dice:
            return "Nothing has been checked yet."
        if self.wrong:
            return (
                f"{self.wrong} of {self.dice} dice were read wrongly: learn the empty tray and the dice "
                "again, and look at the light."
            )
        # With no error in n, the true rate is below 3/n with 95 % confidence (the rule of three,
        # Hanley and Lippman-Hand 1983).
        unsure = f"; {self.unsure} of {self.throws} throws were not sure" if self.unsure else ""
        bound = max(self.dice // 3, 1)
        return f"All {self.dice} dice were read rightly{unsure}: fewer than 1 in {bound} is wrong here."


class Session:
    """One calibration of one camera.

    look: a reader. camera: its name. now: the wall clock. start: a profile to go on from.
    """

    def __init__(
        self, look: Look, camera: str, now: Callable[[], datetime], start: Profile | None = None
    ) -> None:
        self._look, self._camera, self._now = look, camera, now
        self._lens: Lens | None = None if start is None else start.lens
        self._controls = () if start is None else start.controls
        self.tray: TrayFound | None = None
        self.empty: Image | None = None
        self.report: light_step.LightReport | None = None
        self.sureness = Sureness()
        self._size: tuple[int, int] | None = None
        self.dice: KnownDice | None = None if start is None else start.dice

    def use_lens(self, lens: Lens) -> str:
        """The lens is known from its board; the tray has to be found after that."""
        self._lens, self.tray = lens, None
        return lens.in_words

    def hold_controls(self, controls: Sequence[tuple[str, float]]) -> None:
        """Settings of the camera that were locked."""
        self._controls = tuple(controls)

    def find_tray(self, frame: Image, marker_mm: float = MARKER_MM) -> str:
        """Step 1, with the printed markers. Raises BadInputError."""
        self.tray = find_tray(frame, lens=self._lens, marker_mm=marker_mm)
        self._size = (frame.shape[1], frame.shape[0])
        return self._tray_in_words()

    def set_corners(self, frame: Image, corners_px: Sequence[tuple[float, float]], width_mm: float) -> str:
        """Step 1, by hand. Raises BadInputError."""
        size = (frame.shape[1], frame.shape[0])
        self.tray = from_corners(np.array(corners_px, np.float64), width_mm, size, self._lens)
        self._size = size
        return self._tray_in_words()

    def _tray_in_words(self) -> str:
        tray = self._found()
        width, depth = tray.size_mm
        small = USUAL_DIE_MM / tray.mm_per_px
        return (
            f"The tray is {width:.0f} by {depth:.0f} mm; the camera hangs about {tray.height_mm / 10:.0f} cm "
            f"above it, and a die of {USUAL_DIE_MM:.0f} mm is {small:.0f} pixels wide."
        )

    def learn_empty(self, frames: Sequence[Image], *, surely_empty: bool = False) -> str:
        """Step 2, and the light report. Raises BadInputError when it is not empty or something moves.

        surely_empty: a person has looked; what seems to lie there is part of the tray.
        """
        tray = self._found()
        inside = []
        if not surely_empty:
            inside = [die for die in self._look(frames[-1]) if _within(tray, die.center)]
            if any(_within(tray, (x, y)) for x, y in left_lying(frames[-1]).tolist()):
                raise BadInputError("The markers still lie in the tray; take them out and try again.")
        empty = learn_empty(frames, len(inside))
        report = light_step.inspect(frames, self._outline(), USUAL_DIE_MM / tray.mm_per_px)
        self.empty, self.report = empty, report
        return " ".join(("The empty tray is learnt.", *report.in_words))

    def learn_dice(self, frame: Image) -> str:
        """Step 4. Raises BadInputError when there are none, or sizes that cannot be."""
        tray = self._found()
        seen = [die for die in self._look(frame) if _within(tray, die.center)]
        self.dice = dice_step.learn_dice(frame, seen, tray)
        edge = dice_step.usual_edge_mm(self.dice)
        sizes = (
            f"{edge:.1f} mm" if edge else f"{min(self.dice.edge_mm):.0f} to {max(self.dice.edge_mm):.0f} mm"
        )
        colours = ", ".join(sorted(set(self.dice.bodies)))
        return f"{self.dice.count} dice of {sizes}: {colours}."

    def checked(self, dice: int, wrong: int, *, sure: bool) -> str:
        """Step 6: a throw was read and a person nodded, or corrected `wrong` of its dice."""
        before = self.sureness
        self.sureness = Sureness(
            before.throws + 1, before.dice + dice, before.wrong + wrong, before.unsure + (not sure)
        )
        return self.sureness.in_words

    def profile(self, name: str = "table") -> Profile:
        """What is known by now. Raises BadInputError while the tray has not been found."""
        tray = self._found()
        figures: LightFigures | None = self.report.figures if self.report else None
        known = Profile(
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
        return known if self.dice is None else dice_step.with_dice(known, tray, self.dice)

    def save(self, path: Path, name: str = "table") -> Profile:
        """Write the profile, and the empty tray beside it. Raises FailedError; the old ones stay then."""
        return keep(path, self.profile(name), self.empty, self._now())

    def _found(self) -> TrayFound:
        if self.tray is None:
            raise BadInputError("The tray has to be found first; lay the four markers into its corners.")
        return self.tray

    def _outline(self) -> tuple[tuple[float, float], ...]:
        return tuple((round(float(x), 2), round(float(y), 2)) for x, y in self._found().outline)


def _within(tray: TrayFound, spot: tuple[float, float]) -> bool:
    return cv2.pointPolygonTest(tray.outline.astype(np.float32), spot, measureDist=False) >= 0
