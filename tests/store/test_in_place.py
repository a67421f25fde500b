"""What is played while somebody removes or exchanges the database of a station that runs."""

import shutil
from contextlib import closing

import pytest

from messages.errors import StoreError
from station.store import FILE_NAME
from station.store.database_file import ENDINGS
from station.table.table import Table
from tests.asking import do, shown
from tests.store.helpers import Store, backup, play


def remove(folder, endings=ENDINGS):
    for ending in endings:
        (folder / f"{FILE_NAME}{ending}").unlink()


@pytest.mark.parametrize("endings", [ENDINGS, ENDINGS[:1], ENDINGS[:2]])
def test_a_database_that_is_removed_while_it_is_in_use_is_written_again(data, endings):
    with closing(Store(data)) as store:
        table = Table(store)
        play(table, ("Cleo",))
        do(table, {"command": "start_game", "players": ["Dora"], "rules": "yacht-1938"})
        remove(data, endings)
        do(table, {"command": "enter_roll", "faces": [1, 2, 3, 4, 5]})
        do(table, {"command": "undo"})
        do(table, {"command": "enter_roll", "faces": [2, 2, 3, 4, 5]})
        games, before = store.games(), shown(table)
        backup(data, data / "copy.sqlite3")
    with closing(Store(data)) as store:
        assert store.games() == games
        assert [each.players[0].name for each in games] == ["Cleo", "Ana"]
        again = shown(Table(store))
        assert (again["phase"], again["dice"]) == (before["phase"], before["dice"])


def test_another_database_in_its_place_is_left_alone_and_nothing_counts_as_stored(data, tmp_path):
    copy = tmp_path / "copy.sqlite3"
    backup(data, copy)
    with closing(Store(data)) as store:
        table = Table(store)
        play(table, ("Cleo",))
        remove(data)
        shutil.copy(copy, data / FILE_NAME)
        before = shown(table)
        with pytest.raises(StoreError, match=r"swapped while the station was running"):
            play(table, ("Dora",))
        assert shown(table) == before
    assert (data / FILE_NAME).read_bytes() == copy.read_bytes()


def test_a_folder_that_has_gone_is_not_made_anew(data, tmp_path):
    with closing(Store(data)) as store:
        table = Table(store)
        data.rename(tmp_path / "moved")
        for _ in range(2):
            with pytest.raises(StoreError):
                play(table, ("Cleo",))
            assert not (data / FILE_NAME).exists()
            data.mkdir(exist_ok=True)  # as where a disk was taken away: its place is still there
        (tmp_path / "moved").rename(data)
        play(table, ("Cleo",))
        assert len(store.games()) == 2


def test_no_room_to_write_it_again_costs_the_step_and_not_the_games(data):
    with closing(Store(data)) as store:
        table = Table(store)
        remove(data)
        (data / f"{FILE_NAME}.new.part").mkdir()  # nothing can be written by that name
        with pytest.raises(StoreError):
            play(table, ("Cleo",))
        (data / f"{FILE_NAME}.new.part").rmdir()
        play(table, ("Cleo",))
    with closing(Store(data)) as store:
        assert len(store.games()) == 2
