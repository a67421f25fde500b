"""Which camera a station looks through, and which picture it makes: from the settings and what was found out.

What calibration found out stands in a profile, what was chosen on the page and how quick this machine is in
files of their own.
"""

import logging

from calibration.outline import Points
from calibration.profile import Profile
from messages.camera_names import called
from messages.errors import BadInputError
from messages.message import Message
from simulator import SimulatedTray
from station.camera.camera_factory import find_camera, wanted_of
from station.camera.picture_choice import PictureChoice
from station.camera.profile_guard import ProfileGuard
from station.camera.profiles import PROFILE_NAME, Profiles
from station.camera.self_timing import SMALLER_WH, SelfTiming, Speed
from station.config import Config
from vision.cameras.live import LiveCamera
from vision.cameras.sensors import PICTURE_WH, Size
from vision.cameras.usb_devices import usb_devices
from vision.cameras.wanted import Wanted
from vision.stream import LOOKS_MAX

log = logging.getLogger(__name__)


class OpenedCamera:
    """The camera of the settings, not started.

    Raises BadInputError for a camera there cannot be, and for a profile of the settings that cannot be read.
    """

    def __init__(self, config: Config) -> None:
        self._config = config
        self.profiles = Profiles(config.profile or config.data / PROFILE_NAME)
        self.guard = self.new_guard()
        profile = None if self.guard is None else self.guard.profile
        self.picture = PictureChoice(config.data, config.picture)
        # how quick the usual picture is read nobody needs to know where it is not taken
        named = self.picture.now.size is not None
        self.timing = SelfTiming(config.data, usual=named or not config.limits.scarce)
        self.camera = find_camera(config, self.wanted, profile)

    @property
    def name(self) -> Message | str:
        """What it is called, or that there is none."""
        return Message("camera/none_here") if self._stands_in else called(self.camera.name)

    @property
    def _stands_in(self) -> bool:
        """Whether the simulated tray is there for want of a camera."""
        return self._config.camera == "auto" and isinstance(self.camera, SimulatedTray)

    @property
    def came(self) -> tuple[int, ...]:
        """Numbers of the USB cameras that are there now, where none could be used at the start."""
        return tuple(usb_devices()) if self._stands_in else ()

    @property
    def live(self) -> LiveCamera | None:
        """The camera, where it is a real one."""
        return self.camera if isinstance(self.camera, LiveCamera) else None

    @property
    def simulated(self) -> SimulatedTray | None:
        """The camera, where it is the simulated tray."""
        return self.camera if isinstance(self.camera, SimulatedTray) else None

    @property
    def sensor(self) -> bool:
        """Whether its pictures come from a sensor here, of which no two are the same."""
        return self.live is not None and "://" not in self._config.camera

    def keeper(self) -> Points | None:
        """The dice keeper that is marked in the profile in use."""
        profile = self.profiles.current()
        return None if profile is None else profile.keeper

    def timed(self, speed: Speed) -> Speed:
        """This machine was timed: what is made of it.

        Where it is slow and nothing is calibrated it takes smaller pictures: a calibration is for one size,
        and is scaled to another, but measured no better.
        """
        speed = speed.model_copy(
            update={"smaller": speed.wants_smaller and not self.profiles.active.exists()}
        )
        self.timing.speed = speed
        return speed

    @property
    def _usual_wh(self) -> Size | None:
        """The size of the picture where nobody names one; None for what is usual for the camera."""
        speed = self.timing.speed
        smaller = self._config.limits.scarce or (speed is not None and speed.smaller)
        return SMALLER_WH if smaller else None

    @property
    def wanted(self) -> Wanted:
        """What is to be made of the picture now."""
        return wanted_of(self.picture.now, self._usual_wh)

    @property
    def offered_s(self) -> float | None:
        """About how long after it lies still a throw is offered; None before this machine was timed."""
        speed = self.timing.speed
        return None if speed is None else speed.offered_s(self.wanted.taken_wh or PICTURE_WH)

    @property
    def looks(self) -> int:
        """How many looks a picture is worth that cannot be read."""
        speed = self.timing.speed
        return LOOKS_MAX if speed is None else speed.looks(self.wanted.taken_wh or PICTURE_WH)

    def want(self, wanted: Wanted) -> None:
        """Make something else of the picture, where the camera can, once it is opened again."""
        if self.live is not None:
            self.live.want(wanted)

    def across_deg(self) -> float | None:
        """What the lens sees along the longer side of the picture."""
        view = None if self.live is None else self.live.view
        if view is None or view.across_deg is None or view.along_deg is None:
            return None
        return max(view.across_deg, view.along_deg)

    def new_guard(self) -> ProfileGuard | None:
        """Watches over the profile of the settings, or the one in the data folder if there is one.

        Raises BadInputError when the one of the settings cannot be read. The other must not keep a game from
        being played: what is wrong with it is logged, and the guard says that it is read without.
        """
        path = self.profiles.active
        if self._config.profile is None and not path.exists():
            return None
        profile = None
        try:
            profile = Profile.load(path)
        except BadInputError as error:
            if self._config.profile is not None:
                raise
            log.warning("no profile in use: %s", error)
        return ProfileGuard(profile, path.parent)
