"""Light and focus settings of the camera: those of the profile in use, unless somebody calibrates.

People may walk away after unlocking the settings: after a while without activity they are locked again as
before.
"""

import logging
import threading
import time
from collections.abc import Callable, Sequence

from messages.errors import CameraError
from vision.cameras.live import FOCUS, SETTLING_FRAMES, Controls, Held, LiveCamera

log = logging.getLogger(__name__)

LIGHT = ("exposure", "white_balance")
"""The settings that follow the light."""


def focus_of(controls: Controls) -> Controls:
    """The focus among the controls of a camera."""
    return tuple((name, value) for name, value in controls if name in FOCUS)


class HeldSettings:
    """The held settings of one live camera; thread-safe.

    in_use: controls of the profile in use, () where there is none. clock: monotonic seconds. timer: as
    threading.Timer.
    """

    def __init__(
        self,
        camera: LiveCamera,
        in_use: Callable[[], Controls],
        *,
        clock: Callable[[], float] = time.monotonic,
        timer: Callable[[float, Callable[[], None]], threading.Timer] = threading.Timer,
    ) -> None:
        self._camera, self._in_use = camera, in_use
        self._clock, self._new_timer = clock, timer
        self._lock = threading.Lock()
        self._until: dict[str, float] = {}
        self._timer: threading.Timer | None = None

    def hold(self, settings: Sequence[str]) -> Held:
        """Have it keep its present exposure (and gain), white balance or focus; see `LiveCamera.hold`."""
        return self._camera.hold(settings)

    def let_loose(self, who: str, for_s: float) -> int:
        """Let its automatics run, so long without a `go_on` of theirs; how many pictures until one is good.

        Raises CameraError as `LiveCamera.release` does.
        """
        with self._lock:
            self._until[who] = self._clock() + for_s
            self._wait(for_s)
            self._camera.release()
        return SETTLING_FRAMES

    def choose_light(self, who: str, for_s: float) -> int:
        """Let it adjust exposure and white balance again and keep its focus; else as `let_loose`."""
        with self._lock:
            self._until[who] = self._clock() + for_s
            self._wait(for_s)
            self._camera.keep(focus_of(self._in_use()))
        return SETTLING_FRAMES

    def go_on(self, who: str, for_s: float) -> None:
        """Extend the time by `for_s`, if `who` let the automatics run."""
        with self._lock:
            if who in self._until:
                self._until[who] = self._clock() + for_s

    def hold_again(self) -> None:
        """Hold what the profile in use says; one that does not answer does so when it is opened again."""
        with self._lock:
            self._hold_again()

    def end(self) -> None:
        """Wait for nobody any more."""
        with self._lock:
            self._forget()

    def _hold_again(self) -> None:
        self._forget()
        try:
            self._camera.keep(self._in_use())
        except CameraError as error:
            log.info("light and focus are not held yet: %s", error)

    def _forget(self) -> None:
        self._until.clear()
        timer, self._timer = self._timer, None
        if timer is not None:
            timer.cancel()

    def _wait(self, for_s: float) -> None:
        """Look then whether somebody is still there; a look that comes sooner will do."""
        if self._timer is None:
            timer = self._timer = self._new_timer(for_s, lambda: self._run_down(timer))
            timer.daemon, timer.name = True, "light and focus"
            timer.start()

    def _run_down(self, timer: threading.Timer) -> None:
        with self._lock:
            if timer is not self._timer:  # another one came before it had the lock
                return
            self._timer = None
            left_s = max(self._until.values()) - self._clock()
            if left_s > 0:
                self._wait(left_s)
            else:
                self._hold_again()
