"""What of a score sheet matters for the rest of the game."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from messages.errors import BadInputError
from station.rules import RuleSet, Section, Sheet, sheet_totals
from station.rules.dice import FACES, Dice, checked, is_yacht
from station.rules.jokers import extra_points
from station.strategy.model.layout import points_of
from station.strategy.model.model import Model
from station.strategy.model.trackers import FlagTracker, SumTracker, Tracker

SPOKEN = (("little-cameroon", "little-straight"), ("big-cameroon", "big-straight"))
"""Names by which a box may also be called."""


class SheetIndex(NamedTuple):
    """The index of a sheet in the tables: its mask of open boxes, and its column among that mask's sheets."""

    mask: int
    column: int


@dataclass(frozen=True, slots=True)
class Position:
    """Open boxes, points in the upper section, yachts scored so far (in the yacht box and further ones).

    filled: category -> points of the other boxes, where it is known; saved: throws saved from earlier turns;
    called: the category announced for this turn.
    """

    open: tuple[str, ...]
    upper: int = 0
    yachts: int = 0
    filled: tuple[tuple[str, int], ...] | None = None
    saved: int = 0
    called: str = ""


def of_sheet(rules: RuleSet, sheet: Sheet, saved: int = 0, called: str = "") -> Position:
    """The position of a sheet."""
    box = rules.yacht
    first = int(bool(box and sheet.points(box.category)))
    further = sum(1 for entry in sheet.entries if entry.extra)
    filled = (
        None if is_plain(rules) else tuple(sorted((entry.category, entry.points) for entry in sheet.entries))
    )
    return Position(
        sheet.open(rules), sheet_totals(rules, sheet).upper, first + further, filled, saved, called
    )


def is_plain(rules: RuleSet) -> bool:
    """Whether open boxes, the sum of the faces and the yachts say all there is to know of a sheet.

    And whether no turn can cost points.
    """
    whole = all(bonus.steps and not bonus.boxes and not bonus.complete for bonus in rules.bonuses)
    boxes = all(
        not (box.after or box.optional or box.announced or isinstance(box.served, tuple)) and box.factor == 1
        for box in rules.boxes
    )
    positive = all(min(points_of(rules, box)) >= 0 for box in rules.boxes)
    paid = [points for bonus in rules.bonuses for _, points in bonus.steps]
    positive = positive and paid == sorted(paid) and min(paid, default=0) >= 0
    alone = (
        len(rules.bonuses) <= 1
        and not rules.columns
        and len({box.worth for box in rules.boxes}) == len(rules.boxes)
    )
    return whole and boxes and positive and alone and not (rules.saved_throws or rules.bonus_only)


def position(
    rules: RuleSet, open_: Sequence[str] | None = None, upper: int = 0, yachts: int = 0, called: str = ""
) -> Position:
    """The position that someone describes; all boxes are open where they do not say.

    called: the category announced for this turn. Raises BadInputError for a box the rules do not have or that
    is named twice, for none, for one that cannot have been announced, and for an upper total or a number of
    yachts that cannot be.
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
    most = sum(box.score((face,) * rules.group, 1).points for box in filled for face in FACES)
    if not 0 <= upper <= most:
        raise BadInputError("position/upper", upper=upper, most=most)
    if yachts < 0:
        raise BadInputError("position/yachts", yachts=yachts)
    box = rules.yacht
    if yachts and rules.extra_yacht and box is not None and box.category in named:
        raise BadInputError("position/yachts_open", yachts=yachts, category=box.category)
    if called and not (rules.box(called).announced and called in rules.next_boxes(named)):
        raise BadInputError("position/announced", box=called)
    there = tuple(category for category in rules.categories if category in named)
    return Position(there, upper, yachts, called=called)


def place(model: Model, where: Position) -> SheetIndex:
    """The index of the position in the tables; BadInputError if no dice lead to it."""
    layout = model.layout
    mask = layout.canonical(
        sum(1 << bit for bit, box in enumerate(model.boxes) if box.category in where.open)
    )
    column = -1
    if mask in layout.offset:
        column = layout.column(
            mask, tuple(_mark(model, each, where) for each in layout.trackers), where.saved
        )
    if column < 0:
        raise BadInputError("position/no_dice", upper=where.upper)
    return SheetIndex(mask, column)


def _mark(model: Model, tracker: Tracker, where: Position) -> int:
    """What a tracker is to know of a position."""
    if where.filled is None:  # given by its upper sum and its yachts
        mine = (box for bit, box in enumerate(model.boxes) if tracker.bits >> bit & 1)
        of_others = isinstance(tracker, SumTracker) and any(box.section is not Section.UPPER for box in mine)
        return where.yachts if isinstance(tracker, FlagTracker) else 0 if of_others else where.upper
    held = dict(where.filled)
    points = [
        held[box.category]
        for bit, box in enumerate(model.boxes)
        if tracker.bits >> bit & 1 and box.category in held
    ]
    if isinstance(tracker, SumTracker):
        return sum(points)
    if isinstance(tracker, FlagTracker):
        return int(any(points))
    return int(all(each > 0 for each in points))


def thrown(rules: RuleSet, dice: Sequence[int], rolls_left: int, saved: int = 0) -> Dice:
    """The dice of a turn, sorted.

    Raises BadInputError for what are no dice, throws that cannot be left, and saved ones that cannot be.
    """
    if saved < 0 or (saved and not rules.saved_throws):
        raise BadInputError("position/saved", saved=saved, title=rules.title)
    throws = rules.throws + saved
    if isinstance(rolls_left, bool) or not 0 <= rolls_left < throws:
        raise BadInputError("position/rolls_left", left=rolls_left, most=throws - 1)
    return checked(dice, rules.dice)


def has_won(rules: RuleSet, dice: Sequence[int], rolls_left: int, saved: int = 0) -> bool:
    """Whether this first throw is a big general, which wins at once: then there is nothing to decide.

    saved: throws saved from earlier turns, which this turn has besides its own.
    """
    is_first = rolls_left == rules.throws + saved - 1
    return rules.first_throw_yacht_wins and is_first and is_yacht(tuple(dice))


def extra_in(rules: RuleSet, sheet: Sheet, category: str, dice: Sequence[int]) -> int:
    """The points on top that these dice bring as a further yacht in that box of this sheet."""
    return extra_points(rules, sheet, tuple(sorted(dice)), rules.box(category)) if rules.extra_yacht else 0


def extra_now(rules: RuleSet, where: Position, category: str, dice: Sequence[int]) -> int:
    """The points on top that these dice bring as a further yacht in that box."""
    if not rules.extra_yacht or not is_yacht(tuple(dice)):
        return 0
    column = rules.box(category).column
    yacht = rules.yacht_of(column)
    further = yacht is not None and yacht.category not in where.open and where.yachts > 0
    return rules.further_yacht_in(column) if further else 0
