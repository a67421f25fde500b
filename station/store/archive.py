"""Finished games, read only: what history pages and `yacht export` show."""

import json
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Self, TypedDict

from messages.errors import BadInputError, StoreError
from station.game.events import Event, from_json
from station.store.database_file import FILE_NAME, RESCUE, inspect, sentences


class PastPlayer(TypedDict):
    """How one player fared; boxes by category, None where one stayed open."""

    name: str
    boxes: dict[str, int | None]
    upper: int
    bonus: int
    extra: int
    total: int
    won: bool


class PastGame(TypedDict):
    """A finished game; times in ISO 8601, UTC."""

    game: int
    rules: str
    started_at: str
    finished_at: str
    ended_early: bool
    ended_by: str
    players: list[PastPlayer]


def finished(db: sqlite3.Connection, limit: int) -> list[PastGame]:
    """Finished games, the latest first, each with its players and their boxes."""
    games = db.execute(
        "SELECT game, rules, started_at, finished_at, ended_early, ended_by FROM games"
        " ORDER BY game DESC LIMIT ?",
        (limit,),
    ).fetchall()
    oldest = games[-1][0] if games else 0
    results = db.execute(
        "SELECT game, name, boxes, upper, bonus, extra, total, won FROM results"
        " WHERE game >= ? ORDER BY game, seat",
        (oldest,),
    ).fetchall()
    players: dict[int, list[PastPlayer]] = {}
    for game, name, boxes, upper, bonus, extra, total, won in results:
        player = PastPlayer(
            name=name,
            boxes=json.loads(boxes),
            upper=upper,
            bonus=bonus,
            extra=extra,
            total=total,
            won=bool(won),
        )
        players.setdefault(game, []).append(player)
    return [
        PastGame(
            game=game,
            rules=rules,
            started_at=started_at,
            finished_at=finished_at,
            ended_early=bool(ended_early),
            ended_by=ended_by,
            players=players.get(game, []),
        )
        for game, rules, started_at, finished_at, ended_early, ended_by in games
    ]


def of_game(db: sqlite3.Connection, game: int, path: Path) -> tuple[Event, ...]:
    """All events of one game in order, what was undone included."""
    rows = db.execute("SELECT body FROM events WHERE game = ? ORDER BY id", (game,)).fetchall()
    return decoded(rows, path)


def standing(db: sqlite3.Connection, path: Path) -> tuple[Event, ...]:
    """The events that still stand, of the last game and the one before."""
    rows = db.execute("SELECT body FROM standing JOIN events ON id = event ORDER BY place").fetchall()
    return decoded(rows, path)


def decoded(rows: Sequence[tuple[str]], path: Path) -> tuple[Event, ...]:
    """The events of rows; `path` is named in the sentence when one cannot be read."""
    try:
        return tuple(from_json(json.loads(body)) for (body,) in rows)
    except (BadInputError, ValueError) as error:
        raise StoreError(
            "store/unreadable", code="store/damaged", path=str(path), why=str(error), rescue=RESCUE
        ) from error


class Archive:
    """The games of a folder, also while a station writes there. Closed by leaving its `with` block.

    Raises BadInputError when there is no database, StoreError when it is damaged.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE_NAME
        if not self.path.exists():
            raise BadInputError("store/no-games", code="input/bad", path=str(folder))
        inspect(self.path)
        self._db = sqlite3.connect(f"{self.path.resolve().as_uri()}?mode=ro", uri=True)

    def __enter__(self) -> Self:
        """Nothing more to do."""
        return self

    def __exit__(self, *exc: object) -> None:
        """Let go of the file."""
        self._db.close()

    def games(self, limit: int = 1_000_000) -> list[PastGame]:
        """Finished games, the latest first."""
        with sentences(self.path):
            return finished(self._db, limit)

    def transcript(self, game: int) -> tuple[Event, ...]:
        """All events of one game in order, what was undone included."""
        with sentences(self.path):
            return of_game(self._db, game, self.path)
