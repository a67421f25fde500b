"""The score sheet of one player, and adding it up."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from station.rules.ruleset import Bonus, Counts, RuleSet


class Entry(NamedTuple):
    """One filled box; `extra` are the points on top that a further yacht brought."""

    category: str
    points: int
    extra: int = 0


@dataclass(frozen=True, slots=True)
class Sheet:
    """The filled boxes of one player, in the order of filling. ahead: points it began with.

    >>> sheet = Sheet((Entry("ones", 3), Entry("choice", 22)))
    >>> sheet.points("choice"), sheet.points("yacht")
    (22, None)
    """

    entries: tuple[Entry, ...] = ()
    ahead: int = 0

    def points(self, category: str) -> int | None:
        """Points in that box, without any extra; None while it is open."""
        return next((entry.points for entry in self.entries if entry.category == category), None)

    def open(self, rules: RuleSet) -> tuple[str, ...]:
        """The categories still open, in page order."""
        filled = {entry.category for entry in self.entries}
        return tuple(category for category in rules.categories if category not in filled)

    def is_full(self, rules: RuleSet) -> bool:
        """Whether every box is filled that has to be."""
        return all(rules.box(category).optional for category in self.open(rules))


class Totals(NamedTuple):
    """The sums at the foot of a sheet. `missing_for_bonus` is 0 where there is no bonus or it is reached.

    bonus_to_come: reached, and not in the total yet.
    """

    upper: int
    missing_for_bonus: int
    bonus: int
    extra: int
    total: int
    bonus_to_come: int = 0


def sheet_totals(rules: RuleSet, sheet: Sheet, *, running: bool = False) -> Totals:
    """Add up a sheet, the points it began with included, with every bonus that its boxes have reached.

    running: while the game goes on, when a bonus is added no sooner than its rules say.
    """
    points = {entry.category: entry.points for entry in sheet.entries}
    upper = sum(points.get(box.category, 0) for box in rules.upper)
    first, bonus, to_come = rules.bonus, 0, 0
    missing = 0 if first is None else max(first.threshold - upper, 0)
    for each in rules.bonuses:
        paid = bonus_points(rules, each, points)
        if not running or _is_added(rules, each, points):
            bonus += paid
        else:
            to_come += paid
    extra = sum(entry.extra for entry in sheet.entries)
    total = sheet.ahead + bonus + extra + (0 if rules.bonus_only else sum(points.values()))
    return Totals(upper, missing, bonus, extra, total, to_come)


def _is_added(rules: RuleSet, bonus: Bonus, points: Mapping[str, int]) -> bool:
    """Whether a bonus is in the total already while the game goes on."""
    if bonus.counts is Counts.FILLED:
        return all(box.category in points or box.optional for box in rules.members(bonus))
    return bonus.counts is Counts.REACHED


def bonus_points(rules: RuleSet, bonus: Bonus, points: Mapping[str, int]) -> int:
    """What a bonus brings, from the points of the boxes that are filled."""
    members = rules.members(bonus)
    if bonus.par:
        pars = zip(members, bonus.par, strict=True)
        return bonus.each * sum(points[box.category] - par for box, par in pars if box.category in points)
    if bonus.each_box:
        return bonus.each_box * sum(points.get(box.category, 0) > 0 for box in members)
    if bonus.complete:
        return bonus.points if all(points.get(box.category, 0) > 0 for box in members) else 0
    return bonus.paid(sum(points.get(box.category, 0) for box in members))
