"""Games from before there was a station: who had how many points, and when; no boxes, no events."""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from station.store import chain
from station.store.archive import FinishedGame

Same = tuple[str, str, frozenset[tuple[str, int]]]
"""Day, rules, and everybody's total."""


@dataclass(frozen=True, slots=True)
class PastGame:
    """A game from before the station. finished_at: ISO 8601, UTC; totals: in the order of the seats."""

    rules: str
    finished_at: str
    totals: tuple[tuple[str, int], ...]

    @property
    def same(self) -> Same:
        """A key that is equal for the same game from any source."""
        day = datetime.fromisoformat(self.finished_at).astimezone().date()
        return day.isoformat(), self.rules, frozenset(self.totals)


def of_finished(game: FinishedGame) -> Same:
    """The same of a game that is there."""
    return game.day, game.rules, frozenset((player.name, player.total) for player in game.players)


def write(db: sqlite3.Connection, number: int, game: PastGame) -> None:
    """Put it among the finished games; the most points have won."""
    best = max(total for _, total in game.totals)
    row = (number, game.rules, game.finished_at, game.finished_at, 0, "complete")
    db.execute("INSERT INTO games VALUES (?, ?, ?, ?, ?, ?)", row)
    for seat, (name, total) in enumerate(game.totals):
        won = total == best > 0
        db.execute(
            "INSERT INTO results VALUES (?, ?, ?, '{}', 0, 0, 0, ?, ?, 0)", (number, seat, name, total, won)
        )
    chain.mix_seal(db, chain.of_game(db, number))


def read(db: sqlite3.Connection) -> Sequence[PastGame]:
    """All of them, by their numbers. Raises sqlite3.Error."""
    query = (
        "SELECT game, rules, finished_at FROM games WHERE game NOT IN (SELECT game FROM events) ORDER BY game"
    )
    found = []
    for game, rules, at in db.execute(query).fetchall():
        totals = db.execute(
            "SELECT name, total FROM results WHERE game = ? ORDER BY seat", (game,)
        ).fetchall()
        found.append(PastGame(rules, at, tuple(totals)))
    return found
