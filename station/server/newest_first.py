"""A condition on which whoever began to wait last is woken first.

Threads that wait for requests are many, one for each screen that may listen, and mostly few of them are
needed at a time. In turns all of them would run, and each would keep a stack and free pieces of memory of its
own; so the same few do, and the others stay as small as they began.
"""

import threading
from types import TracebackType


class NewestFirst:
    """As threading.Condition, as far as a pool of threads uses one. lock: what guards the pool."""

    def __init__(self, lock: threading.Lock) -> None:
        self._lock = lock
        self._waiting: list[threading.Lock] = []

    def __enter__(self) -> bool:
        return self._lock.__enter__()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._lock.__exit__(kind, error, trace)

    def wait(self) -> None:
        """Give the lock away until notified, and take it again; called with it held."""
        mine = threading.Lock()
        mine.acquire()
        self._waiting.append(mine)
        self._lock.release()
        try:
            mine.acquire()
        finally:
            self._lock.acquire()

    def notify(self) -> None:
        """Wake whoever began to wait last; called with the lock held."""
        if self._waiting:
            self._waiting.pop().release()

    def notify_all(self) -> None:
        """Wake all; called with the lock held."""
        while self._waiting:
            self.notify()
