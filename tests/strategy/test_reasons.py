"""Why a hold is good, in words."""

from dataclasses import replace

import pytest

from station.rules import built_in
from station.strategy.model.position import position
from station.strategy.reasons import outcomes, reason
from station.strategy.values.hints import HoldValue, hint
from station.strategy.values.solver import solve
from tests.strategy.brute_force import of_boxes


@pytest.mark.parametrize(
    ("rules_id", "dice", "rolls_left"),
    [("world-51", (1, 2, 4, 4, 6), 2), ("yahtzee", (4, 4, 4, 6, 6), 1), ("general", (1, 3, 4, 4, 5), 2)],
)
def test_what_a_hold_ends_in_adds_up(solution_of, rules_id, dice, rolls_left):
    solution, where = solution_of(rules_id), position(built_in(rules_id))
    for hold in hint(solution, where, dice, rolls_left).holds:
        found = outcomes(solution, where, dice, rolls_left, hold.hold)
        assert sum(each.chance for each in found) == pytest.approx(1.0)
        chances = [each.chance for each in found]
        assert chances == sorted(chances, reverse=True)


def test_one_die_for_the_yacht(solution_of):
    """Only the yacht is open: one throw of one die makes it in one of six."""
    where = position(built_in("yacht-1938"), ["yacht"])
    (no, yes) = outcomes(solution_of("yacht-1938"), where, (3, 3, 3, 3, 5), 1, (3, 3, 3, 3))
    assert (no.category, no.scores, no.chance) == ("yacht", False, pytest.approx(5 / 6))
    assert (yes.category, yes.scores, yes.chance) == ("yacht", True, pytest.approx(1 / 6))


@pytest.mark.parametrize(
    ("open_", "dice", "rolls_left", "hold", "sentence"),
    [
        (["yacht"], (3, 3, 3, 3, 5), 1, (3, 3, 3, 3), "keep 3-3-3-3; most likely 0 in Yacht 83%, Yacht 17%"),
        (["choice"], (1, 1, 1, 1, 2), 1, (), "roll all dice; most likely Choice 100%"),
        (None, (3, 3, 3, 5, 5), 0, (3, 3, 3, 5, 5), "keep all and score Full House"),
        (["yacht"], (1, 2, 3, 4, 5), 2, (1, 2, 3, 4, 5), "keep all and score 0 in Yacht"),
    ],
)
def test_sentences(solution_of, open_, dice, rolls_left, hold, sentence):
    where = position(built_in("yacht-1938"), open_)
    assert str(reason(solution_of("yacht-1938"), where, dice, rolls_left, HoldValue(hold, 0.0))) == sentence


def test_two_boxes_are_named_together(solution_of):
    where = position(built_in("double-cameroon"))
    hold = HoldValue((1,) * 10, 0.0)
    said = reason(solution_of("double-cameroon"), where, (1, 1, 2, 2, 3, 4, 4, 4, 5, 6), 0, hold)
    assert str(said) == "keep all and score Ones and Big Cameroon"


def test_the_box_of_the_reason_is_the_best_with_the_throws_that_are_left():
    plain = of_boxes("", "pair = 10", "sixes")
    pair, sixes = plain.boxes
    rules = replace(plain, throws=3, boxes=(replace(pair, served=(0, 30, 0)), sixes))
    solution, where = solve(rules), position(rules)
    for left, box in ((1, pair), (0, sixes)):
        assert hint(solution, where, (6, 6), left).boxes[0].category == box.category
        assert (
            str(reason(solution, where, (6, 6), left, HoldValue((6, 6), 0.0)))
            == f"keep all and score {box.label}"
        )
