"""A process that ends in the middle of a restore, at any step: the next start has all of one state."""

import errno
import os
import shutil
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from station.data_folder import data_files
from station.screens.room import Room
from station.screens.room_file import RoomFile
from station.store import FILE_NAME, Store, backup, staged
from station.store.backups import exchange
from station.store.database_file import lock
from station.store.house_rules import RULES_FOLDER, HouseRules
from station.store.last_event import LastEvent, Mark
from station.table.table import Table
from tests.asking import do
from tests.rules.house_files import GOOD

FILES = data_files()
NOW = datetime(2026, 11, 27, 12, tzinfo=UTC)
STEPS = ("rename", "replace", "unlink", "rmdir", "mkdir", "fsync", "fdatasync", "pwrite", "open")
"""Of the system, by which a restore changes a folder."""
STATES = 40
"""States that are looked at, spread over all steps."""


def filled(folder: Path, name: str) -> Path:
    """A station at which that one plays, by rules and with a hint of theirs."""
    with closing(Store(folder, files=FILES)) as store:
        table = Table(store)
        do(table, {"command": "start_game", "players": [name], "rules": "yacht-1938"})
        do(table, {"command": "enter_roll", "faces": [6, 6, 6, 6, 6]})
        do(table, {"command": "score_box", "category": "yacht"})
        do(table, {"command": "end_game"})
    Room(folder).set_hints("token", name, on=False)
    HouseRules(folder / RULES_FOLDER).save(GOOD.replace('title = "', f'title = "{name} '))
    return folder


def essence(folder: Path) -> Any:
    """All of it that tells one state from the other."""
    with closing(Store(folder, files=FILES)) as store:
        names = [player.name for game in store.games() for player in game.players]
    rules = [
        each.split('title = "')[1].split()[0] for each in HouseRules(folder / RULES_FOLDER).texts().values()
    ]
    return names, rules, list(RoomFile(folder).read().hints)


def cut(folder: Path, copy: Path, after: int) -> int:
    """Put the copy back in a process that ends before that step; how many steps there were, or -1."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        done = [0]

        def stepped(step: Any) -> Any:
            def count(*given: Any, **more: Any) -> Any:
                if done[0] == after:
                    os._exit(0)
                done[0] += 1
                return step(*given, **more)

            return count

        try:
            for name in STEPS:
                setattr(os, name, stepped(getattr(os, name)))
            with lock(folder), closing(LastEvent(folder)) as last:
                exchange(copy, folder, last, FILES, now=NOW)
            os.write(writer, str(done[0]).encode())
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as told:
        said = told.read()
    os.waitpid(child, 0)
    return int(said or -1)


@pytest.fixture
def places(tmp_path: Path) -> tuple[Path, Path]:
    filled(tmp_path / "theirs", "Ben")
    copy = tmp_path / "copy.sqlite3"
    backup(tmp_path / "theirs", copy, FILES)
    return filled(tmp_path / "mine", "Ana"), copy


@pytest.mark.slow
@pytest.mark.parametrize("damaged", [False, True])
def test_it_is_whole_at_the_next_start(places: tuple[Path, Path], tmp_path: Path, *, damaged: bool) -> None:
    mine, copy = places
    old, new = essence(mine), (["Ben"], ["Ben"], ["Ben"])
    shutil.copy(mine / FILE_NAME, tmp_path / "sound")
    if damaged:
        (mine / FILE_NAME).write_bytes(b"no database" * 1000)
    count = cut(shutil.copytree(mine, tmp_path / "whole"), copy, -1)
    assert count > STATES
    assert essence(tmp_path / "whole") == new
    seen = set()
    for after in range(0, count, max(1, count // STATES)):
        folder = shutil.copytree(mine, tmp_path / "cut")
        cut(folder, copy, after)
        untouched = damaged and not (folder / "restoring").exists()
        if untouched and (folder / FILE_NAME).read_bytes().startswith(b"no database"):
            shutil.copy(tmp_path / "sound", folder / FILE_NAME)
        found = essence(folder)
        assert found in (old, new), f"cut before step {after} of {count}"
        seen.add("new" if found == new else "old")
        left = {path.name for path in folder.iterdir()}
        assert not left & {"restoring", "restoring.part"}
        shutil.rmtree(folder)
    assert seen == {"old", "new"}


def left_half_done(mine: Path, copy: Path) -> None:
    """A restore that is committed and not carried out."""
    with closing(sqlite3.connect(copy)) as db:
        event, hash_ = db.execute("SELECT id, hash FROM events ORDER BY id DESC LIMIT 1").fetchone()
    rough = staged.begin(mine)
    shutil.copyfile(copy, rough / FILE_NAME)
    staged.commit(rough, {}, Mark(event, hash_, 1))


def test_a_restore_that_a_full_disk_stopped_is_finished_when_games_are_opened_again(
    places: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else it would replace, at the next start, what is played until then."""
    mine, copy = places
    left_half_done(mine, copy)

    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, "no room")

    with monkeypatch.context() as now:
        now.setattr(staged, "finish", full)
        store = Store(mine, files=FILES, rescue=True)
    with closing(store):
        assert store.trouble is not None
        store.reopen(version=0)
        assert store.trouble is None
        assert [player.name for game in store.games() for player in game.players] == ["Ben"]
    assert not (mine / staged.FOLDER).exists()


@pytest.mark.needs_feature("two_homes")
def test_what_belongs_to_the_games_that_go_goes_also_at_the_next_start(places: tuple[Path, Path]) -> None:
    mine, copy = places
    (mine / "pictures" / "1").mkdir(parents=True)
    (mine / "pictures" / "1" / "0-1-1.jpg").write_bytes(b"a throw of a game that goes")
    (mine / "homes.key").write_bytes(b"k" * 32)
    left_half_done(mine, copy)
    assert essence(mine)[0] == ["Ben"]
    assert not (mine / "pictures").exists()
    assert not (mine / "homes.key").exists()


def test_a_plan_that_leads_elsewhere_moves_nothing(places: tuple[Path, Path], tmp_path: Path) -> None:
    mine, _ = places
    (mine / "restoring" / "files").mkdir(parents=True)
    (mine / "restoring" / "files" / "x").write_text("x")
    (mine / "restoring" / "plan.json").write_text(
        '{"files": ["../away.toml"], "event": 1, "hash": "' + "0" * 32 + '", "version": 1}'
    )
    before = essence(mine)
    assert before == (["Ana"], ["Ana"], ["Ana"])
    assert not (tmp_path / "away.toml").exists()
    assert not (mine / "restoring").exists()


@pytest.mark.parametrize("linked", ["restoring", "restoring.part", "yacht.last", "yacht.lock", "rules"])
def test_nothing_is_written_through_a_link(places: tuple[Path, Path], tmp_path: Path, linked: str) -> None:
    """Whoever plants one in the data folder gets nothing written or made elsewhere, by root above all."""
    mine, copy = places
    away = tmp_path / "away"
    if "." not in linked or linked == "restoring.part":
        shutil.rmtree(mine / linked, ignore_errors=True)
        away.mkdir()
    else:
        (mine / linked).unlink(missing_ok=True)
        away.write_text("precious")
    (mine / linked).symlink_to(away)
    with_error: list[BaseException] = []
    try:
        with lock(mine), closing(LastEvent(mine)) as last:
            exchange(copy, mine, last, FILES, now=NOW)
    except Exception as error:  # noqa: BLE001 - refused or not, nothing is written elsewhere
        with_error.append(error)
    assert (list(away.iterdir()) if away.is_dir() else away.read_text()) in ([], "precious")
