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
from station.config import Config, Picture
from vision.cameras.live import LiveCamera
from vision.cameras.usb_devices import usb_devices

log = logging.getLogger(__name__)


def fitting(picture: Picture, speed: Speed | None, *, scarce: bool = False) -> Picture:
    """The settings of the picture; smaller where they name no size and the machine is slow or small."""
    smaller = scarce or (speed is not None and speed.smaller)
    if picture.size is not None or not smaller:
        return picture
    return picture.model_copy(update={"size": SMALLER_WH})


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
        self.timing = SelfTiming(config.data, usual=self._named or not config.limits.scarce)
        if config.limits.scarce and self.timing.speed is not None:
            self.timing.speed = self._made_of(self.timing.speed)
        self._fit(self.timing.speed)
        self.camera = find_camera(config, profile, self.picture.now)

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
        """This machine was timed: what is made of it."""
        speed = self._made_of(speed)
        self._fit(speed)
        return speed

    def _fit(self, speed: Speed | None) -> None:
        """Take the pictures that fit this machine."""
        self.picture.given = fitting(self._config.picture, speed, scarce=self._config.limits.scarce)
        self.picture.reload()

    @property
    def _named(self) -> bool:
        """Whether somebody has named a size: in the settings, or by what was chosen on the page."""
        return self.picture.chosen or self._config.picture.size is not None

    def _made_of(self, speed: Speed) -> Speed:
        """Smaller where nobody has named a size, and memory is scarce or the machine slow and not calibrated.

        A calibration is for one size of the picture; it is scaled to another, but measured no better.
        """
        smaller = speed.wants_smaller and not self.profiles.active.exists()
        return speed.model_copy(
            update={"smaller": not self._named and (self._config.limits.scarce or smaller)}
        )

    def want(self, picture: Picture) -> None:
        """Make something else of the picture, where the camera can, once it is opened again."""
        if self.live is not None:
            self.live.want(wanted_of(picture))

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
