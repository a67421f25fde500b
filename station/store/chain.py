"""The integrity of the log: each event has a hash of its own row and the hash before.

A changed bit, a missing row or an inserted one breaks the chain at an event, whose number is reported.
Derived data beside the events (past games, counters) have a seal each. `station.store.last_event` detects a
missing end, which a chain cannot.
"""

import hashlib
import json
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, field

from station.game.events import GameStarted, Undone

SIZE = 16
START = bytes(SIZE)
"""The hash before the first event."""

ERASED = "#"
"""Begins the body of a forgotten event; the hash of what stood there follows, and the chain holds."""

ROWS = (
    "SELECT id, game, CAST(at AS BLOB), CAST(kind AS BLOB), CAST(body AS BLOB), hash FROM events ORDER BY id"
)
"""The events with texts as bytes: a changed bit may leave invalid UTF-8, which SQLite would not return."""

SEALED = ("games", "aside", "numbers", "files", "delivered")
"""The sealed data, by table."""

_UNDONE, _STARTED = Undone.kind.encode(), GameStarted.kind.encode()

Row = tuple[int, int, bytes, bytes, bytes, bytes]
"""Number, game, time, kind, body and hash of an event."""


class BrokenError(Exception):
    """The stored data is not what was written. event: the first wrong one; None outside the log."""

    def __init__(self, event: int | None) -> None:
        super().__init__(event)
        self.event = event


def hashed(content: bytes) -> bytes:
    """16 bytes that stand for the content."""
    return hashlib.blake2b(content, digest_size=SIZE).digest()


def link(before: bytes, number: int, game: int, at: bytes, kind: bytes, body: bytes) -> bytes:
    """The hash of an event. before: that of the event before it, START for the first.

    >>> first = link(START, 1, 1, b"2026-01-06", b"undone", b"{}")
    >>> first == link(START, 1, 1, b"2026-01-06", b"undone", erased(b"{}"))
    True
    >>> first == link(START, 1, 1, b"2026-01-06", b"undone", b"{ }")
    False
    """
    if body.startswith(ERASED.encode()):
        try:
            content = bytes.fromhex(body[len(ERASED) :].decode("ascii"))
        except ValueError:
            content = b""
    else:
        content = hashed(body)
    return hashed(b"%b%b%d %d %b %b" % (before, content, number, game, at, kind))


def erased(body: bytes) -> bytes:
    """The replacement for the body of a forgotten event: its hash."""
    return body if body.startswith(ERASED.encode()) else ERASED.encode() + hashed(body).hex().encode()


@dataclass(slots=True)
class Log:
    """The summary of the rows of the log.

    last, hash: number and hash of the last event, 0 and START before the first. standing: numbers, games and
    whether they start one, of the events that stand, as `evolve` keeps a state's past. spans: game -> first
    and last number among its events.
    """

    last: int = 0
    hash: bytes = START
    standing: list[tuple[int, int, bool]] = field(default_factory=list)
    spans: dict[int, tuple[int, int]] = field(default_factory=dict)

    def add(self, number: int, game: int, kind: bytes, hash_: bytes) -> None:
        """Add an event."""
        self.last, self.hash = number, hash_
        self.spans[game] = (self.spans.get(game, (number, number))[0], number)
        if kind == _UNDONE:
            if self.standing:
                self.standing.pop()
            return
        if kind == _STARTED:  # undo reaches back over it to the game before, and no further
            starts = [place for place, (_, _, start) in enumerate(self.standing) if start]
            del self.standing[: starts[-1] if starts else 0]
        self.standing.append((number, game, kind == _STARTED))

    def copy(self) -> "Log":
        """An independent copy."""
        return Log(self.last, self.hash, list(self.standing), dict(self.spans))


def rows(db: sqlite3.Connection) -> Iterator[Row]:
    """Every event, in order."""
    yield from db.execute(ROWS)


