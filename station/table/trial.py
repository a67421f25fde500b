"""Whether a table can go on from a log: tried with one in memory, before anything depends on it."""

from collections.abc import Sequence

from station.game.log.event import Event
from station.store.event_log import MemoryLog
from station.table.exercise import see
from station.table.table import Table


def try_to_open(events: Sequence[Event]) -> None:
    """Open a table with these events, and write what it shows. Raises whatever goes wrong in that."""
    see(Table(MemoryLog(events)))
