"""Calibration with the camera of the running station: one press a step, for the setup page.

Markers (or corners by hand), the empty tray, the dice; then the profile is written and read with at once.
What fails leaves the profile in use as it is. With the simulated tray the station lays out things itself.
"""

import threading
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol

from calibration.dice import SeenDie
from calibration.session import Image, Session
from calibration.target import MARKER_MM
from station.errors import BadInputError, RefusalError
from vision.cameras.live import Held
from vision.cameras.simulated import SimulatedTray
from vision.cameras.simulated.things import corner_markers
from vision.frame import Frame
from vision.pipeline import Reader

FRAMES = 8
"""Pictures for the empty tray: enough to take noise out and to see a lamp flicker."""

WAIT_S = 10.0
"""A camera that gives no new picture within this time gives none at all."""

STEPS = ("tray", "empty", "dice", "done")
WORDS = {
    "tray": "Lay the four printed markers into the tray's corners.",
    "empty": "Take everything out of the tray.",
    "dice": "Lay your dice into the tray, flat and apart.",
    "done": "The station is calibrated.",
}
"""What a person has to do before each step."""


class Frames(Protocol):
    """Where pictures come from; `station.watcher` is the real one."""

    def next_frames(self, count: int, timeout_s: float) -> Sequence[Frame]:
        """The next pictures taken from now on. Raises CameraError when they do not come in time."""


class Calibrating:
    """One calibration after the other.

    camera: its name. path: of the profile. dice: how many are played with. saved: called when a new profile
    has been written. now: time of day. tray: the simulated one, if that is the camera. hold: lets the camera
    keep its exposure, gain, white balance and focus, if it can.
    """

    def __init__(
        self,
        frames: Frames,
        camera: str,
        path: Path,
        *,
        dice: Callable[[], int],
        saved: Callable[[], None],
        now: Callable[[], datetime],
        tray: SimulatedTray | None = None,
        hold: Callable[[], Held] | None = None,
    ) -> None:
        self._frames, self._camera, self._path = frames, camera, path
        self._dice, self._saved, self._now = dice, saved, now
        self._tray, self._hold = tray, hold
        self._lock = threading.Lock()
        self._session: Session | None = None
        self._step = "tray"
        self._said: tuple[str, ...] = ()

    def state(self) -> dict[str, Any]:
        """`step` that comes next, `words`: what to do before it, `said`: what the steps so far found out."""
        with self._lock:
            return self._state()

    def begin(self) -> dict[str, Any]:
        """Start anew; the profile in use stays until the last step."""
        with self._lock:
            self._session, self._step, self._said = None, "tray", ()
            return self._state()

    def find_tray(self, *, marker_mm: float | None = None) -> dict[str, Any]:
        """Step 1 with the printed markers. marker_mm: their black edge, if not as printed.

        Raises BadInputError with what is wrong with the picture, CameraError; as all steps do.
        """
        with self._lock:
            session = self._new_session()
            self._lay_markers()
            return self._went("empty", session.find_tray(self._picture(), marker_mm or MARKER_MM), session)

    def set_corners(self, corners_px: Sequence[tuple[float, float]], width_mm: float) -> dict[str, Any]:
        """Step 1 by hand: the tray's corners in the picture, top left first, clockwise; its inner width."""
        with self._lock:
            session = self._new_session()
            return self._went("empty", session.set_corners(self._picture(), corners_px, width_mm), session)

    def learn_empty(self) -> dict[str, Any]:
        """Step 2: the tray with nothing in it, and the light."""
        with self._lock:
            session = self._running("empty")
            if self._tray is not None:
                self._tray.lay(())
            held = ""
            if self._hold is not None:
                # What the automatics have settled on by now is what every later picture is taken with.
                kept = self._hold()
                session.hold_controls(kept.controls)
                held = f"{kept.in_words} "
            frames = [frame.image for frame in self._frames.next_frames(FRAMES, WAIT_S)]
            return self._went("dice", held + session.learn_empty(frames), session)

    def learn_dice(self) -> dict[str, Any]:
        """Step 3: the dice that are used; then the profile is written and read with."""
        with self._lock:
            session = self._running("dice")
            self._lay_dice()
            said = session.learn_dice(self._picture())
            session.save(self._path)
            self._saved()
            return self._went("done", said, session)

    # -- inside --------------------------------------------------------------------------------------

    def _state(self) -> dict[str, Any]:
        return {"step": self._step, "words": WORDS[self._step], "said": list(self._said)}

    def _went(self, step: str, said: str, session: Session) -> dict[str, Any]:
        earlier = () if step == "empty" else self._said
        self._session, self._step, self._said = session, step, (*earlier, said)
        return self._state()

    def _new_session(self) -> Session:
        return Session(self._look, self._camera, self._now)

    def _running(self, step: str) -> Session:
        """The session, when this step may come now: its own or one that comes later, done again."""
        if self._session is None or STEPS.index(self._step) < STEPS.index(step):
            raise RefusalError(f"First: {WORDS[self._step]}", code="calibration/order")
        return self._session

    def _picture(self) -> Image:
        """A picture of what lies there now: the first one may still show what lay there before."""
        return self._frames.next_frames(2, WAIT_S)[-1].image

    def _look(self, image: Image) -> list[SeenDie]:
        found = Reader(self._dice()).read(image).dice
        return [SeenDie(die.center, die.size, die.angle, die.colour.value) for die in found]

    def _lay_markers(self) -> None:
        if self._tray is not None:
            self._frames.next_frames(1, WAIT_S)  # it must be running: what is laid out before that is lost
            self._tray.clear()
            self._tray.lay(corner_markers(self._tray.scene.tray))

    def _lay_dice(self) -> None:
        if self._tray is None:
            return
        self._tray.lay(())
        self._tray.dice = self._dice()
        self._tray.throw()
        for _ in range(1000):
            if not self._tray.moving:
                return
            self._frames.next_frames(1, WAIT_S)
        raise BadInputError("The simulated dice do not come to rest.")
