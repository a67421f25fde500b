"""A count of days by starts and events, so that a wrong clock deletes nothing.

A Pi has no clock that goes on without power. It may stand at any date until the network sets it right, and
two readings of it do not tell how much time lies between. So a gap counts for a week at most.
"""

import json
import logging
import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from messages.atomic_write import replace_file
from messages.regular_file import read_regular

log = logging.getLogger(__name__)

FILE_NAME = "yacht.days"
GAP = timedelta(days=7)
"""Longest time between two starts or events that is counted in full; beyond it the clock may have jumped."""
BACK = timedelta(hours=1)
"""A clock that goes back no further is only set a little."""
SETTLED = timedelta(days=1)
"""Time after a jump during which nothing is deleted."""


@dataclass(frozen=True, slots=True)
class DayCount:
    """The known times. seen: by the clock. now: by the count. jumped: by the count, the last jump.

    event: number of the last event that was counted.
    """

    seen: datetime
    now: datetime
    jumped: datetime
    event: int

    def after(self, seen: datetime, event: int) -> "DayCount":
        """The known times at the next start or event."""
        gap = seen - self.seen
        now = self.now + min(max(gap, timedelta()), GAP)
        return DayCount(seen, now, self.jumped if -BACK <= gap <= GAP else now, event)

    @property
    def settled(self) -> bool:
        """Whether the clock has not jumped for a day."""
        return self.now - self.jumped >= SETTLED


class Days:
    """The count of a data folder. Without a file of it the clock is taken for one that was just set."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE_NAME

    def count(self, db: sqlite3.Connection, clock: datetime) -> DayCount:
        """The count now, with the events since it was noted."""
        found = self._noted() or DayCount(clock, clock, clock, _last(db))
        for event, at in _events(db, found.event):
            found = found.after(at, event)
        return found.after(clock, found.event)

    def note(self, count: DayCount) -> None:
        """Note it at a start; that it cannot be written keeps nobody from playing."""
        dates = {"seen": count.seen, "now": count.now, "jumped": count.jumped}
        written = {name: at.isoformat() for name, at in dates.items()} | {"event": count.event}
        try:
            replace_file(self.path, json.dumps(written).encode())
        except OSError as error:
            log.warning("%s cannot be written: %s", self.path, error)

    def _noted(self) -> DayCount | None:
        try:
            fields = json.loads(read_regular(self.path))
            seen, now, jumped = (_date(fields[name]) for name in ("seen", "now", "jumped"))
            return DayCount(seen, now, jumped, int(fields["event"]))
        except (OSError, ValueError, KeyError, TypeError, OverflowError):
            return None


def _date(text: str) -> datetime:
    found = datetime.fromisoformat(text)
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _events(db: sqlite3.Connection, after: int) -> Iterator[tuple[int, datetime]]:
    for event, at in db.execute("SELECT id, at FROM events WHERE id > ? ORDER BY id", (after,)):
        with suppress(ValueError):
            yield int(event), _date(at)


def _last(db: sqlite3.Connection) -> int:
    (found,) = db.execute("SELECT coalesce(max(id), 0) FROM events").fetchone()
    return int(found)
