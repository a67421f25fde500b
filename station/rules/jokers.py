"""Rules for further yachts: what they may do and where they must go. Each column has its own yacht box."""

from collections.abc import Iterator

from station.rules.dice import Dice, is_yacht
from station.rules.ruleset import Box, Joker, RuleSet, Section
from station.rules.scoring.number import Number
from station.rules.sheet import Sheet


def is_further_yacht(rules: RuleSet, sheet: Sheet, dice: Dice, column: str) -> bool:
    """Whether the dice are a yacht that comes after the yacht box was filled, with points or with 0."""
    if len(dice) != rules.group or not is_yacht(dice):
        return False
    box = rules.yacht_of(column)
    return box is not None and sheet.points(box.category) is not None


def is_wild(rules: RuleSet, sheet: Sheet, dice: Dice, column: str) -> bool:
    """Whether the dice are a yacht that may stand for a full house or a straight."""
    return rules.joker is not Joker.NONE and is_further_yacht(rules, sheet, dice, column)


def extra_points(rules: RuleSet, sheet: Sheet, dice: Dice, into: Box) -> int:
    """Points on top for a further yacht in that box: none while the yacht box holds 0 or is open."""
    if not rules.extra_yacht or not is_further_yacht(rules, sheet, dice, into.column):
        return 0
    box = rules.yacht_of(into.column)
    return rules.further_yacht_in(into.column) if box and sheet.points(box.category) else 0


def legal_boxes(rules: RuleSet, sheet: Sheet, dice: Dice) -> tuple[str, ...]:
    """The open boxes these dice may go to, in page order.

    Columns may have to be filled in an order; beside that only Yahtzee's forced joker rules any out (Milton
    Bradley's rules: the box of its face, or else an open lower box, or else any upper one). A box that is
    announced it neither rules out nor asks for: a turn goes where it was announced for, whatever falls.
    """
    still_open = rules.next_boxes(sheet.open(rules))
    if rules.joker is not Joker.FORCED or not is_yacht(dice):
        return still_open
    return tuple(_forced(rules, sheet, dice, [rules.box(category) for category in still_open]))


def _forced(rules: RuleSet, sheet: Sheet, dice: Dice, boxes: list[Box]) -> Iterator[str]:
    for box in boxes:
        mine = [each for each in boxes if each.column == box.column and not each.announced]
        own = [each for each in mine if each.scoring in {*map(Number, dice)}]
        lower = [each for each in mine if each.section is Section.LOWER]
        free = box.announced or not is_further_yacht(rules, sheet, dice, box.column)
        if free or box in (own or lower or mine):
            yield box.category
