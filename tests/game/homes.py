"""A game of two homes as their two tables have it, without a network between them."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from messages.errors import RefusalError
from station.game.log.event import Event
from station.store.event_log import MemoryLog
from station.table.play import TwoHomes
from station.table.table import Table
from tests.asking import do

START = {
    "command": "start_game",
    "rules": "yacht-1938",
    "players": ["Ana", {"name": "Ben", "home": "berlin"}],
}


class Pipe(MemoryLog):
    """The guest's log without a network: the host writes down at once."""

    def __init__(self, host: Table) -> None:
        super().__init__()
        self._host = host

    def append(self, events: Sequence[Event], state: Any) -> None:
        self._host.other_home.take(self._host.other_home.numbered()[0], "berlin", events)
        super().append(events, state)


def both() -> tuple[Table, Table]:
    host = Table(two_homes=TwoHomes(guests=["berlin"]))
    guest = Table(Pipe(host), two_homes=TwoHomes(name="berlin"))
    do(host, START)
    guest.mirror(host.other_home.numbered()[1], lambda: True)
    return host, guest


def code(table: Table, command: Mapping[str, Any]) -> str:
    with pytest.raises(RefusalError) as caught:
        do(table, command)
    return caught.value.code
