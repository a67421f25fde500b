"""What stands in a data folder and is no file, and a log of which nobody can say whether it is whole."""

import os
import shutil
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from messages.catalogue import text
from messages.errors import StoreError
from messages.regular_file import read_regular
from station.data_folder import data_files
from station.store import FILE_NAME, Store
from station.table.table import Table
from tests.asking import do

ROOT = Path(__file__).parents[2]
PIPES = (
    "room.json", "picture.json", "profile.json", "profile.png", "profiles/attic.json", "rules/house.toml",
    "yacht.last", "yacht.days", "homes.key", "retained.json", "speed.json",
)  # fmt: skip
START = """
import sys
from pathlib import Path
from station.app import Station
from station.config import parse
for data in sys.argv[1:]:
    config = {"data": data, "camera": "simulated", "port": 0, "buttons": "none"}
    homes = {"mqtt": {"host": "127.0.0.1", "port": 9}, "homes": {"guests": ["attic"]}}
    station = Station(parse(config | homes))
    print(station.store.trouble and station.store.trouble.key, flush=True)
    station.stop()
"""


def played(folder: Path) -> Path:
    with closing(Store(folder)) as store:
        do(Table(store), {"command": "start_game", "players": ["Ana"], "rules": "yacht-1938"})
        do(Table(store), {"command": "enter_roll", "faces": [1, 2, 3, 4, 5]})
    return folder


@pytest.mark.slow
@pytest.mark.needs_feature("two_homes")
def test_a_pipe_in_the_data_folder_keeps_no_station_from_starting(tmp_path: Path) -> None:
    """A process of its own starts them: one that waits for a pipe is ended."""
    folders: list[Path] = []
    for pipes in (PIPES, (FILE_NAME,), (f"{FILE_NAME}-wal",), (f"{FILE_NAME}-shm",)):
        folders.append(played(tmp_path / str(len(folders))))
        for name in pipes:
            (folders[-1] / name).parent.mkdir(exist_ok=True)
            (folders[-1] / name).unlink(missing_ok=True)
            os.mkfifo(folders[-1] / name)
    started = subprocess.run(
        [sys.executable, "-c", START, *folders], cwd=ROOT, capture_output=True, text=True, timeout=120,
        check=False,
    )  # fmt: skip
    assert started.returncode == 0, started.stderr[-2000:]
    assert started.stdout.split() == ["None", *["store/no-regular-file"] * 3], started.stderr[-2000:]


def test_a_database_that_leads_elsewhere_is_reported(tmp_path: Path) -> None:
    folder = played(tmp_path / "data")
    (folder / FILE_NAME).rename(tmp_path / "elsewhere.sqlite3")
    (folder / FILE_NAME).symlink_to(tmp_path / "elsewhere.sqlite3")
    before = (tmp_path / "elsewhere.sqlite3").read_bytes()
    with pytest.raises(StoreError, match="not a regular file"):
        Store(folder)
    assert (tmp_path / "elsewhere.sqlite3").read_bytes() == before


def test_no_copy_has_what_a_link_leads_to(tmp_path: Path) -> None:
    folder = played(tmp_path / "data")
    (tmp_path / "secret").write_text("hidden")
    (folder / "profile-x.json").symlink_to(tmp_path / "secret")
    assert data_files().gather(folder) == {}
    with pytest.raises(OSError, match="symbolic"):
        read_regular(folder / "profile-x.json", follow=False)
    assert read_regular(folder / "profile-x.json") == b"hidden"


@pytest.mark.parametrize("note", [b"", b"\x00" * 1024, None])
def test_a_log_of_whose_end_nothing_is_known_is_reported(tmp_path: Path, note: bytes | None) -> None:
    """The write-ahead log lost its last step, and the note that would say so is gone with it."""
    with closing(Store(tmp_path / "data")) as store:
        do(Table(store), {"command": "start_game", "players": ["Ana"], "rules": "yacht-1938"})
        do(Table(store), {"command": "enter_roll", "faces": [1, 2, 3, 4, 5]})
        folder = shutil.copytree(tmp_path / "data", tmp_path / "cut")
        assert store.doubt is None
    wal = folder / f"{FILE_NAME}-wal"
    wal.write_bytes(wal.read_bytes()[:-600])
    (folder / "yacht.last").unlink()
    if note is not None:
        (folder / "yacht.last").write_bytes(note)
    with closing(Store(folder)) as store:
        assert store.last_event() == 1
        assert store.doubt is not None
        assert "after number 1 are missing" in text(store.doubt)


def test_a_database_that_lost_all_with_its_note_is_reported_and_a_new_one_is_not(tmp_path: Path) -> None:
    with closing(Store(tmp_path)) as store:
        assert store.doubt is None
        (tmp_path / "cut").mkdir()
        shutil.copy(tmp_path / FILE_NAME, tmp_path / "cut")  # all of it is in the write-ahead log
    (tmp_path / "cut" / "yacht.last").write_bytes(b"spoilt")
    with closing(Store(tmp_path / "cut")) as store:
        assert store.doubt is not None
