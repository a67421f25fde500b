"""What holds for all dice and all rule sets."""

from itertools import combinations_with_replacement

import pytest
from hypothesis import given
from hypothesis import strategies as st

from station.rules import (
    Joker,
    Sheet,
    built_in,
    built_in_ids,
    explain,
    fill,
    legal_boxes,
    potentials,
    sheet_totals,
)
from station.rules.scoring.full_house import FullHouse

FIVE = tuple(combinations_with_replacement(range(1, 7), 5))
rule_sets = st.sampled_from(built_in_ids()).map(built_in)
dice_of_five = st.lists(st.integers(1, 6), min_size=5, max_size=5).map(tuple)


@st.composite
def sheets(draw, rule_set):
    """A sheet some boxes of which are filled by real dice."""
    sheet = Sheet()
    for _ in range(draw(st.integers(0, len(rule_set.boxes) - 1))):
        dice = draw(dice_of_five)
        category = draw(st.sampled_from(legal_boxes(rule_set, sheet, tuple(sorted(dice)))))
        sheet = fill(rule_set, sheet, category, dice, draw(st.integers(1, 3)))
    return sheet


@pytest.mark.thorough
@given(st.data(), rule_sets, dice_of_five, st.integers(1, 3))
def test_potentials_are_the_scores_then_written(data, rule_set, dice, throw):
    sheet = data.draw(sheets(rule_set))
    for category, points in potentials(rule_set, sheet, dice, throw).items():
        after = fill(rule_set, sheet, category, dice, throw)
        assert after.points(category) == points
        gained = sheet_totals(rule_set, after).total - sheet_totals(rule_set, sheet).total
        bonus = rule_set.bonus.points if rule_set.bonus else 0
        assert gained - points in {0, bonus, rule_set.extra_yacht, rule_set.extra_yacht + bonus}
        assert str(points) in str(explain(rule_set, category, dice, throw, sheet).sentence)


@pytest.mark.thorough
@given(st.data(), rule_sets, dice_of_five, st.integers(1, 3))
def test_the_order_of_the_dice_never_matters(data, rule_set, dice, throw):
    sheet = data.draw(sheets(rule_set))
    shuffled = data.draw(st.permutations(dice))
    assert potentials(rule_set, sheet, dice, throw) == potentials(rule_set, sheet, shuffled, throw)


@pytest.mark.parametrize("rules_id", built_in_ids())
def test_no_box_scores_more_than_it_can(rules_id):
    """30 for sums (28 for a full house without five alike), else the printed points."""
    rule_set = built_in(rules_id)
    for box in rule_set.boxes:
        fixed = getattr(box.scoring, "points", None)
        most = max(getattr(box.scoring, "first_throw", None) or 0, fixed or 0)
        if fixed is None:
            most = 28 if isinstance(box.scoring, FullHouse) and not box.scoring.five_of_a_kind else 30
        wilds = (False,) if rule_set.joker is Joker.NONE else (False, True)
        scores = [
            box.scoring.score(dice, throw, wild=wild).points
            for dice in FIVE
            for throw in (1, 3)
            for wild in wilds
        ]
        assert min(scores) == 0 or box.category == "choice"
        assert max(scores) <= most


BEST_GAMES = {
    "yacht-1938": 297, "treasurehouse": 297, "yacht-spruce": 303, "dice-play-yahtzee": 342, "general": 270,
    "general-chance": 300, "double-cameroon": 234, "game-rules-guru": 375, "coolmath": 375,
    "shared-roll": 375, "world-51": 325, "clubhouse-51": 323, "scorecard": 323, "lawn": 288, "yahtzee": 375,
    "yatzy": 374,
}  # fmt: skip
"""Without what further yachts bring: at most 1,200 where each brings 100."""


@pytest.mark.thorough
@given(st.data(), rule_sets)
def test_no_game_scores_more_than_the_best(data, rule_set):
    found = sheet_totals(rule_set, data.draw(sheets(rule_set)))
    assert found.extra <= rule_set.extra_yacht * (len(rule_set.boxes) - 1)
    assert found.total - found.extra <= BEST_GAMES[rule_set.id]
