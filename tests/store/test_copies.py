"""Copies of everything: ordered by events and never by a clock, whole, in two places, and back again."""

import io
import json
import shutil
import sqlite3
import threading
from contextlib import closing
from datetime import timedelta

import pytest

from messages.errors import StoreError
from station.cli import run
from station.config.taken import changes, merged
from station.features.two_homes.fair_throw import THROWS_KEY
from station.screens.room import Room
from station.screens.room_file import ACCESS, KeptPin, KeptRoom, RoomFile
from station.store import FILE_NAME, Archive, Copier, backups
from station.store.backups import copies
from station.store.database_file import connect
from station.store.house_rules import HouseRules
from station.table.table import Table
from tests.asking import shown
from tests.store.helpers import Store, backup, files, places_of, play, restore
from tests.store.stores import NOON
from tests.web.helpers import NOTHING
from web.factory import create_app


def test_a_copy_holds_everything_and_takes_it_all_back(data, tmp_path):
    settings = tmp_path / "station.toml"
    copy = tmp_path / "copy.sqlite3"
    backup(data, copy, settings=settings)
    with closing(Store(data)) as store:
        games, told = store.games(), store.transcript(1)
    other = tmp_path / "other"

    def taken(theirs, mine):
        return merged(mine, changes(theirs, mine))

    restore(copy, other, now=NOON, settings=tmp_path / "other.toml", take=taken, with_access=True)
    assert files(other) == files(data)
    with closing(sqlite3.connect(copy)) as db:  # as somebody looks into it by hand
        first, second, *_ = (name for (name,) in db.execute("SELECT path FROM files ORDER BY path"))
    assert (first, second.partition("/")[0]) == ("room.json", "rules")
    assert (tmp_path / "other.toml").read_text() == settings.read_text()
    assert Room(other).of("token").seat == "Ana"
    with closing(Store(other)) as store:
        assert (store.games(), store.transcript(1)) == (games, told)


def test_what_is_there_before_a_restore_is_kept_whole(data, copy):
    Room(data).set_hints("token", "Ana", on=False)
    with closing(Store(data)) as store:
        play(Table(store))
    kept = restore(copy, data, now=NOON)
    assert Room(data).wants_hints("Ana")
    restore(kept, data, now=NOON)
    assert not Room(data).wants_hints("Ana")
    with Archive(data) as archive:
        assert len(archive.games()) == 2


def test_seats_and_settings_beside_games_that_no_copy_can_hold_are_kept_too(
    data, tmp_path, capsys, monkeypatch
):
    copy, settings = tmp_path / "copy.sqlite3", tmp_path / "station.toml"
    backup(data, copy, settings=settings)
    for number, name in enumerate(("Ben", "Cleo"), start=1):
        Room(data).sit("token", name)
        settings.write_text(f"backups_kept = {number}\n")
        (data / FILE_NAME).write_bytes(b"no database" * 1000)
        if name == "Cleo":
            (data / FILE_NAME).unlink()
        monkeypatch.setattr("sys.stdin", io.StringIO("y\n"))
        call = ["restore", "--with-access", "--with-settings", "--data", str(data)]
        call += ["--config", str(settings), str(copy)]
        assert run(call) == 0
        assert (Room(data).of("token").seat, settings.read_text()) == (
            "Ana",
            'backups_kept = 3\nlanguage = "de"\n',
        )
        (kept,) = (path for path in data.glob("yacht-before-*") if path.is_dir())
        printed = capsys.readouterr()
        assert str(kept) in printed.out + printed.err
        assert (kept / "station.toml").read_text() == f"backups_kept = {number}\n"
        assert Room(kept).of("token").seat == name
        shutil.rmtree(kept)


@pytest.fixture
def place(tmp_path):
    """A folder on the network."""
    made = tmp_path / "network"
    made.mkdir()
    return made


def play_one(data, *names):
    """A game more at that station."""
    with closing(Store(data)) as store:
        play(Table(store), names=names or ("Ana", "Ben"))


