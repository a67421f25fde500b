"""An evening: the games that were played one after the other, and the standings over all of them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated

from pydantic import Field

from messages.message import Message
from station.contract.view import Text
from station.store.archive import FinishedGame
from web.history.records import FallenRecord, records

PAUSE = timedelta(hours=6)
"""After a longer one the next game is another evening's; so it is after a clock was set back by more."""
BETWEEN_STARTS = timedelta(hours=12)
"""So it is after more between two that begin: one taken back and ended anew a day later is of its own day."""


@dataclass(frozen=True, slots=True)
class EveningPlayer:
    """One player over all games of the evening."""

    name: str
    games: Annotated[int, Field(description="How many were played.")]
    won: Annotated[int, Field(description="Alone nobody wins.")]
    points: Annotated[int, Field(description="All totals together.")]


@dataclass(frozen=True, slots=True)
class EveningGame:
    """One game of the evening."""

    game: int
    rules: str
    winners: Annotated[tuple[str, ...], Field(description="Names.")]


@dataclass(frozen=True, slots=True)
class Evening:
    """The latest games with no long pause in between, and the running table, best first."""

    since: Annotated[str | None, Field(description="When the first began, ISO 8601, UTC; null without any.")]
    until: Annotated[str | None, Field(description="When the last one ended.")]
    over_in_s: Annotated[
        float | None, Field(description="How long until it is over, if no game begins; below 0 once it is.")
    ]
    played: Annotated[Text | None, Field(description="How long its games took together; null without any.")]
    games: Annotated[tuple[EveningGame, ...], Field(description="The oldest first.")]
    players: tuple[EveningPlayer, ...]
    records: Annotated[tuple[FallenRecord, ...], Field(description="Those that fell in its latest game.")]


def evening(finished: Sequence[FinishedGame], now: datetime) -> Evening:
    """The running table of the latest evening. finished: all games, the latest first."""
    played = next(_apart(finished), [])[::-1]
    games = tuple(EveningGame(game.game, game.rules, _winners(game)) for game in played)
    since = played[0].started_at if played else None
    until = played[-1].finished_at if played else None
    over_in_s = (played[-1].when + PAUSE - now).total_seconds() if played else None
    time = duration(sum(game.played_s for game in played)) if played else None
    return Evening(since, until, over_in_s, time, games, _table(played), records(finished))


def duration(seconds: float) -> Message:
    """A time in hours and minutes, at least one.

    >>> duration(45 * 60), duration(130 * 60)
    (Message('duration/minutes', minutes=45), Message('duration/hours', hours=2, minutes=10))
    """
    hours, minutes = divmod(max(round(seconds / 60), 1), 60)
    return (
        Message("duration/hours", hours=hours, minutes=minutes)
        if hours
        else Message("duration/minutes", minutes=minutes)
    )


def evenings(finished: Sequence[FinishedGame]) -> list[list[FinishedGame]]:
    """All games by evening, the oldest evening and game first. finished: the latest first."""
    return [each[::-1] for each in _apart(finished)][::-1]


def _apart(finished: Sequence[FinishedGame]) -> Iterator[list[FinishedGame]]:
    """The latest evening first, and of each the latest game."""
    played: list[FinishedGame] = []
    for game in finished:
        if played and not _goes_on(game, played[-1]):
            yield played
            played = []
        played.append(game)
    if played:
        yield played


def _goes_on(game: FinishedGame, following: FinishedGame) -> bool:
    """Whether both are of one evening."""
    begun = _when(following.started_at)
    paused = abs(begun - _when(game.finished_at))
    return paused <= PAUSE and begun - _when(game.started_at) <= BETWEEN_STARTS


def _when(text: str) -> datetime:
    """A time of the store without its zone: all are UTC."""
    return datetime.fromisoformat(text).replace(tzinfo=None)


def _winners(game: FinishedGame) -> tuple[str, ...]:
    return tuple(player.name for player in game.players if player.won and len(game.took_part) > 1)


def _table(played: Sequence[FinishedGame]) -> tuple[EveningPlayer, ...]:
    """Who won most, then who has most points, then by name."""
    names = {player.name for game in played for player in game.took_part}
    found = []
    for name in names:
        mine = [player.total for game in played for player in game.took_part if player.name == name]
        won = sum(name in _winners(game) for game in played)
        found.append(EveningPlayer(name, len(mine), won, sum(mine)))
    return tuple(sorted(found, key=lambda each: (-each.won, -each.points, each.name)))
