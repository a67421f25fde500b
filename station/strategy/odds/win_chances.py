"""Each player's chance to win.

For players who take turns, each with dice of their own. Everyone's final score is taken to come about by play
for points; the scores are then independent of each other, and of equal best scores each player has an equal
share.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from station.rules.dice import Dice
from station.strategy.forward.flow import Ends, play
from station.strategy.model.model import Action, Model
from station.strategy.model.multisets import Floats
from station.strategy.model.position import Position, SheetIndex, has_won, place, thrown
from station.strategy.odds.distributions import Finals
from station.strategy.values.decisions import Decision, decision
from station.strategy.values.solver import Solution


@dataclass(frozen=True, slots=True)
class PlayerStanding:
    """One player: the position of the sheet, and its total so far with bonus and further yachts."""

    where: Position
    total: int

    @property
    def done(self) -> bool:
        """Whether the sheet is full."""
        return not self.where.open


@dataclass(frozen=True, slots=True)
class CurrentRoll:
    """The dice of the player whose turn it is, and how often they may be thrown again."""

    dice: Dice
    rolls_left: int


def chances(
    solution: Solution,
    table: Finals,
    standings: Sequence[PlayerStanding],
    active: int,
    throw: CurrentRoll | None = None,
) -> tuple[float, ...]:
    """Each player's chance to win, in the order of the seats; they add up to 1.

    `active` is whose turn it is, `throw` the dice of that turn, None before its first throw. In General the
    chances that someone's first throw wins the game at once are counted.
    """
    finals = [
        final_of(table, each)
        if throw is None or seat != active
        else final_in_turn(solution, table, each, throw)
        for seat, each in enumerate(standings)
    ]
    plain = shares(finals)
    rules = solution.model.rules
    if not rules.first_throw_yacht_wins:
        return plain
    if throw is not None and has_won(rules, throw.dice, throw.rolls_left):
        return tuple(float(seat == active) for seat in range(len(standings)))
    at_once, going_on = first_throw_wins(solution.model, standings, active, thrown_already=throw is not None)
    return tuple(win + going_on * share for win, share in zip(at_once, plain, strict=True))


def first_throw_wins(
    model: Model, standings: Sequence[PlayerStanding], active: int, *, thrown_already: bool
) -> tuple[tuple[float, ...], float]:
    """Each player's chance to end the game by five alike in a first throw to come, and that nobody does."""
    chance = float(model.dice.chance[model.yachts].sum())
    turns = [len(each.where.open) for each in standings]
    wins = [0.0] * len(standings)
    going_on, skip = 1.0, thrown_already
    while any(turns):
        for seat in (*range(active, len(turns)), *range(active)):
            if turns[seat]:
                turns[seat] -= 1
                if not skip:
                    wins[seat] += going_on * chance
                    going_on *= 1 - chance
            skip = False
    return tuple(wins), going_on


def shares(finals: Sequence[Floats]) -> tuple[float, ...]:
    """Each player's chance to have the best score; of equal ones each has an equal share.

    `finals` are distributions of final scores: (points,), by points from 0, each adding up to 1.

    >>> [round(share, 3) for share in shares([np.array([0.5, 0.5]), np.array([0.0, 1.0])])]
    [0.25, 0.75]
    """
    best = [share_of(finals, player) for player in range(len(finals))]
    return tuple(float(final @ best[player][: len(final)]) for player, final in enumerate(finals))


def share_of(finals: Sequence[Floats], player: int) -> Floats:
    """(points,) the share of the win a player has with each final score, up to the highest of all players.

    With k others tied at the top the share is 1 / (k + 1), the integral of z to the power k from 0 to 1: so
    the product over the others of "below + z times equal" is integrated, exactly, by Gauss's rule.
    """
    points = max(len(final) for final in finals)
    nodes, weights = _gauss(len(finals) // 2 + 1)
    share = np.zeros(points)
    for node, weight in zip((nodes + 1) / 2, weights / 2, strict=True):
        product = np.full(points, float(weight))
        for other, final in enumerate(finals):
            if other != player:
                equal = np.zeros(points)
                equal[: len(final)] = final
                product *= np.cumsum(equal) - equal + node * equal
        share += product
    return share


@cache
def _gauss(count: int) -> tuple[Floats, Floats]:
    """The nodes and weights of Gauss's rule, between -1 and 1."""
    rule: Callable[[int], tuple[Floats, Floats]] = np.polynomial.legendre.leggauss
    return rule(count)


def final_of(table: Finals, standing: PlayerStanding) -> Floats:
    """(points,) the distribution of a player's final score, between turns."""
    if standing.done:
        return moved(np.ones(1), standing.total)
    where = place(table.model, standing.where)
    return moved(table.of(where.mask, where.column), standing.total)


def final_in_turn(solution: Solution, table: Finals, standing: PlayerStanding, throw: CurrentRoll) -> Floats:
    """(points,) the distribution of a player's final score, with dice on the table."""
    model = solution.model
    faces = thrown(model.rules, throw.dice, throw.rolls_left)
    where = place(model, standing.where)
    end = decision(model, where.mask, where.column, solution.values)
    now = np.zeros((len(model.dice.rolls), 1))
    now[model.place(faces)] = 1.0
    if throw.rolls_left == 0:
        ends = Ends(now * 0, now)
    else:
        first = end.best(first=True) if model.throw_matters else None
        ends = play(model, end.best(first=False), first, now, throw.rolls_left)
    return moved(_after_turn(model, table, where, end, ends), standing.total)


def _after_turn(model: Model, table: Finals, where: SheetIndex, end: Decision, ends: Ends) -> Floats:
    """(points,) the distribution of the points still to come, given how often the turn ends on which dice."""
    # What a bonus has paid on the way is still room in the sheets that follow.
    paid = model.rules.bonus.most if model.rules.bonus else 0
    found = np.zeros(table.width(where.mask) + model.further_yacht + paid + 1)
    for chances, values, first in ((ends.first, end.first, True), (ends.late, end.late, False)):
        chosen = values.argmax(axis=0)
        for roll in np.flatnonzero(chances[:, 0]).tolist():
            action = end.actions[int(chosen[roll])]
            after, column, points = landing(model, where, action, roll, first=first)
            follow = table.of(after, column)
            found[points : points + len(follow)] += float(chances[roll, 0]) * follow
    found /= found.sum()
    return found


def landing(
    model: Model, where: SheetIndex, action: Action, roll: int, *, first: bool
) -> tuple[int, int, int]:
    """The mask and column of the sheet that follows an action, and the points gained on the way."""
    after = where.mask
    for bit in action.boxes:
        after &= ~(1 << bit)
    scored, kinds = action.scored(first=first, left=0)
    kind, points = 0 if kinds is None else int(kinds[roll]), float(scored[roll])
    if action.bonus is not None:
        points += float(action.bonus[kind, 0])
    paid = model.paid_for_yacht(where.mask)
    if paid is not None and roll in model.yachts:
        points += float(paid[where.column])
    return after, int(action.after[kind, 0] - model.layout.offset[after]), round(points)


def moved(distribution: Floats, points: int) -> Floats:
    """The distribution with that many points on top."""
    return np.concatenate((np.zeros(points), distribution))
