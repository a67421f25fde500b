"""What the camera holds of light and focus: what the profile in use says, unless somebody calibrates.

Whoever lets it choose anew may walk away: after a while without a sign of them it holds again what it did.
"""

import logging
import threading
from collections.abc import Callable, Sequence

from messages.errors import CameraError
from vision.cameras.live import SETTLING_FRAMES, Controls, Held, LiveCamera

log = logging.getLogger(__name__)


class HeldSettings:
    """Of one live camera; thread-safe.

    in_use: controls of the profile in use, () where there is none. timer: as threading.Timer.
    """

    def __init__(
        self,
        camera: LiveCamera,
        in_use: Callable[[], Controls],
        *,
        timer: Callable[[float, Callable[[], None]], threading.Timer] = threading.Timer,
    ) -> None:
        self._camera, self._in_use, self._new_timer = camera, in_use, timer
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None

    def hold(self, settings: Sequence[str]) -> Held:
        """Have it keep its present exposure (and gain), white balance or focus; see `LiveCamera.hold`."""
        return self._camera.hold(settings)

    def let_loose(self, for_s: float) -> int:
        """Let its automatics run, so long without a `go_on`; how many pictures until one is good.

        Raises CameraError as `LiveCamera.release` does.
        """
        self._wait(for_s, begin=True)
        self._camera.release()
        return SETTLING_FRAMES

    def go_on(self, for_s: float) -> None:
        """Whoever let it loose is still there: wait so long again. Nothing where nobody did."""
        self._wait(for_s)

    def hold_again(self) -> None:
        """Hold what the profile in use says; one that does not answer does so when it is opened again."""
        self.end()
        try:
            self._camera.keep(self._in_use())
        except CameraError as error:
            log.info("light and focus are not held yet: %s", error)

    def end(self) -> None:
        """Wait for nobody any more."""
        with self._lock:
            timer, self._timer = self._timer, None
        if timer is not None:
            timer.cancel()

    def _wait(self, for_s: float, *, begin: bool = False) -> None:
        with self._lock:
            before = self._timer
            if before is None and not begin:
                return
            self._timer = self._new_timer(for_s, self.hold_again)
            self._timer.daemon = True
            self._timer.start()
        if before is not None:
            before.cancel()
