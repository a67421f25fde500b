"""Games that were deleted: set aside for a month, and put back by one press until then.

Times are those that `station.store.days` counts.
"""

import sqlite3
from datetime import datetime, timedelta

from station.store import chain
from station.store.chain import Log

KEPT = timedelta(days=30)
"""Time for which a deleted game can be put back."""


def set_aside(db: sqlite3.Connection, game: int, now: datetime) -> bool:
    """Hide a finished game; False when there is none to be seen."""
    at = now.isoformat(timespec="seconds")
    return (
        db.execute(
            "INSERT OR IGNORE INTO aside SELECT game, ? FROM games WHERE game = ?", (at, game)
        ).rowcount
        > 0
    )


def put_back(db: sqlite3.Connection, game: int) -> bool:
    """Show it again; False when it was not set aside."""
    return db.execute("DELETE FROM aside WHERE game = ?", (game,)).rowcount > 0


def overdue(db: sqlite3.Connection, now: datetime) -> tuple[int, ...]:
    """The games that were set aside longer ago than `KEPT`."""
    rows = db.execute("SELECT game, at FROM aside ORDER BY game").fetchall()
    return tuple(int(game) for game, at in rows if now - datetime.fromisoformat(at) >= KEPT)


def forget(db: sqlite3.Connection, game: int, log: Log) -> None:
    """Delete a game for good: of its events only the hashes stay, but for those that undo may need."""
    db.execute("DELETE FROM games WHERE game = ?", (game,))
    first, last = log.spans.get(game, (1, 0))
    stands = {number for number, _, _ in log.standing}
    query = "SELECT id, body FROM events WHERE id BETWEEN ? AND ? AND game = ?"
    found = [row for row in db.execute(query, (first, last, game)) if row[0] not in stands]
    bodies = [(chain.erased(body.encode()).decode(), number) for number, body in found]
    db.executemany("UPDATE events SET body = ? WHERE id = ?", bodies)
