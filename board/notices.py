"""Oddities in recent messages, as sentences for health: each with a count, dropped after a while."""

from datetime import UTC, datetime

from messages.message import Message
from station.contract.check import Check, Level
from station.integrations.oddities import Oddities

CLOCK_S = 300.0
"""Clocks that are further apart are reported."""


class Notices(Oddities):
    """The same of a board. again: how many messages came twice."""

    again = 0

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
        """A check for each notice, the latest first."""
        checks = [
            Check("board-messages", Level.WARNING, Message("board/odd/told", what=odd, count=count))
            for odd, count in self.recent()
        ]
        if self.again:
            checks.append(Check("board-messages", Level.INFO, Message("board/odd/again", count=self.again)))
        return tuple(checks)
