"""Whether a station could live with a copy: opened as one would, apart, before anything changes.

A copy is a stranger's file. It must have exactly the tables of its version (no views, no triggers), only
values a station writes, games that can be gone on with, and it must not take long.
"""

import json
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from messages.errors import BadInputError, StoreError, reason
from messages.message import Message, Value
from station.contract.view import as_json
from station.game.dice.sights import Sight
from station.game.evolve import UNPLAYABLE, evolve, replay
from station.game.log.state import State
from station.game.snapshot import snapshot
from station.store import belongings, everything
from station.store.archive import FinishedGame, finished, of_game, standing
from station.store.chain import Log
from station.store.database_file import damage, no_room, prepare
from station.store.export import csv_text
from station.store.schema import APPLICATION_ID, MIGRATIONS, own_schema, schema

LIMIT_S = 60.0
"""A copy that takes longer is not one of ours, or nobody would wait for it."""

STEPS = 100_000
"""Instructions of SQLite's machine between two looks at the clock."""

NUMBER_MAX = 2**53
"""Numbers of games and versions stay exact in every program that reads them as JSON."""


def tried(source: Path, scratch: Path, *, clock: Callable[[], float] = time.monotonic) -> Path:
    """A copy of the copy in `scratch`, of this version and tried in every way a station would.

    Raises BadInputError, saying what is wrong with it, when a station could not live with it, and StoreError
    where there is no room in scratch.
    """
    if not source.is_file():
        raise BadInputError("store/no-file", code="input/bad", path=str(source))
    ends_s = clock() + LIMIT_S
    target, database = scratch / "tried.sqlite3", source
    if everything.looks_like_json(source):
        database = scratch / "told.sqlite3"
        everything.as_database(source, database)
    try:
        with closing(_opened(database, ends_s, clock)) as db:
            _check(db, source)
            with closing(sqlite3.connect(target, isolation_level=None)) as mine:
                db.backup(mine)
        with closing(sqlite3.connect(target, isolation_level=None)) as mine, _within(mine, ends_s, clock):
            _live(mine, source, scratch, lambda: _in_time(source, ends_s, clock))
            mine.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.Error as error:
        _in_time(source, ends_s, clock)
        if no_room(error):  # where it is tried, which says nothing of the copy
            raise StoreError("store/disk-full", code="store/full", path=str(scratch)) from error
        raise _no_copy(source, "unsound", str(error)) from error
    except RecursionError as error:
        raise _no_copy(source, "broken-game", "RecursionError") from error
    return target


def _opened(source: Path, ends_s: float, clock: Callable[[], float]) -> sqlite3.Connection:
    """For reading; whoever made it has no functions run and no time without end."""
    db = sqlite3.connect(f"{source.resolve().as_uri()}?mode=ro", uri=True, isolation_level=None)
    db.set_progress_handler(lambda: int(clock() > ends_s), STEPS)
    db.execute("PRAGMA trusted_schema = OFF")
    return db


@contextmanager
def _within(db: sqlite3.Connection, ends_s: float, clock: Callable[[], float]) -> Iterator[None]:
    db.set_progress_handler(lambda: int(clock() > ends_s), STEPS)
    yield
    db.set_progress_handler(None, 0)


def _in_time(source: Path, ends_s: float, clock: Callable[[], float]) -> None:
    if clock() > ends_s:
        raise _no_copy(source, "slow", str(LIMIT_S))


def _check(db: sqlite3.Connection, source: Path) -> None:
    """What it is, by its form alone."""
    if int(db.execute("PRAGMA application_id").fetchone()[0]) != APPLICATION_ID:
        raise _no_copy(source, "of-others")
    version = int(db.execute("PRAGMA user_version").fetchone()[0])
    if version > len(MIGRATIONS):
        raise _no_copy(source, "newer")
    if version < 1 or schema(db) != own_schema(version):
        raise _no_copy(source, "other-tables")
    wrong = damage(db)
    if wrong is not None:
        raise _no_copy(source, "unsound", wrong)
    if db.execute("PRAGMA foreign_key_check").fetchone() is not None:
        raise _no_copy(source, "unsound", "foreign_key_check")


def _live(db: sqlite3.Connection, source: Path, scratch: Path, in_time: Callable[[], None]) -> None:
    """Do with it what a station does: bring it up to now, replay every game, go on with the last, show it."""
    try:
        log = prepare(db, source)
        _numbers(db)
        _replay_all(db, log, source, in_time)
        state = replay(standing(db, log, source))
        json.dumps(as_json(snapshot(state, Sight())))
        games = finished(db, limit=-1)
        csv_text(games)
        for game in games:
            _check_values(game)
            in_time()
        belongings.check(belongings.unpack(db), scratch / "belongings")
    except (OSError, *UNPLAYABLE) as error:
        why: Value = reason(error)
        if isinstance(error, StoreError):  # its sentence is for who has no other copy
            why = error.message.values.get("why", why)
        raise _no_copy(source, "broken-game", why) from error


def _replay_all(db: sqlite3.Connection, log: Log, source: Path, in_time: Callable[[], None]) -> None:
    """Play every game again, as its page in the history does."""
    for game in log.spans:
        state = State()
        for event in of_game(db, log, game, source):
            state = evolve(state, event)
            in_time()


def _numbers(db: sqlite3.Connection) -> None:
    """Raise ValueError unless the counters are there and can be counted on."""
    if {name for (name,) in db.execute("SELECT name FROM numbers")} != {"next_version", "next_event"}:
        raise ValueError("numbers")
    highest = """SELECT max(value) FROM (SELECT value FROM numbers
        UNION ALL SELECT max(game) FROM events UNION ALL SELECT max(game) FROM games
        UNION ALL SELECT max(id) FROM events UNION ALL SELECT max(event) FROM delivered)"""
    lowest = """SELECT min(value) FROM (SELECT value FROM numbers
        UNION ALL SELECT min(game) FROM events UNION ALL SELECT min(game) FROM games
        UNION ALL SELECT min(id) FROM events UNION ALL SELECT min(event) FROM delivered)"""
    for query in (highest, lowest):
        (value,) = db.execute(query).fetchone()
        if not 0 <= value < NUMBER_MAX:
            raise ValueError(value)


def _check_values(game: FinishedGame) -> None:
    """Raise an error unless a finished game has the values that pages show."""
    _ = game.when
    for player in game.players:
        if not player.name:
            raise ValueError("name")
        for points in player.boxes.values():
            if points is not None and not (isinstance(points, int) and abs(points) < NUMBER_MAX):
                raise ValueError(points)


def _no_copy(source: Path, what: str, why: Value = "") -> BadInputError:
    """What is wrong with a copy; `why` is what SQLite or the replay says. One that was sent has no folder."""
    return BadInputError(Message(f"store/copy/{what}", path=source.name, why=why), code="input/bad")
