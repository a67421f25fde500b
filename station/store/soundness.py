"""Whether a copy is one: exactly the tables of its version, and only values that a station writes.

No views, no triggers, and games that can be played again from their events. How long that takes, and how much
memory, is bounded by the process in which it is done (`station.store.trial`).
"""

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from messages.errors import BadInputError, StoreError, reason
from messages.message import Message, Value
from station.contract.fields import EXACT_MAX, Flag, Number, Text
from station.contract.view import EndedBy
from station.game.events import GameStarted
from station.game.evolve import UNPLAYABLE, replay
from station.store import everything
from station.store.archive import FinishedGame, finished, of_game, standing
from station.store.chain import Log
from station.store.data_files import DataFiles
from station.store.database_file import damage, no_room, prepare
from station.store.schema import APPLICATION_ID, MIGRATIONS, own_schema, schema

GAMES_MAX = 100_000_000
"""No station has counted so far; the numbers of games to come have nine digits still."""
BOXES_MAX = 600
"""More than any sheet has."""


class _Player(BaseModel):
    """A column of a finished game, as pages show it."""

    model_config = ConfigDict(from_attributes=True, strict=True)
    name: Annotated[Text, Field(min_length=1)]
    boxes: Annotated[Mapping[Text, Number | None], Field(max_length=BOXES_MAX)]
    upper: Number
    bonus: Number
    extra: Number
    total: Number
    ahead: Number
    won: Flag
    gone: Flag


class _Game(BaseModel):
    """A finished game, as pages show it."""

    model_config = ConfigDict(from_attributes=True, strict=True)
    rules: Text
    started_at: Text
    finished_at: Text
    ended_by: EndedBy
    players: Annotated[tuple[_Player, ...], Field(max_length=20)]


def sound(source: Path, scratch: Path, data: DataFiles) -> tuple[Path, Path]:
    """A copy of the copy in `scratch`, of this version, and a folder with what belongs to it.

    Raises BadInputError, saying what is wrong with it, where it is none, and StoreError where there is no
    room in scratch.
    """
    if not source.is_file():
        raise BadInputError("store/no-file", code="input/bad", path=str(source))
    target, folder, text = scratch / "tried.sqlite3", scratch / "data", scratch / "text.sqlite3"
    database = source
    try:
        if everything.looks_like_json(source):
            everything.as_database(source, text)
            database = text
        with closing(_opened(database)) as db:
            _check(db, source)
            with closing(sqlite3.connect(target, isolation_level=None)) as mine:
                db.backup(mine)
        text.unlink(missing_ok=True)
        with closing(sqlite3.connect(target, isolation_level=None)) as mine:
            folder.mkdir()
            _look_through(mine, source, folder, data)
            mine.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.Error as error:
        if no_room(error):  # where it is tried, which says nothing of the copy
            raise StoreError("store/disk-full", code="store/full", path=str(scratch)) from error
        raise no_copy(source, "unsound", str(error)) from error
    except RecursionError as error:
        raise no_copy(source, "broken-game", "RecursionError") from error
    return target, folder


def _opened(source: Path) -> sqlite3.Connection:
    """A connection for reading, in which the file's author cannot run functions."""
    db = sqlite3.connect(f"{source.resolve().as_uri()}?mode=ro", uri=True, isolation_level=None)
    db.execute("PRAGMA trusted_schema = OFF")
    return db


def _check(db: sqlite3.Connection, source: Path) -> None:
    """Check the form of a copy. Raises BadInputError."""
    if int(db.execute("PRAGMA application_id").fetchone()[0]) != APPLICATION_ID:
        raise no_copy(source, "of-others")
    version = int(db.execute("PRAGMA user_version").fetchone()[0])
    if version > len(MIGRATIONS):
        raise no_copy(source, "newer")
    if version < 1 or schema(db) != own_schema(version):
        raise no_copy(source, "other-tables")
    wrong = damage(db)
    if wrong is not None:
        raise no_copy(source, "unsound", wrong)
    if db.execute("PRAGMA foreign_key_check").fetchone() is not None:
        raise no_copy(source, "unsound", "foreign_key_check")


def _look_through(db: sqlite3.Connection, source: Path, folder: Path, data: DataFiles) -> None:
    """Bring it up to now, play every game again, look at every result and file."""
    try:
        log = prepare(db, source)
        _numbers(db)
        _replay_all(db, log, source)
        replay(standing(db, log, source))
        for game in (*finished(db, limit=-1), *finished(db, limit=-1, set_aside=True)):
            _check_values(game)
        data.put(data.unpack(db), folder)
    except (OSError, *UNPLAYABLE) as error:
        why: Value = reason(error)
        if isinstance(error, StoreError):  # its sentence is for who has no other copy
            why = error.message.values.get("why", why)
        raise no_copy(source, "broken-game", why) from error


def _replay_all(db: sqlite3.Connection, log: Log, source: Path) -> None:
    """Play every game again, as its page in the history does. Raises ValueError for another game's events."""
    for game in log.spans:
        events = of_game(db, log, game, source)
        starts = [event.game for event in events if isinstance(event, GameStarted)]
        if any(number != game for number in starts) or (game and events and not starts):
            raise ValueError(game)
        replay(events)


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
        if not 0 <= value < EXACT_MAX:
            raise ValueError(value)
    (last,) = db.execute("SELECT max(game) FROM events").fetchone()
    if last is not None and last > GAMES_MAX:
        raise ValueError(last)


def _check_values(game: FinishedGame) -> None:
    """Raise ValueError unless a finished game has the values that pages show."""
    _ = game.when
    _Game.model_validate(game)


def no_copy(source: Path, what: str, why: Value = "") -> BadInputError:
    """The error for a bad copy; `why` is from SQLite or the replay. An uploaded copy has no folder."""
    return BadInputError(Message(f"store/copy/{what}", path=source.name, why=why), code="input/bad")
