"""The settings of the camera's picture, from people's choice and the power of this machine."""

from collections.abc import Callable

from station.camera.camera_factory import wanted_of
from station.camera.picture_choice import PictureChoice
from station.camera.self_timing import SMALLER_WH, SelfTiming, Speed
from station.config import Config
from vision.cameras.sensors import PICTURE_WH, Size
from vision.cameras.wanted import CaptureSettings
from vision.stream import LOOKS_MAX


class WantedPicture:
    """The wanted picture of the settings' camera. calibrated: whether there is a calibration.

    choice: what people chose; timing: how quick this machine is.
    """

    def __init__(self, config: Config, calibrated: Callable[[], bool]) -> None:
        self._scarce, self._calibrated = config.limits.scarce, calibrated
        self.choice = PictureChoice(config.data, config.picture)
        # how quick the usual picture is read nobody needs to know where it is not taken
        named = self.choice.now.size is not None
        self.timing = SelfTiming(config.data, usual=named or not self._scarce)

    @property
    def now(self) -> CaptureSettings:
        """The wanted settings now."""
        speed = self.timing.speed
        smaller = self._scarce or (speed is not None and speed.smaller)
        return wanted_of(self.choice.now, SMALLER_WH if smaller else None)

    @property
    def offered_s(self) -> float | None:
        """About how long after it comes to rest a throw is offered; None before this machine was timed."""
        speed = self.timing.speed
        return None if speed is None else speed.offered_s(self._size_wh)

    @property
    def looks(self) -> int:
        """The number of looks at an unreadable picture."""
        speed = self.timing.speed
        return LOOKS_MAX if speed is None else speed.looks(self._size_wh)

    def timed(self, speed: Speed) -> Speed:
        """This machine was timed: what is made of it.

        Where it is slow and nothing is calibrated it takes smaller pictures: a calibration is for one size,
        and is scaled to another, but measured no better.
        """
        self.timing.speed = speed.model_copy(
            update={"smaller": speed.wants_smaller and not self._calibrated()}
        )
        return self.timing.speed

    @property
    def _size_wh(self) -> Size:
        return self.now.taken_wh or PICTURE_WH
