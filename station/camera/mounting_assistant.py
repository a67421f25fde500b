"""Mounting on the running station: looks at some pictures and says what is well and what to move."""

import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from calibration.markers import seen_markers
from calibration.mounting_check import Mounting, judge
from calibration.outline import Points
from calibration.tray_geometry import USUAL_FOCAL
from calibration.usual import USUAL_DIE_MM
from station.camera.camera_access import PATIENCE_S, CameraAccess, size_of
from station.contract.view import Text

LOOK_FRAMES = 5
"""Pictures of one look: enough to see a shake, and a lamp flicker."""
LOOK_EVERY_S = 0.7
"""An earlier request gets the last result: several phones cost no more than one."""
LOOSE_S = 30.0
"""Seconds after the last look for which the camera's automatics run: phones lock, and people leave."""


@dataclass(frozen=True, slots=True)
class MountingLineReport:
    """One thing that was looked at. id: tray, dice, sharp, light, still. standing: good, wrong or waiting."""

    id: str
    standing: str
    messages: tuple[Text, ...]


@dataclass(frozen=True, slots=True)
class MountingReport:
    """How camera, tray and lamp stand.

    outline: of the tray, spots: what is burnt out, in pixels. good: all is well. next: what to do first.
    """

    camera: str
    simulated: bool
    size_wh: tuple[int, int]
    outline: Points | None
    spots: Points
    lines: tuple[MountingLineReport, ...]
    good: bool
    next: tuple[Text, ...]


class MountingAssistant:
    """Looks through one camera; thread-safe.

    die_mm: edge of the dice in use; None while nobody knows it. clock: monotonic seconds.
    """

    def __init__(
        self,
        camera: CameraAccess,
        die_mm: Callable[[], float | None],
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._camera, self._die_mm, self._clock = camera, die_mm, clock
        self._lock = threading.Lock()
        self._last: MountingReport | None = None
        self._last_s = 0.0

    def begin(self) -> MountingReport:
        """Let the camera adjust light and focus again; on the simulated tray, lay the markers."""
        if self._camera.person is not None:
            self._camera.source.next_frames(1, PATIENCE_S)  # what is laid before there is a picture is lost
            self._camera.person.lay_markers()
        self._camera.pictures(self._camera.let_loose("mounting", LOOSE_S))
        with self._lock:
            self._last = None
        return self.look()

    def look(self) -> MountingReport:
        """Check the mounting now. Raises CameraError when there are no pictures."""
        self._camera.go_on("mounting", LOOSE_S)
        with self._lock:
            if self._last is None or self._clock() - self._last_s >= LOOK_EVERY_S:
                self._last = self._looked()
                self._last_s = self._clock()
            return self._last

    def _looked(self) -> MountingReport:
        frames = self._camera.pictures(LOOK_FRAMES)
        size = size_of(frames[-1])
        found = judge(
            frames,
            seen_markers(frames[-1]),
            focal_px=self._focal_px(size),
            die_mm=self._die_mm() or USUAL_DIE_MM,
            dice_px=self._camera.dice_px(),
            focuses=self._camera.focuses(),
        )
        return self._report(found, size)

    def _focal_px(self, size: tuple[int, int]) -> float:
        """The focal length of the lens in pixels, from its angle, or else of a usual one."""
        across_deg = self._camera.across_deg()
        if across_deg is None:
            return USUAL_FOCAL * max(size)
        return max(size) / 2 / math.tan(math.radians(across_deg) / 2)

    def _report(self, found: Mounting, size: tuple[int, int]) -> MountingReport:
        lines = tuple(
            MountingLineReport(line.item.value, line.standing.value, line.messages) for line in found.lines
        )
        simulated = self._camera.person is not None
        return MountingReport(
            self._camera.name, simulated, size, found.outline, found.spots, lines, found.good, found.next
        )
