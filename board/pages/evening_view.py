"""The board's view as values: for its live line, its pages and its paper."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from board.competition import Competition, Result, Spot
from board.drawing import rounds_planned
from board.hall import BoardEvening
from board.standings import Break, breaks_of, standings


@dataclass(frozen=True, slots=True)
class GameView:
    """One game of a round. points: none while it is open, or where nobody played; won: indexes.

    how: "hand", "station", "forfeit"; none while it is open. match: the names of the teams, first game only.
    """

    seating: int
    game: int
    table: str
    players: tuple[str, ...]
    points: tuple[int, ...] | None
    won: tuple[int, ...]
    how: str | None
    match: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RoundView:
    """One round; its number counts from 1."""

    number: int
    games: tuple[GameView, ...]
    resting: tuple[str, ...]

    @property
    def open(self) -> int:
        """Number of games without a result."""
        return sum(each.how is None for each in self.games)


@dataclass(frozen=True, slots=True)
class ResultView:
    """A result that belongs to no game so far. early: the game was ended before its time."""

    table: str
    players: tuple[str, ...]
    points: tuple[int, ...]
    early: bool


@dataclass(frozen=True, slots=True)
class StandingView:
    """One line of the standings."""

    place: int
    name: str
    absent: bool
    played: int
    score: float
    breaks: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class EveningView:
    """A competition. planned: how many rounds there will be, as far as is known.

    earlier: games of rounds before those shown that have no result yet. unclaimed: results of no game, the
    latest first.
    """

    number: int
    title: str
    system: str
    planned: int
    breaks: tuple[str, ...]
    rows: tuple[StandingView, ...]
    rounds: tuple[RoundView, ...]
    earlier: tuple[GameView, ...] = ()
    unclaimed: tuple[ResultView, ...] = ()


def evening_view(evening: BoardEvening, *, last: int | None = None) -> EveningView | None:
    """A competition as it is shown. last: only that many rounds, the latest. None where there is none."""
    competition = evening.competition
    if competition is None:
        return None
    first = 0 if last is None else max(len(competition.rounds) - last, 0)
    keys, stand = breaks_of(competition), standings(competition, evening.results)
    places = [
        i for i, key in enumerate(keys) if key is not Break.AGAIN or any(row.breaks[i] for row in stand)
    ]
    rows = tuple(
        StandingView(
            row.place,
            competition.entrant(row.entrant).name,
            competition.entrant(row.entrant).absent,
            row.played,
            row.score,
            tuple(row.breaks[i] for i in places),
        )
        for row in stand
    )
    rounds = _rounds(competition, evening.results)
    return EveningView(
        competition.number,
        competition.title,
        competition.system.value,
        rounds_planned(competition),
        tuple(keys[i].value for i in places),
        rows,
        rounds[first:],
        tuple(game for each in rounds[:first] for game in each.games if game.how is None),
        tuple(
            ResultView(
                each.station,
                tuple(name for name, _ in each.scores),
                tuple(points for _, points in each.scores),
                early=not each.counts,
            )
            for each in evening.unclaimed
        ),
    )


def _rounds(competition: Competition, results: Mapping[Spot, Result]) -> tuple[RoundView, ...]:
    games: dict[int, list[GameView]] = {number: [] for number in range(len(competition.rounds))}
    for spot, players in competition.games():
        seating = competition.rounds[spot.round].seatings[spot.seating]
        result = results.get(spot)
        teams = tuple(_names(competition, seating.entrants)) if competition.teams and spot.game == 0 else ()
        games[spot.round].append(
            GameView(
                spot.seating, spot.game, seating.tables[spot.game], players,
                None if result is None else result.points, _won(result),
                None if result is None else result.how.value, teams,
            )
        )  # fmt: skip
    return tuple(
        RoundView(number + 1, tuple(games[number]), tuple(_names(competition, drawn.resting)))
        for number, drawn in enumerate(competition.rounds)
    )


def _names(competition: Competition, entrants: Iterable[int]) -> Iterable[str]:
    return (competition.entrant(each).name for each in entrants)


def _won(result: Result | None) -> tuple[int, ...]:
    """The winners of a game; none if only one player sat there, or nobody came."""
    if result is None or not any(result.shares):
        return ()
    best = max(result.shares)
    return tuple(i for i, each in enumerate(result.shares) if each == best)
