"""Whether the clock of the machine was set while the station ran, and the right times of what came before.

A Pi without a network starts with the time at which it was switched off. When the clock is set right in the
middle of an evening, the games since the start were played by a wrong one.
"""

import time
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Self

SET = timedelta(minutes=10)
"""A clock that moves by less against the time that passed is only regulated."""


def running_s() -> float:
    """Seconds on a clock that nobody sets; it goes on while the machine sleeps, where the system has one."""
    return time.clock_gettime(time.CLOCK_BOOTTIME) if hasattr(time, "CLOCK_BOOTTIME") else time.monotonic()


@dataclass(frozen=True, slots=True)
class Setting:
    """The clock was set by so much after event `last`."""

    last: int
    by: timedelta


@dataclass(frozen=True, slots=True)
class ClockOfRun:
    """The clock since a database came into use. first: the number of the next event then.

    began: what the clock showed then, as it was set since. zero: what it shows less the seconds that passed.
    """

    first: int
    began: datetime
    zero: datetime
    settings: tuple[Setting, ...] = ()

    @classmethod
    def of(cls, first: int, now: datetime, passed_s: float) -> Self:
        """At the start. passed_s: of a clock that nobody sets."""
        return cls(first, now, now - timedelta(seconds=passed_s))

    def at(self, now: datetime, passed_s: float, last: int) -> Self:
        """Later. last: the event that was written last."""
        zero = now - timedelta(seconds=passed_s)
        by = zero - self.zero
        if abs(by) < SET:
            return replace(self, zero=zero)
        return replace(self, began=self.began + by, zero=zero, settings=(*self.settings, Setting(last, by)))

    def right(self, at: str, event: int) -> str:
        """The time of an event by the clock as it was set since.

        >>> clock = ClockOfRun.of(5, datetime(2026, 1, 6, 19), 50.0).at(datetime(2026, 1, 9, 19), 50.0, 7)
        >>> [clock.right("2026-01-06T19:30:00", event) for event in (4, 7, 8)]
        ['2026-01-06T19:30:00', '2026-01-09T19:30:00', '2026-01-06T19:30:00']
        """
        if event < self.first:
            return at
        return moved(at, sum((each.by for each in self.settings if event <= each.last), timedelta()))


def moved(at: str, by: timedelta) -> str:
    """A time that is so much later."""
    return (datetime.fromisoformat(at) + by).isoformat(timespec="seconds") if by else at
