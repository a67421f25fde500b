"""What the other home takes back, and what is left to the station that keeps the game."""

import pytest

from messages.errors import RefusalError
from station.features.two_homes.line.other_home import OtherHome
from station.game.events import Undone
from station.table.table import Table
from tests.asking import do, shown
from tests.features.two_homes.homes import START, both, code


def test_a_home_takes_nothing_back_in_a_game_that_nobody_plays_there():
    host, guest = both()
    do(host, {"command": "end_game"})
    OtherHome(guest).mirror(OtherHome(host).numbered()[1], lambda: True)
    do(guest, {"command": "undo"})
    assert shown(host)["phase"] == "throwing", "their game, though it was over"
    do(host, {"command": "remove_player", "player": 1})
    _only_here(host, guest)
    do(host, {"command": "end_game"})
    do(host, {**START, "players": ["Ana", "Cleo"]})
    _only_here(host, guest)
    do(host, {"command": "undo"})
    do(host, {"command": "undo"})
    do(host, {"command": "undo"})
    OtherHome(guest).mirror(OtherHome(host).numbered()[1], lambda: True)
    assert "undo" in shown(guest)["commands"]


def _only_here(host: Table, guest: Table) -> None:
    """Undo is there where the game is kept, and there only."""
    OtherHome(guest).mirror(OtherHome(host).numbered()[1], lambda: True)
    assert ["undo" in shown(table)["commands"] for table in (host, guest)] == [True, False]
    for command in ({"command": "undo"}, {"command": "press", "button": "undo"}):
        assert code(guest, command) == "homes/host_only"
    with pytest.raises(RefusalError, match="not up to it now"):
        OtherHome(host).take(OtherHome(host).numbered()[0], "berlin", [Undone()])
