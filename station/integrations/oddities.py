"""Messages that could not be understood: health reports them for a while, then they are forgotten."""

import time
from collections.abc import Callable

from messages.message import Message
from station.contract.check import Check, Level

ODD_S = 600.0
"""Seconds for which health reports a message that was not ours."""
KINDS_MAX = 50
"""Number of different oddities stored, so that a flood of them does not fill the memory."""


class Oddities:
    """Noted by a listening thread, read by the pages. clock: seconds, monotonic."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._found: dict[Message, tuple[float, int]] = {}

    def note(self, odd: Message) -> bool:
        """Something was odd; whether it is news, for the log, however many come."""
        now_s = self._clock()
        then_s, count = self._found.pop(odd, (now_s - ODD_S, 0))
        self._found[odd] = now_s, count + 1
        if len(self._found) > KINDS_MAX:
            self._found.pop(next(iter(self._found)))
        return now_s - then_s >= ODD_S

    def recent(self) -> list[tuple[Message, int]]:
        """Each with how often, the latest first."""
        now_s = self._clock()
        fresh = [(odd, count) for odd, (then_s, count) in list(self._found.items()) if now_s - then_s < ODD_S]
        return fresh[::-1]

    def check(self, part: str) -> Check | None:
        """The latest as a line of health; None while there is none."""
        recent = self.recent()
        return Check(part, Level.WARNING, recent[0][0]) if recent else None
