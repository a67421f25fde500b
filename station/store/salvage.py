"""Salvage of a damaged database: every whole event before the damage, and the games that are intact."""

import json
import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from messages.errors import YachtError
from station.game.events import from_json
from station.store import chain
from station.store.chain import Row
from station.store.database_file import ENDINGS, FILE_NAME
from station.store.event_writer import Played
from station.store.past_games import PastGame, read
from station.store.store import Store


@dataclass(frozen=True, slots=True)
class Salvaged:
    """A sound database made of what was whole.

    events: how many; lost: those that were seen and are not whole. games: finished ones.
    """

    path: Path
    events: int
    lost: int
    games: int


def salvage(folder: Path, scratch: Path) -> Salvaged | None:
    """Make a database in `scratch` of what can be read of the one in a folder, which stays as it is.

    None when nothing can be.
    """
    copy = scratch / "damaged"
    copy.mkdir()
    for ending in ENDINGS:  # with its write-ahead log: opening it may change it
        with suppress(FileNotFoundError):
            shutil.copy(folder / f"{FILE_NAME}{ending}", copy)
    whole, lost = _whole(copy / FILE_NAME)
    past = _past(copy / FILE_NAME)
    if not whole and not past:
        return None
    with closing(Store(scratch / "salvaged")) as store:
        store.take_in(whole)
        store.add_past(past)
        return Salvaged(store.path, len(whole), lost, len(store.games()))


def _whole(path: Path) -> tuple[list[Played], int]:
    """The events that are whole and have all of their game before them, and how many are not."""
    found: list[Played] = []
    broken: set[int] = set()
    lost, before, hashed = 0, chain.START, True
    for number, game, at, kind, body, digest in _rows(path):
        hashed = hashed and bool(digest)  # an earlier database has no hashes
        sound = not hashed or chain.link(before, number, game, at, kind, body) == digest
        before = digest
        event = _event(game, at, body) if sound else None
        if body.startswith(chain.ERASED.encode()) and sound:
            continue
        if event is None or game in broken:
            broken.add(game)
            lost += 1
        else:
            found.append(event)
    return found, lost


def _past(path: Path) -> Sequence[PastGame]:
    """The games that have no events; none where they cannot be read."""
    with suppress(sqlite3.Error), closing(sqlite3.connect(path)) as db:
        return read(db)
    return ()


def _event(game: int, at: bytes, body: bytes) -> Played | None:
    try:
        return Played(game, at.decode(), from_json(json.loads(body)))
    except (YachtError, ValueError, RecursionError):
        return None


def _rows(path: Path) -> Iterator[Row]:
    """The rows of the log from its start to where it cannot be read, and from its end back to there."""
    forward, whole = _scan(path, "")
    yield from forward
    if not whole:
        last = forward[-1][0] if forward else 0
        backward, _ = _scan(path, " DESC")
        yield from reversed([row for row in backward if row[0] > last])


def _scan(path: Path, order: str) -> tuple[Sequence[Row], bool]:
    """The rows in that order until one cannot be read, and whether that were all."""
    found: list[Row] = []
    try:
        with closing(sqlite3.connect(path)) as db:
            names = {name for (name,) in db.execute("SELECT name FROM pragma_table_info('events')")}
            query = chain.ROWS if "hash" in names else chain.ROWS.replace(" hash ", " x'' ")
            for row in db.execute(query + order):
                found.append(row)  # noqa: PERF402 - one at a time: those before the damage stay
    except (sqlite3.Error, TypeError):
        return found, False
    return found, True
