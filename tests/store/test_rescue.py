"""Games that were played while they could not be stored: they go on as they were once they can."""

from contextlib import closing

import pytest

from messages.errors import RefusalError, StoreError
from station.features.two_homes.homes import Home
from station.features.two_homes.line.mirror import MirrorLog
from station.features.two_homes.line.other_home import OtherHome
from station.game.events import BoxScored, RollAccepted, Undone
from station.game.evolve import evolve, replay
from station.game.log.slots import Die, Seen
from station.game.log.state import State
from station.store import FILE_NAME
from station.store.event_log import MemoryLog
from station.table.table import Table
from tests.asking import do, shown
from tests.store.helpers import Store
from tests.store.stores import begin, folder, game_of, play_turn
from tests.store.walks import walk
from tests.table.helpers import reading
from vision.reading import Status

__all__ = ["folder"]


@pytest.fixture
def in_memory(folder):
    """A store that keeps games in memory only, since its database is damaged."""
    folder.mkdir()
    (folder / FILE_NAME).write_bytes(b"no database at all")
    with closing(Store(folder, rescue=True)) as store:
        yield store


@pytest.fixture
def sound(tmp_path):
    """A database in which nothing was played."""
    with closing(Store(tmp_path / "sound")) as store:
        return store.path


def seen(state: State):
    """What of a state has no number of a game, which may be another one now."""
    return (state.phase, state.players, state.active, state.dice, state.throws_done, state.ended_by)


def test_a_game_that_undo_went_back_to_goes_on(in_memory, sound):
    """Its rematch was taken back, and its end with it: the rematch is no game that came after it."""
    table = Table(in_memory)
    begin(table, "Ana", "Ben")
    play_turn(table, "ones")
    for command in ("end_game", "rematch", "undo", "undo"):
        before = do(table, {"command": command})
    table.stored.put_back(lambda _: sound)
    assert game_of(shown(table)) == game_of(before | {"storage": None})
    assert in_memory.games() == []


def test_games_that_cannot_be_opened_are_not_listed(folder, monkeypatch):
    with closing(Store(folder)) as store:
        table = Table(store)
        begin(table, "Ana")
        play_turn(table, "ones")
        do(table, {"command": "end_game"})
        assert len(store.games()) == 1

    def full(*_, **__):
        raise StoreError("store/disk-full", path="games.db")

    monkeypatch.setattr("station.store.backups.count_on", full)
    with closing(Store(folder, rescue=True)) as store:
        assert store.trouble is not None
        assert store.games() == []


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


@pytest.mark.parametrize("seed", range(8))
def test_all_that_stands_and_all_that_finished_comes_along(in_memory, sound, seed):
    state = [*walk(in_memory, seed, steps=30).values()][-1]
    while state.past and not state.running:
        state = evolve(state, Undone())
        in_memory.append((Undone(),), state)
    finished = [game.players for game in in_memory.games()]
    in_memory.put_back(sound, version=1)
    assert [game.players for game in in_memory.games()] == finished
    if state.game:  # who was in the lobby has to sit down again
        assert seen(replay(in_memory.events())) == seen(state)


def test_a_start_that_was_taken_back_ends_no_game_of_a_copy(in_memory, tmp_path):
    with closing(Store(tmp_path / "other")) as other:
        begin(Table(other), "Cleo")
        path = other.path
    table = Table(in_memory)
    begin(table, "Ana")
    do(table, {"command": "undo"})
    table.stored.put_back(lambda _: path)
    assert (shown(table)["finished"], shown(table)["players"][0]["name"]) == (False, "Cleo")
