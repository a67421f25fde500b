"""A family's own rules at the table: they go into the log with the game."""

import errno
import json
import os
import re
import sqlite3
import threading
import tomllib
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from messages.errors import BadInputError, StoreError
from messages.regular_file import read_regular
from station import games
from station.cli import run
from station.game import notation
from station.game.events import GameStarted
from station.game.evolve import evolve
from station.game.log.state import State
from station.rules import parse_rules
from station.store.database_file import FILE_NAME
from station.store.event_log import MemoryLog
from station.store.house_rules import HouseRules
from station.store.store import Store
from station.table.table import Table
from tests.asking import do, shown
from tests.conftest import ROOT
from tests.rules.house_files import GOOD
from tests.slow_card import DEADLINE_S
from tests.store.helpers import chained

TEXT = re.findall(
    r"```toml\n(.*?)```", (ROOT / "docs" / "house-rules.md").read_text(encoding="utf-8"), re.DOTALL
)


@pytest.fixture
def example():
    """The first complete example of the page on house rules."""
    return next(text for text in TEXT if 'id = "our-yacht"' in text)


def test_rules_with_a_mark_and_line_ends_of_windows_are_read_and_saved_in_their_file(tmp_path, example):
    file = tmp_path / "ours.toml"
    file.write_bytes(b"\xef\xbb\xbf" + example.replace("\n", "\r\n").encode())
    house = HouseRules(tmp_path)
    assert house.texts() == {"our-yacht": example}
    assert run(["rules", "check", str(file)]) == 0
    house.save(example)
    assert list(tmp_path.iterdir()) == [file]


def test_a_game_by_house_rules_is_replayed_without_their_file(tmp_path, example):
    house = HouseRules(tmp_path)
    assert house.save(example).id == "our-yacht"
    log = MemoryLog()
    table = Table(log, house_rules=house.texts)
    state = do(table, {"command": "start_game", "players": ["Ana", "Ben"], "rules": "our-yacht"})
    assert (state["rules"], state["house_rules"]) == ("our-yacht", example)
    assert house.delete("our-yacht")
    again = Table(log)
    do(again, {"command": "enter_roll", "faces": [6] * shown(again)["dice_count"]})
    do(again, {"command": "end_game"})
    state = do(again, {"command": "rematch"})
    assert state["house_rules"] == example
    events = tuple(log.events())
    assert notation.write(notation.read(notation.write(events))) == notation.write(events)
    with pytest.raises(BadInputError, match="There is no rule set 'our-yacht'"):
        do(Table(), {"command": "start_game", "players": ["Ana"], "rules": "our-yacht"})
    with pytest.raises(BadInputError, match=r"There is no rule set 'chess'.* lawn, .*, crag"):
        do(Table(house_rules=games.texts), {"command": "start_game", "players": ["Ana"], "rules": "chess"})


def test_screens_are_notified_of_other_house_rules_at_once(tmp_path, example):
    house = HouseRules(tmp_path)
    table = Table(MemoryLog(), house_rules=house.texts)
    house.changed = table.refresh

    none = table.snapshot()
    house.save(example)
    saved = table.snapshot()
    assert saved.version > none.version
    assert saved.rules_version != none.rules_version
    do(table, {"command": "add_player", "name": "Ana"})
    assert table.snapshot().rules_version == saved.rules_version
    assert Table(house_rules=HouseRules(tmp_path).texts).snapshot().rules_version == saved.rules_version
    (tmp_path / "our-yacht.toml").unlink()
    house.reload()  # a copy was put back
    assert table.snapshot().rules_version == none.rules_version
    house.save(example)
    house.delete("our-yacht")
    assert table.snapshot().rules_version == none.rules_version