def test_a_copy_that_is_put_back_repeats_no_secret_of_a_throw(data, tmp_path):
    copy = tmp_path / "copy.sqlite3"
    (data / THROWS_KEY).write_bytes(b"k" * 32)
    backup(data, copy)
    assert run(["restore", "--data", str(data), str(copy)]) == 0
    assert not (data / THROWS_KEY).exists()


def test_the_newest_copy_is_that_of_the_highest_event_whatever_the_clock_says(data, place):
    places = places_of(data, 3, place)
    made = []
    for year in (2026, 2099, 1970, 2026, 1970):
        play_one(data)
        made.append(places.copy_to(place, NOON.replace(year=year))[0])
        assert made[-1].exists(), "the copy that was just made is never the one that goes"
    assert [each.path for each in copies(place)] == made[:1:-1]
    assert [len(each.games) for each in copies(place)] == [6, 5, 4]


def test_copies_of_before_a_restore_do_not_push_out_those_after_it(data, copy):
    places = places_of(data, 2)
    for _ in range(4):
        play_one(data)
        places.copy_to(places.all[0], NOON)
    restore(copy, data, now=NOON)
    play_one(data, "Cleo", "Dan")
    path, _ = places.copy_to(places.all[0], NOON - timedelta(days=900))
    newest = copies(places.all[0])[0]
    assert newest.path == path
    assert newest.games[0].players[0].name == "Cleo"


def test_stations_that_share_a_place_push_out_none_of_each_others_copies(tmp_path, place):
    busy, quiet = ((places_of(tmp_path / name, 1, place), name) for name in ("busy", "quiet"))
    made = {"busy": [], "quiet": []}
    for number, (places, name) in enumerate((busy, quiet, busy)):
        for _ in range(2 if name == "busy" else 1):
            play_one(places.data, name)
        made[name].append(places.copy_to(place, NOON + timedelta(minutes=number))[0])
    there = {each.path for each in copies(place)}
    assert there == {made["busy"][-1], made["quiet"][-1]}
    assert quiet[0].copy_to(place, NOON) == (made["quiet"][-1], ()), "nothing was played since"


def test_stations_that_copy_at_once_to_one_place_do_so_apart(tmp_path, place, monkeypatch):
    one, other = (places_of(tmp_path / name, 2, place) for name in ("one", "other"))
    for each in (one, other):
        play_one(each.data, each.data.name)
    made = []
    pack = backups.pack

    def packed(*arguments):
        monkeypatch.setattr(backups, "pack", pack)
        made.append(other.copy_to(place, NOON)[0])
        pack(*arguments)

    monkeypatch.setattr(backups, "pack", packed)
    made.append(one.copy_to(place, NOON)[0])
    assert {each.games[0].players[0].name for each in copies(place)} == {"one", "other"}
    assert {each.path for each in copies(place)} == {*made}


def test_a_copy_of_what_is_copied_already_is_not_made_again(data):
    places = places_of(data, 3)
    first, _ = places.copy_to(places.all[0], NOON)
    assert places.copy_to(places.all[0], NOON + timedelta(days=1)) == (first, ())
    Room(data).sit("other", "Ben")
    assert places.copy_to(places.all[0], NOON + timedelta(days=1))[0] != first


def test_a_copy_is_made_at_the_end_of_every_game_in_both_places(data, place):
    copier = Copier(places_of(data, 5, place), now=lambda: NOON)
    copier.start()
    over = threading.Event()

    def finished():
        copier.ask()
        over.set()

    with closing(Store(data, finished=finished)) as store:
        play(Table(store))
        assert over.is_set()
        deadline = threading.Event()
        for _ in range(3000):
            if len(copies(place)) == 1:
                break
            deadline.wait(0.1)
        shutil.rmtree(place)
        copier.ask()
        while not copier.failed:
            deadline.wait(0.05)
        assert "second place for copies" in str(copier.failed[0])
        copier.stop(300.0)
    assert [len(each.games) for each in copies(data / "backups")] == [2]


