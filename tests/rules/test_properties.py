"""What holds for all dice and all rule sets."""

from itertools import combinations_with_replacement

import pytest
from hypothesis import given
from hypothesis import strategies as st

from station.rules import (
    Sheet,
    built_in,
    built_in_ids,
    explain,
    fill,
    legal_boxes,
    potentials,
    sheet_totals,
)
from tests.rules.test_seed_examples import BEST_GAMES

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


@pytest.mark.thorough
@given(st.data(), rule_sets)
def test_no_game_scores_more_than_the_best(data, rule_set):
    found = sheet_totals(rule_set, data.draw(sheets(rule_set)))
    assert found.extra <= rule_set.extra_yacht * (len(rule_set.boxes) - 1)
    assert found.total - found.extra <= BEST_GAMES[rule_set.id]
