"""What a screen has follows the player who is called otherwise, and nobody else's does."""

from pathlib import Path

import pytest

from station.features.two_homes.homes import Home
from station.features.two_homes.line.other_home import OtherHome
from station.screens.room import Room
from station.table.table import Table
from tests.asking import do
from tests.web.helpers import Stage


def post(client, path: str, **body: object):
    return client.post(f"/api/v1/room/{path}", json=body)


def test_a_screen_follows_the_player_who_is_called_otherwise(game: Stage):
    post(game.client, "seat", name="Ana")
    post(game.client, "hints", name="Ana", on=True)
    post(game.client, "hints", name="Ana", on=True, tv=True)
    game.do("rename_player", player=0, name="Anna")
    told = game.client.get("/api/v1/room").get_json()
    assert (told["you"]["seat"], told["hints"], told["tv_hints"]) == ("Anna", ["Anna"], ["Anna"])
    game.do("undo")
    assert game.client.get("/api/v1/room").get_json()["you"]["seat"] == "Ana"


@pytest.fixture
def seated(tmp_path: Path) -> tuple[Table, Room, str]:
    """A table with Ana and Ben, its room, and the token of Ana's screen."""
    table, room = Table(), Room(tmp_path)
    table.listeners.renamed, token = room.rename, room.new_token()
    do(table, {"command": "start_game", "players": ["Ana", "Ben"], "rules": "yacht-1938"})
    room.sit(token, "Ana")
    return table, room, token


def test_a_screen_follows_a_name_that_no_screen_gave_or_took_back(
    seated: tuple[Table, Room, str], tmp_path: Path
):
    table, room, token = seated
    for command, name in (
        ({"command": "rename_player", "player": 0, "name": "Anna"}, "Anna"),
        ({"command": "press", "button": "undo"}, "Ana"),
    ):
        number, _ = room.public()[0]
        do(table, command)
        assert Room(tmp_path).of(token).seat == room.of(token).seat == name
        assert room.public()[0][0] == number + 1, "screens are told once"


def test_who_had_the_name_before_keeps_it_when_a_rename_is_taken_back(
    seated: tuple[Table, Room, str], tmp_path: Path
):
    """Another Anna's phone sits so from an earlier evening."""
    table, room, token = seated
    earlier = room.new_token()
    room.sit(earlier, "Anna")
    room.set_scorekeeper(earlier, "Anna")
    room.set_hints(earlier, "Anna", on=True)
    room.set_hints(earlier, "Anna", on=True, tv=True)
    room.set_hints(token, "Ana", on=False, tv=True)
    do(table, {"command": "rename_player", "player": 0, "name": "Anna"})
    assert [room.of(each).seat for each in (token, earlier)] == ["Anna", "Anna"]
    table.listeners.renamed = Room(tmp_path).rename  # the station was started again
    do(table, {"command": "undo"})
    room = Room(tmp_path)
    assert [room.of(each).seat for each in (token, earlier)] == ["Ana", "Anna"]
    told = room.public()[1]
    assert (told.scorekeeper, told.hints, told.tv_hints) == ("Anna", ("Anna",), ("Anna",))


def test_who_took_the_seat_meanwhile_follows_a_name_that_is_taken_back(seated: tuple[Table, Room, str]):
    table, room, _ = seated
    do(table, {"command": "rename_player", "player": 0, "name": "Anna"})
    later = room.new_token()
    room.sit(later, "Anna")
    do(table, {"command": "undo"})
    assert room.of(later).seat == "Ana"


def test_a_name_given_anew_takes_all_its_screens_along(seated: tuple[Table, Room, str]):
    """It is no rename taken back, though it is back to a name from before."""
    table, room, token = seated
    for name in ("Anna", "Ana"):
        do(table, {"command": "rename_player", "player": 0, "name": name})
        assert room.of(token).seat == name


def test_names_that_two_exchange_while_nobody_looks_take_their_screens_along(
    seated: tuple[Table, Room, str],
):
    """The home that keeps the game says it, several steps at once."""
    table, room, token = seated
    guest, others = Table(at_table=[Home(name="berlin")]), room.new_token()
    OtherHome(guest).mirror(table.moment()[1].past, lambda: True)
    there, here = guest.listeners, table.listeners
    there.renamed, here.renamed = here.renamed, there.renamed
    room.sit(others, "Ben")
    for player, name in ((0, "Cleo"), (1, "Ana"), (0, "Ben")):
        do(table, {"command": "rename_player", "player": player, "name": name})
    do(table, {"command": "move_player", "player": 0, "to": 1})
    OtherHome(guest).mirror(table.moment()[1].past, lambda: True)
    assert (room.of(token).seat, room.of(others).seat) == ("Ben", "Ana")
    for _ in range(4):
        do(table, {"command": "undo"})
    OtherHome(guest).mirror(table.moment()[1].past, lambda: True)
    assert (room.of(token).seat, room.of(others).seat) == ("Ana", "Ben")


def test_a_seat_is_not_that_of_who_sits_there_in_another_game(seated: tuple[Table, Room, str]):
    """A copy of its games was put back at the home that keeps them."""
    table, room, token = seated
    other = Table()
    do(other, {"command": "start_game", "players": ["Cleo", "Ana"], "rules": "yacht-1938"})
    do(other, {"command": "rename_player", "player": 1, "name": "Dora"})
    OtherHome(table).mirror(other.moment()[1].past, lambda: True)
    assert room.of(token).seat == "Ana"
