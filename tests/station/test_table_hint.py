"""The hint for the table: a star only where scoring is best, and two boxes for ten dice from one source."""

import random

import pytest

from station.advice.advisor import Advisor
from station.advice.lamp_hints import LampHints
from station.advice.table_hint import AS_GOOD, TableHint, best_second, table_hint
from station.contract.commands import Choose, Command, EnterRoll, ScoreBox, StartGame
from station.game.evolve import evolve
from station.game.log.state import State
from station.rules import Sheet, best_split, built_in, fill, legal_boxes
from station.strategy.model.position import of_sheet
from station.strategy.values.hints import hint, to_come
from station.strategy.values.solver import Solution
from tests.game.deciding import decide


def after(rules_id: str, *commands: Command) -> State:
    state = State()
    for command in (StartGame(players=("Ana",), rules=rules_id), *commands):
        for event in decide(state, command):
            state = evolve(state, event)
    return state


def roll(*faces: int) -> EnterRoll:
    return EnterRoll(faces=faces)


@pytest.fixture(scope="module")
def advisor() -> Advisor:
    return Advisor()


def told(advisor: Advisor, state: State) -> TableHint:
    assert state.rules is not None
    found = table_hint(advisor.solution_now(state.rules), state)
    assert found is not None
    return found


class TestStar:
    def test_no_box_is_starred_while_throwing_again_is_better(self, advisor):
        """General, 2-2-5-5-6 after the first throw: Twos had the star, and cost 5.55."""
        found = told(advisor, after("general", roll(2, 2, 5, 5, 6)))
        assert found.box is None
        assert found.given["twos"] == min(found.given.values()) == 5.55
        assert set(found.given) == set(built_in("general").categories)

    def test_a_box_is_starred_where_stopping_is_best(self, advisor):
        found = told(advisor, after("yacht-1938", roll(6, 6, 6, 6, 6)))
        assert (found.box, found.slots) == ("yacht", (1, 2, 3, 4, 5))
        assert "yacht" not in found.given
        assert len(found.given) == 11

    def test_after_the_last_throw_the_best_box_is_starred(self, advisor):
        throw = roll(5, 5, 5, 2, 2)
        found = told(advisor, after("yacht-1938", throw, throw, throw))
        assert (found.box, found.slots) == ("full-house", None)
        assert str(found.reason) == "Full House: 19 points now"

    def test_who_throws_no_more_gets_the_best_box_and_no_dice_to_hold(self, advisor):
        """Also with its points of the first throw, which General pays more for."""
        found = told(advisor, after("general", roll(1, 2, 3, 4, 5), Choose()))
        assert (found.box, found.slots) == ("straight", None)
        assert str(found.reason) == "Straight: 25 points now"

    def test_a_further_yacht_is_told_with_what_it_brings_on_top(self, advisor):
        five = roll(6, 6, 6, 6, 6)
        played = (five, ScoreBox(category="yacht"), five, five, five)
        assert "and 100 on top" in str(told(advisor, after("yahtzee", *played)).reason)

    def test_a_big_general_leaves_nothing_to_advise(self, advisor):
        state = after("general", roll(4, 4, 4, 4, 4))
        assert table_hint(advisor.solution_now(built_in("general")), state) is None

    @pytest.mark.thorough
    @pytest.mark.parametrize("rules_id", ["general", "yahtzee", "double-cameroon"])
    def test_the_star_costs_nothing_and_every_other_box_says_its_cost(self, advisor, rules_id):
        rules, rng = built_in(rules_id), random.Random(7)
        for _ in range(30):
            faces = rng.choices(range(1, 7), k=rules.dice)
            state = after(rules_id, *[roll(*faces)] * rng.randint(1, 3))
            if not state.running:
                continue
            found = told(advisor, state)
            every = hint(advisor.solution_now(rules), of_sheet(rules, Sheet()), faces, state.rolls_left)
            best = every.value - every.boxes[0].value
            assert (found.box is None) == (best > AS_GOOD)
            starred = set() if found.box is None else set(found.box.split("+"))
            assert starred.isdisjoint(found.given)
            assert starred | set(found.given) == set(legal_boxes(rules, Sheet(), tuple(sorted(faces[:5]))))