def test_house_rules_are_read_at_the_start_and_mistakes_left_out(tmp_path, example, caplog):
    (tmp_path / "ours.toml").write_text(example, encoding="utf-8")
    (tmp_path / "broken.toml").write_text('id = "broken"\n', encoding="utf-8")
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe")
    house = HouseRules(tmp_path)
    assert list(house.texts()) == ["our-yacht"]
    assert "broken.toml" in caplog.text
    assert house.delete("our-yacht")
    assert not (tmp_path / "ours.toml").exists()
    assert not house.delete("our-yacht")


class Asked:
    """A lock that says when somebody has to wait for it."""

    def __init__(self, waits):
        self._lock, self._waits = threading.Lock(), waits

    def __enter__(self):
        if not self._lock.acquire(blocking=False):
            self._waits()
            self._lock.acquire()

    def __exit__(self, *exc):
        self._lock.release()


def test_of_two_readings_at_once_the_later_one_counts(tmp_path, example, monkeypatch):
    (tmp_path / "ours.toml").write_text(example, encoding="utf-8")
    house, newer = HouseRules(tmp_path), example + "# newer\n"
    has_read, goes_on = threading.Event(), threading.Event()
    house._lock = Asked(goes_on.set)

    def slow(path):
        data = read_regular(path)
        if not has_read.is_set():
            has_read.set()
            assert goes_on.wait(DEADLINE_S)
        return data

    monkeypatch.setattr("station.store.house_rules.read_regular", slow)
    first = threading.Thread(target=house.reload, daemon=True)
    first.start()
    assert has_read.wait(DEADLINE_S)
    (tmp_path / "ours.toml").write_text(newer, encoding="utf-8")
    house.reload()
    goes_on.set()
    first.join(DEADLINE_S)
    assert house.texts() == {"our-yacht": newer}


def test_rules_are_saved_where_they_stand(tmp_path, example):
    (tmp_path / "ours.toml").write_text(example, encoding="utf-8")
    other = example.replace('"our-yacht"', '"lake"')
    (tmp_path / "sea.toml").write_text(other, encoding="utf-8")
    texts = {"our-yacht": example + "# as of today\n", "sea": example.replace('"our-yacht"', '"sea"')}
    house = HouseRules(tmp_path)
    for text in texts.values():
        house.save(text)
    assert house.texts() == {"lake": other, **texts}
    assert HouseRules(tmp_path).texts() == house.texts()
    assert house.delete("sea")
    assert HouseRules(tmp_path).texts().keys() == {"lake", "our-yacht"}


def test_rules_that_cannot_be_removed_stay(tmp_path, example, monkeypatch):
    house = HouseRules(tmp_path)
    house.save(example)

    def read_only(path):
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path))

    monkeypatch.setattr(Path, "unlink", read_only)
    with pytest.raises(StoreError, match="our-yacht"):
        house.delete("our-yacht")
    assert house.texts() == {"our-yacht": example}


def test_house_rules_with_a_mistake_are_not_saved(tmp_path, example):
    house = HouseRules(tmp_path / "rules")
    for text in ("", 'id = "yacht-1938"', example + "\n# " + "x" * 70_000):
        with pytest.raises(BadInputError):
            house.save(text)
    assert not house.texts()
    assert not (tmp_path / "rules").exists()


REFUSED_TODAY = {
    "points that were allowed": ("points = 60", "points = 5000"),
    "an id the station has taken": ('id = "grandma"', 'id = "world-51"'),
    "a bonus that cannot be reached": ("threshold = 20", "threshold = 31"),
    "a long label": ('label = "House"', f'label = "{"House of cards " * 3}"'),
    "one label twice": ('label = "Four"', 'label = "Sixes"'),
    "saved throws beside points for the first": ("throws = 4", "throws = 4\nsaved_throws = true"),
    "a box that nobody can fill": (
        'category = "small-straight"',
        'category = "row"\npattern = "run"\nlength = 6',
    ),
}


