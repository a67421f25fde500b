"""A game of two homes as their two tables have it, without a network between them."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from messages.errors import RefusalError
from station.features.two_homes.homes import Home
from station.features.two_homes.line.other_home import OtherHome
from station.game.log.event import Event
from station.store.event_log import MemoryLog
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
        OtherHome(self._host).take(OtherHome(self._host).numbered()[0], "berlin", events)
        super().append(events, state)


def both() -> tuple[Table, Table]:
    host = Table(at_table=[Home(guests=("berlin",))])
    guest = Table(Pipe(host), at_table=[Home(name="berlin")])
    do(host, START)
    OtherHome(guest).mirror(OtherHome(host).numbered()[1], lambda: True)
    return host, guest


def code(table: Table, command: Mapping[str, Any]) -> str:
    with pytest.raises(RefusalError) as caught:
        do(table, command)
    return caught.value.code
