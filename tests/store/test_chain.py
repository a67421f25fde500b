"""The chain of hashes, and the file that says which event was written last: nothing changes unnoticed."""

import json
import random
import shutil
import sqlite3
from contextlib import closing
from datetime import UTC, datetime

import pytest

from messages.errors import StoreError
from station.store import FILE_NAME, Archive, Store
from station.store.chain import START, hashed
from station.store.database_file import PAGE_BYTES
from station.store.last_event import FILE_NAME as LAST_NAME
from station.store.last_event import RECORD_BYTES, LastEvent, Mark
from station.table.table import Table
from tests.asking import do, shown
from tests.store import damage
from tests.store.helpers import a_month_later
from tests.store.stores import of_version, play_turn


@pytest.fixture(scope="module")
def played():
    """The folder of a station that was stopped in its third game."""
    with damage.scratch() as folder:
        yield damage.played(folder / "data")


@pytest.fixture
def folder(played, tmp_path):
    """A copy of it."""
    return shutil.copytree(played, tmp_path / "data")


def change(folder, sql):
    with closing(sqlite3.connect(folder / FILE_NAME)) as db:
        db.executescript(sql)
        db.commit()


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE events SET body = replace(body, 'true', 'false') WHERE id = {event}",
        "UPDATE events SET at = '2027' WHERE id = {event}",
        "UPDATE events SET game = game + 1 WHERE id = {event}",
        "UPDATE events SET kind = 'undone' WHERE id = {event}",
        "UPDATE events SET hash = zeroblob(16) WHERE id = {event}",
        "DELETE FROM events WHERE id = {event} - 1",
        "UPDATE events SET body = '#00' WHERE id = {event}",
    ],
)
def test_an_event_that_is_not_as_it_was_written_is_named(folder, sql):
    with closing(sqlite3.connect(folder / FILE_NAME)) as db:
        (event,) = db.execute(
            "SELECT id FROM events WHERE kind = 'roll_accepted' LIMIT 1 OFFSET 3"
        ).fetchone()
    change(folder, sql.format(event=event))
    for look in (Store, Archive):
        with pytest.raises(StoreError, match=rf"Event {event} in .* is not as it was written") as caught:
            look(folder)
        assert caught.value.code == "store/damaged"


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE results SET total = total + 1 WHERE game = 1 AND seat = 0",
        "DELETE FROM games WHERE game = 1",
        "INSERT INTO games SELECT 9, rules, started_at, finished_at, 0, 'complete' FROM games LIMIT 1",
        "UPDATE numbers SET value = value - 1 WHERE name = 'next_version'",
        "DELETE FROM seals",
        "INSERT INTO aside VALUES (1, '2026-01-06T12:00:00+00:00')",
        "INSERT INTO files VALUES ('room.json', x'7b7d')",
    ],
)
def test_what_is_kept_beside_the_log_is_sealed(folder, sql):
    change(folder, sql)
    with pytest.raises(StoreError, match="beside the log"):
        Store(folder)


def test_a_log_without_its_end_is_reported_with_the_number_of_the_event_that_is_missing(folder):
    mark = LastEvent(folder).read()[0]
    change(folder, f"DELETE FROM events WHERE id > {mark.event - 3}")  # noqa: S608 - a number
    told = rf"ends with event {mark.event - 3}, but event {mark.event} had been written"
    with pytest.raises(StoreError, match=told):
        Store(folder)
    with pytest.raises(StoreError, match=told):
        Archive(folder)


def test_an_older_file_in_the_place_of_the_present_one_is_reported(folder, tmp_path):
    older = shutil.copy(folder / FILE_NAME, tmp_path)
    with closing(Store(folder)) as store:
        do(Table(store), {"command": "end_game"})
    shutil.copy(older, folder / FILE_NAME)
    with pytest.raises(StoreError, match="an older file took its place"):
        Store(folder)


def test_another_log_that_went_on_from_the_same_copy_is_reported(folder, tmp_path):
    other = shutil.copytree(folder, tmp_path / "other")
    for each, names in ((folder, ["Ana"]), (other, ["Ben"])):
        with closing(Store(each)) as store:
            table = Table(store)
            do(table, {"command": "end_game"})
            do(table, {"command": "start_game", "players": names, "rules": "yacht-1938"})
    shutil.copy(other / FILE_NAME, folder / FILE_NAME)
    with pytest.raises(StoreError, match="some other file took its place"):
        Store(folder)