class TestOddLooking:
    """What looks better than the best is told with what it costs."""

    @pytest.mark.parametrize(
        ("rules_id", "faces", "throws", "said"),
        [
            ("yahtzee", (1, 2, 3, 4, 6), 2, "Small Straight now: 2.5 points less"),
            ("yahtzee", (6, 6, 1, 2, 4), 3, "Chance now: 0.7 points less"),
            ("general", (6, 6, 6, 5, 5), 2, "Full House now: 0.1 points less"),
            ("yahtzee", (6, 6, 1, 2, 4), 1, ""),
            ("yahtzee", (3, 3, 3, 6, 6), 2, ""),
        ],
    )
    def test_a_box_that_would_bring_much_now(self, advisor, rules_id, faces, throws, said):
        assert str(told(advisor, after(rules_id, *[roll(*faces)] * throws)).instead) == said

    def test_choices_are_compared_best_first_dice_and_boxes(self, advisor):
        found = told(advisor, after("yahtzee", *[roll(1, 2, 3, 4, 6)] * 2)).options
        assert (found[0].hold, found[0].less) == ((1, 2, 3, 4), 0)
        assert [each.less for each in found] == sorted(each.less for each in found)
        assert next(each.less for each in found if each.box == "small-straight") == 2.5


@pytest.mark.needs_feature("two_boxes")
class TestTwoBoxes:
    DICE = (2, 2, 2, 2, 2, 2, 5, 5, 5, 5)

    def test_there_is_a_hint_for_the_second_box(self, advisor):
        first = ScoreBox(category="five-of-a-kind", slots=(1, 2, 3, 4, 5))
        found = told(advisor, after("double-cameroon", roll(*self.DICE), first))
        assert found.slots is None
        assert found.box not in {None, "five-of-a-kind"}
        assert len(found.given) == 8
        assert "points now" in str(found.reason)

    @pytest.mark.thorough
    def test_the_second_box_is_the_best_by_what_is_still_to_come(self, advisor):
        """The page preselected by points now: in 9 of 60 turns another box, up to 5.9 points worse."""
        solution, rng, other = advisor.solution_now(built_in("double-cameroon")), random.Random(1), 0
        for _ in range(60):
            state = after("double-cameroon", roll(*rng.choices(range(1, 7), k=10)))
            found = hint(solution, of_sheet(solution.model.rules, Sheet()), state.faces, state.rolls_left)
            first, second = found.boxes[0].category.split("+")
            assert best_second(solution, state, first) == second
            assert best_second(solution, state, second) == first
            category = rng.choice(solution.model.rules.categories)
            chosen = best_second(solution, state, category)
            values = {each: worth(solution, state, category, each) for each in solution.model.rules.categories
                      if each != category}  # fmt: skip
            assert chosen is not None
            assert values[chosen] == pytest.approx(max(values.values()))
            points = {each: now(solution, state, category, each) for each in values}
            other += points[chosen] < max(points.values())
        assert other > 0

    @pytest.mark.thorough
    def test_what_is_preselected_for_dice_chosen_by_hand_is_what_is_hinted_then(self, advisor):
        solution, rng = advisor.solution_now(built_in("double-cameroon")), random.Random(2)
        for _ in range(60):
            throw = roll(*rng.choices(range(1, 7), k=10))
            category = rng.choice(solution.model.rules.categories)
            slots = tuple(sorted(rng.sample(range(1, 11), 5)))
            group = [throw.faces[slot - 1] for slot in slots]
            before = after("double-cameroon", throw)
            then = after("double-cameroon", throw, ScoreBox(category=category, slots=slots))
            assert best_second(solution, before, category, group) == told(advisor, then).box

    def test_the_lamps_hold_nothing_once_a_box_is_filled(self, advisor):
        first = ScoreBox(category="five-of-a-kind", slots=(1, 2, 3, 4, 5))
        lamps = LampHints(advisor, lambda: after("double-cameroon", roll(*self.DICE), first), lambda _: True)
        assert lamps.slots() == ()
        lamps.close()


def now(solution: Solution, state: State, first: str, second: str) -> int:
    return sum(best_split(solution.model.rules, Sheet(), (first, second), state.faces).points)


def worth(solution: Solution, state: State, first: str, second: str) -> float:
    rules = solution.model.rules
    both = fill(rules, fill(rules, Sheet(), first, (1,) * 5), second, (1,) * 5)
    return now(solution, state, first, second) + to_come(solution, both)
