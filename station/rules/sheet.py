"""The score sheet of one player: filling boxes, what they would score, adding up."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

from messages.errors import RefusalError
from station.rules import jokers
from station.rules.dice import GROUP, Dice, checked
from station.rules.ruleset import RuleSet, Section
from station.rules.scoring import Score


class Entry(NamedTuple):
    """One filled box; `extra` are the points on top that a further yacht brought."""

    category: str
    points: int
    extra: int = 0


@dataclass(frozen=True, slots=True)
class Sheet:
    """The filled boxes of one player, in the order of filling.

    >>> sheet = Sheet((Entry("ones", 3), Entry("choice", 22)))
    >>> sheet.points("choice"), sheet.points("yacht")
    (22, None)
    """

    entries: tuple[Entry, ...] = ()

    def points(self, category: str) -> int | None:
        """Points in that box, without any extra; None while it is open."""
        return next((entry.points for entry in self.entries if entry.category == category), None)

    def open(self, rules: RuleSet) -> tuple[str, ...]:
        """The categories still open, in page order."""
        filled = {entry.category for entry in self.entries}
        return tuple(category for category in rules.categories if category not in filled)

    def is_full(self, rules: RuleSet) -> bool:
        """Whether every box is filled."""
        return not self.open(rules)


class Totals(NamedTuple):
    """The sums at the foot of a sheet. `missing_for_bonus` is 0 where there is no bonus or it is reached."""

    upper: int
    missing_for_bonus: int
    bonus: int
    extra: int
    total: int


def sheet_totals(rules: RuleSet, sheet: Sheet) -> Totals:
    """Add up a sheet. The bonus counts as soon as the upper section reaches its threshold."""
    upper = sum(sheet.points(box.category) or 0 for box in rules.boxes if box.section is Section.UPPER)
    bonus = missing = 0
    if rules.bonus is not None:
        missing = max(rules.bonus.threshold - upper, 0)
        bonus = rules.bonus.points if missing == 0 else 0
    extra = sum(entry.extra for entry in sheet.entries)
    return Totals(upper, missing, bonus, extra, sum(entry.points for entry in sheet.entries) + bonus + extra)


def potentials(rules: RuleSet, sheet: Sheet, dice: Iterable[int], throw: int = 3) -> dict[str, int]:
    """What each box that may be filled now would score, in page order, without bonus and extra.

    Of ten dice (Double Cameroon) each box gets the best five. Raises BadInputError for what are no dice.
    """
    faces = checked(dice, *rules.dice_counts)
    return {
        category: max(score(rules, sheet, category, group, throw).points for group in groups(faces))
        for category in jokers.legal_boxes(rules, sheet, faces)
    }


def score(rules: RuleSet, sheet: Sheet, category: str, group: Dice, throw: int) -> Score:
    """Points of five dice in a box, open or not, with the half sentence that says why."""
    return rules.box(category).scoring.score(group, throw, wild=jokers.is_wild(rules, sheet, group))


def groups(dice: Dice) -> tuple[Dice, ...]:
    """The different groups of five among the dice, sorted.

    >>> groups((1, 2, 2, 4, 6))
    ((1, 2, 2, 4, 6),)
    >>> len(groups((1, 1, 1, 1, 1, 2, 2, 2, 2, 2)))
    6
    """
    return tuple(sorted(set(combinations(sorted(dice), GROUP))))


def fill(rules: RuleSet, sheet: Sheet, category: str, dice: Iterable[int], throw: int = 3) -> Sheet:
    """The sheet with one more box filled by five dice.

    Raises RefusalError `box/unknown`, `box/filled` or `box/not_allowed`, and BadInputError for no dice.
    """
    group = checked(dice, GROUP)
    _check(rules, sheet, category, group)
    entry = Entry(
        category, score(rules, sheet, category, group, throw).points, jokers.extra_points(rules, sheet, group)
    )
    return Sheet((*sheet.entries, entry))


def _check(rules: RuleSet, sheet: Sheet, category: str, dice: Dice) -> None:
    """Raise the RefusalError that says why this box cannot be filled, if it cannot."""
    if category not in rules.categories:
        known = ", ".join(rules.categories)
        raise RefusalError(f"{rules.title} has no box {category!r}; it has {known}.", code="box/unknown")
    label = rules.box(category).label
    if sheet.points(category) is not None:
        raise RefusalError(f"{label} is filled already; choose an open box.", code="box/filled")
    legal = jokers.legal_boxes(rules, sheet, dice)
    if category not in legal:
        names = " or ".join(rules.box(open_).label for open_ in legal)
        raise RefusalError(
            f"A further yacht cannot go to {label} now; it goes to {names}.", code="box/not_allowed"
        )


def explain(
    rules: RuleSet, category: str, dice: Iterable[int], throw: int = 3, sheet: Sheet | None = None
) -> str:
    """How the points of these dice in that box come about, in a sentence.

    >>> from station.rules import built_in
    >>> explain(built_in("world-51"), "full-house", (5, 5, 5, 2, 2))
    'Full House: 5-5-5 and 2-2 add up to 19.'
    """
    before = Sheet() if sheet is None else sheet
    faces = checked(dice, *rules.dice_counts)
    box = rules.box(category)
    best = max(groups(faces), key=lambda group: score(rules, before, category, group, throw).points)
    sentence = f"{box.label}: {score(rules, before, category, best, throw).why}."
    extra = jokers.extra_points(rules, before, best)
    return f"{sentence} A further yacht brings {extra} on top." if extra else sentence
