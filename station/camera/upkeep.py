"""Looking after calibration on the running station: repair after a bump, another light, other profiles.

What is in use is replaced only when everything else has succeeded; a step that fails is refused with a
sentence and changes nothing.
"""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from calibration.dice_in_use import SeenDie
from calibration.repair import relit, repaired
from messages.errors import BadInputError, CameraError, RefusalError
from station.camera.calibration_report import left_to_right
from station.camera.profiles import Profiles
from vision.frame import Frame
from vision.picture import encode_jpeg
from vision.reader import Reader

Image = NDArray[np.uint8]
SEVERAL = 2
PATIENCE_S = 15.0
"""A camera that gives no new frame for so long gives none."""
EMPTY_FRAMES = 8
"""Pictures of the empty tray: enough to take noise out and to see a lamp flicker."""


class Eyes(Protocol):
    """Where pictures come from; `station.camera.watcher` is the real one."""

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

    def hold_board(self) -> None:
        """The board for the lens into the picture, elsewhere each time."""

    def throw(self, dice: int) -> None:
        """All dice in, at rest when this returns."""


class Upkeep:
    """Keeps the profile in use fitting; thread-safe.

    camera: its name. use: reads with the profile in use from now on. dice: how many are played with.
    person: of the simulated tray.
    """

    def __init__(
        self,
        eyes: Eyes,
        camera: str,
        profiles: Profiles,
        *,
        use: Callable[[], None],
        dice: Callable[[], int],
        person: Person | None = None,
    ) -> None:
        self._eyes, self._camera, self._profiles = eyes, camera, profiles
        self._use, self._dice, self._person = use, dice, person
        self._lock = threading.RLock()

    def state(self) -> dict[str, Any]:
        """What is known."""
        raise NotImplementedError

    def frame_jpeg(self) -> bytes | None:
        """The newest picture with nothing drawn in; None while there is none."""
        frame = self._eyes.frame()
        return None if frame is None else encode_jpeg(frame.image)

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
                raise BadInputError(
                    "The camera stands as it did. If the light has changed, learn the empty tray again."
                )
            self._profiles.keep(fixed.profile, fixed.empty)
            self._use()
            return self.state() | {"message": "The profile fits the picture again."}

    def relearn(self, *, surely_empty: bool = False) -> dict[str, Any]:
        """The empty tray of the profile in use, under the light of now; all else stays as it was learnt.

        A small bump is followed; after a larger one this is refused.
        """
        with self._step("calibration/empty"):
            profile = self._profiles.current()
            if profile is None:
                raise BadInputError("Find the tray first.")
            if self._person is not None:
                self._person.clear()
            frames = self._pictures(EMPTY_FRAMES)
            seen = [] if surely_empty else [die.center for die in self._look(frames[-1])]
            fitted = profile.for_picture(size_of(frames[-1]), self._camera)
            self._profiles.keep(*relit(fitted, self._profiles.empty(), frames, seen))
            self._use()
            return self.state() | {"message": "The empty tray is learnt again."}

    def _another(self, image: Image) -> dict[str, Any]:
        key = self._profiles.seen(image, self._camera)
        if key is None:
            raise BadInputError("The picture no longer shows the tray as it was; find the tray again.")
        return self._chosen(key)

    def settle(self, timeout_s: float) -> str | None:
        """At the start: use the profile whose tray the picture shows, where the one in use does not fit.

        timeout_s: to wait for the first picture. Gives the name of the one chosen, or None.
        """
        if len(self._profiles.kept()) < SEVERAL:
            return None
        image = self._eyes.next_frames(1, timeout_s)[-1].image  # not in the step: others need not wait
        with self._step("calibration/choose"):
            key = None if self._profiles.fits(image) else self._profiles.seen(image, self._camera)
            if key is None:
                return None
            profile = self._profiles.use(key)
            self._use()
            return profile.name

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

    # -- inside --------------------------------------------------------------------------------------

    @contextmanager
    def _step(self, code: str) -> Iterator[None]:
        """One at a time; what cannot be is refused with that code, and nothing has changed."""
        with self._lock:
            try:
                yield
            except BadInputError as error:
                raise RefusalError(str(error), code=code) from error

    def _look(self, image: Image) -> list[SeenDie]:
        """The dice in a picture, for the steps."""
        found = Reader(self._dice()).read(image)
        return [SeenDie(die.center, die.size, die.angle, die.colour.value) for die in left_to_right(found)]

    def _newest(self) -> Image:
        frame = self._eyes.frame()
        if frame is None:
            raise CameraError("The camera has not given a picture yet.")
        return frame.image

    def _pictures(self, count: int) -> list[Image]:
        """So many pictures of what lies there now: the first that comes may have been on its way already."""
        return [frame.image for frame in self._eyes.next_frames(count + 1, PATIENCE_S)[1:]]


def size_of(image: Image) -> tuple[int, int]:
    """Width and height."""
    return image.shape[1], image.shape[0]
