"""Handicaps that make the players level, by the games before."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING, Annotated

from pydantic import ConfigDict, Field

from messages.message import Message
from station.contract.fields import PLAYERS_MAX, Body, Name, Word
from station.game.past import PastQuestion, PastTable

if TYPE_CHECKING:
    from station.store.archive import FinishedGame

RECENT = 10
"""Whole games that a handicap is taken from."""
FEW = 3
"""Whole games that each must have played before there is one."""


class LevelGame(Body):
    """A game in which all would stand level."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"rules": "yatzy", "players": ["Ana", "Ben"]}]})
    rules: Word
    players: Annotated[tuple[Name, ...], Field(min_length=1, max_length=PLAYERS_MAX)]


@dataclass(frozen=True, slots=True)
class Handicaps:
    """The points to begin with."""

    handicaps: Annotated[
        tuple[int, ...], Field(description="Of each player; empty where one has played too few whole games.")
    ]


def handicaps(games: "Iterable[FinishedGame]", rules: str, names: Sequence[str]) -> dict[str, int]:
    """Points with which each would start to stand level with the best, from the latest whole games.

    games: the latest first. Empty where somebody has played too few by these rules.
    """
    latest: dict[str, list[int]] = {name: [] for name in names}
    for game in games:
        if game.rules == rules:
            for player in game.whole:
                if len(latest.get(player.name, [0] * RECENT)) < RECENT:
                    latest[player.name].append(player.own)
    if len(names) < 2 or any(len(totals) < FEW for totals in latest.values()):  # noqa: PLR2004 - alone there is none
        return {}
    means = {name: fmean(totals) for name, totals in latest.items()}
    return {name: round(max(means.values()) - mean) for name, mean in means.items()}


def _level(games: "Sequence[FinishedGame]", shown: Callable[[str], str], wanted: LevelGame) -> Handicaps:
    names = tuple(map(shown, wanted.players))  # by which past games are found
    found = handicaps(games, wanted.rules, names)
    return Handicaps(tuple(found.get(name, 0) for name in names) if found else ())


LEVEL: PastQuestion[LevelGame, Handicaps] = PastQuestion(
    name="handicaps",
    summary="With how many points each would begin to stand level, from the latest whole games",
    takes=LevelGame,
    gives=Handicaps,
    answer=_level,
)


def table(game: "FinishedGame", before: "Sequence[FinishedGame]") -> PastTable | None:
    """The totals with handicaps, for a game played without."""
    found = handicaps(before, game.rules, [player.name for player in game.players])
    if not found or any(player.ahead for player in game.players):
        return None
    heads = ("page/common/name", "html/game/start", "html/game/score", "page/common/total")
    return PastTable(
        Message("html/game/handicap"),
        Message("html/game/handicap_told"),
        tuple(map(Message, heads)),
        tuple(
            (each.name, (found[each.name], each.own, each.own + found[each.name])) for each in game.players
        ),
    )
