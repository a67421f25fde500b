"""A station as far as calibration goes: a simulated tray, a reader without a thread, time that is made."""

import itertools
import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from messages.errors import CameraError
from simulator import SimulatedTray
from simulator.person import SimulatedPerson
from station.camera.calibration_report import CalibrationReport
from station.camera.calibrator import Calibrator
from station.camera.camera_access import CameraAccess
from station.camera.profiles import Profiles
from tests.table.helpers import Clock
from vision.cameras.live import Controls, Held
from vision.frame import Frame

DICE = 5


class Frames:
    """A watcher without a thread: it reads the tray when it is asked for pictures.

    share: of the usual width and height, for a camera that delivers another size from now on.
    """

    def __init__(self, tray: SimulatedTray) -> None:
        self.tray, self.broken = tray, False
        self.latest: Frame | None = None
        self.change: NDArray[np.float64] | None = None
        self.share = 1.0

    def frame(self) -> Frame | None:
        return self.latest

    def next_frames(self, count: int, timeout_s: float) -> list[Frame]:
        if self.broken:
            raise CameraError("No picture from the simulated tray. Check its cable.")
        frames = []
        while len(frames) < count:
            frame = self.tray.read(timeout_s)
            assert frame is not None
            pushed = frame if self.change is None else self.pushed(frame, self.change)
            frames.append(pushed if self.share == 1.0 else self.scaled(pushed, self.share))
        self.latest = frames[-1]
        return frames

    @staticmethod
    def scaled(frame: Frame, share: float) -> Frame:
        """The frame of a camera in another mode."""
        image = cv2.resize(frame.image, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
        return replace(frame, image=np.asarray(image, np.uint8))

    @staticmethod
    def pushed(frame: Frame, change: NDArray[np.float64]) -> Frame:
        """The frame as a camera sees it that was pushed."""
        height, width = frame.image.shape[:2]
        image = cv2.warpAffine(frame.image, change, (width, height), borderMode=cv2.BORDER_REFLECT)
        return replace(frame, image=np.asarray(image, np.uint8))


class Settings:
    """A camera as far as its settings go: it notes what it gets, and holds what it was made with."""

    def __init__(self, *held: tuple[str, float]) -> None:
        self.received: list[object] = []
        self._held = held

    def hold(self, settings: Sequence[str]) -> Held:
        self.received.append(" ".join(settings))
        return Held(self._held)

    def release(self) -> None:
        self.received.append("release")

    def keep(self, controls: Controls) -> None:
        self.received.append(tuple(controls))


class Table:
    """A station as far as calibration goes."""

    def __init__(self, folder: Path, seed: int = 7, like: "Table | None" = None) -> None:
        """like: shares its tray and clock, which take long to make."""
        self.days = itertools.count()
        self.clock = Clock() if like is None else like.clock
        self.tray = self.new_tray(seed) if like is None else like.tray
        self.tray.clear()
        self.frames = Frames(self.tray)
        self.profiles = Profiles(folder / "profile.json", self.day)
        self.used = 0
        self.calibrator = Calibrator(
            CameraAccess(
                self.frames,
                lambda: self.tray.name,
                dice=lambda: DICE,
                person=SimulatedPerson(self.tray, clock=self.clock, sleep=self.clock.sleep),
            ),
            self.profiles,
            use=self.use,
            now=self.day,
        )

    def new_tray(self, seed: int) -> SimulatedTray:
        return SimulatedTray(random.Random(seed), dice=DICE, fps=30, clock=self.clock, sleep=self.clock.sleep)

    def day(self) -> datetime:
        return datetime(2026, 11, 20, 12, tzinfo=UTC) + timedelta(minutes=next(self.days))

    def use(self) -> None:
        self.used += 1

    def through(self, name: str = "Kitchen") -> CalibrationReport:
        """The four steps, four presses."""
        self.calibrator.find_tray()
        self.calibrator.learn_empty()
        self.calibrator.learn_dice()
        return self.calibrator.save(name)

    def bump(self, right_px: float, down_px: float) -> None:
        """From now on the camera looks a little elsewhere."""
        self.frames.change = np.array([[1.0, 0.0, right_px], [0.0, 1.0, down_px]])


def corners_of(table: Table) -> Any:
    """Of the profile in use."""
    profile = table.profiles.current()
    assert profile is not None
    return np.array(profile.outline)


def truth(table: Table) -> Any:
    """Where the corners of the tray's floor really are in the picture."""
    x, y = table.tray.scene.tray.half_mm
    return table.tray.view.project(np.array([[-x, y, 0.0], [x, y, 0.0], [x, -y, 0.0], [-x, -y, 0.0]]))
