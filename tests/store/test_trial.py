"""A bad copy given to restore: refused in a sentence, and nothing has changed."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from typing import Any

import pytest

from messages.errors import BadInputError, StoreError
from station.copy_trial import try_copy
from station.store import everything
from station.store.database_file import FILE_NAME
from station.store.trial import Bounds, bounds, tried
from station.table.table import Table
from tests.asking import do, shown
from tests.store.helpers import Store, chained, play

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
    "a name with a lone surrogate": "UPDATE events SET body = replace(body, 'Ana', '\\ud800')",
    "a name with a line end": "UPDATE events SET body = replace(body, 'Ana', 'A\\na')",
    "a name of a megabyte": "UPDATE events SET body = replace(body, 'Ana', '" + "a" * 1_000_000 + "')",
    "a result's name with a control character": "UPDATE results SET name = 'A' || char(7)",
    "a result's name that is no UTF-8": "UPDATE results SET name = CAST(x'eda080' AS TEXT)",
    "a total of ten digits": "UPDATE results SET total = 1000000000",
    "a box of ten digits": "UPDATE results SET boxes = '{\"ones\": 1000000000}'",
    "a way to end that nobody knows": "UPDATE games SET ended_by = 'flood'",
    "stakes past all": (
        'UPDATE events SET body = json_set(body, \'$.stakes\', json(\'["1e30000000","0",""]\'))'
        " WHERE kind = 'game_started'"
    ),
    "a first player who is not there": (
        "UPDATE events SET body = json_set(body, '$.first', 5) WHERE kind = 'game_started'"
    ),
    "house rules of points without end": (
        "UPDATE events SET body = json_set(body, '$.rules', 'flood', '$.house', replace("
        '\'id = "flood"|title = "Flood"|throws = 3|[[box]]|category = "ones"|label = "Ones"|plus = '
        + "9" * 4000
        + "', '|', char(10))) WHERE kind = 'game_started'"
    ),
    "a box that no rules have": "UPDATE events SET body = replace(body, '\"yacht\"', '\"tens\"')",
    "a die without a face": "UPDATE events SET body = replace(body, ',6,null', ',0,null')",
    "a step that is said to be of another game": (
        "UPDATE events SET game = 7 WHERE id = (SELECT max(id) FROM events)"
    ),
    "a game after which no other can be counted": (
        "PRAGMA foreign_keys = OFF; UPDATE events SET game = 999999999; UPDATE events SET body ="
        " json_set(body, '$.game', 999999999) WHERE kind = 'game_started';"
        " UPDATE games SET game = 999999999; UPDATE results SET game = 999999999"
    ),
    "a seat with a lone surrogate": (
        'INSERT INTO files VALUES (\'room.json\', CAST(\'{"seats": {"a": "\\ud800"}}\' AS BLOB))'
    ),
}


@pytest.fixture
def station(tmp_path):
    """A store with a game, its table, and a copy of it."""
    with closing(Store(tmp_path / "data")) as store:
        table, copy = Table(store), tmp_path / "copy.sqlite3"
        play(table)
        store.backup(copy)
        yield store, table, copy


MARKS = {LARGE: [pytest.mark.thorough], "stakes past all": [pytest.mark.needs_feature("stakes")]}


@pytest.mark.parametrize("what", [pytest.param(each, marks=MARKS.get(each, ())) for each in BAD])
def test_a_bad_copy_is_refused_and_nothing_changes(station, tmp_path, what, monkeypatch):
    monkeypatch.setattr("station.store.store.tried", try_copy)  # as the process does it that is begun for it
    store, table, copy = station
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


def test_a_sound_copy_is_put_back_and_two_in_one_second_keep_both(station):
    store, table, copy = station
    kept = [table.stored.restore(copy), table.stored.restore(copy)]
    assert len(set(kept)) == 2
    assert all(path.exists() for path in kept)
    assert [game.game for game in store.games()] == [1]


def test_the_table_plays_on_while_a_copy_is_tried(station, monkeypatch):
    store, table, copy = station
    seen = []

    def look(source, scratch):
        done = do(table, {"command": "undo"})  # from another screen, meanwhile
        seen.append(done["phase"])
        return try_copy(source, scratch)

    monkeypatch.setattr(store, "tried", look)
    with pytest.raises(Exception, match="end it first"):
        table.stored.restore(copy)
    assert seen == ["throwing"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("within", "told"),
    [
        (Bounds(memory_bytes=512 << 20, cpu_s=180, wall_s=0.0), "takes longer"),
        (Bounds(memory_bytes=512 << 20, cpu_s=0, wall_s=600.0), "takes longer"),
        (Bounds(memory_bytes=80 << 20, cpu_s=180, wall_s=600.0), "more memory than a station has"),
    ],
)
def test_a_copy_that_takes_too_much_is_refused(station, tmp_path, within, told):
    _, _, copy = station
    text = tmp_path / "copy.json"
    whole = json.loads(everything.text_of(copy))
    whole["tables"]["games"] += [{"game": "x" * (32 << 20)}]
    text.write_text(json.dumps(whole), encoding="utf-8")
    with pytest.raises(BadInputError, match=told):
        tried(text, tmp_path, within)


@pytest.mark.slow
def test_what_is_wrong_comes_out_of_its_process_word_for_word(station, tmp_path):
    _, _, copy = station
    with closing(sqlite3.connect(copy)) as db:
        db.executescript(BAD["a game by rules nobody has"])
        chained(db)
    found = []
    for trial, place in ((try_copy, "here"), (tried, "apart")):
        (tmp_path / place).mkdir()
        with pytest.raises(BadInputError) as refused:
            trial(copy, tmp_path / place)
        found.append((refused.value.code, refused.value.message))
    assert found[0] == found[1]
    assert found[0][0] == "input/bad"


@pytest.mark.slow
def test_a_trial_imports_nothing_from_where_it_is_started_and_one_that_falls_over_is_no_copy(
    station, tmp_path, monkeypatch
):
    _, _, copy = station
    for name in ("downloads", "scratch"):
        (tmp_path / name).mkdir()
    (tmp_path / "downloads" / "json.py").write_text("raise SystemExit(3)")
    monkeypatch.chdir(tmp_path / "downloads")
    assert tried(copy, tmp_path / "scratch").exists()
    monkeypatch.setattr("station.store.trial.MODULE", "station.nowhere")
    with pytest.raises(BadInputError, match="cannot be continued"):
        tried(copy, tmp_path)


def test_games_are_those_of_before_when_a_copy_cannot_be_put_back(station, monkeypatch):
    store, _, copy = station
    play(Table(store))
    before = store.games()

    def full(_):
        raise StoreError("store/disk-full", path="games.db")

    monkeypatch.setattr(store, "take_in", full)
    with pytest.raises(StoreError, match="full"):
        store.put_back(copy, version=0)
    assert store.games() == before


def test_a_trial_has_half_of_the_machine_at_most():
    assert 64 << 20 <= bounds().memory_bytes <= 512 << 20


def rows(count: int) -> Iterator[dict[str, Any]]:
    for number in range(count):
        yield {"path": f"rules/{number}.toml", "content": {"text": "#" * 1000}}


def test_a_text_is_read_row_by_row(tmp_path, monkeypatch):
    whole = {"format": "yacht-station", "version": 6, "tables": {"files": list(rows(2000)), "events": []}}
    text = tmp_path / "copy.json"
    text.write_text(json.dumps(whole, indent=1), encoding="utf-8")
    held = []
    more = everything._Reader._more
    monkeypatch.setattr(everything._Reader, "_more", lambda self: held.append(len(self._text)) or more(self))
    everything.as_database(text, tmp_path / "copy.sqlite3")
    with closing(sqlite3.connect(tmp_path / "copy.sqlite3")) as db:
        assert db.execute("SELECT count(*), sum(length(content)) FROM files").fetchone() == (2000, 2_000_000)
    assert text.stat().st_size > 2_000_000
    assert max(held) <= 2 * everything.PIECE


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        "[1]",
        '{"format": "yacht-station"}',
        '{"format": "yacht", "version": 6, "tables": {}}',
        '{"format": "yacht-station", "version": 7777, "tables": {}}',
        '{"format": "yacht-station", "version": true, "tables": {}}',
        '{"format": "yacht-station", "version": 6, "tables": {"other": []}}',
        '{"format": "yacht-station", "version": 6, "tables": {"files": [], "files": []}}',
        '{"format": "yacht-station", "version": 6, "tables": {"files": [1]}}',
        '{"format": "yacht-station", "version": 6, "tables": {"files": [{}]}}',
        '{"format": "yacht-station", "version": 6, "tables": {"files": [}}',
        '{"format": "yacht-station", "version": 6, "tables": {"files": [',
        '{"format": "yacht-station", "version": 6, "tables": {}} more',
        '{"format": "yacht-station", "version": NaN, "tables": {}}',
        '{"format": "yacht-station", "version": 6, "tables": {"numbers": [{"name": "x", "value": NaN}]}}',
        '{"format": "yacht-station", "version": 6, "tables": {"files": ' + "[" * 100_000,
        '{"format": "yacht-station", "version": ' + "9" * 100_000,
    ],
)
def test_what_is_no_text_of_everything_is_refused(tmp_path, text):
    path = tmp_path / "copy.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadInputError, match="neither a copy nor an export"):
        everything.as_database(path, tmp_path / "copy.sqlite3")


def test_a_row_without_end_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(everything, "PART_MAX", 1 << 17)
    path = tmp_path / "copy.json"
    begun = '{"format": "yacht-station", "version": 6, "tables": {"files": [{"path": "'
    path.write_text(begun + "a" * (1 << 19), encoding="utf-8")
    with pytest.raises(BadInputError, match=str(1 << 17)):
        everything.as_database(path, tmp_path / "copy.sqlite3")


def test_an_exchange_that_fails_goes_back_by_itself(station, tmp_path, monkeypatch):
    store, table, copy = station
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

    monkeypatch.setattr("station.store.soundness._look_through", no_room)
    (tmp_path / "scratch").mkdir()
    with pytest.raises(StoreError, match=r"is full\. Make room and try again") as caught:
        try_copy(tmp_path / "data" / FILE_NAME, tmp_path / "scratch")
    assert caught.value.code == "store/full"
