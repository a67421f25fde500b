"""A slow, plain solver to compare with, and other things the tests of advice share."""

from functools import cache
from itertools import combinations, product

from station import rules
from station.rules import Entry, Sheet


class PlainSolver:
    """The value of sheets by recursion over real sheets and real throws, straight from station.rules.

    Shares nothing with station.strategy. Only for games with very few boxes.
    """

    def __init__(self, rule_set):
        self.rules = rule_set
        self.sheet_value = cache(self._sheet_value)
        self.roll_value = cache(self._roll_value)
        self.throws = {count: self._throws(count) for count in range(rule_set.dice + 1)}

    @staticmethod
    def _throws(count):
        chances = {}
        for dice in product(range(1, 7), repeat=count):
            key = tuple(sorted(dice))
            chances[key] = chances.get(key, 0) + 6.0**-count
        return tuple(chances.items())

    def _sheet_value(self, sheet):
        if sheet.is_full(self.rules):
            return 0.0
        left = self.rules.throws - 1
        return sum(
            chance * self.roll_value(sheet, dice, left) for dice, chance in self.throws[self.rules.dice]
        )

    def box_values(self, sheet, dice, left):
        throw = self.rules.throws - left
        before = rules.totals(self.rules, sheet).total
        found = {}
        for category in rules.legal(self.rules, sheet, dice):
            after = rules.fill(self.rules, sheet, category, dice, throw)
            gained = rules.totals(self.rules, after).total - before
            found[category] = gained + self.sheet_value(after)
        return found

    def hold_value(self, sheet, hold, left):
        return sum(
            chance * self.roll_value(sheet, tuple(sorted(hold + more)), left - 1)
            for more, chance in self.throws[self.rules.dice - len(hold)]
        )

    def _roll_value(self, sheet, dice, left):
        best = max(self.box_values(sheet, dice, left).values())
        if left:
            for size in range(len(dice)):
                for hold in set(combinations(dice, size)):
                    best = max(best, self.hold_value(sheet, hold, left))
        return best


def filled(rule_set, *still_open, yacht=50):
    """A sheet with all boxes filled with 0 (the yacht's with `yacht`) but these."""
    box = rule_set.yacht
    return Sheet(
        tuple(
            Entry(category, yacht if box is not None and category == box.category else 0)
            for category in rule_set.categories
            if category not in still_open
        )
    )
