"""The store on real SQLite files: nothing is forgotten, nothing is half written, damage is said."""

import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import timedelta

import pytest

from messages.errors import StoreError
from station.game.events import KINDS
from station.store import FILE_NAME, Archive, Store
from station.table.table import Table
from tests.asking import do, shown
from tests.conftest import ROOT
from tests.store.helpers import a_month_later, play
from tests.store.stores import NOON, begin, folder, game_of, of_version, opened, play_turn

__all__ = ["folder", "opened"]


@pytest.fixture
def store(opened, folder):
    return opened(folder)


@pytest.fixture
def table(store):
    return Table(store)


def test_a_forgotten_game_does_not_come_back_when_the_next_one_is_undone(folder, store, table):
    play(table, ["Ana"])
    assert store.delete_game(1)
    do(table, {"command": "rematch"})
    store.close()
    with closing(a_month_later(folder, NOON)) as later:
        assert do(Table(later), {"command": "undo"})["finished"]
        assert (later.games(), later.games_aside()) == ([], [])


def test_a_game_without_a_box_is_none(folder, store, table):
    """Also where an earlier version has written it down: it is left out when games are read."""
    begin(table, "Ana", "Ben")
    do(table, {"command": "enter_roll", "faces": [6, 6, 6, 6, 6]})
    assert do(table, {"command": "end_game"})["finished"]
    assert (store.games(), store.count()) == ([], 0)
    do(table, {"command": "undo"})
    do(table, {"command": "score_box", "category": "yacht"})
    do(table, {"command": "end_game"})
    (game,) = store.games()
    assert (game.won, [player.total for player in game.players]) == (False, [50, 0])
    begin(table, "Ana", "Ben")
    do(table, {"command": "end_game", "winners": [1]})
    assert [game.game for game in store.games()] == [1]
    store.close()
    with Archive(folder) as archive:
        assert [game.game for game in archive.games()] == [1]


def test_a_clock_that_is_set_in_the_middle_sets_the_times_of_the_evening_right(folder):
    """Three games in two hours; after the first, and in the middle of the third, the clock is set."""
    now, passed = NOON, 0.0
    store = Store(folder, now=lambda: now, passed_s=lambda: passed)

    def minutes(count: int, *, sets: timedelta = timedelta()) -> None:
        nonlocal now, passed
        now, passed = now + timedelta(minutes=count) + sets, passed + 60 * count

    table = Table(store)
    for before_end, sets in ((20, timedelta()), (20, timedelta()), (20, timedelta(days=30, hours=3))):
        begin(table, "Ana", "Ben")
        play_turn(table, "choice")
        minutes(before_end, sets=sets)
        do(table, {"command": "end_game"})
        minutes(20, sets=timedelta(days=10) if store.games()[0].game == 1 else timedelta())
    right = NOON + timedelta(days=40, hours=3)
    assert [(game.started_at, game.finished_at) for game in reversed(store.games())] == [
        ((right + timedelta(minutes=begun)).isoformat(), (right + timedelta(minutes=begun + 20)).isoformat())
        for begun in (0, 40, 80)
    ]
    assert [game.played_s for game in store.games()] == [1200.0] * 3
    store.close()
    now, passed = right + timedelta(days=1), 0.0
    again = Store(folder, now=lambda: now, passed_s=lambda: passed)  # whose seals are sound
    begin(Table(again), "Ana", "Ben")
    minutes(1, sets=timedelta(days=-3))
    do(Table(again), {"command": "end_game"})
    assert again.games()[0].finished_at == (right + timedelta(minutes=100)).isoformat(), "not of this run"
    again.close()


def test_a_deleted_game_is_hidden_and_a_month_later_forgotten(folder, store, table):
    for _ in range(3):
        play(table, ["Ana"])
    assert [game.game for game in store.games()] == [3, 2, 1]
    assert store.delete_game(1)
    assert not store.delete_game(1)
    assert [game.game for game in store.games()] == [3, 2]
    assert [game.game for game in store.games_aside()] == [1]
    assert store.undelete_game(1)
    assert not store.undelete_game(1)
    assert [game.game for game in store.games()] == [3, 2, 1]
    assert store.delete_game(1)
    assert store.next_game() == 4
    for days, left in ((7, [1]), (14, [1]), (21, [1]), (28, [1]), (29, [1]), (31, [])):
        store.close()
        store = Store(folder, now=lambda days=days: NOON + timedelta(days=days))
        assert [game.game for game in store.games_aside()] == left
        assert bool(store.transcript(1)) == bool(left)
    assert [game.game for game in store.games()] == [3, 2]
    store.close()


