"""The standings of a competition. Pure.

A game gives a point for everybody who ended behind, half a one for who ended level: between two the 1, 1/2
and 0 of chess. Ties are broken as FIDE's regulations name them (Handbook C.07, of August 2024), in the end by
the points of the dice, which chess has not.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from board.competition import Competition, Result, Round, Seating, Spot
from board.steps import System


class Break(StrEnum):
    """Tie-breaks."""

    BOARDS = "boards"
    DIRECT = "direct"
    AGAIN = "again"
    WINS = "wins"
    BUCHHOLZ_CUT = "buchholz_cut"
    BUCHHOLZ = "buchholz"
    SONNEBORN = "sonneborn"
    POINTS = "points"


BREAKS: Mapping[System, tuple[Break, ...]] = {
    System.ROUND_ROBIN: (Break.DIRECT, Break.AGAIN, Break.WINS, Break.SONNEBORN, Break.POINTS),
    System.SWISS: (Break.BUCHHOLZ_CUT, Break.BUCHHOLZ, Break.SONNEBORN, Break.POINTS),
    System.SEATINGS: (Break.WINS, Break.POINTS),
    System.KNOCKOUT: (Break.POINTS,),
}
"""The tie-breaks of each system, in order; with teams their games come first."""


@dataclass(frozen=True, slots=True)
class StandingsRow:
    """One line of the standings. place: from 1, shared by those whom no tie-break separates.

    breaks: in the order of `breaks_of`. score: of a knockout the rounds they came through.
    """

    entrant: int
    place: int
    played: int
    score: float
    breaks: tuple[float, ...]


@dataclass(slots=True)
class Tally:
    """The counts of one entrant. duels: the opponents, with the score against each.

    unplayed: rounds without a game; given: what they brought.
    """

    played: int = 0
    score: float = 0.0
    wins: int = 0
    boards: float = 0.0
    points: int = 0
    duels: list[tuple[int, float]] = field(default_factory=list)
    unplayed: int = 0
    given: float = 0.0


def breaks_of(competition: Competition) -> tuple[Break, ...]:
    """The tie-breaks of this competition."""
    own = BREAKS[competition.system]
    return (Break.BOARDS, *own) if competition.teams else own


def duels(games: list[Result]) -> tuple[tuple[float, ...], ...]:
    """The duels of a seating, as in `Result.duels`; of several games (teams) the sum decides."""
    if len(games) == 1:
        return games[0].duels
    one, other = (sum(each.shares[side] for each in games) for side in (0, 1))
    first = 1.0 if one > other else 0.5 if one == other and one > 0 else 0.0
    return ((0.0, first), (1.0 if other > one else first if one == other else 0.0, 0.0))


def played(
    drawn: Round, number: int, results: Mapping[Spot, Result]
) -> tuple[tuple[Seating, list[Result]], ...]:
    """The seatings of a round all of whose games have a result."""
    found = []
    for place, seating in enumerate(drawn.seatings):
        games = [results.get(Spot(number, place, game)) for game in range(len(seating.tables))]
        whole = [each for each in games if each is not None]
        if len(whole) == len(games):
            found.append((seating, whole))
    return tuple(found)


def tallies(competition: Competition, results: Mapping[Spot, Result]) -> dict[int, Tally]:
    """The tally of each entrant, by number."""
    found = {each.id: Tally() for each in competition.entrants}
    out = _withdrawn(competition, results)
    for number, drawn in enumerate(competition.rounds):
        placed: set[int] = set()
        for seating, games in played(drawn, number, results):
            placed.update(seating.entrants)
            if not out & set(seating.entrants):
                _count(found, seating, games, everybody_meets=competition.system is System.ROUND_ROBIN)
        for each in drawn.resting if competition.system is not System.ROUND_ROBIN else ():
            found[each].score += 1.0  # as for a win (C.04.1, article 3); in a knockout a round survived
            found[each].unplayed += 1
            found[each].given += 1.0
            placed.add(each)
        waiting = {each for seating in drawn.seatings for each in seating.entrants}
        for one in competition.entrants:
            found[one.id].unplayed += one.id not in placed and one.id not in waiting
    if competition.system is System.KNOCKOUT:
        _by_way(competition, results, found)
    return found


def _by_way(competition: Competition, results: Mapping[Spot, Result], found: dict[int, Tally]) -> None:
    """The scores of a knockout: a result set right once the next round was drawn changes nobody's way."""
    for own in found.values():
        own.score = 0.0
    for drawn in competition.rounds[1:]:
        for each in (*drawn.resting, *(one for seating in drawn.seatings for one in seating.entrants)):
            found[each].score += 1.0
    for drawn in competition.rounds[-1:]:
        for seating, games in played(drawn, len(competition.rounds) - 1, results):
            for each, row in zip(seating.entrants, duels(games), strict=True):
                found[each].score += sum(row)
        for each in drawn.resting:
            found[each].score += 1.0