def test_a_second_place_that_is_not_there_is_reported_and_the_first_copy_is_made(data, tmp_path, capsys):
    settings = tmp_path / "station.toml"
    settings.write_text(f'backups_second = "{tmp_path}/no/stick"\n')
    assert run(["backup", "--data", str(data), "--config", str(settings)]) == 1
    assert "second place for copies" in capsys.readouterr().err
    assert len(copies(data / "backups")) == 1


def test_an_export_of_everything_comes_back_identical(data, tmp_path, capsys):
    settings = tmp_path / "station.toml"
    text = tmp_path / "everything.json"
    common = ["export", "--format", "everything", "--data"]
    assert run([*common, str(data), "--config", str(settings), "--output", str(text)]) == 0
    sentence = json.loads(text.read_text())
    assert sentence["format"] == "yacht-station"
    assert {row["path"] for row in sentence["tables"]["files"]} >= {"room.json", "station.toml"}
    other, back = tmp_path / "other", tmp_path / "other.toml"
    assert run(["restore", "--with-access", str(text), "--data", str(other)]) == 0
    back.write_bytes(settings.read_bytes())  # settings are each machine's own
    again = tmp_path / "again.json"
    assert run([*common, str(other), "--config", str(back), "--output", str(again)]) == 0
    assert again.read_bytes() == text.read_bytes()
    assert run([*common, str(data), "--game", "1"]) == 2
    assert "leave out --game" in capsys.readouterr().err
    with Archive(data) as here, Archive(other) as there:
        assert here.games() == there.games()


@pytest.mark.parametrize(
    "changed",
    [
        {"events": [{"id": 1}]},
        {"files": [{"path": "../x", "content": {"text": ""}}]},
        {"numbers": [{"name": "next_version", "value": 2**70}]},
    ],
)
def test_a_text_that_is_no_export_of_everything_is_refused(data, tmp_path, capsys, changed):
    text = tmp_path / "everything.json"
    assert run(["export", "--format", "everything", "--data", str(data), "--output", str(text)]) == 0
    whole = json.loads(text.read_text())
    text.write_text(json.dumps(whole | {"tables": whole["tables"] | changed}))
    before = (data / FILE_NAME).read_bytes()
    assert run(["restore", str(text), "--data", str(data)]) == 2
    assert capsys.readouterr().err.startswith("yacht: ")
    assert (data / FILE_NAME).read_bytes() == before


def test_a_database_that_went_missing_beside_copies_is_reported(data):
    places_of(data, 3).copy_to(data / "backups", NOON)
    for content in (None, b""):
        (data / FILE_NAME).unlink()
        (data / "yacht.last").unlink(missing_ok=True)
        if content is not None:
            (data / FILE_NAME).write_bytes(content)
        with pytest.raises(StoreError, match="missing or empty, though there were games"):
            Store(data)
        (data / FILE_NAME).touch()


def test_a_running_station_takes_hints_and_house_rules_back_too(data, copy):
    with closing(Store(data)) as store:
        table = Table(store)
        room, rules = Room(data), HouseRules(data / "rules")
        room.set_hints("token", "Ana", on=False)
        (name,) = rules.texts()
        rules.delete(name)
        table.stored.restore(copy)
        room.reload()
        rules.reload()
        assert room.wants_hints("Ana")
        assert list(rules.texts()) == [name]
        assert shown(table)["finished"]


def test_a_seat_taken_while_a_copy_is_put_back_leaves_the_hints_as_in_the_copy(data, copy, monkeypatch):
    """Opening the database of a copy takes a second on a Pi, in which somebody's phone may ask for a seat."""
    with closing(Store(data)) as store:
        table, room = Table(store), Room(data)
        create_app(table, frame_jpeg=lambda _: None, room=room, **{**NOTHING, "archive": store})
        room.set_hints("token", "Ana", on=False)
        late = threading.Thread(target=room.sit, args=("late", "Ben"))

        def slowly(path):
            late.start()
            late.join(0.2)  # as far as it comes now
            return connect(path)

        monkeypatch.setattr("station.store.store.connect", slowly)
        table.stored.restore(copy)
        late.join(60)
    for each in (room, Room(data)):
        assert (each.wants_hints("Ana"), each.of("late").seat) == (True, "Ben")


