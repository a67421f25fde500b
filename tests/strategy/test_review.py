"""Luck and skill add up to the score; what each throw brought and each decision gave away."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from messages.errors import BadInputError, RefusalError
from station.rules import Sheet, built_in, fill, fill_two, legal_boxes, sheet_totals, splits
from station.strategy.hints import hint
from station.strategy.position import of_sheet
from station.strategy.review import Thrown, Turn, review


@st.composite
def games(draw, rule_set):
    """A whole game, its dice and its decisions all at random."""
    sheet, turns = Sheet(), []
    while not sheet.is_full(rule_set):
        throws, held = [], ()
        for _ in range(draw(st.integers(1, rule_set.throws)) - 1):
            dice = thrown(draw, rule_set, held)
            held = tuple(face for face in dice if draw(st.booleans()))[: rule_set.dice - 1]
            throws.append(Thrown(dice, held))
        dice = thrown(draw, rule_set, held)
        throws.append(Thrown(dice))
        if rule_set.boxes_per_turn == 1:
            boxes = (draw(st.sampled_from(legal_boxes(rule_set, sheet, dice))),)
            sheet = fill(rule_set, sheet, boxes[0], dice, len(throws))
        else:
            boxes = draw(st.sampled_from(splits(rule_set, sheet, dice))).categories
            sheet = fill_two(rule_set, sheet, boxes, dice, len(throws))
        turns.append(Turn(tuple(throws), boxes))
    return tuple(turns), sheet


def thrown(draw, rule_set, held):
    count = rule_set.dice - len(held)
    return tuple(sorted(held + tuple(draw(st.lists(st.integers(1, 6), min_size=count, max_size=count)))))


@pytest.mark.parametrize("rules_id", ["world-51", "yahtzee", "game-rules-guru", "general", "double-cameroon"])
@settings(max_examples=4, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_luck_and_what_was_given_away_add_up_to_the_score(solution_of, rules_id, data):
    """For any game whatever: luck - given away == score - expected, to the last bit a sum can."""
    solution = solution_of(rules_id)
    turns, sheet = data.draw(games(built_in(rules_id)))
    found = review(solution, turns)
    assert found.score == sheet_totals(built_in(rules_id), sheet).total
    assert found.still_to_come == 0
    assert found.luck - found.given_away == pytest.approx(found.score - found.expected, abs=1e-9)
    assert all(each.given_away > -1e-6 for turn in found.turns for each in turn.throws)


def test_the_best_play_gives_nothing_away(solution_of):
    solution = solution_of("world-51")
    rule_set = built_in("world-51")
    first = hint(solution, of_sheet(rule_set, Sheet()), (1, 3, 4, 4, 6), 2)
    hold = first.best_holds[0]
    dice = tuple(sorted(hold + (4,) * (5 - len(hold))))
    second = hint(solution, of_sheet(rule_set, Sheet()), dice, 1)
    found = review(solution, [Turn((Thrown((1, 3, 4, 4, 6), hold), Thrown(dice)), (second.best_boxes[0],))])
    assert found.given_away == pytest.approx(0, abs=1e-6)
    assert found.turns[0].throws[0].luck < 0 < found.turns[0].throws[1].luck
    assert found.luck == pytest.approx(found.score + found.still_to_come - found.expected, abs=1e-9)


def test_a_mistake_is_told_with_what_was_best(solution_of):
    solution = solution_of("yacht-1938")
    found = review(solution, [Turn((Thrown((1, 1, 1, 1, 1), (1,)), Thrown((1, 2, 3, 4, 6))), ("yacht",))])
    thrown_away, scratched = found.turns[0].throws
    assert thrown_away.best == (1, 1, 1, 1, 1)
    assert thrown_away.given_away > 20
    assert isinstance(scratched.best, tuple)  # after the second throw the best was to throw again
    assert scratched.given_away > 0


def test_a_big_general_ends_the_account(solution_of):
    solution = solution_of("general")
    found = review(solution, [Turn((Thrown((6, 6, 6, 6, 6)),), ())])
    assert found.score == 0
    assert found.luck == -found.expected
    assert found.still_to_come == 0


def test_no_turns_yet(solution_of):
    solution = solution_of("general")
    assert review(solution, []).still_to_come == solution.start


@pytest.mark.parametrize(
    "turn",
    [
        Turn((), ("ones",)),
        Turn((Thrown((1, 2, 3, 4, 5)),) * 4, ("ones",)),
        Turn((Thrown((1, 2, 3, 4, 5), (6,)), Thrown((1, 2, 3, 4, 6))), ("ones",)),
        Turn((Thrown((1, 2, 3, 4, 5), (1, 2, 3, 4, 5)), Thrown((1, 2, 3, 4, 5))), ("ones",)),
        Turn((Thrown((1, 2, 3, 4)),), ("ones",)),
        Turn((Thrown((1, 2, 3, 4, 5)),), ("ones", "twos")),
    ],
)
def test_turns_that_cannot_be(solution_of, turn):
    with pytest.raises(BadInputError):
        review(solution_of("lawn"), [turn])


def test_a_box_that_cannot_be_filled_twice(solution_of):
    turn = Turn((Thrown((1, 2, 3, 4, 5)),), ("ones",))
    with pytest.raises(RefusalError):
        review(solution_of("lawn"), [turn, turn])
