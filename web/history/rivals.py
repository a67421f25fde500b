"""What finished games say about people among each other: ratings, head-to-head. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from station.store.archive import FinishedGame, FinishedPlayer
from web.history.evening import evenings

START = 1500.0
"""The rating of somebody who has not played."""
STEP = 32.0
"""Points of a rating that a game of two can move."""
SPREAD = 400.0
"""A rating that is this much higher makes a win ten times as likely (Elo)."""


def against(one: FinishedPlayer, other: FinishedPlayer) -> float:
    """1 for who won, or is higher; 0.5 for equal ones.

    >>> ana = FinishedPlayer("Ana", {}, 0, 0, 0, 200, won=True)
    >>> against(ana, FinishedPlayer("Ben", {}, 0, 0, 0, 210, won=False))
    1.0
    """
    mine, theirs = ((player.won, player.total) for player in (one, other))
    return 1.0 if mine > theirs else 0.0 if mine < theirs else 0.5


def ratings(games: Sequence[FinishedGame]) -> dict[str, tuple[float, ...]]:
    """Elo of everybody after each evening they played in. games: the latest first.

    A game of many is one of every two of them, each weighing as much less; whatever the rules. One that
    nobody has won says nothing.
    """
    now: dict[str, float] = {}
    curves: dict[str, list[float]] = {}
    for evening in evenings(games):
        came: dict[str, None] = {}
        for game in (each for each in evening if each.won):
            for name, change in _changes(game, now).items():
                now[name] = now.get(name, START) + change
                came[name] = None
        for name in came:
            curves.setdefault(name, []).append(now[name])
    return {name: tuple(after) for name, after in curves.items()}


def _changes(game: FinishedGame, now: dict[str, float]) -> dict[str, float]:
    there = game.took_part
    changes = {player.name: 0.0 for player in there} if len(there) > 1 else {}
    for one, other in combinations(there, 2):
        apart = now.get(other.name, START) - now.get(one.name, START)
        expected = 1 / (1 + 10 ** (apart / SPREAD))
        change = STEP / (len(there) - 1) * (against(one, other) - expected)
        changes[one.name] += change
        changes[other.name] -= change
    return changes


@dataclass(frozen=True, slots=True)
class Rival:
    """One against another, over all games both played; games that are neither won nor lost were even."""

    name: str
    games: int
    won: int
    lost: int


def rivals(games: Iterable[FinishedGame], name: str) -> tuple[Rival, ...]:
    """Everybody whom somebody has played, the most frequent first; games that nobody has won are left out."""
    met: dict[str, list[float]] = {}
    for game in (each for each in games if each.won):
        mine = next((player for player in game.took_part if player.name == name), None)
        for other in game.took_part if mine else ():
            if mine and other.name != name:
                met.setdefault(other.name, []).append(against(mine, other))
    found = [Rival(other, len(results), results.count(1), results.count(0)) for other, results in met.items()]
    return tuple(sorted(found, key=lambda each: (-each.games, each.name.casefold())))