def test_a_copy_that_cannot_be_put_back_whole_leaves_seats_and_rules_as_they_are(data, copy):
    (rules,) = (data / "rules").iterdir()
    rules.unlink()
    rules.mkdir()  # nothing can take this name, and seats are written before house rules
    (data / "profiles").mkdir()
    (data / "profiles" / "mine.json").write_text("{}")
    Room(data).sit("token", "Ben")
    with closing(Store(data)) as store:
        table = Table(store)
        play(table, ("Cleo",))
        before = store.games(), files(data)
        with pytest.raises(StoreError):
            table.stored.restore(copy)
        assert (store.games(), files(data)) == before
        play(table, ("Dora",))
        assert len(store.games()) == len(before[0]) + 1
    assert Room(data).of("token").seat == "Ben"


def test_a_second_place_that_fails_where_one_looks_for_it_stops_no_copies(data, tmp_path):
    places = places_of(data, 5, tmp_path / ("x" * 300))
    made = threading.Semaphore(0)

    def now():
        made.release()
        return NOON

    copier = Copier(places, now=now)
    copier.start()
    try:
        for game in ("first", "second"):
            copier.ask()
            assert made.acquire(timeout=60.0), f"the own place, {game} game"
            assert made.acquire(timeout=60.0), f"the other place, {game} game"
    finally:
        copier.stop(60.0)
    assert copies(data / "backups")
    assert len(copier.failed) == 1


# -- who may do what ---------------------------------------------------------------------------------

THEN, NOW = "a" * 32, "b" * 32
"""Marks of screens."""


def kept_room(folder):
    return RoomFile(folder).read()


def set_access(folder, *, pin, host):
    """Let one screen be host, sit as Ana and keep the score."""
    kept = kept_room(folder).model_copy(
        update={
            "hosts": [host],
            "seats": {host: "Ana"},
            "scorekeepers": [host],
            "scorekeeper": "Ana",
            "pin": None if pin is None else KeptPin.of(pin),
            "roles": pin is not None,
        }
    )
    RoomFile(folder).save(kept)


def access(folder):
    return kept_room(folder).model_dump(include=ACCESS)


@pytest.fixture
def older(data, tmp_path):
    """A copy of a day with another host and no PIN."""
    copy = tmp_path / "older.sqlite3"
    set_access(data, pin=None, host=THEN)
    backup(data, copy)
    set_access(data, pin="4711", host=NOW)
    return copy


def test_a_copy_brings_neither_hosts_nor_pin_nor_seats_of_its_day(data, older):
    before = access(data)
    RoomFile(data).save(kept_room(data).model_copy(update={"hints": {"Ben": True}}))
    restore(older, data, now=NOON)
    assert access(data) == before
    assert kept_room(data).hints == {"Ana": True}, "what lets nobody in comes from the copy"


def test_a_copy_put_back_on_a_page_makes_nobody_host(data, older):
    room = Room(data)
    before = access(data)
    with closing(Store(data)) as store:
        table = Table(store)
        create_app(table, frame_jpeg=lambda _: None, room=room, **{**NOTHING, "archive": store})
        table.stored.restore(older)
    assert access(data) == before
    assert (room.public()[1].pin, room.public()[1].roles, room.public()[1].scorekeeper) == (True, True, "Ana")
    assert [each.id for each in room.screens(None)] == [NOW[:12]]


def test_who_may_do_what_comes_from_a_copy_only_at_the_machine_where_it_is_requested(data, older, tmp_path):
    restore(older, tmp_path / "other", now=NOON)
    assert access(tmp_path / "other") == KeptRoom().model_dump(include=ACCESS)
    assert run(["restore", "--with-access", "--data", str(data), str(older)]) == 0
    assert (kept_room(data).hosts, kept_room(data).pin) == ([THEN], None)


def test_a_room_that_cannot_be_read_is_not_replaced_by_an_open_one(data, older):
    (data / "room.json").write_text("{ half")
    restore(older, data, now=NOON)
    assert (data / "room.json").read_text() == "{ half", "it may have had a PIN"
