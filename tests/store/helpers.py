"""What tests of the store share: with all files of a station, as its commands have them."""

import sqlite3
from datetime import timedelta
from functools import partial
from pathlib import Path

from station import store
from station.data_folder import data_files
from station.store import chain
from tests.asking import do

Store = partial(store.Store, files=data_files())


def backup(folder, target, settings=None):
    store.backup(folder, target, data_files(settings))


def restore(source, folder, *, settings=None, **more):
    return store.restore(source, folder, data_files(settings), **more)


def places_of(data, keep, second=None):
    return store.Places(data, data_files(), keep, second)


def chained(db: sqlite3.Connection) -> None:
    """Give a database that was changed the hashes and seals it would have, had a station written it so."""
    chain.chain(db)
    chain.put_seals(db)
    db.commit()


def house_rules():
    """Sound ones."""
    return (Path(__file__).parents[2] / "examples" / "quick-yacht.toml").read_text(encoding="utf-8")


def play(table, names=("Ana", "Ben")):
    """A short game."""
    do(table, {"command": "start_game", "players": list(names), "rules": "yacht-1938"})
    do(table, {"command": "enter_roll", "faces": [6, 6, 6, 6, 6]})
    do(table, {"command": "score_box", "category": "yacht"})
    do(table, {"command": "end_game"})


def a_month_later(folder, since):
    """The store of a station that was started every week, on the 31st day."""
    for days in (7, 14, 21, 28):
        Store(folder, now=lambda days=days: since + timedelta(days=days)).close()
    return Store(folder, now=lambda: since + timedelta(days=31))


def files(folder):
    """The files that belong to a station, but for its database."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.startswith("yacht")
    }
