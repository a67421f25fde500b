"""The camera in use and its profile, by the settings and what was detected."""

import logging
from collections.abc import Collection

from calibration.profile import CalibrationProfile
from messages.camera_names import camera_label
from messages.errors import BadInputError
from messages.message import Message
from simulator import SimulatedTray
from station.camera.camera_choice import CameraChoice
from station.camera.camera_factory import find_camera
from station.camera.profile_guard import ProfileGuard
from station.camera.profiles import PROFILE_NAME, Profiles
from station.camera.wanted_picture import WantedPicture
from station.config import Config
from vision.cameras.live import LiveCamera
from vision.cameras.phone import PhoneCamera, PhoneLine
from vision.cameras.usb_devices import usb_devices
from vision.frame import Camera

log = logging.getLogger(__name__)


class OpenedCamera:
    """The camera of the settings, not started.

    insisted: which of the settings somebody asks for now. Raises BadInputError for a camera there cannot be,
    and for a profile that cannot be read, where somebody insisted on them. What only stands in the settings
    may be another machine's and keeps no station from starting.
    """

    def __init__(self, config: Config, insisted: Collection[str] = ()) -> None:
        self._config = config
        self._insisted = insisted
        self.profiles = Profiles(config.profile or config.data / PROFILE_NAME)
        self.guard = self.new_guard()
        profile = None if self.guard is None else self.guard.profile
        self.picture = WantedPicture(config, self.profiles.active.exists)
        wanted, named = self.picture.now, "camera" in insisted
        self._given = given = find_camera(config, wanted, profile, insisted=named)
        self._phone = given if isinstance(given, PhoneCamera) else PhoneCamera(wanted=wanted)
        if profile is not None:
            self._phone.keep(profile.controls_of(self._phone.name))
        self.choice = CameraChoice(config.data, phone=given is self._phone, named=named)

    @property
    def camera(self) -> Camera:
        """The one that is looked through: that of the settings, or a phone."""
        return self._phone if self.choice.phone else self._given

    @property
    def name(self) -> Message | str:
        """The name of the camera, or the message that there is none."""
        return Message("camera/none_here") if self._stands_in else camera_label(self.camera.name)

    @property
    def _stands_in(self) -> bool:
        """Whether the simulated tray replaces a missing camera."""
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
    def phone(self) -> PhoneLine | None:
        """The line to the phone, if a phone is the camera."""
        return self.camera.line if isinstance(self.camera, PhoneCamera) else None

    @property
    def line(self) -> PhoneLine:
        """The connection for pictures from a phone."""
        return self._phone.line

    @property
    def tray(self) -> SimulatedTray | None:
        """The camera of the settings, where it is the simulated tray."""
        return self._given if isinstance(self._given, SimulatedTray) else None

    @property
    def simulated(self) -> SimulatedTray | None:
        """The camera, where it is the simulated tray."""
        return self.camera if isinstance(self.camera, SimulatedTray) else None

    @property
    def sensor(self) -> bool:
        """Whether its pictures come from a sensor here, of which no two are the same."""
        return self.live is not None and self.phone is None and "://" not in self._config.camera

    def across_deg(self) -> float | None:
        """The lens's angle of view along the longer side of the picture, degrees; None if unknown."""
        view = None if self.live is None else self.live.view
        if view is None or view.across_deg is None or view.along_deg is None:
            return None
        return max(view.across_deg, view.along_deg)

    def new_guard(self) -> ProfileGuard | None:
        """Watches over the profile of the settings, or the one in the data folder if there is one.

        Raises BadInputError when one that somebody insisted on cannot be read. Another must not keep a game
        from being played: what is wrong with it is logged, and the guard says that it is read without.
        """
        path = self.profiles.active
        if self._config.profile is None and not path.exists():
            return None
        profile = None
        try:
            profile = CalibrationProfile.load(path)
        except BadInputError as error:
            if "profile" in self._insisted:
                raise
            log.warning("no profile in use: %s", error)
        return ProfileGuard(profile, path.parent)
