"""What a power cut left of copies that were being made: it does no harm, and the next start removes it."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from station.store import FILE_NAME
from station.table.table import Table
from tests.store.helpers import Store, backup, play, restore
from tests.store.stores import NOON


def test_a_start_removes_what_a_power_cut_left_of_copies(data: Path) -> None:
    stays = ["backups/yacht-20260106-120000-event-4.sqlite3", "backups/yacht-copy-12ab.tmp", "somebody.part"]
    goes = [
        "backups/yacht-20260106-120000-event-4.sqlite3.part",
        "backups/yacht-20260106-120000-event-4.sqlite3.part-journal",
        "yacht-before-20260106-120000.sqlite3.part",
        f"{FILE_NAME}.new",
        f"{FILE_NAME}.new-journal",
        f"{FILE_NAME}.new.part",
    ]
    (data / "backups").mkdir(exist_ok=True)
    for name in stays + goes:
        (data / name).write_bytes(b"half")
    with closing(Store(data)) as store:
        assert store.trouble is None
    assert [name for name in stays + goes if (data / name).exists()] == stays


def test_a_restore_that_the_power_was_cut_in_does_not_spoil_the_next_one(data: Path, tmp_path: Path) -> None:
    left = data / f"{FILE_NAME}.new"
    with closing(sqlite3.connect(data / FILE_NAME)) as db:
        db.execute(f"VACUUM INTO '{left}'")
    with closing(sqlite3.connect(left, isolation_level=None)) as db:
        db.execute("PRAGMA synchronous = OFF")  # else a journal counts once the disk has said so, at the end
        db.execute("BEGIN")
        db.execute("UPDATE events SET body = body || ' '")
        shutil.copy(f"{left}-journal", tmp_path / "journal")
    shutil.copy(tmp_path / "journal", f"{left}-journal")
    other, copy = tmp_path / "other", tmp_path / "copy.sqlite3"
    with closing(Store(other)) as store:
        play(Table(store), ("Cleo", "Dora"))
        events = store.events()
    backup(other, copy)
    restore(copy, data, now=NOON)
    with closing(Store(data)) as store:
        assert store.events() == events
