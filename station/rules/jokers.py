"""What a further yacht may do, and where it must go."""

from station.rules.dice import GROUP, Dice, is_yacht
from station.rules.ruleset import Joker, RuleSet, Section
from station.rules.scoring.number import Number
from station.rules.sheet import Sheet


def is_further_yacht(rules: RuleSet, sheet: Sheet, dice: Dice) -> bool:
    """Whether five dice are a yacht that comes after the yacht box was filled, with points or with 0."""
    box = rules.yacht
    return (
        len(dice) == GROUP and is_yacht(dice) and box is not None and sheet.points(box.category) is not None
    )


def is_wild(rules: RuleSet, sheet: Sheet, dice: Dice) -> bool:
    """Whether the dice are a yacht that may stand for a full house or a straight."""
    return rules.joker is not Joker.NONE and is_further_yacht(rules, sheet, dice)


def extra_points(rules: RuleSet, sheet: Sheet, dice: Dice) -> int:
    """Points on top for a further yacht: none while the yacht box holds 0 or is open."""
    box = rules.yacht
    if box is None or not is_further_yacht(rules, sheet, dice) or not sheet.points(box.category):
        return 0
    return rules.extra_yacht


def legal_boxes(rules: RuleSet, sheet: Sheet, dice: Dice) -> tuple[str, ...]:
    """The open boxes these dice may go to, in page order.

    Only Yahtzee's forced joker rules any out (Milton Bradley's rules: the box of its face, or else an
    open lower box, or else any upper one).
    """
    still_open = sheet.open(rules)
    if rules.joker is not Joker.FORCED or not is_further_yacht(rules, sheet, dice):
        return still_open
    boxes = [rules.box(category) for category in still_open]
    own = tuple(box.category for box in boxes if box.scoring == Number(dice[0]))
    lower = tuple(box.category for box in boxes if box.section is Section.LOWER)
    return own or lower or still_open
