"""What past games say about the players: pure arithmetic on the archive's games."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

from station.store.archive import PastGame, PastPlayer


@dataclass(frozen=True, slots=True)
class PlayerRecord:
    """One player by one rule set. bonus_rate: share of games with the upper bonus, 0-1.

    totals: final scores, oldest first. boxes: category -> average points, filled boxes only.
    Games that were ended early count as games, but not for averages, best and boxes.
    """

    name: str
    games: int
    wins: int
    average: float | None
    best: int | None
    bonus_rate: float | None
    totals: tuple[int, ...]
    boxes: dict[str, float]


def rule_sets(games: Iterable[PastGame]) -> tuple[str, ...]:
    """The rule sets played, the most played first."""
    counts: dict[str, int] = {}
    for game in games:
        counts[game["rules"]] = counts.get(game["rules"], 0) + 1
    return tuple(sorted(counts, key=lambda rules: -counts[rules]))


def records(games: Sequence[PastGame], rules: str) -> tuple[PlayerRecord, ...]:
    """Everybody who played by these rules, the most frequent player first.

    games: latest first, as the archive gives them. A win needs an opponent.
    """
    entries: dict[str, list[tuple[PastGame, PastPlayer]]] = {}
    for game in reversed(games):
        if game["rules"] == rules:
            for player in game["players"]:
                entries.setdefault(player["name"], []).append((game, player))
    found = [_record(name, played) for name, played in entries.items()]
    return tuple(sorted(found, key=lambda record: (-record.games, record.name.casefold())))


def _record(name: str, played: list[tuple[PastGame, PastPlayer]]) -> PlayerRecord:
    whole = [player for game, player in played if not game["ended_early"]]
    totals = tuple(player["total"] for player in whole)
    boxes: dict[str, list[int]] = {}
    for player in whole:
        for category, points in player["boxes"].items():
            if points is not None:
                boxes.setdefault(category, []).append(points)
    return PlayerRecord(
        name=name,
        games=len(played),
        wins=sum(1 for game, player in played if player["won"] and len(game["players"]) > 1),
        average=fmean(totals) if totals else None,
        best=max(totals, default=None),
        bonus_rate=fmean(1.0 if player["bonus"] else 0.0 for player in whole) if whole else None,
        totals=totals,
        boxes={category: fmean(points) for category, points in boxes.items()},
    )
