"""A competition as its log has it: who takes part, who met whom at which table, the results.

Pure. The log is a list of steps; the state is the result of following them in order, and taking one back is a
step as well.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TypeVar

from board import steps
from board.steps import Step, System

T = TypeVar("T")


class ResultSource(StrEnum):
    """The sources of a result."""

    HAND = "hand"
    STATION = "station"
    FORFEIT = "forfeit"


@dataclass(frozen=True, slots=True)
class Entrant:
    """One entrant: a player, or a team with its members in the order of its tables."""

    id: int
    name: str
    members: tuple[str, ...] = ()
    absent: bool = False

    @property
    def players(self) -> tuple[str, ...]:
        """The names under which a station lists the points."""
        return self.members or (self.name,)


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a game. points: in the order of its players; None if nobody played.

    winners: indexes; where nobody is named, most points win.

    >>> Result((210, 180)).shares, Result((200, 200, 150)).shares, Result(None, (1,)).shares
    ((1.0, 0.0), (1.5, 1.5, 0.0), (0.0, 1.0))
    """

    points: tuple[int, ...] | None
    winners: tuple[int, ...] = ()
    how: ResultSource = ResultSource.HAND
    size: int = 2

    @property
    def duels(self) -> tuple[tuple[float, ...], ...]:
        """Row i: what i gets against each: 1 before that one, 1/2 level, 0 behind.

        Where nobody played, those who were there get it against those who were not.
        """
        size = self.size if self.points is None else len(self.points)
        points = self.points or (0,) * size
        rank = [(True, 0) if each in self.winners else (False, points[each]) for each in range(size)]
        level = 0.0 if self.points is None else 0.5
        return tuple(
            tuple(
                0.0 if i == j else 1.0 if rank[i] > rank[j] else level if rank[i] == rank[j] else 0.0
                for j in range(size)
            )
            for i in range(size)
        )

    @property
    def shares(self) -> tuple[float, ...]:
        """The score of each player: a point for everybody beaten, half a point for everybody level."""
        return tuple(sum(row) for row in self.duels)


@dataclass(frozen=True, slots=True)
class Spot:
    """The place of a game: round, seating and game, each from 0."""

    round: int
    seating: int
    game: int = 0


@dataclass(frozen=True, slots=True)
class Seating:
    """Entrants who meet. tables: of each of its games; "" where none is named."""

    entrants: tuple[int, ...]
    tables: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Round:
    """One round. drawn: the number of its step in the log. resting: who has nobody to play."""

    drawn: int
    seatings: tuple[Seating, ...]
    resting: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Competition:
    """One competition. number: of the step that opened it.

    size: players at a table. meetings: how often each pair meets in a round robin. planned: rounds of a Swiss
    system or of seatings. by_hand: what was typed. taken: games of stations that somebody gave a spot.
    """

    number: int
    title: str
    system: System
    size: int = 2
    meetings: int = 1
    planned: int = 0
    entrants: tuple[Entrant, ...] = ()
    rounds: tuple[Round, ...] = ()
    by_hand: Mapping[Spot, Result] = field(default_factory=dict)
    taken: Mapping[Spot, tuple[str, int]] = field(default_factory=dict)

    def entrant(self, number: int) -> Entrant:
        """The entrant with that number."""
        return self.entrants[number]

    @property
    def teams(self) -> bool:
        """Whether teams meet."""
        return any(each.members for each in self.entrants)

    def games(self, first: int = 0) -> Iterable[tuple[Spot, tuple[str, ...]]]:
        """Every game that was drawn, with its players. first: from that round on."""
        for number, drawn in enumerate(self.rounds[first:], first):
            for place, seating in enumerate(drawn.seatings):
                for game in range(len(seating.tables)):
                    yield Spot(number, place, game), self.players(seating, game)

    def players(self, seating: Seating, game: int) -> tuple[str, ...]:
        """The names of the players of that game of a seating."""
        return tuple(self.entrant(each).players[game] for each in seating.entrants)

    def seating(self, spot: Spot) -> Seating | None:
        """The seating of that game; None if there is no such game."""
        if not 0 <= spot.round < len(self.rounds):
            return None
        seatings = self.rounds[spot.round].seatings
        if not 0 <= spot.seating < len(seatings) or not 0 <= spot.game < len(seatings[spot.seating].tables):
            return None
        return seatings[spot.seating]

    def forfeit(self, spot: Spot) -> Result | None:
        """The result of a game with absent players, won by those present; None if nobody is absent."""
        seating = self.seating(spot)
        if seating is None or not any(self.entrant(each).absent for each in seating.entrants):
            return None
        there = tuple(i for i, each in enumerate(seating.entrants) if not self.entrant(each).absent)
        return Result(None, there, ResultSource.FORFEIT, len(seating.entrants))


