"""What past games say about the players: pure arithmetic on finished games.

A statistic says all about itself in `STATISTICS`; its words stand in the catalogues under `statistic/`. The
page's columns follow from that.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

from station.contract.averages import Average
from station.rules.ruleset import RuleSet
from station.store.archive import FinishedGame, FinishedPlayer
from web.core import i18n


@dataclass(frozen=True, slots=True)
class PlayerGames:
    """The games of one player by one rule set, oldest first.

    whole: those that were played to their end; the others count as games and wins alone.
    """

    name: str
    games: tuple[tuple[FinishedGame, FinishedPlayer], ...]

    @property
    def whole(self) -> tuple[FinishedPlayer, ...]:
        """The player's sheets of games that were played to their end."""
        return tuple(player for game, player in self.games if player in game.whole)

    @property
    def totals(self) -> tuple[int, ...]:
        """Final scores without handicaps, oldest first."""
        return tuple(player.own for player in self.whole)

    @property
    def boxes(self) -> dict[str, float]:
        """Category -> average points, filled boxes only."""
        points: dict[str, list[int]] = {}
        for player in self.whole:
            for category, got in player.boxes.items():
                if got is not None:
                    points.setdefault(category, []).append(got)
        return {category: fmean(got) for category, got in points.items()}


@dataclass(frozen=True, slots=True)
class Statistic:
    """A figure about a player. key: its words; figure: None where there is none; written: for people."""

    key: str
    figure: Callable[[PlayerGames], float | None]
    written: Callable[[float | None], str] = i18n.whole


def _wins(played: PlayerGames) -> int:
    return sum(
        player.won and len(game.took_part) > 1 for game, player in played.games
    )  # a win needs an opponent


STATISTICS = (
    Statistic("statistic/games", lambda played: len(played.games)),
    Statistic("statistic/wins", _wins),
    Statistic(
        "statistic/average", lambda played: fmean(played.totals) if played.whole else None, i18n.figure
    ),
    Statistic("statistic/best", lambda played: max(played.totals, default=None)),
    Statistic(
        "statistic/bonus",
        lambda played: fmean(player.bonus > 0 for player in played.whole) if played.whole else None,
        i18n.share,
    ),
)


def of_rules(rules: RuleSet | None) -> tuple[Statistic, ...]:
    """The figures of games by these rules; None: rules that are unknown now."""
    no_bonus = rules is not None and not rules.bonuses
    return tuple(each for each in STATISTICS if not (no_bonus and each.key == "statistic/bonus"))


def rule_sets(games: Iterable[FinishedGame]) -> tuple[str, ...]:
    """The rule sets played, the most played first."""
    counts: dict[str, int] = {}
    for game in games:
        counts[game.rules] = counts.get(game.rules, 0) + 1
    return tuple(sorted(counts, key=lambda rules: -counts[rules]))


def players(games: Sequence[FinishedGame], rules: str) -> tuple[PlayerGames, ...]:
    """Everybody who played by these rules, the most frequent player first. games: latest first."""
    found: dict[str, list[tuple[FinishedGame, FinishedPlayer]]] = {}
    for game in reversed(games):
        if game.rules == rules:
            for player in game.took_part:
                found.setdefault(player.name, []).append((game, player))
    everybody = (PlayerGames(name, tuple(theirs)) for name, theirs in found.items())
    return tuple(sorted(everybody, key=lambda played: (-len(played.games), played.name.casefold())))


def averages(games: Sequence[FinishedGame]) -> tuple[Average, ...]:
    """Of everybody, who played most first, each by the rule set they played most. games: latest first."""
    most: dict[str, tuple[str, PlayerGames]] = {}
    for rules in rule_sets(games):
        for played in players(games, rules):
            if played.name not in most or len(played.games) > len(most[played.name][1].games):
                most[played.name] = rules, played
    found = [
        Average(
            name=name,
            rules=rules,
            games=len(played.games),
            wins=_wins(played),
            average=round(fmean(played.totals), 1) if played.totals else None,
            best=max(played.totals, default=None),
        )
        for name, (rules, played) in most.items()
    ]
    return tuple(sorted(found, key=lambda each: (-each.games, each.name.casefold())))
