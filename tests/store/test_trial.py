"""A bad copy given to restore: refused in a sentence, and nothing has changed."""

import sqlite3
import time
from contextlib import closing, suppress

import pytest

from messages.errors import BadInputError, StoreError
from station.store import Store
from station.store.database_file import FILE_NAME
from station.store.trial import LIMIT_S, tried
from station.table import Table
from tests.asking import do, shown
from tests.store.helpers import chained

LARGE = "files past all"
BAD = {
    "a version before all": "PRAGMA user_version = 0",
    "a negative version": "PRAGMA user_version = -7",
    "no numbers": "DELETE FROM numbers",
    "a number past all": "UPDATE numbers SET value = 9223372036854775807",
    "a game past all": "UPDATE games SET game = 9223372036854775807",
    "a negative number": "UPDATE numbers SET value = -1",
    "another number": "INSERT INTO numbers VALUES ('other', 1)",
    "no table of games": "PRAGMA foreign_keys = OFF; DROP TABLE results; DROP TABLE games",
    "an index more": "CREATE INDEX by_kind ON events (kind)",
    "no seals": "DROP TABLE seals",
    "no number of the next event": "DELETE FROM numbers WHERE name = 'next_event'",
    "an event past all": "UPDATE events SET id = 9223372036854775807 WHERE id = 1",
    "a version past all": "PRAGMA user_version = 2147483647",
    "an older version than its tables": "PRAGMA user_version = 2",
    "a view": "CREATE VIEW v AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x FROM n) SELECT x FROM n",
    "a view for a table": "DROP TABLE results; CREATE VIEW results AS SELECT 1 AS game",
    "a trigger that aborts": "CREATE TRIGGER no BEFORE INSERT ON events BEGIN SELECT RAISE(ABORT, 'no'); END",
    "a trigger that answers the restore": (
        "CREATE TRIGGER no AFTER UPDATE ON numbers BEGIN DELETE FROM events; END"
    ),
    "a trigger on the seals": "CREATE TRIGGER no AFTER INSERT ON seals BEGIN SELECT RAISE(FAIL, 'no'); END",
    "a virtual table": "CREATE VIRTUAL TABLE more USING fts5(x)",
    "a table with another column": "ALTER TABLE games ADD COLUMN more TEXT",
    "a name that is null": "DROP TABLE results; CREATE TABLE results AS SELECT 1 AS game, NULL AS name",
    "one table more": "CREATE TABLE more (x TEXT)",
    "text that is no JSON": "UPDATE events SET body = '{'",
    "JSON that is no event": "UPDATE events SET body = '[1]'",
    "an event nobody knows": 'UPDATE events SET body = \'{"kind": "flood"}\'',
    "boxes that are no JSON": "UPDATE results SET boxes = 'x'",
    "boxes that are a list": "UPDATE results SET boxes = '[1]'",
    "boxes with text": 'UPDATE results SET boxes = \'{"ones": "many"}\'',
    "no name": "UPDATE results SET name = ''",
    "a day that is none": "UPDATE games SET finished_at = 'yesterday'",
    "a day before all": "UPDATE games SET finished_at = '0001-01-01T00:00:00+14:00'",
    "a winner without a game": "PRAGMA foreign_keys = OFF; DELETE FROM games",
    "a box scored twice": (
        "INSERT INTO events SELECT 90, 1, at, kind, body, x'' FROM events WHERE kind = 'box_scored'"
    ),
    "an undo of nothing": "UPDATE events SET kind = 'undone', body = '{\"kind\":\"undone\"}' WHERE id = 1",
    "a file outside the folder": "INSERT INTO files VALUES ('../away.json', x'7b7d')",
    "a file from the root": "INSERT INTO files VALUES ('/etc/passwd', x'7b7d')",
    "a file that is the database": "INSERT INTO files VALUES ('yacht.sqlite3', x'7b7d')",
    "seats that are a number": "INSERT INTO files VALUES ('room.json', CAST('7' AS BLOB))",
    "seats nested without end": (
        "INSERT INTO files VALUES ('room.json', CAST('{\"seats\":" + "[" * 50_000 + "' AS BLOB))"
    ),
    "house rules in a folder of their own": "INSERT INTO files VALUES ('rules/a/x.toml', x'7b7d')",
    LARGE: "INSERT INTO files VALUES ('room.json', zeroblob(70000000))",
    "a game by rules nobody has": "UPDATE events SET body = replace(body, 'yacht-1938', 'poker')",
    "deep JSON": "UPDATE events SET body = '" + "[" * 50_000 + "'",
}


