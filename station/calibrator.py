"""Calibration on the running station: takes the watcher's frames through the steps and keeps the profile.

Every step answers with the whole state of the calibration; a step that fails is refused with a sentence and
changes nothing. What is in use is replaced only by `save`, `repair` and `choose`.
"""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from calibration import lens as lens_step
from calibration.dice import SeenDie
from calibration.lens import Lens, View
from calibration.repair import repaired
from calibration.session import Session
from calibration.target import MARKER_MM
from station import calibration_told as told
from station.errors import BadInputError, CameraError, RefusalError
from station.profiles import Profiles
from vision.cameras.live import Held
from vision.frame import Frame
from vision.picture import encode_jpeg
from vision.pipeline import Reader
from vision.reading import Reading, Status

if TYPE_CHECKING:
    from calibration.profile import KnownDice

Image = NDArray[np.uint8]
PATIENCE_S = 8.0
"""A camera that gives no new frame for so long gives none."""
EMPTY_FRAMES = 8
"""Pictures of the empty tray: enough to take noise out and to see a lamp flicker."""
VIEWS_MOST = 40


class Eyes(Protocol):
    """Where pictures come from; `station.watcher` is the real one."""

    def frame(self) -> Frame | None:
        """The newest picture; None while there is none."""

    def next_frames(self, count: int, timeout_s: float) -> Sequence[Frame]:
        """The next pictures, taken from now on. Raises CameraError when they do not come in time."""


class Person(Protocol):
    """Who lays things into the tray without being asked twice: the simulated person."""

    def lay_markers(self) -> None:
        """The four markers into the corners."""

    def clear(self) -> None:
        """Everything out."""

    def throw(self, dice: int) -> None:
        """All dice in, at rest when this returns."""


