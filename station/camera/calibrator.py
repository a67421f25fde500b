"""Calibration on the running station: takes the watcher's frames through the steps and keeps the profile.

Every step answers with the whole state of the calibration; a step that fails is refused with a sentence and
changes nothing. What is in use is replaced only by `save`, `repair` and `choose`.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from calibration import lens as lens_step
from calibration.lens import Lens, View
from calibration.session import Session
from calibration.target import MARKER_MM
from messages.errors import BadInputError
from station.camera import calibration_report as told
from station.camera.profiles import Profiles
from station.camera.upkeep import EMPTY_FRAMES, PATIENCE_S, Eyes, Person, Upkeep, size_of
from vision.cameras.live import SETTLING_FRAMES, Held
from vision.reader import Reader
from vision.reading import Reading, Status

if TYPE_CHECKING:
    from calibration.profile import KnownDice

VIEWS_MOST = 40


class Calibrator(Upkeep):
    """One calibration at a time, for all screens; thread-safe.

    camera: its name. use: reads with the profile in use from now on. dice: how many are played with. now: the
    wall clock. person: of the simulated tray. hold: lets the camera keep its exposure, gain, white balance
    and focus, if it can; release: lets its automatics run again.
    """

    def __init__(
        self,
        eyes: Eyes,
        camera: str,
        profiles: Profiles,
        *,
        use: Callable[[], None],
        dice: Callable[[], int],
        now: Callable[[], datetime],
        person: Person | None = None,
        hold: Callable[[], Held] | None = None,
        release: Callable[[], None] | None = None,
    ) -> None:
        super().__init__(eyes, camera, profiles, use=use, dice=dice, person=person)
        self._now, self._hold, self._release = now, hold, release
        self._lens: Lens | None = None
        self._session = self._anew()
        self._said: dict[str, str] = {}
        self._views: list[View] = []
        self._known: KnownDice | None = None
        self._throw: Reading | None = None
        self._saved = False

    # -- the steps -----------------------------------------------------------------------------------

    def find_tray(
        self,
        corners: Sequence[tuple[float, float]] | None = None,
        width_mm: float | None = None,
        marker_mm: float | None = None,
    ) -> dict[str, Any]:
        """Step 1: by the markers, or by corners in pixels of the picture (clockwise from the top left)."""
        with self._step("calibration/tray"):
            if self._person is not None and corners is None:
                self._eyes.next_frames(1, PATIENCE_S)  # what is laid before there is a picture is lost
                self._person.lay_markers()
            session = self._anew()
            self._remember_dice(session)
            frame = self._pictures(self._let_loose())[-1]
            if corners is None:
                said = session.find_tray(frame, marker_mm or MARKER_MM)
            elif width_mm is None:
                raise BadInputError("Type how wide the tray is inside, in millimetres.")
            else:
                said = session.set_corners(frame, corners, width_mm)
            self._session, self._said = session, {"tray": said}
            self._saved, self._throw, self._known = False, None, session.dice
            return self.state()

    def learn_empty(self, *, surely_empty: bool = False) -> dict[str, Any]:
        """Step 2, and the light report of step 3.

        surely_empty: a person has looked; what the reader takes for dice is a pattern of the tray.
        """
        with self._step("calibration/empty"):
            self._need_tray()
            if self._person is not None:
                self._person.clear()
            held = "" if self._hold is None else self._hold_settings(self._hold)
            frames = self._pictures(EMPTY_FRAMES)
            self._session.learn_empty(frames, surely_empty=surely_empty)
            self._said["held"] = held
            return self.state()

    def _let_loose(self) -> int:
        """Let the camera's automatics run, if it has any; how many pictures until one is good."""
        if self._release is None:
            return 2
        self._release()
        return SETTLING_FRAMES

    def _hold_settings(self, hold: Callable[[], Held]) -> str:
        """What the camera has settled on by now is what every later picture is taken with; in words."""
        held = hold()
        self._session.hold_controls(held.controls)
        return held.in_words

    def learn_dice(self) -> dict[str, Any]:
        """Step 4."""
        with self._step("calibration/dice"):
            self._need_tray()
            if self._person is not None:
                self._person.throw(self._dice())
            self._session.learn_dice(self._pictures(2)[-1])
            self._known = self._session.profile().dice
            return self.state()

    def save(self, name: str) -> dict[str, Any]:
        """Keep the profile and use it. Raises FailedError when it cannot be written."""
        with self._step("calibration/save"):
            self._need_tray()
            if self._session.empty is None:
                raise BadInputError("Learn the empty tray first.")
            self._profiles.keep(self._session.profile(name), self._session.empty)
            self._use()
            self._saved = True
            return self.state()

    # -- the lens ------------------------------------------------------------------------------------

    def add_view(self) -> dict[str, Any]:
        """Step 5: one more look at the board, when it shows something new."""
        with self._step("calibration/lens"):
            if self._person is not None and len(self._views) < VIEWS_MOST:
                self._person.hold_board()
            image = self._pictures(1)[-1]
            view = lens_step.view_of(image)
            if len(self._views) >= VIEWS_MOST:
                raise BadInputError("That is enough; the lens can be worked out.")
            if not lens_step.differs(view, self._views, size_of(image)):
                raise BadInputError("Hold the board elsewhere, or lean it another way.")
            self._views.append(view)
            return self.state()

    def solve_lens(self) -> dict[str, Any]:
        """The lens from the views; the tray has to be found again after that."""
        with self._step("calibration/lens"):
            self._lens = lens_step.solve(self._views, size_of(self._newest()))
            if self._person is not None:
                self._person.clear()
            self._views = []
            self._session, self._saved, self._known = self._anew(), False, None
            self._said = {}
            return self.state()

    def forget_views(self) -> dict[str, Any]:
        """Begin the views anew."""
        with self._lock:
            self._views = []
            if self._person is not None:
                self._person.clear()
            return self.state()

    # -- checking ------------------------------------------------------------------------------------

    def read_throw(self) -> dict[str, Any]:
        """Step 6: read what lies in the tray, for the person to nod at."""
        with self._step("calibration/check"):
            if self._person is not None:
                self._person.throw(self._dice())
            image = self._pictures(1)[-1]
            profile = self._profiles.current()
            fitting = None if profile is None else profile.for_picture(size_of(image))
            self._throw = Reader(self._dice(), fitting, empty=self._profiles.empty()).read(image)
            return self.state()

    def check(self, faces: Sequence[int | None], missed: Sequence[int] = ()) -> dict[str, Any]:
        """What lies there really.

        faces: of the dice that were read, from left to right; None: there is no die. missed: of dice that
        were not read at all.
        """
        with self._step("calibration/check"):
            if self._throw is None:
                raise BadInputError("Throw first, then say what the dice show.")
            read = [die.face for die in told.left_to_right(self._throw)]
            if len(faces) != len(read):
                raise BadInputError(f"{len(read)} dice were read; say of each what it shows.")
            wrong = sum(one != other for one, other in zip(read, faces, strict=True)) + len(missed)
            sure = self._throw.status is Status.READY
            # What the station was not sure of it has not claimed, so it was not wrong there.
            self._session.checked(len(read) + len(missed) if sure else 0, wrong if sure else 0, sure=sure)
            self._throw = None
            return self.state()

    # -- what is known -------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """Everything the page shows."""
        with self._lock:
            current, frame = self._profiles.current(), self._eyes.frame()
            size = None if frame is None else size_of(frame.image)
            return {
                "camera": self._camera,
                "simulated": self._person is not None,
                "size_wh": size,
                "dice_expected": self._dice(),
                "message": "",
                "active": None if current is None else told.about(current),
                "profiles": [
                    {"key": each.key, "active": each.active, **told.about(each.profile)}
                    for each in self._profiles.kept()
                ],
                "tray": told.tray(self._session.tray, self._said.get("tray", "")),
                "empty": self._session.empty is not None,
                "light": told.light(self._session.report, self._said.get("held", "")),
                "dice": told.dice(self._known),
                "saved": self._saved,
                "lens": told.lens(self._views, size, self._lens),
                "check": told.check(self._session.sureness, self._throw),
            }

    # -- inside --------------------------------------------------------------------------------------

    def _anew(self) -> Session:
        """A calibration from its beginning, with the lens if that is known."""
        session = Session(self._look, self._camera, self._now)
        lens = self._lens or self._lens_in_use()
        if lens is not None:
            session.use_lens(lens)
        return session

    def _remember_dice(self, session: Session) -> None:
        """Those of the profile in use: a tray that has moved is no other set of dice."""
        profile = self._profiles.current()
        if profile is not None and profile.dice is not None and profile.camera == self._camera:
            session.dice = profile.dice

    def _lens_in_use(self) -> Lens | None:
        """Of the profile in use, where that was measured with this camera at this size."""
        profile, frame = self._profiles.current(), self._eyes.frame()
        if profile is None or profile.lens is None or profile.lens.error_px <= 0 or frame is None:
            return None
        fits = profile.camera == self._camera and profile.lens.size_wh == size_of(frame.image)
        return profile.lens if fits else None

    def _need_tray(self) -> None:
        if self._session.tray is None:
            raise BadInputError("Find the tray first.")
