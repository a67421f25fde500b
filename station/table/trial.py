"""Whether a table can go on from a log: tried with one in memory, before anything depends on it."""

import json
from collections.abc import Sequence

from station.contract.view import as_json
from station.game.steps import Event
from station.store.event_log import MemoryLog
from station.table.table import Table


def try_to_open(events: Sequence[Event]) -> None:
    """Open a table with these events, and write what it shows as screens are sent it.

    Raises whatever goes wrong in that.
    """
    view = Table(MemoryLog(events)).snapshot()
    json.dumps(as_json(view), ensure_ascii=False).encode()
