"""Who throws in which home, as the table of each side has it; the line itself is in tests/integrations."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from messages.errors import RefusalError
from messages.message import Message
from station.game.events import Event
from station.store.event_log import MemoryLog
from station.table import Table
from tests.asking import do, shown

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
        self._host.take(self._host.numbered()[0], "berlin", events)
        super().append(events, state)


def both() -> tuple[Table, Table]:
    host = Table(guests=["berlin"])
    guest = Table(Pipe(host), home="berlin")
    do(host, START)
    guest.mirror(host.numbered()[1], lambda: True)
    return host, guest


def code(table: Table, command: Mapping[str, Any]) -> str:
    with pytest.raises(RefusalError) as caught:
        do(table, command)
    return caught.value.code


def test_each_side_throws_in_its_own_turn_alone():
    host, guest = both()
    typed = {"command": "enter_roll", "faces": [1, 2, 3, 4, 6]}
    box = {"command": "score_box", "category": "choice"}
    assert code(guest, typed) == "homes/not_here"
    assert "Ana throws in the other home" in shown(guest)["waiting_for"]
    do(host, typed)
    do(host, box)
    guest.mirror(host.numbered()[1], lambda: True)
    for command in (typed, box, {"command": "accept_roll"}, {"command": "throw"}):
        assert code(host, command) == "homes/not_here"
    do(guest, typed)
    do(guest, box)
    assert shown(host)["players"] == shown(guest)["players"]
    assert shown(host)["trays"] == shown(guest)["trays"]
    assert code(guest, {"command": "end_game"}) == "homes/host_only"
    assert shown(host)["active_player"] == 0


def test_a_broken_line_pauses_a_shared_game_and_no_other():
    host, _ = both()
    trouble = Message("homes/waits", why=Message("homes/away", home="berlin"))
    host.line(trouble)
    assert code(host, {"command": "enter_roll", "faces": [1, 2, 3, 4, 6]}) == "homes/line"
    assert shown(host)["waiting_for"].startswith("The game waits")
    do(host, {"command": "remove_player", "player": 1})
    do(host, {"command": "enter_roll", "faces": [1, 2, 3, 4, 6]})  # nobody is in the other home any more


def test_a_message_from_before_is_not_followed():
    host, guest = both()
    old = host.numbered()[1]
    do(host, {"command": "enter_roll", "faces": [1, 2, 3, 4, 6]})
    guest.mirror(host.numbered()[1], lambda: True)
    guest.mirror(old, lambda: False)
    assert shown(guest)["throws_done"] == 1


def test_rules_for_one_tray_are_refused():
    assert code(Table(guests=["berlin"]), {**START, "rules": "shared-roll"}) == "homes/together"


def test_nobody_sits_in_a_home_that_does_not_play_along():
    host = Table(guests=["paris"])
    assert code(host, START) == "homes/unknown"
    assert code(host, {**START, "players": ["Ana", {"name": "Ben", "home": "paris", "computer": 50}]}) == (
        "homes/computer"
    )
    assert shown(host)["homes"] == ["paris"]
    do(host, {**START, "players": ["Ana", {"name": "Ben", "home": "paris"}]})
    do(host, {"command": "end_game"})
    later = Table(MemoryLog(host.numbered()[1]))  # the settings name nobody any more
    assert code(later, {"command": "rematch"}) == "homes/unknown"