def test_an_event_that_was_written_but_not_noted_counts(folder):
    note = (folder / LAST_NAME).read_bytes()
    with closing(Store(folder)) as store:
        do(Table(store), {"command": "end_game"})
        games = store.games()
    (folder / LAST_NAME).write_bytes(note)  # the plug was pulled between the two
    with closing(Store(folder)) as store:
        assert store.games() == games


@pytest.mark.parametrize("spoil", [b"", b"\xff" * 100, b"1 written event 9999 nonsense"])
def test_without_the_note_a_sound_log_is_gone_on_with(folder, spoil):
    (folder / LAST_NAME).write_bytes(spoil)
    with closing(Store(folder)) as store:
        assert len(store.games()) == 2
    assert LastEvent(folder).read()


def test_the_note_has_two_records_and_one_of_them_is_always_whole(tmp_path):
    last = LastEvent(tmp_path)
    marks = [Mark(number, bytes([number]) * 16, 100 + number) for number in range(1, 5)]
    for mark in marks:
        last.write(mark)
        assert LastEvent(tmp_path).read() == (mark,)
    content = bytearray(last.path.read_bytes())
    newest = 0 if b" event 4 " in content[:RECORD_BYTES] else RECORD_BYTES
    content[newest + 30] ^= 1
    whole = last.path.read_bytes()
    last.path.write_bytes(content)
    assert LastEvent(tmp_path).read() == (marks[2],)
    last.path.write_bytes(whole)
    last.write(Mark(0))
    assert LastEvent(tmp_path).read() == (Mark(0),)
    last.close()


def test_a_restore_that_0_2_0_did_not_finish_leaves_two_records(tmp_path):
    last = LastEvent(tmp_path)
    last.write(Mark(7))
    line = f"2 coming event 0 {START.hex()} version 0"
    record = f"{line} {hashed(line.encode())[:4].hex()}".ljust(RECORD_BYTES - 1) + "\n"
    last.path.write_bytes(record.encode() + last.path.read_bytes()[RECORD_BYTES:])
    assert LastEvent(tmp_path).read() == (Mark(0), Mark(7))
    last.write(Mark(0))
    last.close()
    assert LastEvent(tmp_path).read() == (Mark(0),)


def test_numbers_of_versions_are_never_given_again_though_the_database_forgot_them(folder):
    with closing(Store(folder)) as store:
        given = store.reserve_version()
        change(folder, "")
    note = LastEvent(folder).read()[0]
    assert note.version > given


def test_a_forgotten_game_leaves_the_chain_whole_and_no_word_of_itself(folder):
    with closing(Store(folder)) as store:
        text = "".join(map(str, store.transcript(1)))
        assert "Ana" in text
        assert store.delete_game(1)
    with closing(Store(folder)) as store:
        assert len(store.transcript(1)) > 10, "it can be put back for a month"
    with closing(a_month_later(folder, datetime.now(UTC))) as store:
        assert store.transcript(1) == ()
    with closing(sqlite3.connect(folder / FILE_NAME)) as db:
        assert db.execute("SELECT count(*) FROM events WHERE game = 1 AND body NOT LIKE '#%'").fetchone() == (
            0,
        )


@pytest.mark.parametrize("version", [1, 2, 3])
def test_an_older_store_gets_its_hashes_and_is_copied_before(tmp_path, version):
    folder = of_version(version, tmp_path)
    with closing(sqlite3.connect(folder / FILE_NAME)) as db:
        before = db.execute("SELECT id, game, at, kind, body FROM events ORDER BY id").fetchall()
        stood = [
            body
            for (body,) in db.execute("SELECT body FROM standing JOIN events ON id = event ORDER BY place")
        ]
    with closing(Store(folder, now=lambda: datetime(2026, 1, 7, tzinfo=UTC))) as store:
        assert [event.kind for event in store.events()] == [json.loads(body)["kind"] for body in stood]
        shown(Table(store))
    with closing(sqlite3.connect(folder / FILE_NAME)) as db:
        assert db.execute("PRAGMA page_size").fetchone() == (PAGE_BYTES,)
        after = db.execute("SELECT id, game, at, kind, body FROM events ORDER BY id").fetchall()
    assert after == before
    (copy,) = (folder / "backups").iterdir()
    with closing(sqlite3.connect(copy)) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (version,)
        assert db.execute("SELECT id, game, at, kind, body FROM events ORDER BY id").fetchall() == before
    change(folder, f"UPDATE events SET at = 'x' WHERE id = {before[3][0]}")  # noqa: S608 - a number
    with pytest.raises(StoreError, match=f"Event {before[3][0]} "):
        Store(folder)