class Calibrator:
    """One calibration at a time, for all screens; thread-safe.

    camera: its name. use: reads with the profile in use from now on. dice: how many are played with. now: the
    wall clock. person: of the simulated tray. hold: lets the camera keep its exposure, gain, white balance
    and focus, if it can.
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
    ) -> None:
        self._eyes, self._camera, self._profiles = eyes, camera, profiles
        self._use, self._dice, self._now = use, dice, now
        self._person, self._hold = person, hold
        self._lock = threading.RLock()
        self._lens: Lens | None = None
        self._blind = False
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
            frame = self._pictures(2)[-1]
            if corners is None:
                said = session.find_tray(frame, marker_mm or MARKER_MM)
            elif width_mm is None:
                raise BadInputError("Type how wide the tray is inside, in millimetres.")
            else:
                said = session.set_corners(frame, corners, width_mm)
            self._session, self._said = session, {"tray": said}
            self._saved, self._throw, self._known = False, None, None
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
            self._blind = surely_empty
            try:
                self._session.learn_empty(frames)
            finally:
                self._blind = False
            self._said["held"] = held
            return self.state()

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
            image = self._pictures(1)[-1]
            view = lens_step.view_of(image)
            if len(self._views) >= VIEWS_MOST:
                raise BadInputError("That is enough; the lens can be worked out.")
            if not lens_step.differs(view, self._views, _size(image)):
                raise BadInputError("Hold the board elsewhere, or lean it another way.")
            self._views.append(view)
            return self.state()

    def solve_lens(self) -> dict[str, Any]:
        """The lens from the views; the tray has to be found again after that."""
        with self._step("calibration/lens"):
            self._lens = lens_step.solve(self._views, _size(self._newest()))
            self._views = []
            self._session, self._saved, self._known = self._anew(), False, None
            self._said = {}
            return self.state()

    def forget_views(self) -> dict[str, Any]:
        """Begin the views anew."""
        with self._lock:
            self._views = []
            return self.state()

    # -- checking ------------------------------------------------------------------------------------

    def read_throw(self) -> dict[str, Any]:
        """Step 6: read what lies in the tray, for the person to nod at."""
        with self._step("calibration/check"):
            if self._person is not None:
                self._person.throw(self._dice())
            image = self._pictures(1)[-1]
            profile = self._profiles.current()
            fitting = None if profile is None else profile.for_picture(_size(image))
            self._throw = Reader(self._dice(), fitting).read(image)
            return self.state()

    def check(self, faces: Sequence[int]) -> dict[str, Any]:
        """What the dice of the last throw really show, from left to right."""
        with self._step("calibration/check"):
            if self._throw is None:
                raise BadInputError("Throw first, then say what the dice show.")
            read = [die.face for die in told.left_to_right(self._throw)]
            wrong = sum(one != other for one, other in zip(read, faces, strict=False))
            wrong += abs(len(read) - len(faces))
            sure = self._throw.status is Status.READY
            # What the station was not sure of it has not claimed, so it was not wrong there.
            self._session.checked(len(faces) if sure else 0, wrong if sure else 0, sure=sure)
            self._throw = None
            return self.state()

    # -- afterwards ----------------------------------------------------------------------------------

    def repair(self) -> dict[str, Any]:
        """Let the profile in use follow the camera to where it looks now, or use another that fits."""
        with self._step("calibration/repair"):
            image = self._newest()
            profile, empty = self._profiles.current(), self._profiles.empty()
            if profile is None or empty is None:
                raise BadInputError("There is no empty tray to compare with; calibrate anew.")
            try:
                fixed = repaired(profile, empty, image)
            except BadInputError:
                return self._another(image)
            if fixed.profile is profile:
                return self.state() | {"message": fixed.movement.in_words}
            self._profiles.keep(fixed.profile, fixed.empty)
            self._use()
            return self.state() | {"message": "The profile fits the picture again."}

    def _another(self, image: Image) -> dict[str, Any]:
        key = self._profiles.seen(image, self._camera)
        if key is None:
            raise BadInputError("The picture no longer shows the tray as it was; find the tray again.")
        return self._chosen(key)

    def choose(self, key: str | None = None) -> dict[str, Any]:
        """Use another profile; by the picture when none is named."""
        with self._step("calibration/choose"):
            if key is None:
                key = self._profiles.seen(self._newest(), self._camera)
            if key is None:
                raise BadInputError("None of the profiles shows this tray; calibrate anew.")
            return self._chosen(key)

    def _chosen(self, key: str) -> dict[str, Any]:
        profile = self._profiles.use(key)
        self._use()
        return self.state() | {"message": f"The profile “{profile.name}” is used now."}

    def forget(self, key: str) -> dict[str, Any]:
        """Delete a profile that is kept."""
        with self._step("calibration/forget"):
            self._profiles.forget(key)
            return self.state()

    # -- what is known -------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """Everything the page shows."""
        with self._lock:
            current, frame = self._profiles.current(), self._eyes.frame()
            size = None if frame is None else _size(frame.image)
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

    def frame_jpeg(self) -> bytes | None:
        """The newest picture with nothing drawn in; None while there is none."""
        frame = self._eyes.frame()
        return None if frame is None else encode_jpeg(frame.image)

    # -- inside --------------------------------------------------------------------------------------

    @contextmanager
    def _step(self, code: str) -> Iterator[None]:
        """One at a time; what cannot be is refused with that code, and nothing has changed."""
        with self._lock:
            try:
                yield
            except BadInputError as error:
                raise RefusalError(str(error), code=code) from error

    def _anew(self) -> Session:
        """A calibration from its beginning, with the lens if that is known."""
        session = Session(self._look, self._camera, self._now)
        lens = self._lens or self._lens_in_use()
        if lens is not None:
            session.use_lens(lens)
        return session

    def _lens_in_use(self) -> Lens | None:
        """Of the profile in use, where that was measured with this camera at this size."""
        profile, frame = self._profiles.current(), self._eyes.frame()
        if profile is None or profile.lens is None or profile.lens.error_px <= 0 or frame is None:
            return None
        fits = profile.camera == self._camera and profile.lens.size_wh == _size(frame.image)
        return profile.lens if fits else None

    def _look(self, image: Image) -> list[SeenDie]:
        """The dice in a picture, for the steps."""
        if self._blind:
            return []
        found = Reader(self._dice()).read(image)
        return [
            SeenDie(die.center, die.size, die.angle, die.colour.value) for die in told.left_to_right(found)
        ]

    def _need_tray(self) -> None:
        if self._session.tray is None:
            raise BadInputError("Find the tray first.")

    def _newest(self) -> Image:
        frame = self._eyes.frame()
        if frame is None:
            raise CameraError("The camera has not given a picture yet.")
        return frame.image

    def _pictures(self, count: int) -> list[Image]:
        """So many pictures of what lies there now: the first that comes may have been on its way already."""
        return [frame.image for frame in self._eyes.next_frames(count + 1, PATIENCE_S)[1:]]


def _size(image: Image) -> tuple[int, int]:
    return image.shape[1], image.shape[0]
