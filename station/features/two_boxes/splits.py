"""Ten dice for two boxes (Double Cameroon): which five go where, and what that brings."""

from messages.errors import BadInputError, RefusalError
from station.contract.answers import SecondBox, TwoBoxes
from station.game.log.slots import slots_of
from station.game.log.state import State
from station.game.way import Second, Slots
from station.rules import RuleSet, Sheet, best_split, fill


def split(state: State, best: Second, category: str, second: str | None, slots: Slots | None) -> TwoBoxes:
    """One way to give ten dice to two boxes of the active player.

    category: the box that gets five of them; second: the other box, None for the best one. slots: the five
    dice for `category`; None for those that make both boxes together worth most.
    Raises BadInputError where there are no ten dice and for what is no box or no five dice, RefusalError for
    a box that is filled.
    """
    rules, dice = state.played, state.dice
    if not state.running or len(dice) != rules.dice:
        raise BadInputError("split/none")
    sheet = state.player.sheet
    partners = _partners(rules, sheet, category)
    if second is not None and second not in partners:
        raise RefusalError("split/two_boxes", code="box/filled")
    throw = max(state.throws_done, 1)
    if slots is None:
        second = second or best(state, category, None)
        slots = tuple(die.slot for die in dice[: rules.group])
        if second is not None:
            group = best_split(rules, sheet, (category, second), state.faces, throw).groups[0]
            slots = slots_of(group, dice, state.held)
    group = tuple(die.face for die in dice if die.slot in slots)
    rest = [die.face for die in dice if die.slot not in slots]
    if len(set(slots)) != rules.group or len(group) != rules.group:
        raise BadInputError("box/pick_five", code="box/five_dice")
    after = fill(rules, sheet, category, group, throw)
    return TwoBoxes(
        category,
        after.points(category) or 0,
        tuple(sorted(slots)),
        second or best(state, category, group),
        tuple(SecondBox(each, fill(rules, after, each, rest, throw).points(each) or 0) for each in partners),
    )


def _partners(rules: RuleSet, sheet: Sheet, category: str) -> tuple[str, ...]:
    """The open boxes beside this one, which has to be open itself."""
    fill(rules, sheet, category, [1] * rules.group)  # raises the refusal that says why it cannot be
    return tuple(each for each in sheet.open(rules) if each != category)