@pytest.mark.thorough
@pytest.mark.parametrize(("old", "new"), REFUSED_TODAY.values(), ids=REFUSED_TODAY)
def test_a_game_is_played_to_its_end_by_rules_that_are_refused_today(tmp_path, old, new):
    """An earlier version took them: the station opens, the game goes on, and its copy can be put back."""
    text = GOOD.replace(old, new)
    assert text != GOOD
    with pytest.raises(BadInputError) as refused:
        parse_rules(text)
    assert refused.value.message.values["reason"].key != "house-rules/unknown-key"
    begun = GameStarted(1, 0, tomllib.loads(text)["id"], ("Ana", "Ben"), text)
    with closing(Store(tmp_path)) as store:
        store.append([begun], evolve(State(), begun))
    with closing(Store(tmp_path)) as store:
        table = Table(store)
        state = shown(table)
        while not state["finished"]:
            boxes = state["players"][state["active_player"]]["boxes"]
            free = next(box for box, points in boxes.items() if points is None)
            do(table, {"command": "enter_roll", "faces": [6, 6, 6, 6, 6]})
            state = do(table, {"command": "score_box", "category": free, "force": True})
        assert (state["finished"], state["ended_by"], state["storage"]) == (True, "complete", None)
        store.backup(tmp_path / "copy")
        table.stored.restore(tmp_path / "copy")
        assert shown(table)["players"] == state["players"]


@pytest.mark.parametrize(
    "spoilt",
    [
        GOOD.replace("throws = 4", "throws = 0"),
        GOOD.replace("throws = 4", "throws = 4\ndice = 0"),
        GOOD.replace("throws = 4", "throws = 4\ndice = 300"),
        GOOD.replace("throws = 4", f"throws = 4\ndice = {10**23}"),
        GOOD.replace('label = "Four"', 'label = "Four"\ncount = 1000000000'),
        GOOD.replace('label = "Four"', f'label = "Four"\nplus = {10**23}'),
        GOOD.replace('label = "Four"', 'label = "Four"\nplus = 10001'),
        GOOD.replace('label = "Four"', f'label = "Four"\nserved = [{", ".join(["1"] * 201)}]'),
        GOOD.replace('label = "Four"', f'label = "{"F" * 2001}"'),
        GOOD.replace('label = "Four"', 'label = "Fo\\u001b[2Jur"'),
    ],
)
def test_a_log_whose_rules_nobody_can_work_with_is_reported_in_a_sentence(tmp_path, spoilt):
    """It was not written by a station: nothing in it is lost, and nobody waits."""
    with pytest.raises(BadInputError, match=r"grandma.*line \d+"):
        parse_rules(spoilt, "grandma", as_played=True)
    begun = GameStarted(1, 0, "grandma", ("Ana", "Ben"), GOOD)
    with closing(Store(tmp_path)) as store:
        store.append([begun], evolve(State(), begun))
    with closing(sqlite3.connect(tmp_path / FILE_NAME)) as db:
        body = json.dumps(replace(begun, house=spoilt).to_json())
        db.execute("UPDATE events SET body = ?", (body,))
        chained(db)
    before = (tmp_path / FILE_NAME).read_bytes()
    with pytest.raises(StoreError, match="grandma") as refused:
        Store(tmp_path)
    assert refused.value.message.key == "store/unplayable"
    assert (tmp_path / FILE_NAME).read_bytes() == before


def test_the_sentences_of_a_game_of_one_die_name_the_die():
    one = (
        'id = "one"\ntitle = "One"\nsource = "us"\nstarts = "Ana"\ndice = 1\nthrows = 3\nplayers = [1, 9]\n'
        '[[box]]\ncategory = "ones"\nlabel = "Ones"\n'
    )
    table = Table(MemoryLog(), house_rules=lambda: {"one": one})
    state = do(table, {"command": "start_game", "players": ["Ana"], "rules": "one"})
    assert state["waiting_for"] == "Ana: roll the die"
    state = do(table, {"command": "enter_roll", "faces": [3]})
    assert state["waiting_for"] == "Ana: roll the die again – or pick a box"
