"""What of a score sheet matters for the rest of the game."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from messages.errors import BadInputError
from station.rules import RuleSet, Section, Sheet, sheet_totals
from station.rules.dice import FACES, GROUP, Dice, checked, is_yacht
from station.strategy.model import Model

SPOKEN = (("little-cameroon", "little-straight"), ("big-cameroon", "big-straight"))
"""Names by which a box may also be called."""


class Place(NamedTuple):
    """Where a sheet stands in the tables: its mask of open boxes, and its column among that mask's sheets."""

    mask: int
    column: int


@dataclass(frozen=True, slots=True)
class Position:
    """Open boxes, points in the upper section, yachts scored so far (in the yacht box and further ones)."""

    open: tuple[str, ...]
    upper: int = 0
    yachts: int = 0


def of_sheet(rules: RuleSet, sheet: Sheet) -> Position:
    """The position of a sheet."""
    box = rules.yacht
    first = int(bool(box and sheet.points(box.category)))
    further = sum(1 for entry in sheet.entries if entry.extra)
    return Position(sheet.open(rules), sheet_totals(rules, sheet).upper, first + further)


def position(rules: RuleSet, open_: Sequence[str] | None = None, upper: int = 0, yachts: int = 0) -> Position:
    """The position that someone describes; all boxes are open where they do not say.

    Raises BadInputError for a box the rules do not have or that is named twice, for none, and for an upper
    total or a number of yachts that cannot be.
    """
    names = dict(SPOKEN)
    named = [names.get(each, each) for each in (rules.categories if open_ is None else open_)]
    for category in named:
        rules.box(category)
        if named.count(category) > 1:
            raise BadInputError("position/box_twice", category=category)
    if not named:
        raise BadInputError("position/none_open")
    if len(named) % rules.boxes_per_turn != len(rules.boxes) % rules.boxes_per_turn:
        raise BadInputError("position/two_a_turn", title=rules.title, count=len(named))
    filled = [box for box in rules.boxes if box.section is Section.UPPER and box.category not in named]
    most = sum(box.scoring.score((face,) * GROUP, 1).points for box in filled for face in FACES)
    if not 0 <= upper <= most:
        raise BadInputError("position/upper", upper=upper, most=most)
    if yachts < 0:
        raise BadInputError("position/yachts", yachts=yachts)
    box = rules.yacht
    if yachts and rules.extra_yacht and box is not None and box.category in named:
        raise BadInputError("position/yachts_open", yachts=yachts, category=box.category)
    return Position(tuple(category for category in rules.categories if category in named), upper, yachts)


def place(model: Model, where: Position) -> Place:
    """Where the position stands in the tables; BadInputError if no dice lead to it."""
    layout = model.layout
    mask = sum(1 << bit for bit, box in enumerate(layout.boxes) if box.category in where.open)
    column = layout.column(mask, where.upper, pays=where.yachts > 0)
    if column < 0:
        raise BadInputError("position/no_dice", upper=where.upper)
    return Place(mask, column)


def thrown(rules: RuleSet, dice: Sequence[int], rolls_left: int) -> Dice:
    """The dice of a turn, sorted; BadInputError for what are no dice, or throws that cannot be left."""
    if isinstance(rolls_left, bool) or not 0 <= rolls_left < rules.throws:
        raise BadInputError("position/rolls_left", left=rolls_left, most=rules.throws - 1)
    return checked(dice, rules.dice)


def has_won(rules: RuleSet, dice: Sequence[int], rolls_left: int) -> bool:
    """Whether this first throw is a big general, which wins at once: then there is nothing to decide."""
    return rules.first_throw_yacht_wins and rolls_left == rules.throws - 1 and is_yacht(tuple(dice))


def extra_now(rules: RuleSet, where: Position, dice: Sequence[int]) -> int:
    """The points on top that these dice bring as a further yacht, whatever box they fill."""
    box = rules.yacht
    further = box is not None and box.category not in where.open and where.yachts > 0
    return rules.extra_yacht if further and is_yacht(tuple(dice)) else 0