def test_a_store_of_version_4_is_copied_and_goes_on(tmp_path):
    folder = of_version(4, tmp_path)
    with closing(sqlite3.connect(folder / FILE_NAME)) as db:
        before = db.execute("SELECT * FROM events ORDER BY id").fetchall()
    with closing(Store(folder, now=lambda: datetime(2026, 1, 7, tzinfo=UTC))) as store:
        assert (store.delivered(), store.last_event()) == ({}, before[-1][0])
        store.note_delivered({"mqtt": 3, "other": 1})
        store.note_delivered({"other": None})
    with closing(sqlite3.connect(folder / FILE_NAME)) as db:
        assert db.execute("SELECT * FROM events ORDER BY id").fetchall() == before
    (copy,) = (folder / "backups").iterdir()
    with closing(sqlite3.connect(copy)) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (4,)
    with closing(Store(folder)) as store:
        assert store.delivered() == {"mqtt": 3}
    change(folder, "UPDATE delivered SET event = 7")
    with pytest.raises(StoreError, match="not as it was written"):
        Store(folder)


def test_a_store_of_version_5_reads_from_its_log_who_had_left(tmp_path):
    """Cleo left before a box, when Ana had filled one and Ben, who stayed, none."""
    folder = of_version(5, tmp_path)
    with closing(Store(folder)) as store:
        (game,) = store.games()
        assert [(each.name, each.gone) for each in game.players] == [
            ("Ana", False),
            ("Ben", False),
            ("Cleo", True),
        ]
        assert [each.name for each in game.took_part] == ["Ana", "Ben"]
        table = Table(store)
        do(table, {"command": "remove_player", "player": 1})
        play_turn(table, "choice")
        do(table, {"command": "end_game"})
        latest, _ = store.games()
        assert [(each.name, each.gone) for each in latest.players] == [("Ana", False), ("Ben", True)]
    change(folder, "UPDATE results SET gone = 0")
    with pytest.raises(StoreError, match="not as it was written"):
        Store(folder)


@pytest.mark.parametrize(
    ("version", "lie"),
    [
        (2, "DELETE FROM standing WHERE place = (SELECT max(place) FROM standing)"),
        (5, "UPDATE results SET total = 300 WHERE seat = 1"),
    ],
)
def test_an_older_store_that_was_changed_is_refused_and_not_sealed_anew(tmp_path, version, lie):
    folder = of_version(version, tmp_path)
    change(folder, lie)
    with pytest.raises(StoreError, match="not as it was written"):
        Store(folder)


def test_an_event_is_two_small_pages_on_the_disk_at_most_and_reading_is_none(folder):
    with closing(Store(folder)) as store:
        table, log = Table(store), folder / f"{FILE_NAME}-wal"
        before, event = log.stat().st_size, LastEvent(folder).read()[0].event
        for slots in ([1], [2], [3], [1, 2], [1, 3], [2, 3], [1, 2, 3], []):
            do(table, {"command": "set_held", "slots": slots})
        after, last = log.stat().st_size, LastEvent(folder).read()[0].event
        assert last - event == 8
        assert after - before <= 8 * 2 * (PAGE_BYTES + 24)
        shown(table)
        store.games()
        assert log.stat().st_size == after


@pytest.mark.slow
def test_of_250_single_changed_bits_none_gives_other_data_silently():
    with damage.scratch() as folder:
        found = damage.flips(folder, 250, random.Random(2026))
    assert found.silent == 0, found
    assert found.tried == 250
    assert found.said > 50, found


@pytest.mark.slow
def test_of_60_files_cut_somewhere_none_gives_other_data_silently():
    with damage.scratch() as folder:
        found = damage.cuts(folder, 60, random.Random(2026))
    assert (found.tried, found.silent) == (60, 0)