@pytest.fixture
def station(tmp_path):
    store = Store(tmp_path / "data")
    table = Table(store)
    do(table, {"command": "start_game", "players": ["Ana", "Ben"], "rules": "yacht-1938"})
    do(table, {"command": "enter_roll", "faces": [6, 6, 6, 6, 6]})
    do(table, {"command": "score_box", "category": "yacht"})
    do(table, {"command": "end_game"})
    yield store, table
    store.close()


@pytest.mark.parametrize(
    "what", [pytest.param(each, marks=pytest.mark.thorough if each == LARGE else ()) for each in BAD]
)
def test_a_bad_copy_is_refused_and_nothing_changes(station, tmp_path, what):
    store, table = station
    copy = tmp_path / "copy.sqlite3"
    store.backup(copy)
    with closing(sqlite3.connect(copy)) as db:
        db.executescript(BAD[what])
        with suppress(sqlite3.Error, TypeError, ValueError):  # else the first bad hash would end the trial
            chained(db)
    files = sorted(path.name for path in (tmp_path / "data").iterdir())
    before, games = shown(table), store.games()
    with pytest.raises(BadInputError) as refused:
        table.stored.restore(copy)
    assert str(refused.value).endswith((".", ")"))
    assert shown(table) == before
    assert store.games() == games
    assert sorted(path.name for path in (tmp_path / "data").iterdir()) == files
    do(table, {"command": "rematch"})
    assert len(Table(store).snapshot().players) == 2


def test_a_sound_copy_is_put_back_and_two_in_one_second_keep_both(station, tmp_path):
    store, table = station
    copy = tmp_path / "copy.sqlite3"
    store.backup(copy)
    kept = [table.stored.restore(copy), table.stored.restore(copy)]
    assert len(set(kept)) == 2
    assert all(path.exists() for path in kept)
    assert [game.game for game in store.games()] == [1]


def test_the_table_plays_on_while_a_copy_is_tried(station, tmp_path, monkeypatch):
    store, table = station
    copy = tmp_path / "copy.sqlite3"
    store.backup(copy)
    seen = []

    def look(source, scratch):
        done = do(table, {"command": "undo"})  # from another screen, meanwhile
        seen.append(done["phase"])
        return tried(source, scratch)

    monkeypatch.setattr(store, "tried", look)
    with pytest.raises(Exception, match="end it first"):
        table.stored.restore(copy)
    assert seen == ["throwing"]


def test_a_copy_that_takes_too_long_is_refused(station, tmp_path):
    store, _ = station
    copy = tmp_path / "copy.sqlite3"
    store.backup(copy)
    began = time.monotonic()
    late = iter([0.0])
    with pytest.raises(BadInputError, match="takes longer"):
        tried(copy, tmp_path, clock=lambda: next(late, LIMIT_S + 1.0))
    assert time.monotonic() - began < LIMIT_S


def test_an_exchange_that_fails_goes_back_by_itself(station, tmp_path, monkeypatch):
    store, table = station
    copy = tmp_path / "copy.sqlite3"
    store.backup(copy)
    before = shown(table)

    def broken(*_, **__):
        raise sqlite3.OperationalError("disk I/O error")

    monkeypatch.setattr("station.store.store.prepare", broken)
    with pytest.raises(Exception, match="disk I/O"):
        table.stored.restore(copy)
    monkeypatch.undo()
    assert shown(table) == before
    assert [game.game for game in store.games()] == [1]
    assert not list((tmp_path / "data").glob(f"{FILE_NAME}.new"))


def test_no_room_to_try_a_copy_says_nothing_of_the_copy(tmp_path, monkeypatch):
    Store(tmp_path / "data").close()
    full = sqlite3.OperationalError("database or disk is full")
    full.sqlite_errorname = "SQLITE_FULL"

    def no_room(*_: object) -> None:
        raise full

    monkeypatch.setattr("station.store.trial._live", no_room)
    (tmp_path / "scratch").mkdir()
    with pytest.raises(StoreError, match="is full; make room and try again") as caught:
        tried(tmp_path / "data" / FILE_NAME, tmp_path / "scratch")
    assert caught.value.code == "store/full"
