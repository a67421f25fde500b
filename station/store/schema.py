"""The tables of the database, by version: each entry of MIGRATIONS leads from one version to the next."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from functools import cache

from station.game.events import PlayerRemoved, from_json
from station.game.evolve import UNPLAYABLE, replay
from station.store import chain

Step = str | Callable[[sqlite3.Connection], None]
"""SQL, or what SQL cannot do."""

APPLICATION_ID = 0x59414348
"""Marks a SQLite file as one of a Yacht Station ("YACH")."""


def _check_standing(db: sqlite3.Connection) -> None:
    """Raise BrokenError unless the log itself says which events stand, as the table did."""
    log = chain.Log()
    for number, game, _, kind, _, _ in chain.rows(db):
        log.add(number, game, kind, b"")
    numbers = [event for (event,) in db.execute("SELECT event FROM standing ORDER BY place")]
    if numbers != [number for number, _, _ in log.standing]:
        raise chain.BrokenError(max(numbers, default=None))


def _check_whole(db: sqlite3.Connection) -> None:
    """Raise BrokenError for any change: a new seal would hide it."""
    chain.read(db)


def _note_gone(db: sqlite3.Connection) -> None:
    """Note of past games who had left them, as the log tells it."""
    left = "SELECT game FROM games WHERE game IN (SELECT game FROM events WHERE kind = ?)"
    for (game,) in db.execute(left, (PlayerRemoved.kind,)).fetchall():
        rows = db.execute("SELECT body FROM events WHERE game = ? ORDER BY id", (game,)).fetchall()
        with suppress(*UNPLAYABLE):  # its page tells what is wrong with it
            players = replay(from_json(json.loads(body)) for (body,) in rows).players
            gone = [(game, seat) for seat, player in enumerate(players) if player.gone]
            db.executemany("UPDATE results SET gone = 1 WHERE game = ? AND seat = ?", gone)


MIGRATIONS: tuple[tuple[Step, ...], ...] = (
    (
        # Every event ever, undone ones and undos included. game: the one it belongs to.
        """CREATE TABLE events (
            id INTEGER PRIMARY KEY,
            game INTEGER NOT NULL,
            at TEXT NOT NULL,
            kind TEXT NOT NULL,
            body TEXT NOT NULL
        ) STRICT""",
        "CREATE INDEX events_by_game ON events (game, id)",
        # Those that stand: what undo took back and what is too old for undo has left this list.
        """CREATE TABLE standing (
            place INTEGER PRIMARY KEY,
            event INTEGER NOT NULL REFERENCES events (id)
        ) STRICT""",
        """CREATE TABLE games (
            game INTEGER PRIMARY KEY,
            rules TEXT NOT NULL,
            started_at TEXT NOT NULL,
            finished_at TEXT NOT NULL,
            ended_early INTEGER NOT NULL
        ) STRICT""",
        """CREATE TABLE results (
            game INTEGER NOT NULL REFERENCES games (game) ON DELETE CASCADE,
            seat INTEGER NOT NULL,
            name TEXT NOT NULL,
            boxes TEXT NOT NULL,
            upper INTEGER NOT NULL,
            bonus INTEGER NOT NULL,
            extra INTEGER NOT NULL,
            total INTEGER NOT NULL,
            won INTEGER NOT NULL,
            PRIMARY KEY (game, seat)
        ) STRICT""",
        "CREATE INDEX results_by_name ON results (name)",
        "CREATE TABLE numbers (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT",
        "INSERT INTO numbers VALUES ('next_version', 1)",
    ),
    (
        # What ended a game: complete, big_general or early. A game without a point was won by nobody.
        "ALTER TABLE games ADD COLUMN ended_by TEXT NOT NULL DEFAULT 'complete'",
        "UPDATE games SET ended_by = 'early' WHERE ended_early",
        """UPDATE results SET won = 0
            WHERE game IN (SELECT game FROM results GROUP BY game HAVING max(total) = 0)""",
    ),
    (
        # Games that were deleted: hidden, and forgotten for good a month later (station.store.aside).
        """CREATE TABLE aside (
            game INTEGER PRIMARY KEY REFERENCES games (game) ON DELETE CASCADE,
            at TEXT NOT NULL
        ) STRICT""",
    ),
    (
        # Each event carries a hash that covers the one before (station.store.chain); what stands is read from
        # the log. Without a table of it and an index an event is one page written, not three.
        "ALTER TABLE events ADD COLUMN hash BLOB NOT NULL DEFAULT x''",
        _check_standing,
        "DROP TABLE standing",
        "DROP INDEX events_by_game",
        "DROP INDEX results_by_name",
        # What a copy holds besides the games: seats, settings, profiles, house rules.
        "CREATE TABLE files (path TEXT PRIMARY KEY, content BLOB NOT NULL) STRICT",
        "CREATE TABLE seals (name TEXT PRIMARY KEY, hash BLOB NOT NULL) STRICT",
        # Numbers of events go on rising over a restore, so that the newest copy has the highest.
        "INSERT INTO numbers VALUES ('next_event', 1)",
        chain.chain,
        chain.put_seals,
    ),
    (
        # The last event delivered to each receiver (station.store.delivery), by its name.
        "CREATE TABLE delivered (name TEXT PRIMARY KEY, event INTEGER NOT NULL) STRICT",
        chain.put_seals,
    ),
    (
        # Who left before a game was over; one without a box then had no part in it.
        _check_whole,
        "ALTER TABLE results ADD COLUMN gone INTEGER NOT NULL DEFAULT 0",
        _note_gone,
        chain.put_seals,
    ),
)


def apply(db: sqlite3.Connection, migration: tuple[Step, ...]) -> None:
    """Bring a database from one version to the next."""
    for step in migration:
        if isinstance(step, str):
            db.execute(step)
        else:
            step(db)


Schema = frozenset[tuple[str, str, str, str | None]]


def schema(db: sqlite3.Connection) -> Schema:
    """The tables, indexes, views and triggers of a database."""
    rows = db.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema").fetchall()
    return frozenset((kind, name, table, sql and " ".join(sql.split())) for kind, name, table, sql in rows)


@cache
def own_schema(version: int) -> Schema:
    """The same of a database that a station of that version makes."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
        for migration in MIGRATIONS[:version]:
            apply(db, migration)
        return schema(db)