def read(db: sqlite3.Connection) -> Log:
    """Read the whole log and what is sealed. Raises BrokenError, sqlite3.Error."""
    log = Log()
    for number, game, at, kind, body, digest in rows(db):
        if number <= log.last or link(log.hash, number, game, at, kind, body) != digest:
            raise BrokenError(number)
        log.add(number, game, kind, digest)
    for name in SEALED:
        if seal(db, name) != sealed(db, name):
            raise BrokenError(None)
    return log


def until(db: sqlite3.Connection, number: int) -> Log:
    """The log as it was after event `number`, not checked and without its hash."""
    log = Log()
    query = "SELECT id, game, CAST(kind AS BLOB) FROM events WHERE id <= ? ORDER BY id"
    for event, game, kind in db.execute(query, (number,)):
        log.add(event, game, kind, START)
    return log


def chain(db: sqlite3.Connection) -> None:
    """Give every event its hash: for a log that has none yet."""
    before = START
    found = []
    for number, game, at, kind, body, _ in rows(db):
        before = link(before, number, game, at, kind, body)
        found.append((before, number))
    db.executemany("UPDATE events SET hash = ? WHERE id = ?", found)


# -- seals -----------------------------------------------------------------------------------------------


def seal(db: sqlite3.Connection, name: str) -> bytes:
    """The seal that a table has."""
    row = db.execute("SELECT hash FROM seals WHERE name = ?", (name,)).fetchone()
    return b"" if row is None else bytes(row[0])


def sealed(db: sqlite3.Connection, name: str) -> bytes:
    """The seal that a table ought to have."""
    match name:
        case "games":
            found = START
            results: dict[int, list[object]] = {}
            for game, *result in db.execute("SELECT * FROM results ORDER BY game, seat"):
                results.setdefault(game, []).append(result)
            for row in db.execute("SELECT * FROM games ORDER BY game"):
                found = mixed(found, _of_game(row, results.pop(row[0], [])))
            return found if not results else b""
        case "aside" | "numbers" | "delivered":
            content = db.execute(f"SELECT * FROM {name} ORDER BY 1").fetchall()  # noqa: S608 - one of these
            return hashed(json.dumps(content).encode())
        case _:
            found = START
            for path, content in db.execute("SELECT path, content FROM files ORDER BY path"):
                found = hashed(found + hashed(str(path).encode()) + hashed(bytes(content)))
            return found


def of_game(db: sqlite3.Connection, game: int) -> bytes:
    """The share of a game in the seal of past games; nothing (START) when it is not among them."""
    row = db.execute("SELECT * FROM games WHERE game = ?", (game,)).fetchone()
    if row is None:
        return START
    found = db.execute("SELECT * FROM results WHERE game = ? ORDER BY seat", (game,))
    return _of_game(row, [result for _, *result in found])


def _of_game(row: tuple[object, ...], results: list[object]) -> bytes:
    return hashed(json.dumps([row, results], ensure_ascii=False).encode())


def mixed(*shares: bytes) -> bytes:
    """Shares put together; one that is mixed in a second time is out again."""
    found = 0
    for share in shares:
        found ^= int.from_bytes(share)
    return found.to_bytes(SIZE)


def put_seal(db: sqlite3.Connection, name: str, hash_: bytes | None = None) -> None:
    """Seal a table as it is, or with a hash that is known already."""
    value = sealed(db, name) if hash_ is None else hash_
    db.execute("INSERT OR REPLACE INTO seals VALUES (?, ?)", (name, value))


def mix_seal(db: sqlite3.Connection, *shares: bytes) -> None:
    """Take shares of games out of the seal of all, or put them in."""
    put_seal(db, "games", mixed(seal(db, "games"), *shares))


def put_seals(db: sqlite3.Connection) -> None:
    """Seal everything as it is; an older version has not all of these tables."""
    tables = {name for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    for name in SEALED:
        if name in tables:
            put_seal(db, name)
