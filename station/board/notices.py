"""What was odd about recent messages, as sentences for health: each with how often, and forgotten in time."""

import time
from collections import OrderedDict
from collections.abc import Callable
from datetime import UTC, datetime

from messages.message import Message
from station.health.checks import Check, Level

KEEP_S = 600.0
"""How long health reports something odd."""
KINDS_MAX = 50
"""How many different things are remembered, so that a flood of nonsense fills no memory."""
CLOCK_S = 300.0
"""Clocks that are further apart are told of."""


class Notices:
    """Used by the listening thread, read by the pages. clock: seconds, monotonic."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._found: OrderedDict[Message, tuple[float, int]] = OrderedDict()
        self.again = 0

    def note(self, odd: Message) -> None:
        """Something was odd."""
        _, count = self._found.pop(odd, (0.0, 0))
        self._found[odd] = (self._clock(), count + 1)
        while len(self._found) > KINDS_MAX:
            self._found.popitem(last=False)

    def clocks(self, table: str, at: str, now: datetime, *, late: bool) -> None:
        """Compare the time of an event with that of the board; nothing depends on either."""
        try:
            there = datetime.fromisoformat(at)
        except ValueError:
            return
        apart_s = (there.replace(tzinfo=there.tzinfo or UTC) - now).total_seconds()
        if apart_s > CLOCK_S or (apart_s < -CLOCK_S and not late):
            self.note(Message("board/odd/clock", table=table))

    def checks(self) -> tuple[Check, ...]:
        """One line for each, the latest first."""
        now_s = self._clock()
        fresh = [
            (odd, count) for odd, (then_s, count) in list(self._found.items()) if now_s - then_s < KEEP_S
        ]
        told = [
            Check("board-messages", Level.WARNING, Message("board/odd/told", what=odd, count=count))
            for odd, count in reversed(fresh)
        ]
        if self.again:
            told.append(Check("board-messages", Level.INFO, Message("board/odd/again", count=self.again)))
        return tuple(told)
