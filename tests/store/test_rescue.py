"""Games that were played while they could not be stored: they go on as they were once they can."""

from contextlib import closing

import pytest

from messages.errors import StoreError
from station.game.events import Undone
from station.game.evolve import evolve, replay
from station.game.log.state import State
from station.store import FILE_NAME
from station.table.table import Table
from tests.asking import do, shown
from tests.store.helpers import Store
from tests.store.stores import begin, folder, game_of, play_turn
from tests.store.walks import walk

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