def _count(found: dict[int, Tally], seating: Seating, games: list[Result], *, everybody_meets: bool) -> None:
    """Count a seating. everybody_meets: a game without play is one against who was to be met (C.07, 16)."""
    rows = duels(games)
    for place, entrant in enumerate(seating.entrants):
        own = found[entrant]
        own.score += sum(rows[place])
        behind = [share == 1.0 for i, share in enumerate(rows[place]) if i != place]
        own.wins += bool(behind) and all(behind)  # alone nobody wins
        own.boards += sum(each.shares[place] for each in games)
        own.points += sum(each.points[place] for each in games if each.points is not None)
        without_game = all(each.points is None for each in games)
        own.played += not without_game
        if without_game and not everybody_meets:
            own.unplayed += 1
            own.given += sum(rows[place])
            continue
        own.duels += [(other, rows[place][i]) for i, other in enumerate(seating.entrants) if i != place]


def _withdrawn(competition: Competition, results: Mapping[Spot, Result]) -> set[int]:
    """The entrants who left a round robin before half of their games: no game by or against them counts.

    (FIDE's General Regulations for Competitions. From half on, games not played are lost.)
    """
    if competition.system is not System.ROUND_ROBIN:
        return set()
    games: dict[int, int] = defaultdict(int)
    for spot, result in results.items():
        seating = competition.seating(spot)
        for each in seating.entrants if seating is not None and result.points is not None else ():
            games[each] += 1
    all_ = (len(competition.entrants) - 1) * competition.meetings
    half = all_ * max((len(each.players) for each in competition.entrants), default=1) / 2
    return {each.id for each in competition.entrants if each.absent and games[each.id] < half}


def standings(competition: Competition, results: Mapping[Spot, Result]) -> tuple[StandingsRow, ...]:
    """Everybody, best first."""
    found = tallies(competition, results)
    keys: dict[int, tuple[float, ...]] = {each: (own.score,) for each, own in found.items()}
    for name in breaks_of(competition):
        level: dict[tuple[float, ...], list[int]] = defaultdict(list)
        for each, key in keys.items():
            level[key].append(each)
        for group in level.values():
            for each, value in _MEASURES[name](group, found).items():
                keys[each] = (*keys[each], value)
    order = sorted(found, key=lambda each: tuple(-value for value in keys[each]))
    rows: list[StandingsRow] = []
    for index, each in enumerate(order):
        equal = bool(rows) and keys[each] == keys[rows[-1].entrant]
        place = rows[-1].place if equal else index + 1
        own = found[each]
        rows.append(StandingsRow(each, place, own.played, own.score, keys[each][1:]))
    return tuple(rows)


def _direct(level: Collection[int], found: Mapping[int, Tally]) -> dict[int, float]:
    """The points of these against each other, if all of them have met (C.07, direct encounter)."""
    those = set(level)
    if not all({met for met, _ in found[each].duels} >= those - {each} for each in level):
        return dict.fromkeys(level, 0.0)
    return {each: sum(share for other, share in found[each].duels if other in those) for each in level}


def _again(level: Collection[int], found: Mapping[int, Tally]) -> dict[int, float]:
    """Whom direct encounter leaves level, by direct encounter of these alone, until it changes nothing.

    The value: how many of these are behind by it.
    """
    groups: dict[float, list[int]] = defaultdict(list)
    for each, share in _direct(level, found).items():
        groups[share].append(each)
    if len(groups) < 2:  # noqa: PLR2004 - it tells nobody apart
        return dict.fromkeys(level, 0.0)
    values: dict[int, float] = {}
    for share in sorted(groups):
        behind = len(values)
        values |= {each: behind + value for each, value in _again(groups[share], found).items()}
    return values


def _buchholz(each: int, found: Mapping[int, Tally]) -> list[float]:
    """The scores of all opponents; a round without a game counts as one against the own score (C.07, 16)."""
    own = found[each]
    return [found[other].score for other, _ in own.duels] + [own.score] * own.unplayed


def _sonneborn(each: int, found: Mapping[int, Tally]) -> float:
    """The scores of those beaten, half those of level ones; a round without a game as in `_buchholz`."""
    own = found[each]
    return sum(share * found[other].score for other, share in own.duels) + own.given * own.score


def _buchholz_cut(each: int, found: Mapping[int, Tally]) -> float:
    scores = _buchholz(each, found)
    return sum(scores) - min(scores, default=0.0)


Measure = Callable[[Collection[int], Mapping[int, Tally]], Mapping[int, float]]
"""A tie-break of some who are level so far."""


def _of_each(value: Callable[[int, Mapping[int, Tally]], float]) -> Measure:
    """A measure that does not depend on who else is level."""
    return lambda level, found: {each: value(each, found) for each in level}


_MEASURES: Mapping[Break, Measure] = {
    Break.BOARDS: _of_each(lambda each, found: found[each].boards),
    Break.DIRECT: _direct,
    Break.AGAIN: _again,
    Break.WINS: _of_each(lambda each, found: found[each].wins),
    Break.BUCHHOLZ_CUT: _of_each(_buchholz_cut),
    Break.BUCHHOLZ: _of_each(lambda each, found: sum(_buchholz(each, found))),
    Break.SONNEBORN: _of_each(_sonneborn),
    Break.POINTS: _of_each(lambda each, found: found[each].points),
}
