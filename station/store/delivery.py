"""Delivery of the log to receivers, such as webhooks, and how far each of them has got.

The log itself is the outbox: nothing more is written while people play. All that is stored is one number for
each receiver.
"""

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from station.game.events import Event, GameStarted
from station.store import chain
from station.store.archive import decoded
from station.store.chain import Log


@dataclass(frozen=True, slots=True)
class Written:
    """An event as the log has it: its number, when it was written (ISO 8601, UTC), and itself."""

    number: int
    at: str
    event: Event


def written(db: sqlite3.Connection, after: int, limit: int, path: Path) -> tuple[Written, ...]:
    """The events after number `after`, at most `limit`; deleted ones are left out."""
    query = "SELECT id, at, body FROM events WHERE id > ? AND body NOT LIKE '#%' ORDER BY id LIMIT ?"
    rows = db.execute(query, (after, limit)).fetchall()
    events = decoded([(body,) for _, _, body in rows], path)
    return tuple(Written(number, at, event) for (number, at, _), event in zip(rows, events, strict=True))


def game_id(db: sqlite3.Connection, game: int, until: int) -> str:
    """A unique id of a game at event `until`, made from the event that began it.

    It does not depend on the station's name, and is the same in every copy of the store; "" if none began it.
    """
    row = db.execute(
        "SELECT CAST(at AS BLOB), CAST(body AS BLOB) FROM events"
        " WHERE game = ? AND id <= ? AND kind = ? ORDER BY id DESC LIMIT 1",
        (game, until, GameStarted.kind),
    ).fetchone()
    if row is None:
        return ""
    at, body = row
    return chain.link(chain.START, 0, game, at, GameStarted.kind.encode(), body).hex()


def stood(db: sqlite3.Connection, log: Log, path: Path) -> tuple[Event, ...]:
    """The events that stood at the end of `log`, which may end earlier than the database; none forgotten."""
    numbers = {number for number, _, _ in log.standing}
    if not numbers:
        return ()
    first = min(numbers)
    among = written(db, first - 1, log.last - first + 1, path)
    return tuple(each.event for each in among if each.number in numbers)


def delivered(db: sqlite3.Connection) -> dict[str, int]:
    """The last event delivered to each receiver."""
    return dict(db.execute("SELECT name, event FROM delivered"))


def note(db: sqlite3.Connection, delivered_to: Mapping[str, int | None]) -> None:
    """Store the last event delivered to each receiver; one with None is removed."""
    for name, event in delivered_to.items():
        if event is None:
            db.execute("DELETE FROM delivered WHERE name = ?", (name,))
        else:
            db.execute("INSERT OR REPLACE INTO delivered VALUES (?, ?)", (name, event))
    chain.put_seal(db, "delivered")