def competitions(log: Iterable[tuple[int, Step]]) -> tuple[Competition, ...]:
    """Replay the steps of a log: its competitions, the latest last. log: number and step, in order."""
    standing: list[tuple[int, Step]] = []
    for number, step in log:
        if isinstance(step, steps.UndoStep):
            standing[-1:] = []
        else:
            standing.append((number, step))
    found: list[Competition] = []
    for number, step in standing:
        if isinstance(step, steps.Open):
            found.append(_opened(number, step))
        elif found:
            found[-1] = follow(found[-1], number, step)
    return tuple(found)


def _opened(number: int, step: steps.Open) -> Competition:
    size = step.size if step.system is System.SEATINGS else 2
    return Competition(number, step.title, step.system, size, step.meetings, step.rounds)


def follow(  # noqa: PLR0911 - one for each step
    before: Competition, number: int, step: Step
) -> Competition:
    """The competition after one more step."""
    match step:
        case steps.Enter():
            entrant = Entrant(len(before.entrants), step.name, step.members)
            return replace(before, entrants=(*before.entrants, entrant))
        case steps.Shuffle():
            order = [replace(before.entrants[old], id=new) for new, old in enumerate(step.order)]
            return replace(before, entrants=tuple(order))
        case steps.Attend():
            changed = replace(before.entrants[step.entrant], absent=step.absent)
            return replace(before, entrants=_with(before.entrants, step.entrant, changed))
        case steps.Drawn():
            seatings = tuple(Seating(each.entrants, each.tables) for each in step.seatings)
            lost = {_spot(each): _result(each) for each in step.forfeits}
            drawn = Round(number, seatings, step.resting)
            return replace(before, by_hand={**before.by_hand, **lost}, rounds=(*before.rounds, drawn))
        case steps.MoveGame():
            return _moved(before, step)
        case steps.SetResult():
            return replace(before, by_hand={**before.by_hand, _spot(step): _result(step)})
        case steps.Clear():
            spot = _spot(step)
            hand = {key: each for key, each in before.by_hand.items() if key != spot}
            taken = {key: each for key, each in before.taken.items() if key != spot}
            return replace(before, by_hand=hand, taken=taken)
        case steps.TakeResult():
            return replace(before, taken={**before.taken, _spot(step): (step.station, step.number)})
    return before


def _result(step: steps.SetResult) -> Result:
    how = ResultSource.FORFEIT if step.points is None else ResultSource.HAND
    return Result(step.points, step.winners, how, step.size)


def _moved(before: Competition, step: steps.MoveGame) -> Competition:
    spot = _spot(step)
    old = before.rounds[spot.round]
    seating = old.seatings[spot.seating]
    there = replace(seating, tables=_with(seating.tables, spot.game, step.table))
    changed = replace(old, seatings=_with(old.seatings, spot.seating, there))
    return replace(before, rounds=_with(before.rounds, spot.round, changed))


def _spot(step: steps.AtSpot) -> Spot:
    return Spot(step.round, step.seating, step.game)


def _with(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    return (*values[:index], value, *values[index + 1 :])
