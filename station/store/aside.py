"""Games that were deleted: set aside for a month, and put back by one press until then."""

import sqlite3
from datetime import datetime, timedelta

KEPT = timedelta(days=30)
"""So long a deleted game can be put back."""


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


def forget(db: sqlite3.Connection, game: int) -> None:
    """Delete a game for good. Events that undo may need stay."""
    db.execute("DELETE FROM games WHERE game = ?", (game,))
    db.execute("DELETE FROM events WHERE game = ? AND id NOT IN (SELECT event FROM standing)", (game,))
