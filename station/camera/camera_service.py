"""All that look through the camera of a station: who reads the dice, who keeps pictures, who calibrates."""

import logging
import threading
from collections.abc import Callable

from messages.errors import BadInputError, YachtError
from simulator.person import SimulatedPerson
from station import resources
from station.camera import throw_pictures
from station.camera.calibrator import Calibrator
from station.camera.camera_access import PATIENCE_S, CameraAccess
from station.camera.correction_crops import FOLDER_NAME, CorrectionSaver
from station.camera.held_settings import HeldSettings
from station.camera.opened_camera import OpenedCamera
from station.camera.self_timing import Speed
from station.camera.throw_pictures import ThrowPictures
from station.camera.watcher import Watcher
from station.config import Config, Picture
from station.store import wall_clock
from station.table.table import Table
from vision.cameras.live import Controls
from vision.cameras.phone import Wants

log = logging.getLogger(__name__)

OPENING_S = 15.0
"""A camera that has given no picture for this long is being opened, or tried to be."""


class CameraService:
    """Watches a camera for a table; `start` and `stop` once each.

    stored: whether games are stored; else their numbers pass, and no picture is kept under them until they
    are (`restored`).
    """

    def __init__(self, config: Config, opened: OpenedCamera, table: Table, *, stored: bool) -> None:
        self._config = config
        self.opened, self._guard = opened, opened.guard
        ahead = resources.threads().ahead
        self.watcher = Watcher(opened.camera, table, guard=opened.guard, sensor=opened.sensor, ahead=ahead)
        self._kept = config.data / throw_pictures.FOLDER_NAME if config.keep_pictures else None
        self.pictures = ThrowPictures(self.watcher.moments.confirm, self._kept if stored else None)
        self.corrected = CorrectionSaver(self.watcher.latest, config.data / FOLDER_NAME)
        self.watcher.looks_max = opened.picture.looks
        opened.line.wants, opened.line.came = self._wants, self.watcher.wake
        opened.choice.use = self._look_through_another
        self._before_opening: Callable[[], None] = lambda: None
        self._access = CameraAccess(
            self.watcher,
            lambda: opened.camera.name,
            dice=lambda: table.dice_expected,
            across_deg=opened.across_deg,
            dice_px=self._dice_px,
            focuses=lambda: opened.live is not None and opened.live.focuses,
        )
        self._settings: HeldSettings | None = None
        self._know_camera()
        self.calibrator = Calibrator(self._access, opened.profiles, use=self.calibrated, now=wall_clock)

    def _know_camera(self) -> None:
        """Update everything that depends on the camera in use."""
        live, tray, choice = self.opened.live, self.opened.simulated, self.opened.picture.choice
        self._settings = None if live is None else HeldSettings(live, self._controls_in_use)
        self._access.settings = self._settings
        self._access.person = None if tray is None else SimulatedPerson(tray)
        choice.use = None if live is None else self._show_otherwise
        choice.refused = lambda: () if live is None else live.refused
        self.watcher.notice = lambda: None if live is None else live.notice

    def start(self, before_opening: Callable[[], None] = lambda: None) -> None:
        """Look, with the profile whose tray the camera sees, where the settings name none.

        before_opening: see `LiveCamera`.
        """
        self._before_opening = before_opening
        self._make_ready()
        self.watcher.start()
        self._begin_choosing()

    def _make_ready(self) -> None:
        if self.opened.live is not None:
            self.opened.live.before_opening = self._before_opening
            self.opened.picture.timing.begin(self.timed)

    def _begin_choosing(self) -> None:
        if self._config.profile is None:
            threading.Thread(target=self._choose_profile, name="profile", daemon=True).start()

    def _look_through_another(self) -> None:
        """A phone is the camera from now on, or no longer."""
        if self._settings is not None:
            self._settings.end()
        self._know_camera()
        self._make_ready()
        if self.opened.live is not None:
            self.opened.live.want(self.opened.picture.now)
        if self._settings is not None:
            self._settings.hold_again()
        self.watcher.look_through(self.opened.camera, sensor=self.opened.sensor)
        self.calibrator.begin_anew()
        self._begin_choosing()

    def ask_to_stop(self) -> None:
        """Stop soon."""
        if self._settings is not None:
            self._settings.end()
        self.watcher.ask_to_stop()
        self.opened.picture.timing.close()

    def stop(self, timeout_s: float) -> bool:
        """Wait for it; False when the camera's thread is still inside its driver."""
        self.opened.picture.timing.join(timeout_s)
        let_go = self.watcher.stop(timeout_s)
        if not let_go:
            log.warning("the camera did not let go in time")
        return let_go

    def _wants(self) -> Wants:
        """The pictures that are wanted from a phone."""
        if self.watcher.awaited:
            return Wants.LARGE
        return Wants.FRESH if self.watcher.unread else Wants.WORD

    @property
    def opens(self) -> bool:
        """Whether a camera is being opened, or tried to be: it gives no pictures."""
        age_s = self.watcher.frame_age_s
        live, silent = self.opened.live, age_s is None or age_s > OPENING_S
        return live is not None and (live.opening or silent)

    @property
    def offered_s(self) -> float | None:
        """Seconds from rest to the offer of a throw: measured, or else expected, once that is known."""
        found = self.watcher.offers.median_s
        return self.opened.picture.offered_s if found is None else found

    def timed(self, speed: Speed) -> Speed:
        """This machine was timed: what is made of it."""
        picture = self.opened.picture
        before = picture.now
        speed = picture.timed(speed)
        if picture.now == before:
            self.watcher.looks_max = picture.looks
        else:
            self._show_otherwise()
        log.info("a throw is offered about %.1f s after it comes to rest, here", picture.offered_s)
        return speed

    def calibrated(self) -> None:
        """Read with the profile that is in use since now, and hold what it says.

        Raises BadInputError where somebody insisted on it and it cannot be read.
        """
        self._guard = self.opened.new_guard()
        self.watcher.use(self._guard)
        if self._settings is not None:
            self._settings.hold_again()

    def _controls_in_use(self) -> Controls:
        """The controls that the profile in use sets on the current camera."""
        profile = None if self._guard is None else self._guard.profile
        return () if profile is None else profile.controls_of(self.opened.camera.name)

    def restored(self) -> None:
        """A copy was put back, or games are stored again: profile, picture and game numbers are others."""
        self.pictures.clear()
        self.pictures.keep_in(self._kept)
        self.opened.picture.choice.reload()
        try:
            self.calibrated()
        except BadInputError as error:  # of the settings, which a copy does not change while the station runs
            log.warning("no profile in use: %s", error)

    def _dice_px(self) -> tuple[float, ...]:
        """Edges of the dice in the newest picture."""
        latest = self.watcher.latest()
        return () if latest is None else tuple(die.size for die in latest[1].dice)

    def _show_otherwise(self, _: Picture | None = None) -> None:
        """Have the camera make something else of its picture."""
        if self.opened.live is not None:
            before = self.opened.camera.name
            self.opened.live.want(self.opened.picture.now)
            if self._settings is not None and self.opened.camera.name != before:
                self._settings.hold_again()
        self.watcher.looks_max = self.opened.picture.looks
        self.watcher.reopen()
        self.calibrator.begin_anew()

    def _choose_profile(self) -> None:
        """Choose the profile whose tray the camera sees."""
        try:
            name = self.calibrator.settle(PATIENCE_S)
        except YachtError as error:
            log.info("the profile stays as it is: %s", error)
        else:
            if name is not None:
                log.info("the camera sees the tray of the profile %s", name)
