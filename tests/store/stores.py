"""Stores that a test opens and that are closed after it, and games at their tables."""

import sqlite3
from contextlib import ExitStack, closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from station.store import FILE_NAME, Store
from tests.asking import do

GOLDEN = Path(__file__).parent / "golden"
NOON = datetime(2026, 1, 6, 12, 0, tzinfo=UTC)


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "data"


@pytest.fixture
def opened():
    """Opens stores, and closes what a test left open."""
    with ExitStack() as stores:

        def open_one(folder):
            store = Store(folder, now=lambda: NOON)
            stores.callback(store.close)
            return store

        yield open_one


def begin(table, *names):
    return do(table, {"command": "start_game", "players": list(names), "rules": "yacht-1938"})


def play_turn(table, category, faces=(1, 2, 3, 4, 4)):
    do(table, {"command": "enter_roll", "faces": list(faces)})
    return do(table, {"command": "score_box", "category": category})


def game_of(state):
    """What of a state follows from the log: not what the camera shows, nor what was last said of a change."""
    passing = ("version", "reading", "camera", "news")
    return {key: value for key, value in state.items() if key not in passing}


def of_version(version, tmp_path):
    """The folder of a store that a station of that version of the tables wrote."""
    folder = tmp_path / "data"
    folder.mkdir()
    with closing(sqlite3.connect(folder / FILE_NAME)) as db:
        db.executescript((GOLDEN / f"version-{version}.sql").read_text(encoding="utf-8"))
    return folder
