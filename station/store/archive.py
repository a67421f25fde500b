"""Finished games, read only: what history pages and `yacht export` show."""

import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import Annotated, ClassVar, Self

from messages.errors import BadInputError, StoreError, reason
from station import games
from station.contract.view import WITHIN, EndedBy, Parts, WithParts
from station.game.events import Event, GameStarted, from_json
from station.game.evolve import replay
from station.game.feature import Feature, implementing
from station.game.log.options import USUAL
from station.game.log.state import State, rule_set
from station.rules import RuleSet
from station.store.chain import Log
from station.store.database_file import FILE_NAME, RESCUE, read_only, sentences
from station.store.last_event import LastEvent

LONGEST = timedelta(hours=12)
"""A game that seems to take longer was taken up again on another day, or the clock was wrong."""


@dataclass(frozen=True, slots=True)
class FinishedPlayer(WithParts):
    """One column of a finished sheet; `boxes` has None where a box stayed open; `total` has the handicap.

    gone: removed before the game was over.
    """

    added: ClassVar[str] = "column_view"

    name: str
    boxes: Mapping[str, int | None]
    upper: int
    bonus: int
    extra: int
    total: int
    won: bool
    gone: bool = False
    ahead: Annotated[int, WITHIN] = 0
    """Points it began with."""
    parts: Parts = ()

    @property
    def own(self) -> int:
        """The total without what it began with."""
        return self.total - self.ahead

    @property
    def whole(self) -> bool:
        """Whether every box is filled; players who left during a game have open ones."""
        return None not in self.boxes.values()

    @property
    def played(self) -> bool:
        """False for a player who left before filling a box, as in `station.integrations.happenings`."""
        return not self.gone or any(points is not None for points in self.boxes.values())


@dataclass(frozen=True)
class FinishedGame:
    """A game that is over; times are ISO 8601, UTC."""

    game: int
    rules: str
    started_at: str
    finished_at: str
    ended_early: bool
    ended_by: EndedBy
    players: tuple[FinishedPlayer, ...]

    @cached_property
    def took_part(self) -> tuple[FinishedPlayer, ...]:
        """All but those who left before a box was filled."""
        return tuple(player for player in self.players if player.played)

    @cached_property
    def whole(self) -> tuple[FinishedPlayer, ...]:
        """The players with complete sheets in a game played to its end; optional boxes may be open."""
        there = self.players if self.ended_by == "complete" else ()
        return tuple(player for player in there if player.whole or not player.gone)

    @property
    def won(self) -> bool:
        """Whether there is a winner; in a game that ended early, only if its players named one."""
        return any(player.won for player in self.players)

    @property
    def when(self) -> datetime:
        """The local time at which it ended."""
        found = datetime.fromisoformat(self.finished_at)
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone()

    @property
    def played_s(self) -> float:
        """Its duration in seconds; 0 if the clock gives an impossible one."""
        begun, ended = (
            datetime.fromisoformat(at).replace(tzinfo=None) for at in (self.started_at, self.finished_at)
        )
        took = ended - begun
        return took.total_seconds() if timedelta() <= took <= LONGEST else 0.0

    @property
    def day(self) -> str:
        """On which day that was, ISO 8601."""
        return self.when.date().isoformat()


def finished(db: sqlite3.Connection, limit: int, *, set_aside: bool = False) -> list[FinishedGame]:
    """Finished games, the latest first, each with its players and boxes. set_aside: the deleted ones.

    One that was ended before a box was filled is no game. Games follow one another by their numbers, whatever
    the clock was; only those from before there was a station (`station.store.past_games`) go by their day.
    """
    games = db.execute(
        "SELECT game, rules, started_at, finished_at, ended_early, ended_by FROM games"
        " WHERE (game IN (SELECT game FROM aside)) = ? AND (NOT ended_early OR EXISTS (SELECT 1"
        " FROM results, json_each(boxes) WHERE results.game = games.game AND json_each.type <> 'null'))"
        " ORDER BY game DESC",
        (set_aside,),
    ).fetchall()
    results = db.execute(
        "SELECT game, name, boxes, upper, bonus, extra, total, won, gone FROM results ORDER BY game, seat"
    ).fetchall()
    players: dict[int, list[FinishedPlayer]] = {}
    for game, name, boxes, upper, bonus, extra, total, won, gone in results:
        filled = json.loads(boxes)
        # Nothing is counted where boxes do not count, or there are none; nobody begins with points then.
        counted = total - bonus - extra if filled else 0
        ahead = counted and counted - sum(points or 0 for points in filled.values())
        player = FinishedPlayer(
            name=name,
            boxes=filled,
            upper=upper,
            bonus=bonus,
            extra=extra,
            total=total,
            won=bool(won),
            gone=bool(gone),
            ahead=ahead,
            parts=tuple(each.of_column(ahead) for each in implementing(Feature.of_column)),
        )
        players.setdefault(game, []).append(player)
    found = [
        FinishedGame(
            game=game,
            rules=rules,
            started_at=started_at,
            finished_at=finished_at,
            ended_early=bool(ended_early),
            ended_by=ended_by,
            players=tuple(players.get(game, ())),
        )
        for game, rules, started_at, finished_at, ended_early, ended_by in games
    ]
    return _by_day(found)[: None if limit < 0 else limit]


