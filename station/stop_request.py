"""The wish that this process stops, which a signal handler may express."""

from contextlib import suppress
from queue import Empty, SimpleQueue


class StopRequest:
    """As `threading.Event`, but safe in a signal handler.

    A handler runs in the main thread between two steps of whatever that does, and so also of a handler, or
    of a wait, that holds the lock of an Event: it would wait for itself. `SimpleQueue.put` may interrupt
    itself and `get` (Python documentation, "queue", SimpleQueue.put).
    """

    def __init__(self) -> None:
        self._asked = SimpleQueue[None]()

    def ask(self, *_: object) -> None:
        """Let every `wait` return, now and later; takes what a signal handler is called with."""
        self._asked.put(None)

    def wait(self, timeout_s: float) -> bool:
        """Whether it was requested, or is within this time."""
        with suppress(Empty):
            self._asked.get(timeout=timeout_s)
            self.ask()  # for others that wait
            return True
        return False
