"""Pictures of confirmed throws: under whose turn they are kept, how many, and what a full disk costs."""

import os
from contextlib import suppress
from pathlib import Path

import pytest

from station.camera import throw_pictures
from station.camera.throw_pictures import ThrowPictures
from station.store.event_log import MemoryLog
from station.table.play import Listeners
from station.table.table import Table
from tests.asking import do
from tests.table.helpers import reading


class Played:
    """A table with a tray that is only spoken; each throw has a picture of its own."""

    def __init__(self, folder: Path | None = None) -> None:
        self.picture: bytes | None = None
        self.log, self.folder = MemoryLog(), folder
        self.start_anew()
        self.count = 0

    def start_anew(self) -> None:
        """As a restart of the station does."""
        self.pictures = ThrowPictures(self._confirm, self.folder)
        self.table = Table(self.log, listeners=Listeners(confirmed=self.pictures))

    def _confirm(self) -> bytes | None:
        picture, self.picture = self.picture, None
        return picture

    def start(self, *players: str) -> int:
        return int(
            do(self.table, {"command": "start_game", "players": list(players), "rules": "yacht-1938"})["game"]
        )

    def throw(self) -> bytes:
        """A throw of other dice is read and confirmed; its picture."""
        self.count += 1
        faces = [1 + (self.count + i) % 6 for i in range(5)]
        self.table.offer(reading(*faces, at=60.0 * self.count))
        jpeg = f"picture {self.count}".encode()
        self.picture = jpeg
        do(self.table, {"command": "accept_roll"})
        return jpeg


def do_each(played: Played, *steps: str | dict[str, object]) -> None:
    """Commands one after the other; `throw` throws."""
    for step in steps:
        if step == "throw":
            played.throw()
        elif step == "restart":
            played.start_anew()
        else:
            do(played.table, {"command": step} if isinstance(step, str) else step)


def rename(player: int, name: str) -> dict[str, object]:
    return {"command": "rename_player", "player": player, "name": name}


TYPE: dict[str, object] = {"command": "enter_roll", "faces": [1, 2, 3, 4, 5]}
SWAP: dict[str, object] = {"command": "move_player", "player": 0, "to": 1}


def test_each_throw_is_found_under_whose_turn_it_was():
    played = Played()
    game = played.start("Ana", "Ben")
    first, second = played.throw(), played.throw()
    do(played.table, {"command": "score_box", "category": "choice"})
    bens = played.throw()
    do(played.table, {"command": "score_box", "category": "choice"})
    later = played.throw()
    found = [played.pictures.find(game, *each) for each in ((0, 1, 1), (0, 1, 2), (1, 1, 1), (0, 2, 1))]
    assert found == [first, second, bens, later]
    assert played.pictures.find(game, 1, 2, 1) is None
    do(played.table, TYPE)
    assert played.pictures.find(game, 0, 2, 2) is None, "a typed roll has none"


@pytest.mark.parametrize("kept", [False, True])
def test_a_throw_that_was_taken_back_leaves_no_picture_to_a_typed_one(kept, tmp_path):
    played = Played(tmp_path if kept else None)
    game = played.start("Ana")
    first = played.throw()
    do_each(played, "undo", "accept_roll")  # the same dice, which have not rolled since
    assert played.pictures.find(game, 0, 1, 1) == first
    do_each(played, "undo", TYPE)
    assert played.pictures.find(game, 0, 1, 1) is None
    do(played.table, {"command": "undo"})
    assert played.throw() == played.pictures.find(game, 0, 1, 1)


def test_a_picture_is_of_who_sat_there():
    played = Played()
    game = played.start("Ana", "Ben")
    first = played.throw()
    for names, found in ((["Anna", "Ben"], first), (["Ana", "Ben", "Cleo"], first), (["Ben", "Ana"], None)):
        assert played.pictures.find(game, 0, 1, 1, names) == found


