"""Lines of the log that say the same are written once a minute: nothing fills the disk with them."""

import logging
import threading
import time
from collections.abc import Callable
from math import inf

EVERY_S = 60.0
LINES_MAX = 256
"""Number of lines known at a time; beyond it the least recent one is forgotten."""
FORMAT = "%(levelname)s %(name)s: %(message)s%(repeated)s"
"""Format of a line; `repeated` is the number of times that it was left out since."""


class RepeatedLines(logging.Filter):
    """Lets a line through once a minute. Each handler has one of its own. clock: monotonic seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._guard = threading.Lock()
        self._known: dict[tuple[str, ...], tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether this line is written."""
        error = record.exc_info[1] if record.exc_info else None
        line = (record.name, record.levelname, record.getMessage(), repr(error))
        now_s = self._clock()
        with self._guard:
            written_s, left_out = self._known.pop(line, (-inf, 0))
            passes = now_s - written_s >= EVERY_S
            self._known[line] = (now_s, 0) if passes else (written_s, left_out + 1)
            if len(self._known) > LINES_MAX:
                del self._known[next(iter(self._known))]
        record.repeated = f" ({left_out} times more since it was last written)" if left_out else ""
        return passes


def formatter(layout: str = FORMAT) -> logging.Formatter:
    """One for lines with or without the filter."""
    return logging.Formatter(layout, defaults={"repeated": ""})
