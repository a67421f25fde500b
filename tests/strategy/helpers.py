"""Positions and matches for the tests of advice."""

import numpy as np

from station.rules import Entry, Sheet, built_in
from station.strategy.forward.flow import choices
from station.strategy.forward.simulation import held, places
from station.strategy.model.position import SheetIndex, position
from station.strategy.odds.win_chances import PlayerStanding, landing, moved, share_of
from station.strategy.odds.winning import turn_ends
from station.strategy.values.decisions import decision
from station.strategy.values.turn import throws_back


def standing(rules_id, *still_open, total=0, upper=0):
    return PlayerStanding(position(built_in(rules_id), still_open or None, upper), total)


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
        return SheetIndex(mask, sheet - int(self.model.layout.offset[mask]))

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
