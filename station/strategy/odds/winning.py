"""The decision that wins most often: "calculate backward from a winning score" (document 004).

It looks one turn ahead: for every way the turn can end, the chance that the distribution of the final score
that follows beats those of the others. Equal chances are ordered by points.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from station.rules.dice import Dice
from station.strategy.model.model import Action, Model
from station.strategy.model.multisets import Floats
from station.strategy.model.position import SheetIndex, place, thrown
from station.strategy.odds.distributions import Finals
from station.strategy.odds.win_chances import CurrentRoll, PlayerStanding, final_of, share_of
from station.strategy.values.decisions import Decision, decision
from station.strategy.values.hints import Hint, hint, name_of
from station.strategy.values.solver import Solution
from station.strategy.values.turn import throws_back

DIGITS = 9
"""Chances that agree in this many digits are the same, and points decide."""

RARE = 0.001
"""Chances to win, and what a decision adds to them, are not spoken of below this."""


@dataclass(frozen=True, slots=True)
class WinHold:
    """Dice to hold, the chance to win with them, and the points still to come."""

    hold: Dice
    chance: float
    value: float


@dataclass(frozen=True, slots=True)
class WinBox:
    """A box to fill now, the chance to win with it, its points, and the points still to come."""

    category: str
    chance: float
    points: int
    value: float


@dataclass(frozen=True, slots=True)
class WinHint:
    """Holds (none after the last throw) and boxes by the chance to win, best first, ties by points.

    `exact`: both players play to win until the end of the game; else the hint looks one turn ahead.
    """

    holds: tuple[WinHold, ...]
    boxes: tuple[WinBox, ...]
    points_hint: Hint
    exact: bool = False

    @property
    def chance(self) -> float:
        """The chance to win with the best decision."""
        return self.holds[0].chance if self.holds else self.boxes[0].chance

    @property
    def differs(self) -> bool:
        """Whether winning asks for another decision than points, by a chance that is worth a word."""
        if self.holds:
            found = [each.chance for each in self.holds if each.hold in self.points_hint.best_holds]
        else:
            found = [each.chance for each in self.boxes if each.category in self.points_hint.best_boxes]
        return self.chance - max(found) >= RARE


def win_hint(
    solution: Solution, table: Finals, standings: Sequence[PlayerStanding], active: int, throw: CurrentRoll
) -> WinHint:
    """The decisions of the active player by the chance to win, looking one turn ahead."""
    me = standings[active]
    share = share_of([final_of(table, each) for each in standings], active)
    where = place(solution.model, me.where)
    points = decision(solution.model, *where, solution.values)
    return by_chance(solution, me, throw, turn_ends(solution.model, table, where, share, me.total, points))


def turn_ends(
    model: Model, table: Finals, where: SheetIndex, share: Floats, total: int, points: Decision
) -> Decision:
    """As `points`, the decision by points, but the values are chances to win.

    `share` (points,) is that of each final score.
    """
    top = total + table.width(where.mask) + 2 * model.further_yacht + 1
    share = np.concatenate((share, np.ones(max(top - len(share), 0))))
    late, first = [], []
    for action in points.actions:
        reached = np.array(
            [_reached(model, table, action, kind, share, top) for kind in range(len(action.after))]
        )
        late.append(_landed(model, where, action, reached, total, first=False))
        if model.throw_matters:
            first.append(_landed(model, where, action, reached, total, first=True))
    of_late = np.array(late)
    return Decision(points.actions, of_late, np.array(first) if first else of_late, model.rules.throws)


def _reached(model: Model, table: Finals, action: Action, kind: int, share: Floats, top: int) -> Floats:
    """(points,) the chance to win from the sheet that follows an action, with each total so far."""
    sheet = int(action.after[kind, 0])
    mask = model.layout.mask_of(sheet)
    follow = table.of(mask, sheet - model.layout.offset[mask])
    chance = np.correlate(share, follow, mode="valid")
    wide: Floats = np.concatenate((chance, np.repeat(chance[-1], max(top - len(chance), 0))))
    return wide[:top]


def _landed(
    model: Model, where: SheetIndex, action: Action, reached: Floats, total: int, *, first: bool
) -> Floats:
    """(rolls,) the chance to win when the action ends the turn on each roll; -1 where it is forbidden."""
    points, kind_of = action.scored(first=first, left=0)
    kinds = np.zeros(len(points), dtype=np.intp) if kind_of is None else kind_of
    so_far = points + total
    if action.bonus is not None:
        so_far += action.bonus[kinds, 0]
    paid = model.paid_for_yacht(where.mask)
    if paid is not None:
        so_far[model.yachts] += paid[where.column]
    chance = reached[kinds, np.clip(so_far, 0, reached.shape[1] - 1).astype(np.intp)]
    found: Floats = np.where(points < 0, -1.0, chance)
    return found


def by_chance(
    solution: Solution, me: PlayerStanding, throw: CurrentRoll, end: Decision, *, exact: bool = False
) -> WinHint:
    """All holds and boxes of a position, where the ends of the turn are chances to win."""
    model = solution.model
    plain = hint(solution, me.where, throw.dice, throw.rolls_left)
    faces = thrown(model.rules, throw.dice, throw.rolls_left)
    is_first = throw.rolls_left == model.rules.throws - 1
    now = (end.first if is_first else end.late)[:, model.place(faces)]
    of_box = {name_of(model, action): float(chance) for action, chance in zip(end.actions, now, strict=True)}
    boxes = [WinBox(box.category, of_box[box.category], box.points, box.value) for box in plain.boxes]
    holds: list[WinHold] = []
    if throw.rolls_left:
        first = end.best(first=True) if model.throw_matters else None
        levels = model.dice.expect(throws_back(model, end.best(first=False), first, throw.rolls_left - 1))
        levels[-1] = end.best(first=is_first)
        holds = [
            WinHold(hold.hold, float(levels[len(hold.hold)][model.place(hold.hold), 0]), hold.value)
            for hold in plain.holds
        ]
    return WinHint(
        tuple(sorted(holds, key=lambda each: (-round(each.chance, DIGITS), -each.value))),
        tuple(sorted(boxes, key=lambda each: (-round(each.chance, DIGITS), -each.value))),
        plain,
        exact,
    )
