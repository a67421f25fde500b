"""Where a game of two homes meets other parts: rescue, seats, receivers, news, health."""

from contextlib import closing
from pathlib import Path

import pytest

from messages.catalogue import entries, text
from messages.errors import RefusalError
from station.config import parse
from station.features.two_homes.homes import Home
from station.features.two_homes.line.ends import GuestLine, HostLine
from station.features.two_homes.line.mirror import MirrorLog
from station.features.two_homes.line.other_home import OtherHome
from station.features.two_homes.running import OneHome
from station.game.events import BoxScored, RollAccepted
from station.game.log.slots import Die, Seen
from station.integrations.factory import open_integrations
from station.screens.room import Room
from station.store import Store
from station.store.event_log import MemoryLog
from station.table.table import Table
from tests.asking import do, shown
from tests.features.news.test_news import news_of, told
from tests.integrations.test_outbox import played
from tests.store.stores import folder, game_of
from tests.store.test_rescue import in_memory, sound
from tests.table.helpers import reading
from tests.web.test_renamed import seated
from vision.reading import Status

__all__ = ["folder", "in_memory", "seated", "sound"]


@pytest.mark.parametrize("line", [HostLine, GuestLine])
def test_the_line_is_told_of_in_words(line: type):
    assert f"health/part/{line.name}" in entries("en")


def test_dice_that_lie_here_in_a_game_of_two_homes_are_no_throw(in_memory, sound):
    """The log has where they lay in the other home's tray; those here have lain still all the time."""
    table = Table(in_memory, at_table=[Home(guests=("berlin",))])
    table.offer(reading(1, 2, 3, 4, 5))
    players = [{"name": "Ben", "home": "berlin"}, "Ana"]
    do(table, {"command": "start_game", "players": players, "rules": "yacht-1938"})
    there = tuple(Seen(6, 80.0 * place, 600.0, 60.0, "white") for place in range(5))
    rolled = RollAccepted(tuple(Die(slot, 6, die) for slot, die in enumerate(there, start=1)))
    for event in (rolled, BoxScored("yacht", (), there)):
        OtherHome(table).take(in_memory.last_event(), "berlin", [event])
    assert "accept_roll" not in shown(table)["commands"]
    table.stored.put_back(lambda _: sound)
    for at in (0.0, 0.0, 90.0):
        table.offer(reading(status=Status.MOVING) if at else reading(1, 2, 3, 4, 5))
        table.offer(reading(1, 2, 3, 4, 5, at=at))
        assert ("accept_roll" in shown(table)["commands"]) is bool(at), "thrown, they are"


def test_a_station_that_plays_along_elsewhere_is_rescued_and_plays_on(in_memory, sound):
    """Its own games are those that are damaged; the game of both is kept by the other station."""
    log = MemoryLog()
    kitchen = Table(log, at_table=[Home(guests=("berlin",))])
    mirror = MirrorLog(in_memory)
    berlin = Table(mirror, at_table=[Home(name="berlin", fair=mirror.draw, tell=mirror.question)])
    assert shown(berlin)["storage"]
    players = [{"name": "Ben", "home": "berlin"}, "Ana"]
    do(kitchen, {"command": "start_game", "players": players, "rules": "yacht-1938"})
    past = OtherHome(kitchen).numbered()[1]
    OtherHome(berlin).mirror(past, lambda: mirror.newer("kitchen", 1, past))
    mirror.ask = lambda after, told: OtherHome(kitchen).take(after, "berlin", told)
    do(berlin, {"command": "enter_roll", "faces": [6, 6, 6, 6, 6]})
    berlin.stored.put_back(lambda _: sound)
    assert (shown(berlin)["storage"], in_memory.trouble) == (None, None)
    do(berlin, {"command": "score_box", "category": "yacht"})
    assert game_of(shown(berlin))["players"] == game_of(shown(kitchen))["players"]
    with pytest.raises(RefusalError, match="being played"):
        berlin.stored.put_back(lambda _: sound)


def test_names_that_two_exchange_while_nobody_looks_take_their_screens_along(seated: tuple[Table, Room, str]):
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


@pytest.mark.parametrize("along", [False, True])
def test_a_game_that_another_home_keeps_has_not_the_id_of_one_here(tmp_path: Path, *, along: bool):
    """Its number is that of there; a board would take it for the game that had it here."""
    homes = {"homes": {"host": "kitchen"}} if along else {}
    config = parse({"mqtt": {"host": "broker"}, "data": tmp_path, **homes})
    with closing(Store(tmp_path)) as store:
        played(Table(store), "ones")
        mirror = OneHome(config, store).log
        table = Table(mirror or store)
        found, _ = open_integrations(config, store, table, lambda: None, own=mirror is None)
        (publisher,) = (each for each in found if each.name == "mqtt")
        assert store.game_id(1, 100)
        assert publisher._outbox.game_id(1) == ("" if along else store.game_id(1, 100))


def test_a_guest_is_told_the_same():
    host = Table(at_table=[Home(guests=("attic",))])
    guest = Table(at_table=[Home(name="attic")])
    players = ["Ana", {"name": "Ben", "home": "attic"}]

    def followed() -> tuple[str, str] | None:
        OtherHome(guest).mirror(OtherHome(host).numbered()[1], lambda: True)
        news = news_of(guest)
        return news and (news.kind, text(news.text, "en"))

    assert told(host, "start_game", players=players, rules="yacht-1938") is None
    assert followed() is None
    for command, fields in (
        ("enter_roll", {"faces": [5, 5, 5, 5, 5]}),
        ("score_box", {"category": "fives"}),
        ("undo", {}),
        ("score_box", {"category": "full-house"}),
    ):
        assert told(host, command, **fields) == followed()
