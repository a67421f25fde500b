"""Access of calibration to the camera: its pictures, the dice in them, and the person who lays things out."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.dice_in_use import SeenDie
from messages.errors import BadInputError, CameraError
from simulator.person import SimulatedPerson
from station.camera.calibration_report import left_to_right
from station.camera.held_settings import HeldSettings
from station.camera.watcher import Watcher
from vision.reader import Reader
from vision.reading import Reading, Status

Image = NDArray[np.uint8]
PATIENCE_S = 30.0
"""A camera that gives no new frame for this long gives none; a slow machine takes as long to open one."""
EMPTY_FRAMES = 8
"""Pictures of the empty tray: enough to take noise out and to see a lamp flicker."""


@dataclass(slots=True)
class CameraAccess:
    """The camera that is looked through; person and settings change with it.

    named: how it is called now. dice: how many are played with. person: of the simulated tray. settings: of
    light and focus, where it has any. across_deg: what its lens sees along the picture's longer side; None
    where nobody knows. dice_px: edges of the dice in the newest picture. focuses: whether its lens has a
    motor.
    """

    source: Watcher
    named: Callable[[], str]
    dice: Callable[[], int]
    person: SimulatedPerson | None = None
    settings: HeldSettings | None = None
    across_deg: Callable[[], float | None] = lambda: None
    dice_px: Callable[[], Sequence[float]] = tuple
    focuses: Callable[[], bool] = lambda: False

    @property
    def name(self) -> str:
        """The present name of the camera; another of the same kind may have been chosen."""
        return self.named()

    def newest(self) -> Image:
        """The newest picture. Raises CameraError while there is none."""
        frame = self.source.frame()
        if frame is None:
            raise CameraError("camera/no_frame")
        return frame.image

    def pictures(self, count: int) -> list[Image]:
        """That many current pictures, without the first to come, which may have been taken before."""
        return [frame.image for frame in self.source.next_frames(count + 1, PATIENCE_S)[1:]]

    def let_loose(self, who: str, for_s: float) -> int:
        """Let the camera's automatics run, see `HeldSettings`; how many pictures until one is good."""
        return 2 if self.settings is None else self.settings.let_loose(who, for_s)

    def go_on(self, who: str, for_s: float) -> None:
        """Extend the time for which the automatics run."""
        if self.settings is not None:
            self.settings.go_on(who, for_s)

    def dice_in(self, image: Image) -> list[SeenDie]:
        """The dice in a picture, from left to right."""
        return _dice(Reader(self.dice()).read(image))

    def left_in(self, image: Image) -> list[SeenDie]:
        """The dice in a picture that is to be empty. Raises BadInputError where a hand is in it."""
        found = Reader(self.dice()).read(image)
        if found.status is Status.COVERED:
            raise BadInputError("calibration/empty/hand")
        return _dice(found)


def _dice(found: Reading) -> list[SeenDie]:
    return [SeenDie(die.center, die.size, die.angle, die.colour.value) for die in left_to_right(found)]


def size_of(image: Image) -> tuple[int, int]:
    """Width and height."""
    return image.shape[1], image.shape[0]
