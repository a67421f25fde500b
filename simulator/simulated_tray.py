"""The simulated tray as a camera: frames in its own time, throws on request."""

import dataclasses
import logging
import random
import threading
import time
from collections.abc import Callable, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.usual import USUAL_DIE_MM
from messages.errors import BadInputError, CameraError, RefusalError
from simulator import materials
from simulator.arrange import fits, near
from simulator.compose import Image
from simulator.flight import roll_out
from simulator.geometry import CameraView
from simulator.linear_light import in_channels
from simulator.paint import Painter
from simulator.scene import DieStyle, Scene, SceneDie, Thing
from simulator.styles import STYLES
from simulator.throw_motion import ThrowMotion, TrayMoment
from vision.frame import Camera, Frame

log = logging.getLogger(__name__)

SHUTTER_S = 1 / 60
DICE_MOST = 10
SPOTS = 3000
"""Places tried for a die that is carried."""


class SimulatedTray(Camera):
    """A camera over a drawn tray; `throw` makes a drawn hand throw the dice.

    rng: faces, ways of the dice, grain and noise; the same seed gives the same frames at the same times.
    dice: how many are in play, 1-10. styles: their looks, repeated as needed. scene: camera, tray, light
    and what lies there at the start. size_wh: of the pictures, where not as the scene says. clock:
    monotonic seconds. sleep: waits seconds on that clock. fps: frames a second. pace: 2 lets hand and dice
    move twice as fast. Frames are read by one thread; `throw` may be called from another.
    """

    name = "simulated tray"

    def __init__(
        self,
        rng: random.Random | None = None,
        *,
        dice: int = 5,
        styles: Sequence[DieStyle] = (STYLES["white"],),
        edge_mm: float = USUAL_DIE_MM,
        scene: Scene | None = None,
        size_wh: tuple[int, int] | None = None,
        fps: float = 15.0,
        pace: float = 1.0,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._rng = rng or random.Random()  # noqa: S311 - dice of a game, no secrets
        self._styles, self._edge_mm = tuple(styles), edge_mm
        self._period_s, self._pace = 1 / fps, pace
        self._clock, self._sleep = clock, sleep
        seed = self._rng.randrange(2**31)
        self._scene = scene or Scene(seed=seed)
        if size_wh is not None:
            self._scene = dataclasses.replace(self._scene, view=self._scene.view.in_size(size_wh))
        self._lock = threading.Lock()
        self._dice = 0
        self.dice = dice
        self._lying = _left_to_right(self._scene.dice)
        self._throw: ThrowMotion | None = None
        self._threw_s = 0.0
        self._current = TrayMoment(self._lying)
        self._painter: Painter | None = None
        self._grain_seed = seed
        self._grain: NDArray[np.int8] = np.empty((0, 0, 3), np.int8)
        self._running = False
        self._number = 0
        self._due_s = 0.0

    @property
    def dice(self) -> int:
        """How many dice a throw of all puts into the tray, 1-10."""
        return self._dice

    @dice.setter
    def dice(self, count: int) -> None:
        if not 1 <= count <= DICE_MOST:
            raise BadInputError("simulated/dice", most=DICE_MOST, found=count)
        self._dice = count

    # -- the camera ------------------------------------------------------------------------------

    def start(self) -> None:
        """Make the empty tray (about 0.3 s the first time)."""
        if self._painter is None:
            self._painter = Painter(self._scene)
            self._grain = _grain(self._grain_seed, self._scene.view.size_wh, self._scene.sensor.noise)
            materials.forget()
        self._running, self._number, self._due_s = True, 0, self._clock()

    def read(self, timeout_s: float = 1.0) -> Frame | None:
        """The tray as it is when the next frame is due; None when that is later than `timeout_s`."""
        painter = self._painter
        if not self._running or painter is None:
            raise CameraError("camera/not_started", camera=self.name)
        wait_s = self._due_s - self._clock()
        if wait_s > timeout_s:
            self._sleep(timeout_s)
            return None
        if wait_s > 0:
            self._sleep(wait_s)
        now_s = self._clock()
        late = max(0, int((now_s - self._due_s) / self._period_s))
        self._due_s += (late + 1) * self._period_s
        self._number += late
        self._current = self._moment(now_s)
        picture = (self._painter or painter).paint(self._current, SHUTTER_S * self._pace)
        self._add_noise(picture)
        frame = Frame(picture, now_s, self._number)
        self._number += 1
        return frame

    def stop(self) -> None:
        """Let go of nothing but the right to read; the dice stay where they are."""
        self._running = False

    # -- the hand --------------------------------------------------------------------------------

    def throw(self, faces: Sequence[int] | None = None, *, keep: Sequence[int] = ()) -> None:
        """Throw all dice but those of `keep`; the frames show it from now on.

        keep: places 0, 1, … of dice that stay, counted from left to right as they lie.
        faces: what the thrown dice shall show, for tests; without it chance decides.
        A throw that is still under way is taken to its end first.
        """
        with self._lock:
            now_s = self._clock()
            self._finish()
            before = self._lying
            if any(not 0 <= place < len(before) for place in keep):
                raise BadInputError("simulated/kept", dice=len(before), kept=str(list(keep)))
            kept = tuple(before[place] for place in sorted(set(keep)))
            count = max(self._dice - len(kept), 0)
            rolled = (
                tuple(faces) if faces is not None else tuple(self._rng.randint(1, 6) for _ in range(count))
            )
            if len(rolled) != count or any(face not in range(1, 7) for face in rolled):
                raise BadInputError("simulated/faces", dice=count, found=str(list(rolled)))
            free = self._wanted_styles(kept)[:count]
            half_x, half_y = self._scene.tray.half_mm
            release = (self._rng.uniform(-0.5, 0.5) * half_x, -half_y + 30.0)
            thrown = [(style, self._edge_mm, face) for style, face in zip(free, rolled, strict=True)]
            paths = roll_out(self._rng, self._scene.tray, thrown, kept, release)
            home = (release[0] * 1.4, -half_y - 300.0)
            self._throw, self._threw_s = ThrowMotion(before, kept, tuple(paths), release, home), now_s
            log.info("the dice will lie still at %.3f s", now_s + self._throw.seconds / self._pace)

    def carry(self, place: int, allowed: Callable[[float, float], bool]) -> None:
        """Lay the die at that place, counted from the left, elsewhere, apart from the others.

        allowed: whether the middle of its top face may be at this pixel. Raises RefusalError where
        there is no room.
        """
        with self._lock:
            self._finish()
            die = self._lying[place]
            others = (*self._lying[:place], *self._lying[place + 1 :])
            x_mm, y_mm = self._scene.tray.half_mm
            z = die.position_mm[2]
            for _ in range(SPOTS):
                at = (self._rng.uniform(-x_mm, x_mm), self._rng.uniform(-y_mm, y_mm))
                moved = dataclasses.replace(die, position_mm=(*at, z))
                ((x, y),) = self.view.project([(*at, z + die.edge_mm / 2)])
                if not allowed(float(x), float(y)) or not fits(self.view, self._scene.tray, moved):
                    continue
                if not any(near(moved, other, 2.0) for other in others):
                    self._lying = _left_to_right((*others, moved))
                    return
        raise RefusalError("throw/no_room")

    def place(self, dice: Sequence[SceneDie]) -> None:
        """Put these dice into the tray at once, as they are (for tests)."""
        with self._lock:
            self._throw, self._lying = None, _left_to_right(dice)

    def lay(self, things: Sequence[Thing]) -> None:
        """Lay these things into the tray instead of what lay there: printed markers, for instance."""
        with self._lock:
            self._scene = dataclasses.replace(self._scene, things=tuple(things))
            if self._painter is not None:
                self._painter = Painter(self._scene)
                materials.forget()

    @property
    def scene(self) -> Scene:
        """The scene: camera, tray, light and objects."""
        return self._scene

    def clear(self) -> None:
        """Take all dice out at once."""
        self.place(())

    def truth(self) -> tuple[SceneDie, ...]:
        """The dice as they lie or will come to rest, left to right: for tests and `yacht record` only."""
        with self._lock:
            if self._throw is None:
                return self._lying
            return _left_to_right(self._throw.at_rest)

    def current_moment(self) -> TrayMoment:
        """What the frame read last shows: for tests and `yacht record` only."""
        return self._current

    @property
    def view(self) -> CameraView:
        """The camera, for those who want to know where things are in the picture."""
        return self._scene.view

    @property
    def moving(self) -> bool:
        """Whether a throw is under way."""
        with self._lock:
            return (
                self._throw is not None and self._clock() - self._threw_s < self._throw.seconds / self._pace
            )

    def _wanted_styles(self, kept: tuple[SceneDie, ...]) -> list[DieStyle]:
        """Looks of the dice that are not kept, so that the set stays the same set."""
        wanted = [self._styles[number % len(self._styles)] for number in range(self._dice)]
        for die in kept:
            if die.style in wanted:
                wanted.remove(die.style)
        return wanted

    def _finish(self) -> None:
        if self._throw is not None:
            self._lying = _left_to_right(self._throw.at_rest)
            self._throw = None

    def _moment(self, now_s: float) -> TrayMoment:
        with self._lock:
            if self._throw is None:
                return TrayMoment(self._lying)
            since_s = (now_s - self._threw_s) * self._pace
            if since_s >= self._throw.seconds:
                self._finish()
                return TrayMoment(self._lying)
            return self._throw.at(since_s)

    def _add_noise(self, picture: Image) -> None:
        height, width = picture.shape[:2]
        # By number, not from the injected generator: how often frames are read must not change what
        # is thrown. The strides are prime to the margins, so that neighbours in time are unlike.
        y = self._number * 37 % (self._grain.shape[0] - height)
        x = self._number * 41 % (self._grain.shape[1] - width)
        # Both with signs, the picture less 128: that saturates alike, in a sixth of the time.
        signed = np.bitwise_xor(picture, 128, out=picture).view(np.int8)
        cv2.add(signed, self._grain[y : y + height, x : x + width], signed)
        np.bitwise_xor(picture, 128, out=picture)


def _left_to_right(dice: Sequence[SceneDie]) -> tuple[SceneDie, ...]:
    return tuple(sorted(dice, key=lambda die: die.position_mm[0]))


def _grain(seed: int, size_wh: tuple[int, int], strength: float) -> NDArray[np.int8]:
    """Noise of the sensor, a little larger than the picture, to be laid over it at changing places."""
    rng = np.random.default_rng(seed)
    shape = (size_wh[1] + 61, size_wh[0] + 67)
    luma = rng.normal(0, 2.6 * strength, shape).astype(np.float32)
    chroma = rng.normal(0, 2.2 * strength, (*shape, 3)).astype(np.float32)
    chroma = cv2.GaussianBlur(chroma, (0, 0), 0.8).astype(np.float32, copy=False)
    noise = np.round(in_channels(luma) + chroma * np.float32(1.5))
    return np.clip(noise, -127, 127).astype(np.int8)
