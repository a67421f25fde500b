"""The best thing for the active player to do now, in the slots and boxes of the table."""

from collections import Counter
from collections.abc import Sequence

from messages.message import Message
from station.contract.answers import HintOption, TableHint
from station.game.boxes import bound, unadvised
from station.game.feature import Feature, implementing
from station.game.log.slots import slots_of
from station.game.log.state import Phase, State
from station.game.way import WAY
from station.rules import RuleSet, Sheet, fill
from station.strategy.forward.trials import Offset
from station.strategy.measured import offset_at
from station.strategy.model.position import extra_in, of_sheet
from station.strategy.reasons import keep, labels_of, points_now, reason
from station.strategy.values.decisions import Values
from station.strategy.values.hints import BoxValue, HoldValue, hint, second_boxes
from station.strategy.values.solver import Solution

AS_GOOD = 0.005
"""Decisions that give away no more points are as good as the best."""
SEEN = 0.05
"""Smaller costs are not mentioned: they would read 0.0 points."""
CLOSE = 6.0
"""A box's points at once are preferred if throwing on gains no more than this."""
ALIKE = 3
"""Number of equal dice that look worth keeping."""
HOLDS, BOXES = 5, 3
"""Number of choices of each kind that are compared."""


def table_hint(solution: Values, state: State, offsets: Sequence[Offset] = ()) -> TableHint | None:
    """The best decision on the current dice; None when there is nothing to decide.

    offsets: how far off the values of the game are, where they are not exact and that was measured.
    """
    rules = solution.model.rules
    if not state.running or not state.dice or unadvised(state):
        return None
    holds: tuple[HoldValue, ...] = ()
    where = of_sheet(rules, state.player.sheet, state.saved, bound(state))
    left = state.rolls_left
    if WAY.of(state).filled_in_turn(state):
        boxes = second_boxes(solution, state.player.sheet, state.faces)
    else:
        found = hint(solution, where, state.faces, left)
        boxes = found.boxes
        if state.phase is not Phase.CHOOSING:
            holds = found.holds
    best = holds[0].value if holds else boxes[0].value
    if holds:
        why = reason(solution, where, state.faces, left, holds[0])
    else:
        why = points_now(rules, boxes[0], extra_in(rules, state.player.sheet, boxes[0].category, state.faces))
    offset = None if isinstance(solution, Solution) else offset_at(rules, where, offsets)
    if offset is not None:
        why = Message("hint/about_by", why=why, error=offset.error)
    elif not isinstance(solution, Solution):
        why = Message("hint/about", why=why)
    may_fill = state.phase in WAY.of(state).scores_in
    return TableHint(
        slots=slots_of(holds[0].hold, state.dice, state.held) if holds else None,
        box=boxes[0].category if best - boxes[0].value <= AS_GOOD else None,
        given=_given(best, boxes) if may_fill else {},
        value=round(best + (offset.mean if offset else 0.0), 2),
        reason=why,
        instead=_instead(rules, holds, boxes if may_fill else (), best),
        options=_options(holds, boxes if may_fill else (), best),
        parts=tuple(each.of_hint(holds[0] if holds else None) for each in implementing(Feature.of_hint)),
    )


def _options(holds: Sequence[HoldValue], boxes: Sequence[BoxValue], best: float) -> tuple[HintOption, ...]:
    """The best things to do; to keep all dice is to fill the best box."""
    thrown = [each for each in holds if not _stops(each, holds)][:HOLDS]
    every = [HintOption(each.hold, None, round(best - each.value, 2)) for each in thrown]
    every += [HintOption(None, each.category, round(best - each.value, 2)) for each in boxes[:BOXES]]
    return tuple(sorted(every, key=lambda each: each.less))


def _stops(hold: HoldValue, holds: Sequence[HoldValue]) -> bool:
    """Whether all dice are kept."""
    return len(hold.hold) == max(len(each.hold) for each in holds)


def _instead(
    rules: RuleSet, holds: Sequence[HoldValue], boxes: Sequence[BoxValue], best: float
) -> Message | str:
    """The choice that the dice alone suggest, and how much worse it is, in words; "" if it is not worse.

    The box with most points now, where it is close; else to keep all of three or more alike.
    """
    thrown_on = bool(holds) and not _stops(holds[0], holds)
    most = max(boxes, key=lambda each: each.points, default=None)
    if most and most.points and (most.points > boxes[0].points or thrown_on):
        cost = best - most.value
        if cost >= SEEN and (cost <= CLOSE or not thrown_on):
            box = Message("hint/box_now", box=labels_of(rules, most.category))
            return Message("hint/less", what=box, points=cost)
    for hold in holds:
        alike = len(set(hold.hold)) == 1 and len(hold.hold) >= ALIKE
        whole = alike and not any(
            set(each.hold) == set(hold.hold) and len(each.hold) > len(hold.hold) for each in holds
        )
        if whole and thrown_on and Counter(hold.hold) - Counter(holds[0].hold) and best - hold.value >= SEEN:
            return Message("hint/less", what=keep(hold.hold), points=best - hold.value)
    return ""


def _given(best: float, boxes: Sequence[BoxValue]) -> dict[str, float]:
    """Category -> points given away by it; where two boxes are filled, with the best other one."""
    values: dict[str, float] = {}
    for box in boxes:
        for category in box.category.split("+"):
            values.setdefault(category, box.value)
    return {each: round(best - value, 2) for each, value in values.items() if best - value > AS_GOOD}


def best_second(
    solution: Values, state: State, category: str, group: Sequence[int] | None = None
) -> str | None:
    """The best box for the other five of ten dice; None if none is open.

    category: the box for the first five, `group` their faces; None where they may be any.
    """
    rules, sheet = solution.model.rules, state.player.sheet
    if group is None:
        pairs = [
            each.category.split("+") for each in hint(solution, of_sheet(rules, sheet), state.faces, 0).boxes
        ]
        return next((one if two == category else two for one, two in pairs if category in (one, two)), None)
    rest = list(state.faces)
    for face in group:
        rest.remove(face)
    boxes = second_boxes(solution, fill(rules, sheet, category, group), rest)
    return boxes[0].category if boxes else None


def turn_ended(solution: Values, state: State) -> Sheet:
    """The active player's sheet with the second box of the turn as filled best."""
    rules, sheet = solution.model.rules, state.player.sheet
    best = second_boxes(solution, sheet, state.faces)[0]
    return fill(rules, sheet, best.category, state.faces)
