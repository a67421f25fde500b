"""Calibration on the running station: takes the watcher's frames through the steps and keeps the profile.

Every step answers with the whole state of the calibration; a step that fails is refused with a message and
changes nothing. What is in use is replaced only by `save`, `repair`, `relearn` and `choose`.
"""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime

import numpy as np

from calibration import lens
from calibration.outline import Points, inside
from calibration.session import CalibrationSession
from calibration.target import MARKER_MM
from messages.errors import BadInputError, RefusalError
from station.camera.calibration_report import (
    CalibrationReport,
    area_report,
    check_report,
    dice_report,
    kept_report,
    left_to_right,
    lens_report,
    lighting_report,
    profile_report,
    tray_report,
)
from station.camera.camera_access import EMPTY_FRAMES, PATIENCE_S, CameraAccess, size_of
from station.camera.mounting_assistant import MountingAssistant
from station.camera.profile_maintenance import ProfileMaintenance
from station.camera.profiles import Admit, Profiles
from station.contract.area import Area
from station.contract.view import Text
from station.game.feature import areas
from vision.cameras.live import EVERYTHING
from vision.picture import encode_jpeg
from vision.reader import Reader
from vision.reading import Reading, Status

SEVERAL = 2
VIEWS_MOST = 40
LOOSE_S = 900.0
"""Seconds after the last step at which an unsaved calibration releases the camera's settings."""


