"""Ten dice for two boxes (Double Cameroon): which five go where, and what that brings."""

import re

from messages.errors import BadInputError, RefusalError
from station.contract.answers import SecondBox, TwoBoxes
from station.game.slots import slots_of
from station.game.state import State
from station.rules import RuleSet, Sheet, best_split, fill
from station.rules.dice import GROUP

DIGITS = re.compile(r"[0-9]{1,2}")


def split(
    state: State, category: str, second: str | None = None, slots: tuple[int, ...] | None = None
) -> TwoBoxes:
    """One way to give ten dice to two boxes of the active player.

    category: the box that gets five of them; second: the other box, None for the one that goes best with
    it. slots: the five dice for `category`; None for those that make both boxes together worth most.
    Raises BadInputError where there are no ten dice and for what is no box or no five dice, RefusalError for
    a box that is filled.
    """
    rules, dice = state.rules, state.dice
    if rules is None or not state.running or len(dice) != 2 * GROUP:
        raise BadInputError("split/none")
    sheet = state.player.sheet
    partners = _partners(rules, sheet, category)
    if second is not None and second not in partners:
        raise RefusalError("split/two_boxes", code="box/filled")
    throw = max(state.throws_done, 1)
    if slots is None:
        pairs = [(category, each) for each in ((second,) if second else partners)]
        ways = [best_split(rules, sheet, pair, state.faces, throw) for pair in pairs]
        if ways:
            best = max(ways, key=lambda way: sum(way.points))
            second, slots = best.categories[1], slots_of(best.groups[0], dice, state.held)
        else:
            slots = tuple(die.slot for die in dice[:GROUP])
    group = [die.face for die in dice if die.slot in slots]
    rest = [die.face for die in dice if die.slot not in slots]
    if len(set(slots)) != GROUP or len(group) != GROUP:
        raise BadInputError("box/pick_five", code="box/five_dice")
    after = fill(rules, sheet, category, group, throw)
    others = {each: fill(rules, after, each, rest, throw).points(each) or 0 for each in partners}
    return TwoBoxes(
        category,
        after.points(category) or 0,
        tuple(sorted(slots)),
        second or max(others, key=others.__getitem__, default=None),
        tuple(SecondBox(each, points) for each, points in others.items()),
    )


def _partners(rules: RuleSet, sheet: Sheet, category: str) -> tuple[str, ...]:
    """The open boxes beside this one, which has to be open itself."""
    fill(rules, sheet, category, [1] * GROUP)  # raises the refusal that says why it cannot be
    return tuple(each for each in sheet.open(rules) if each != category)


def numbers(text: str | None) -> tuple[int, ...] | None:
    """Slots as an address has them; None for none.

    Raises BadInputError for anything else.

    >>> numbers("2,3,10")
    (2, 3, 10)
    """
    if not text:
        return None
    parts = text.split(",")
    if len(parts) > 2 * GROUP or not all(DIGITS.fullmatch(part) for part in parts):
        raise BadInputError("split/slots", code="request/slots")
    return tuple(int(part) for part in parts)