@pytest.mark.parametrize("spoil", ["head", "middle", "cut", "text"])
def test_a_damaged_database_is_reported_and_left_as_it_is(opened, folder, spoil, store, table):
    for _ in range(40):
        begin(table, "Ana", "Ben")
        do(table, {"command": "end_game"})
    store.close()
    path = folder / FILE_NAME
    good = path.read_bytes()
    bad = {
        "head": b"\0" * 100 + good[100:],
        "middle": good[:5000] + b"\xff" * 4000 + good[9000:],
        "cut": good[: len(good) // 2],
        "text": b"Dear diary, today we played Yacht. " * 200,
    }[spoil]
    path.write_bytes(bad)
    with pytest.raises(StoreError, match=r"is damaged .*yacht restore") as caught:
        opened(folder)
    assert caught.value.code == "store/damaged"
    assert path.read_bytes() == bad


def test_a_database_of_another_program_or_a_newer_version_is_refused(opened, folder):
    opened(folder).close()
    path = folder / FILE_NAME
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA user_version = 99")
    db.close()
    with pytest.raises(StoreError, match="newer Yacht Station"):
        opened(folder)
    path.unlink()
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE stamps (country TEXT)")
    db.close()
    with pytest.raises(StoreError, match="another program"):
        opened(folder)


def fill_up(table, told):
    while True:
        told.append(do(table, {"command": "enter_roll", "faces": [1, 2, 3, 4, 5]}))
        told.append(do(table, {"command": "undo"}))


def test_a_full_disk_refuses_the_step_and_loses_nothing(opened, folder, store, table):
    begin(table, "Ana")
    # SQLite reports a database at its page limit exactly as it reports a full disk (SQLITE_FULL).
    (pages,) = store._db.execute("PRAGMA page_count").fetchone()
    store._db.execute(f"PRAGMA max_page_count = {pages}")
    told = [shown(table)]
    with pytest.raises(StoreError, match="is full, so the last step was not saved") as caught:
        fill_up(table, told)
    assert caught.value.code == "store/full"
    assert shown(table) == told[-1]
    store._db.execute("PRAGMA max_page_count = 100000")
    state = do(table, {"command": "add_player", "name": "Ben"})
    store.close()
    assert game_of(shown(Table(opened(folder)))) == game_of(state)


def test_only_one_station_uses_a_folder_and_it_has_to_be_one(opened, folder):
    store = opened(folder)
    with pytest.raises(StoreError, match="Another Yacht Station is using") as caught:
        opened(folder)
    assert caught.value.code == "store/in_use"
    store.close()
    opened(folder).close()
    (folder / "file").write_text("no folder")
    with pytest.raises(StoreError, match="cannot be written"):
        opened(folder / "file" / "data")


KILLED = """
import itertools, sys
from pathlib import Path
from station.store import Store
from station.table.table import Table
from station.contract.view import as_json
from tests.asking import do
table = Table(Store(Path(sys.argv[1])))
do(table, {"command": "start_game", "players": ["Ana"], "rules": "yacht-1938"})
for count in itertools.count(1):
    do(table, {"command": "enter_roll", "faces": [1, 2, 3, 4, count % 6 + 1]})
    print(count, flush=True)
    do(table, {"command": "undo"})
    print(-count, flush=True)
"""


@pytest.mark.slow
@pytest.mark.parametrize("after", [1, 7, 20])
def test_killed_at_any_moment_everything_acknowledged_is_there(opened, folder, after):
    command = [sys.executable, "-c", KILLED, str(folder)]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    assert child.stdout is not None
    for _ in range(after):
        child.stdout.readline()
    os.kill(child.pid, signal.SIGKILL)
    told = [int(line) for line in child.stdout.read().splitlines()]
    child.wait()
    child.stdout.close()
    store = opened(folder)
    kinds = [event.kind for event in store.transcript(1)]
    # One event more than was told may be there: written down, but killed before it could be said.
    assert len(kinds) - 1 - (after + len(told)) in (0, 1)
    state = shown(Table(store))
    assert state["throws_done"] == (1 if kinds[-1] == "roll_accepted" else 0)
    store.close()


def test_a_commit_is_on_the_disk_when_it_returns(opened, folder):
    # What else can lose acknowledged commits when the power goes: see docs/decisions/sqlite.md.
    db = opened(folder)._db
    settings = {name: db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("journal_mode", "synchronous")}
    assert settings == {"journal_mode": "wal", "synchronous": 2}


LATER_KINDS = {
    *("player_renamed", "player_removed", "player_moved", "roll_kept"),
    *("starter_thrown", "copy_held", "box_chosen", "player_ready", "player_unready", "box_announced"),
}
"""Events that data of version 1 does not know."""


def test_what_version_1_wrote_is_read(opened, tmp_path):
    """A game with every kind of event, as the station of that data version left it."""
    store = opened(of_version(1, tmp_path))
    state = shown(Table(store))
    assert [player["name"] for player in state["players"]] == ["Ana", "Ben", "Cleo"]
    assert (state["undo"], state["throws_done"]) == ("Ana rolled 6-6-6-6-2", 1)
    (game,) = store.games()
    assert [player.total for player in game.players] == [19, 11, 0]
    kinds = {event.kind for number in (0, 1, 2) for event in store.transcript(number)}
    assert kinds == set(KINDS) - LATER_KINDS
    assert game.ended_by == "early"
