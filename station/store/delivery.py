"""What others are told of the log, and how far each of them has been told.

The log is the outbox: an event waits in it for everybody who was not told of it yet, and nothing has to be
written for that while people play. All that is kept is one number for each receiver.
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
    """The events behind number `after`, at most `limit`; what was forgotten is left out."""
    query = "SELECT id, at, body FROM events WHERE id > ? AND body NOT LIKE '#%' ORDER BY id LIMIT ?"
    rows = db.execute(query, (after, limit)).fetchall()
    events = decoded([(body,) for _, _, body in rows], path)
    return tuple(Written(number, at, event) for (number, at, _), event in zip(rows, events, strict=True))


def game_id(db: sqlite3.Connection, game: int, until: int) -> str:
    """What tells a game from all others, after event `until`: made from the event that began it.

    The same whatever its station is called and wherever a copy of the store is; "" where none began it.
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
    """The last event that each receiver was told of."""
    return dict(db.execute("SELECT name, event FROM delivered"))


def note(db: sqlite3.Connection, told: Mapping[str, int | None]) -> None:
    """Keep how far receivers were told; one with None is forgotten."""
    for name, event in told.items():
        if event is None:
            db.execute("DELETE FROM delivered WHERE name = ?", (name,))
        else:
            db.execute("INSERT OR REPLACE INTO delivered VALUES (?, ?)", (name, event))
    chain.put_seal(db, "delivered")
