"""The score sheet of one player, and adding it up."""

from dataclasses import dataclass
from typing import NamedTuple

from station.rules.ruleset import RuleSet, Section


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
