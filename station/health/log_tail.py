"""The last lines of the log, for the problem bundle."""

import logging
from collections import deque

from station.health.repeated_lines import FORMAT, RepeatedLines, formatter


class LogTail(logging.Handler):
    """Keeps the last lines of the log, for the problem bundle."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self._lines: deque[str] = deque(maxlen=500)
        self.setFormatter(formatter(f"%(asctime)s {FORMAT}"))
        self.addFilter(RepeatedLines())

    def emit(self, record: logging.LogRecord) -> None:
        """Keep one more."""
        self._lines.append(self.format(record))

    def text(self) -> str:
        """The last lines, oldest first."""
        return "\n".join(self._lines)