class Calibrator:
    """One calibration at a time, for all screens; thread-safe.

    mounting: says before it how camera, tray and lamp stand.
    use: reads with the profile in use from now on. now: the wall clock.
    """

    def __init__(
        self,
        camera: CameraAccess,
        profiles: Profiles,
        *,
        use: Callable[[], None],
        now: Callable[[], datetime],
    ) -> None:
        self._camera = camera
        self._profiles, self._use, self._now = profiles, use, now
        self._maintenance = ProfileMaintenance(camera, profiles, use)
        self.mounting = MountingAssistant(camera, self._die_mm)
        self._lock = threading.RLock()
        self._lens: lens.Lens | None = None
        self._session = self._anew()
        self._tray_message: Text = ""
        self._held_message: Text = ""
        self._views: list[lens.LensBoardView] = []
        self._lens_wh = (0, 0)  # of the pictures that the views are from
        self._known = self._session.dice
        self._throw: Reading | None = None
        self._saved = False

    # -- the steps -----------------------------------------------------------------------------------

    def find_tray(
        self,
        corners: Sequence[tuple[float, float]] | None = None,
        width_mm: float | None = None,
        marker_mm: float | None = None,
    ) -> CalibrationReport:
        """Step 1: by the markers, or by corners in pixels of the picture (clockwise from the top left)."""
        with self._step("calibration/tray"):
            if self._camera.person is not None and corners is None:
                # what is laid before there is a picture is lost
                self._camera.source.next_frames(1, PATIENCE_S)
                self._camera.person.lay_markers()
            session = self._anew()
            session.dice = self._maintenance.known_dice()
            frame = self._camera.pictures(self._camera.let_loose("calibrating", LOOSE_S))[-1]
            if corners is None:
                message = session.find_tray(frame, marker_mm or MARKER_MM)
            elif width_mm is None:
                raise BadInputError("calibration/width_wanted")
            else:
                message = session.set_corners(frame, corners, width_mm)
            if self._camera.settings is not None:
                # hands come in next, and a lens with a motor would follow them
                self._camera.settings.hold(("focus",))
            self._session, self._tray_message, self._held_message = session, message, ""
            self._saved, self._throw, self._known = False, None, session.dice
            return self.state()

    def learn_empty(self, *, surely_empty: bool = False) -> CalibrationReport:
        """Step 2, and the light report of step 3.

        surely_empty: a person has looked; what the reader takes for dice is a pattern of the tray.
        """
        with self._step("calibration/empty"):
            self._need_tray()
            if self._camera.person is not None:
                self._camera.person.clear()
            settings = self._camera.settings
            held = None if settings is None else settings.hold(EVERYTHING)
            if held is not None:
                # What it has settled on by now is what every later picture is taken with.
                self._session.hold_controls(held.controls)
            frames = self._camera.pictures(EMPTY_FRAMES)
            self._session.learn_empty(frames, surely_empty=surely_empty)
            self._held_message = "" if held is None else held.message
            return self.state()

    def learn_dice(self) -> CalibrationReport:
        """Step 4."""
        with self._step("calibration/dice"):
            self._need_tray()
            if self._camera.person is not None:
                self._camera.person.throw(self._camera.dice())
            self._session.learn_dice(self._camera.pictures(2)[-1])
            self._known = self._session.profile().dice
            return self.state()

    def save(self, name: str, admit: Admit = lambda _key, _there: None) -> CalibrationReport:
        """Keep the profile and use it. Raises what `Profiles.keep` raises."""
        with self._step("calibration/save"):
            self._need_tray()
            if self._session.empty is None:
                raise BadInputError("calibration/empty_first")
            self._profiles.keep(self._session.profile(name), self._session.empty, admit)
            self._use()
            self._saved = True
            return self.state()

    def mark(self, area: Area, corners: Sequence[tuple[float, float]] | None) -> CalibrationReport:
        """Mark an area in the profile in use, by corners in pixels; None: there is none.

        Raises FailedError when it cannot be written.
        """
        with self._step(f"calibration/{area.step}"):
            if self._profiles.current() is None:
                raise BadInputError(f"calibration/{area.step}/no_profile")
            fitting, empty = self._profiles.fitting(size_of(self._camera.newest()))
            given = None if corners is None else tuple((float(x), float(y)) for x, y in corners)
            middle = None if given is None else np.mean(given, axis=0)
            if middle is not None and fitting.outline and not inside(fitting.outline, *middle):
                raise BadInputError(f"calibration/{area.step}/outside")
            self._profiles.keep(area.marked(fitting, given), empty)
            self._use()
            return self.state()

    def begin_anew(self) -> None:
        """Forget what was found so far: from now on pictures are other ones, turned, or another camera's."""
        with self._lock:
            self._lens, self._views, self._throw = None, [], None
            self._session, self._saved, self._known = self._anew(), False, None
            self._tray_message = self._held_message = ""

    # -- the lens ------------------------------------------------------------------------------------

    def add_view(self) -> CalibrationReport:
        """Step 5: one more look at the board, when it shows something new."""
        with self._step("calibration/lens"):
            if self._camera.person is not None and len(self._views) < VIEWS_MOST:
                self._camera.person.hold_board()
            image = self._camera.pictures(1)[-1]
            view = lens.view_of(image)
            if self._views and self._lens_wh != size_of(image):
                self._views = []  # places in pictures of two sizes make no lens
            if len(self._views) >= VIEWS_MOST:
                raise BadInputError("calibration/lens/enough")
            if not lens.differs(view, self._views, size_of(image)):
                raise BadInputError("calibration/lens/same_view")
            self._views.append(view)
            self._lens_wh = size_of(image)
            return self.state()

    def solve_lens(self) -> CalibrationReport:
        """The lens from the views; the tray has to be found again after that."""
        with self._step("calibration/lens"):
            self._lens = lens.solve(self._views, self._lens_wh)
            if self._camera.person is not None:
                self._camera.person.clear()
            self._views = []
            self._session, self._saved, self._known = self._anew(), False, None
            self._tray_message = self._held_message = ""
            return self.state()

    def forget_views(self) -> CalibrationReport:
        """Discard the views."""
        with self._lock:
            self._views = []
            if self._camera.person is not None:
                self._camera.person.clear()
            return self.state()

    # -- checking ------------------------------------------------------------------------------------

    def read_throw(self) -> CalibrationReport:
        """Step 6: read what is in the tray, for the person to confirm."""
        with self._step("calibration/check"):
            if self._camera.person is not None:
                self._camera.person.throw(self._camera.dice())
            image = self._camera.pictures(1)[-1]
            known = self._profiles.current() is not None
            fitting, empty = self._profiles.fitting(size_of(image)) if known else (None, None)
            self._throw = Reader(self._camera.dice(), fitting, empty=empty).read(image)
            return self.state()

    def check(self, faces: Sequence[int | None], missed: Sequence[int] = ()) -> CalibrationReport:
        """Correct the reading with the real faces.

        faces: of the dice that were read, from left to right; None: there is no die. missed: of dice that
        were not read at all.
        """
        with self._step("calibration/check"):
            if self._throw is None:
                raise BadInputError("calibration/check/throw_first")
            read = [die.face for die in left_to_right(self._throw)]
            if len(faces) != len(read):
                raise BadInputError("calibration/check/say_each", count=len(read))
            wrong = sum(one != other for one, other in zip(read, faces, strict=True)) + len(missed)
            sure = self._throw.status is Status.READY
            # What the station was not sure of it has not claimed, so it was not wrong there.
            self._session.checked(len(read) + len(missed) if sure else 0, wrong if sure else 0, sure=sure)
            self._throw = None
            return self.state()

    # -- afterwards ----------------------------------------------------------------------------------

    def repair(self) -> CalibrationReport:
        """Let the profile in use follow the camera to where it looks now, or use another that fits."""
        with self._step("calibration/repair"):
            return self._report(self._maintenance.repair())

    def relearn(self, *, surely_empty: bool = False) -> CalibrationReport:
        """The empty tray of the profile in use again; see `ProfileMaintenance.relearn`."""
        with self._step("calibration/empty"):
            return self._report(self._maintenance.relearn(surely_empty=surely_empty))

    def settle(self, timeout_s: float) -> str | None:
        """At the start: use the profile whose tray the picture shows, where the one in use does not fit.

        timeout_s: to wait for the first picture. Gives the name of the one chosen, or None.
        """
        if len(self._profiles.stored()) < SEVERAL:
            return None
        image = self._camera.source.next_frames(1, timeout_s)[
            -1
        ].image  # not in the step: others need not wait
        with self._step("calibration/choose"):
            return self._maintenance.fit(image)

    def choose(self, key: str | None = None) -> CalibrationReport:
        """Use another profile; by the picture when none is named."""
        with self._step("calibration/choose"):
            return self._report(self._maintenance.choose(key))

    def forget(self, key: str) -> CalibrationReport:
        """Delete a profile that is kept."""
        with self._step("calibration/forget"):
            self._profiles.forget(key)
            return self.state()

    # -- what is known -------------------------------------------------------------------------------

    def frame_jpeg(self) -> bytes | None:
        """The newest picture with nothing drawn in; None while there is none."""
        frame = self._camera.source.frame()
        return None if frame is None else encode_jpeg(frame.image, quality=70)

    def outline(self) -> tuple[Points, tuple[int, int]] | None:
        """The outline of the tray, and the size of the pictures in which it was found; None if unknown."""
        current, frame = self._profiles.current(), self._camera.source.frame()
        found = tray_report(self._session.tray, "")
        if found is not None and frame is not None:
            return found.outline, size_of(frame.image)
        if current is not None and current.outline is not None and current.size_wh is not None:
            return current.outline, current.size_wh
        return None

    def state(self) -> CalibrationReport:
        """Everything the page shows."""
        return self._report("")

    def _report(self, message: Text) -> CalibrationReport:
        with self._lock:
            current, frame = self._profiles.current(), self._camera.source.frame()
            size = None if frame is None else size_of(frame.image)
            return CalibrationReport(
                camera=self._camera.name,
                simulated=self._camera.person is not None,
                size_wh=size,
                dice_expected=self._camera.dice(),
                message=message,
                active=None if current is None else profile_report(current),
                profiles=tuple(
                    kept_report(each.profile, each.key, active=each.active)
                    for each in self._profiles.stored()
                ),
                tray=tray_report(self._session.tray, self._tray_message),
                empty=self._session.empty is not None,
                light=lighting_report(self._session.report, self._held_message),
                dice=dice_report(self._known),
                saved=self._saved,
                lens=lens_report(self._views, size, self._lens),
                check=check_report(self._session.sureness, self._throw),
                parts=tuple(area_report(area, current, size) for area in areas()),
            )

    # -- inside --------------------------------------------------------------------------------------

    @contextmanager
    def _step(self, code: str) -> Iterator[None]:
        """One at a time; what cannot be is refused with that code, and nothing has changed."""
        with self._lock:
            self._camera.go_on("calibrating", LOOSE_S)
            try:
                yield
            except BadInputError as error:
                raise RefusalError(error.message, code=code) from error

    def _anew(self) -> CalibrationSession:
        """A calibration from its beginning, with the lens if that is known."""
        camera = self._camera
        session = CalibrationSession(camera.dice_in, camera.name, self._now, left_in=camera.left_in)
        known = self._lens or self._maintenance.known_lens()
        if known is not None:
            session.use_lens(known)
        return session

    def _die_mm(self) -> float | None:
        """Edge of the dice of the profile in use."""
        current = self._profiles.current()
        return None if current is None else current.die_mm

    def _need_tray(self) -> None:
        if self._session.tray is None:
            raise BadInputError("calibration/find_tray_first")