def _by_day(games: list[FinishedGame]) -> list[FinishedGame]:
    """The same, the latest first: those without boxes where they belong by their day."""
    past = [game for game in games if not any(player.boxes for player in game.players)]
    if not past:
        return games
    past.sort(key=lambda game: (game.finished_at, game.game))
    numbers = {game.game for game in past}
    found: list[FinishedGame] = []
    for game in (game for game in games if game.game not in numbers):
        while past and past[-1].finished_at > game.finished_at:
            found.append(past.pop())
        found.append(game)
    return found + past[::-1]


def of_game(db: sqlite3.Connection, log: Log, game: int, path: Path) -> tuple[Event, ...]:
    """All events of one game in order, what was undone included; none of a game that was forgotten."""
    first, last = log.spans.get(game, (1, 0))
    query = "SELECT body FROM events WHERE id BETWEEN ? AND ? AND game = ? AND body NOT LIKE '#%' ORDER BY id"
    return decoded(db.execute(query, (first, last, game)).fetchall(), path)


def standing(db: sqlite3.Connection, log: Log, path: Path) -> tuple[Event, ...]:
    """The events that still stand, of the last game and the one before."""
    numbers = [number for number, _, _ in log.standing]
    query = "SELECT id, body FROM events WHERE id >= ?"
    bodies = dict(db.execute(query, (numbers[0],)).fetchall()) if numbers else {}
    return decoded([(bodies[number],) for number in numbers], path)


def decoded(rows: Sequence[tuple[str]], path: Path) -> tuple[Event, ...]:
    """The events of rows; `path` is named in the sentence when one cannot be read."""
    try:
        return tuple(from_json(json.loads(body)) for (body,) in rows)
    except (BadInputError, ValueError) as error:
        raise StoreError(
            "store/unreadable", code="store/damaged", path=str(path), why=reason(error), rescue=RESCUE
        ) from error


def rules_of(rules_id: str, events: Sequence[Event]) -> RuleSet | None:
    """The rules a game was played by; None when nobody knows them any more.

    events: of the game, which has its house rules; one from before there was a station has none.
    """
    house = next((event.house for event in events if isinstance(event, GameStarted)), "")
    if not events:
        house = games.texts().get(rules_id, "")
    try:
        return rule_set(rules_id, house, as_played=True)
    except BadInputError:
        return None


def end_of(events: Sequence[Event]) -> State:
    """The final state of a game that began with unusual `Options`.

    Any other gives an empty table: nothing follows from its end, and nobody may know its rules any more.
    """
    begun = next((event for event in events if isinstance(event, GameStarted)), None)
    return State() if begun is None or begun.options == USUAL else replay(events)


class Archive:
    """The games of a folder, also while a station writes there. Closed by leaving its `with` block.

    Raises BadInputError when there is no database, StoreError when it is damaged.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE_NAME
        if not self.path.exists():
            raise BadInputError("store/no-games", code="input/bad", path=str(folder))
        with sentences(self.path):
            self._db, self._log = read_only(self.path, LastEvent(folder).read())

    def __enter__(self) -> Self:
        """Return itself; the file is open already."""
        return self

    def __exit__(self, *exc: object) -> None:
        """Close the file."""
        self._db.close()

    def games(self, limit: int = 1_000_000) -> list[FinishedGame]:
        """Finished games, the latest first."""
        with sentences(self.path):
            return finished(self._db, limit)

    def transcript(self, game: int) -> tuple[Event, ...]:
        """All events of one game in order, what was undone included."""
        with sentences(self.path):
            return of_game(self._db, self._log, game, self.path)
