"""The folder of a station that has something of everything."""

from contextlib import closing

import pytest

from station.copy_trial import open_files, try_copy
from station.screens.room import Room
from station.store.house_rules import HouseRules
from station.table.table import Table
from tests.store.helpers import Store, backup, house_rules, play


@pytest.fixture(autouse=True)
def no_process_for_a_trial(monkeypatch):
    """Copies are looked through here; what `test_trial.py` tries is the rest, and the process."""

    def looked_through(source, scratch):
        return try_copy(source, scratch, open_files)

    monkeypatch.setattr("station.store.store.tried", looked_through)
    monkeypatch.setattr("station.store.backups.tried", looked_through)


@pytest.fixture
def data(tmp_path):
    """A folder with games, seats, house rules, and settings beside it."""
    folder = tmp_path / "data"
    with closing(Store(folder)) as store:
        play(Table(store))
    room = Room(folder)
    room.sit("token", "Ana")
    room.set_hints("token", "Ana", on=True)
    rules = (tmp_path / "house.toml").read_text() if (tmp_path / "house.toml").exists() else house_rules()
    HouseRules(folder / "rules").save(rules)
    (tmp_path / "station.toml").write_text('language = "de"\nbackups_kept = 3\n')
    return folder


@pytest.fixture
def copy(data, tmp_path):
    """A copy of that folder."""
    made = tmp_path / "copy.sqlite3"
    backup(data, made)
    return made
