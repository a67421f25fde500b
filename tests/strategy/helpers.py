"""A slow, plain solver to compare with, and other things the tests of advice share."""

from functools import cache
from itertools import combinations, product

import numpy as np

from station.rules import Entry, Sheet, built_in, fill, legal_boxes, sheet_totals
from station.strategy.forward.flow import choices
from station.strategy.forward.simulation import held, places
from station.strategy.model.position import Place, position
from station.strategy.odds.win_chances import Standing, landing, moved, share_of
from station.strategy.odds.winning import turn_ends
from station.strategy.values.decisions import decision
from station.strategy.values.turn import throws_back


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
        before = sheet_totals(self.rules, sheet).total
        found = {}
        for category in legal_boxes(self.rules, sheet, dice):
            after = fill(self.rules, sheet, category, dice, throw)
            gained = sheet_totals(self.rules, after).total - before
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


def standing(rules_id, *still_open, total=0, upper=0):
    return Standing(position(built_in(rules_id), still_open or None, upper), total)


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


class Match:
    """Ana plays to win, looking one turn ahead; Ben plays for points, and his sheets are given."""

    def __init__(self, solution, table):
        self.solution, self.model, self.table = solution, solution.model, table

    def ana(self, faces, ben, sheet, total):
        """Ana's final score. `faces` (turns, throws, dice); `ben`: before each turn (sheet, total)."""
        for throws, (his_sheet, his_total) in zip(faces, ben, strict=True):
            sheet, total = self._turn(sheet, total, throws, self.share(his_sheet, his_total))
        return total

    def share(self, sheet, total):
        """(points,) Ana's share of the win for each final score, Ben standing so."""
        where = self.where(sheet)
        return share_of([np.ones(1), moved(self.table.of(*where), total)], 0)

    def where(self, sheet):
        mask = self.model.layout.mask_of(sheet)
        return Place(mask, sheet - int(self.model.layout.offset[mask]))

    def _turn(self, sheet, total, throws, share):
        model, where = self.model, self.where(sheet)
        points = decision(model, where.mask, where.column, self.solution.values)
        end = turn_ends(model, self.table, where, share, total, points)
        # A billionth of the points tells equal chances apart.
        late = (np.round(end.late, 9) + 1e-12 * points.late)[:, :, np.newaxis]
        best = late.max(axis=0)
        lying = throws[:1].copy()
        for left in range(model.rules.throws - 1, 0, -1):
            levels = model.dice.expect(throws_back(model, best, None, left - 1))
            levels[-1] = best.copy()
            counts = held(model, choices(model.dice, levels), model.place(tuple(sorted(lying[0].tolist()))))
            keep = places(lying, counts)
            lying = np.where(keep, lying, throws[model.rules.throws - left])
        roll = model.place(tuple(sorted(lying[0].tolist())))
        action = end.actions[int(late[:, roll, 0].argmax())]
        kind = 0 if action.kind is None else int(action.kind[roll])
        return int(action.after[kind, 0]), total + landing(model, where, action, roll, first=False)[2]
