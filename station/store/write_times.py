"""Times of the disk's writes: a card that is worn or fake is slow long before it fails."""

import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

KEPT = 20
"""Number of writes stored."""


class WriteTimes:
    """Write times of one store. Added by the thread that writes, read by any. clock: seconds, monotonic."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._since_s: float | None = None
        self._took_s: deque[float] = deque(maxlen=KEPT)

    @contextmanager
    def one(self) -> Iterator[None]:
        """Something is written."""
        self._since_s = self._clock()
        try:
            yield
        finally:
            self._took_s.append(self._clock() - self._since_s)
            self._since_s = None

    @property
    def going_on_s(self) -> float:
        """Seconds since the write began that goes on now; 0 where none does."""
        since_s = self._since_s
        return 0.0 if since_s is None else self._clock() - since_s

    @property
    def longest_s(self) -> float:
        """Seconds of the longest of the last writes; 0 before the first."""
        return max(self._took_s.copy(), default=0.0)