@pytest.mark.parametrize(
    ("steps", "kept"),
    [
        ([rename(0, "Anna"), "throw"], True),
        ([rename(0, "Anna"), "restart", "throw"], True),
        ([SWAP, "throw"], False),
        ([rename(0, "Cleo"), rename(1, "Ana"), rename(0, "Ben"), "throw"], False),  # two swap their names
        (["end_game", "rematch", "throw", "undo", "undo", "undo", SWAP, "throw"], False),
    ],
)
def test_who_is_renamed_keeps_the_pictures_and_who_changes_places_takes_nobodys(steps, kept, tmp_path):
    played = Played(tmp_path)
    game = played.start("Ana", "Ben")
    first = played.throw()
    do_each(played, *steps)
    assert played.pictures.find(game, 0, 1, 1) == (first if kept else None)


@pytest.mark.parametrize("steps", [(SWAP, "restart"), ("restart", SWAP)])
def test_nor_do_they_where_the_station_was_started_anew(steps, tmp_path):
    played = Played(tmp_path)
    game = played.start("Ana", "Ben")
    do_each(played, "throw", *steps)
    second = played.throw()
    assert [played.pictures.find(game, *each) for each in ((0, 1, 1), (1, 1, 1))] == [None, None]
    do_each(played, "restart", "throw")
    assert played.pictures.find(game, 1, 1, 2) == second, "taken as they sit now"


def test_the_last_games_are_in_memory_and_as_many_as_allowed_on_the_disk(tmp_path, monkeypatch):
    monkeypatch.setattr(throw_pictures, "ON_DISK", 3)
    for folder, kept in ((None, throw_pictures.IN_MEMORY), (tmp_path / "pictures", 3)):
        played = Played(folder)
        games = []
        for _ in range(5):
            games.append(played.start("Ana"))
            played.throw()
            do(played.table, {"command": "end_game"})
        there = [game for game in games if played.pictures.find(game, 0, 1, 1) is not None]
        assert there == games[-kept:]
        played.pictures.drop(games[-1])
        assert played.pictures.find(games[-1], 0, 1, 1) is None


def test_a_disk_that_takes_nothing_costs_the_game_nothing(tmp_path, caplog):
    (tmp_path / "file").write_text("no folder")
    played = Played(tmp_path / "file" / "pictures")
    game = played.start("Ana")
    jpeg = played.throw()
    assert played.pictures.find(game, 0, 1, 1) == jpeg
    assert "no picture of the throw is kept" in caplog.text


@pytest.mark.slow
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount a disk")
def test_of_a_picture_that_had_no_room_no_half_is_kept(small_disk):
    played = Played(small_disk / "pictures")
    game = played.start("Ana")
    played.throw()
    with suppress(OSError), (small_disk / "filler").open("wb", buffering=0) as file:
        while True:
            file.write(bytes(4096))
    played.throw()
    played.pictures._games.clear()  # as after a restart
    assert played.pictures.find(game, 0, 1, 1) == b"picture 1"
    assert played.pictures.find(game, 0, 1, 2) is None


def test_of_other_games_under_the_same_numbers_nothing_is_shown(tmp_path):
    played = Played(tmp_path / "pictures")
    game = played.start("Ana")
    played.throw()
    played.pictures.clear()
    assert played.pictures.find(game, 0, 1, 1) is None
    second = played.throw()
    assert played.pictures.find(game, 0, 1, 2) == second


def test_what_a_power_cut_or_somebody_left_in_the_place_of_a_picture_is_none(tmp_path):
    pictures = ThrowPictures(list, tmp_path)
    (tmp_path / "7").mkdir()
    (tmp_path / "7" / "0-1-1.jpg").touch()
    (tmp_path / "7" / "0-1-2.jpg").mkdir()
    (tmp_path / "7" / "0-1-3.jpg").symlink_to("0-1-3.jpg")
    (tmp_path / "8").touch()
    assert [pictures.find(7, 0, 1, throw) for throw in (1, 2, 3)] == [None] * 3
    assert pictures.find(8, 0, 1, 1) is None
