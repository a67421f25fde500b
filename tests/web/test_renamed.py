"""What a screen has follows the player who is called otherwise, and nobody else's does."""

from pathlib import Path

import pytest

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
