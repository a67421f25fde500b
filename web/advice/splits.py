"""Ten dice for two boxes (Double Cameroon): which five go where, and what that brings."""

import re
from collections.abc import Mapping
from typing import Any

from messages.errors import BadInputError, RefusalError
from station.rules import RuleSet, Sheet, best_split, fill
from station.rules.dice import GROUP
from web.advice.answers import rules_of, sheet_of, slots_of

DIGITS = re.compile(r"[0-9]{1,2}")


def split(
    state: Mapping[str, Any], category: str, second: str | None = None, slots: tuple[int, ...] | None = None
) -> dict[str, Any]:
    """One way to give ten dice to two boxes of the active player.

    category: the box that gets five of them; second: the other box, None for the one that goes best with
    it. slots: the five dice for `category`; None for those that make both boxes together worth most.
    Gives {"category", "points", "slots", "second", "others": [{"category", "points"}]}: `others` are the open
    boxes for the other five dice in page order, `second` one of them, or None where there is none.
    Raises BadInputError where there are no ten dice and for what is no box or no five dice, RefusalError for
    a box that is filled.
    """
    dice = list(state.get("dice", []))
    if len(dice) != 2 * GROUP or state.get("active_player") is None:
        raise BadInputError("There are no ten dice to be divided.", code="split/none")
    rules = rules_of(state)
    sheet = sheet_of(state["players"][state["active_player"]])
    partners = _partners(rules, sheet, category)
    if second is not None and second not in partners:
        raise RefusalError("The two groups of five need two different open boxes.", code="box/filled")
    faces = [die["face"] for die in dice]
    throw = max(state["throws_done"], 1)
    if slots is None:
        pairs = [(category, each) for each in ((second,) if second else partners)]
        ways = [best_split(rules, sheet, pair, faces, throw) for pair in pairs]
        if ways:
            best = max(ways, key=lambda way: sum(way.points))
            second, slots = best.categories[1], tuple(slots_of(best.groups[0], dice))
        else:
            slots = tuple(die["slot"] for die in dice[:GROUP])
    group = [die["face"] for die in dice if die["slot"] in slots]
    rest = [die["face"] for die in dice if die["slot"] not in slots]
    if len(set(slots)) != GROUP or len(group) != GROUP:
        raise BadInputError("Choose five of the dice for this box.", code="box/five_dice")
    after = fill(rules, sheet, category, group, throw)
    others = {each: fill(rules, after, each, rest, throw).points(each) or 0 for each in partners}
    return {
        "category": category,
        "points": after.points(category),
        "slots": sorted(slots),
        "second": second or max(others, key=others.__getitem__, default=None),
        "others": [{"category": each, "points": points} for each, points in others.items()],
    }


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
        raise BadInputError("Give the dice as numbers with commas, such as 1,2,5.", code="request/slots")
    return tuple(int(part) for part in parts)
