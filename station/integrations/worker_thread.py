"""The lifecycle of a worker thread: started, watched, restarted and stopped."""

import logging
import threading

from messages.errors import YachtError
from messages.message import Message

log = logging.getLogger(__name__)


class WorkerThread:
    """Runs `_run` of its subclass in a thread until it is stopped. name: of the part and of the thread.

    `_run` has to return soon after `_stop` is set.
    """

    name: str

    def __init__(self) -> None:
        self._stop = threading.Event()
        self._thread = self._new_thread()

    def _new_thread(self) -> threading.Thread:
        return threading.Thread(target=self._run, name=self.name, daemon=True)

    def _run(self) -> None:
        raise NotImplementedError

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    @property
    def ended(self) -> bool:
        """Whether its thread ended without a request to stop."""
        return self._thread.ident is not None and not self._thread.is_alive() and not self._stop.is_set()

    def wrong(self) -> Message | None:
        """Whether its thread ended, in words."""
        return Message("health/watchdog/ended") if self.ended else None

    def restart(self) -> None:
        """In a new thread."""
        self._thread = self._new_thread()
        self._thread.start()

    def ask_to_stop(self) -> None:
        """Come to an end."""
        self._stop.set()

    def stop(self, timeout_s: float) -> None:
        """Come to an end, and wait for it at most that long."""
        self.ask_to_stop()
        if self._thread.is_alive():
            self._thread.join(timeout_s)


class RetryingThread(WorkerThread):
    """Runs `_try` of its subclass until it is stopped, again after a while when it ended or failed.

    retry_s: the waiting times after failures in a row; the last one is repeated. trouble: the current
    problem, if any; it is logged once.
    """

    retry_s: tuple[float, ...]

    def __init__(self, trouble: Message | None = None) -> None:
        super().__init__()
        self.trouble = trouble
        self._failures = 0

    def _try(self) -> None:
        """Work, and set `_failures` to 0 where all goes well. Raises YachtError."""
        raise NotImplementedError

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                self._try()
            except YachtError as error:
                if self.trouble != error.message:
                    log.warning("%s: %s", self.name, error)
                self._say(error.message)
            self._stop.wait(self.retry_s[min(self._failures, len(self.retry_s) - 1)])
            self._failures += 1

    def _say(self, trouble: Message | None) -> None:
        self.trouble = trouble
