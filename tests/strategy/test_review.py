"""Luck and skill add up to the score; what each throw brought and each decision gave away."""

from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import factorial, prod

import pytest

from messages.errors import BadInputError
from station.contract.reviewed import Choice
from station.rules import Entry, RuleSet, Sheet, built_in, fill, sheet_totals
from station.rules.dice import Dice
from station.rules.filling import groups
from station.strategy.forward.trials import Offset
from station.strategy.model.position import of_sheet, position
from station.strategy.review import Filled, Review, ReviewedThrow, Turn, review
from station.strategy.values.hints import hint, to_come
from station.strategy.values.parts import InParts
from station.strategy.values.solver import solve
from tests.strategy.brute_force import BruteForce, of_boxes, shortened


def filled(rules: RuleSet, sheet: Sheet, category: str, dice: Dice, throw: int = 3) -> tuple[Filled, Sheet]:
    """A box as a turn has it, and the sheet with it."""
    after = fill(rules, sheet, category, dice, throw)
    return Filled(after.entries[-1], tuple(sorted(dice))), after


def one(*throws: ReviewedThrow, box: str = "", points: int = 0) -> Turn:
    """A turn that fills one box."""
    return Turn(throws, (Filled(Entry(box, points), throws[-1].dice),) if box else ())


def adds_up(found: Review) -> None:
    right = found.score + found.still_to_come - found.expected
    assert found.luck - found.given_away == pytest.approx(right, abs=1e-9)


def test_the_best_play_gives_nothing_away(solution_of):
    solution = solution_of("world-51")
    rules = built_in("world-51")
    first = hint(solution, of_sheet(rules, Sheet()), (1, 3, 4, 4, 6), 2)
    hold = first.best_holds[0]
    dice = tuple(sorted(hold + (4,) * (5 - len(hold))))
    second = hint(solution, of_sheet(rules, Sheet()), dice, 1)
    box, _ = filled(rules, Sheet(), second.best_boxes[0], dice)
    found = review(solution, [Turn((ReviewedThrow((1, 3, 4, 4, 6), hold), ReviewedThrow(dice)), (box,))])
    assert found.given_away == pytest.approx(0, abs=1e-6)
    assert all(each.done == each.best for each in found.turns[0].decisions)
    assert found.turns[0].throws[0].luck < 0 < found.turns[0].throws[1].luck
    adds_up(found)


def test_in_a_game_in_parts_a_box_gives_away_what_advice_says():
    rules = shortened("maxi-yatzy", "ones", "twos", "pair", dice=2, throws=2)
    parts = InParts(rules, [solve(replace(rules, boxes=(box,))) for box in rules.boxes])
    for dice in combinations_with_replacement(range(1, 7), 2):
        said = hint(parts, of_sheet(rules, Sheet()), dice, 1)
        for each in said.boxes:
            ((told,),) = (
                turn.decisions
                for turn in review(
                    parts, [one(ReviewedThrow(dice), box=each.category, points=each.points)]
                ).turns
            )
            assert told.cost == pytest.approx(said.value - each.value)


def test_luck_is_counted_from_what_the_best_play_brings_where_values_are_off():
    rules = shortened("maxi-yatzy", "ones", "twos", "pair", dice=2, throws=2)
    parts = InParts(rules, [solve(replace(rules, boxes=(box,))) for box in rules.boxes])
    turns = [
        one(ReviewedThrow((1, 1)), box="ones", points=2),
        one(ReviewedThrow((2, 5), (2,)), ReviewedThrow((2, 2)), box="twos", points=4),
        one(ReviewedThrow((3, 4)), box="pair"),
    ]
    offsets = [Offset(3.0), Offset(2.5), Offset(0.0)]
    for count in range(4):
        plain, found = review(parts, turns[:count]), review(parts, turns[:count], offsets)
        adds_up(found)
        assert found.expected == plain.expected + 3.0
        assert found.still_to_come == plain.still_to_come + (3.0, 2.5, 0.0, 0.0)[count]
        assert found.given_away == plain.given_away
        assert found.luck == pytest.approx(plain.luck - (0.0, 0.5, 3.0, 3.0)[count])


def test_a_mistake_is_reported_with_what_was_best(solution_of):
    solution = solution_of("yacht-1938")
    turn = one(ReviewedThrow((1, 1, 1, 1, 1), (1,)), ReviewedThrow((1, 2, 3, 4, 6)), box="yacht")
    thrown_away, scratched = review(solution, [turn]).turns[0].decisions
    assert (thrown_away.done, thrown_away.best) == (Choice((1,)), Choice(None, ("yacht",)))
    assert (thrown_away.throw, thrown_away.dice) == (1, (1, 1, 1, 1, 1))
    assert thrown_away.cost > 20
    assert scratched.best.hold is not None  # after the second throw the best was to throw again
    assert scratched.cost > 0


class TestEndedEarly:
    def test_who_never_threw_has_all_still_to_come(self, solution_of):
        solution = solution_of("general")
        assert review(solution, []) == Review(solution.start, 0, solution.start, ())

    def test_after_the_first_of_two_boxes_the_second_is_still_to_come(self, solution_of):
        solution, rules = solution_of("double-cameroon"), built_in("double-cameroon")
        dice = (1, 2, 3, 4, 5, 6, 6, 6, 6, 6)
        first, sheet = filled(rules, Sheet(), "little-straight", (1, 2, 3, 4, 5))
        found = review(solution, [Turn((ReviewedThrow(dice),), (first,))])
        ways = [fill(rules, sheet, each, (6,) * 5) for each in sheet.open(rules)]
        assert found.score == 21
        assert found.still_to_come == max(way.entries[1].points + to_come(solution, way) for way in ways)
        adds_up(found)


class TestBigGeneral:
    """Five alike in General's first throw wins at once: no first throw is better."""

    def test_it_counts_as_the_best_first_throw(self, solution_of):
        solution = solution_of("general")
        found = review(solution, [one(ReviewedThrow((6, 6, 6, 6, 6)))])
        best = max(
            hint(solution, position(built_in("general")), dice, 2).value
            for dice in combinations_with_replacement(range(1, 7), 5)
        )
        assert found.luck == pytest.approx(best - solution.start)
        assert found.still_to_come == pytest.approx(best)
        assert found.given_away == 0
        adds_up(found)

    def test_it_is_luck_also_where_its_dice_bring_nothing(self, solution_of):
        """Only Sixes are open: 1-1-1-1-1 would bring 0, and wins."""
        rules = built_in("general")
        solution, sheet, turns = solution_of("general"), Sheet(), []
        for category in rules.categories:
            if category != "sixes":
                box, sheet = filled(rules, sheet, category, (1, 2, 3, 5, 6), 1)
                turns.append(Turn((ReviewedThrow(box.dice),), (box,)))
        found = review(solution, [*turns, one(ReviewedThrow((1, 1, 1, 1, 1)))])
        assert found.turns[-1].throws[0].luck > 0
        adds_up(found)


def test_each_of_the_two_boxes_of_a_turn_is_a_decision(solution_of):
    """Of Double Cameroon, split as it was played."""
    rules = built_in("double-cameroon")
    one_, sheet = filled(rules, Sheet(), "five-of-a-kind", (2,) * 5)
    other, sheet = filled(rules, sheet, "ones", (2, 5, 5, 5, 5))
    throw = ReviewedThrow((2, 2, 2, 2, 2, 2, 5, 5, 5, 5))
    found = review(solution_of("double-cameroon"), [Turn((throw,), (one_, other))])
    assert found.score == sheet_totals(rules, sheet).total
    adds_up(found)
    first, second = found.turns[0].decisions
    assert first.done == Choice(None, ("five-of-a-kind",), ((2,) * 5,))
    assert second.done == Choice(None, ("ones",), ((2, 5, 5, 5, 5),))
    assert second.best.groups == second.done.groups
    assert second.cost > 5


@pytest.mark.slow
class TestAgainstPlainRecursion:
    def test_each_throw_and_each_decision(self):
        """Luck and cost of games with two boxes, from recursion over real sheets and real throws."""
        rules = of_boxes(
            "[bonus]\nthreshold = 20\npoints = 11\n[further_yachts]\njoker = 'wild'\npoints = 17",
            "yacht = 50",
            "sixes",
            dice=5,
        )
        solution, plain = solve(rules), BruteForce(rules)
        for first in ("yacht", "sixes"):
            second = "sixes" if first == "yacht" else "yacht"
            box, sheet = filled(rules, Sheet(), first, (6, 6, 6, 6, 6), 2)
            other, full = filled(rules, sheet, second, (6, 6, 6, 6, 6), 1)
            found = review(
                solution,
                [
                    Turn((ReviewedThrow((1, 6, 6, 6, 6), (6, 6, 6)), ReviewedThrow(box.dice)), (box,)),
                    Turn((ReviewedThrow(other.dice),), (other,)),
                ],
            )
            start = plain.sheet(Sheet(), 0)
            thrown = plain.roll(Sheet(), (1, 6, 6, 6, 6), 1, 2)
            held = plain.hold(Sheet(), (6, 6, 6), 1, 2)
            again = plain.roll(Sheet(), box.dice, 0, 2)
            filled_now = plain.boxes(Sheet(), box.dice, 0, 2)[first]
            between = plain.sheet(sheet, 0)
            last = plain.roll(sheet, other.dice, 1, 2)
            luck = [each.luck for turn in found.turns for each in turn.throws]
            cost = [each.cost for turn in found.turns for each in turn.decisions]
            assert luck == pytest.approx([thrown - start, again - held, last - between])
            assert cost[:2] == pytest.approx([thrown - held, again - filled_now])
            assert cost[2] == pytest.approx(last - plain.boxes(sheet, other.dice, 1, 2)[second])
            assert found.score == sheet_totals(rules, full).total
            adds_up(found)

    def test_two_boxes_of_ten_dice(self):
        """Double Cameroon with four boxes and one throw, every roll and every split counted."""
        whole = built_in("double-cameroon")
        names = ("sixes", "full-house", "big-straight", "five-of-a-kind")
        rules = replace(whole, boxes=tuple(box for box in whole.boxes if box.category in names), throws=1)
        solution, plain = solve(rules), TenDice(rules)
        dice = (2, 3, 4, 5, 6, 6, 6, 6, 6, 6)
        one_, sheet = filled(rules, Sheet(), "sixes", (2, 6, 6, 6, 6), 1)
        two, after = filled(rules, sheet, "full-house", (3, 4, 5, 6, 6), 1)
        last = (1, 1, 1, 1, 1, 2, 3, 4, 5, 6)
        three, after_three = filled(rules, after, "big-straight", (1, 1, 1, 1, 1), 1)
        found = review(
            solution, [Turn((ReviewedThrow(dice),), (one_, two)), Turn((ReviewedThrow(last),), (three,))]
        )
        start, thrown = plain.value(names), plain.best(names, dice)
        rest = {each: plain.points(each, two.dice) for each in names[1:]}
        values = {
            each: worth + plain.value(tuple(x for x in names[1:] if x != each))
            for each, worth in rest.items()
        }
        luck = [each.luck for turn in found.turns for each in turn.throws]
        cost = [each.cost for turn in found.turns for each in turn.decisions]
        between = plain.value(names[2:])
        assert luck == pytest.approx([thrown - start, plain.best(names[2:], last) - between])
        assert cost[0] == pytest.approx(thrown - 24 - max(values.values()))
        assert cost[1] == pytest.approx(max(values.values()) - values["full-house"])
        assert cost[2] == pytest.approx(80 - plain.points("five-of-a-kind", (2, 3, 4, 5, 6)))
        assert found.still_to_come == 0
        assert found.score == sheet_totals(rules, after_three).total
        adds_up(found)


class TenDice:
    """The value of sheets of ten dice and one throw a turn, by counting; shares only points of five dice."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self.value = cache(self._value)
        self.points = cache(lambda category, dice: rules.box(category).scoring.score(dice, 1).points)
        self.halves = cache(self._halves)

    @staticmethod
    def _halves(dice: Dice) -> list[tuple[Dice, Dice]]:
        return [(each, tuple(sorted((Counter(dice) - Counter(each)).elements()))) for each in groups(dice, 5)]

    def best(self, names: tuple[str, ...], dice: Dice) -> float:
        return max(
            self.value(tuple(each for each in names if each not in {one_, two}))
            + max(self.points(one_, mine) + self.points(two, rest) for mine, rest in self.halves(dice))
            for one_, two in combinations(names, 2)
        )

    def _value(self, names: tuple[str, ...]) -> float:
        def chance(dice: Dice) -> float:
            return factorial(10) / prod(factorial(dice.count(face)) for face in range(1, 7)) / 6**10

        rolls = combinations_with_replacement(range(1, 7), 10)
        return sum(chance(dice) * self.best(names, dice) for dice in rolls) if names else 0.0


@pytest.mark.parametrize(
    "turn",
    [
        one(),
        one(*(ReviewedThrow((1, 2, 3, 4, 5)),) * 4, box="ones"),
        one(ReviewedThrow((1, 2, 3, 4, 5), (6,)), ReviewedThrow((1, 2, 3, 4, 6)), box="ones"),
        one(ReviewedThrow((1, 2, 3, 4, 5), (1, 2, 3, 4, 5)), ReviewedThrow((1, 2, 3, 4, 5)), box="ones"),
        one(ReviewedThrow((1, 2, 3, 4)), box="ones"),
        Turn((ReviewedThrow((1, 2, 3, 4, 5)),), (Filled(Entry("ones", 1), (1, 2, 3, 4, 5)),) * 2),
    ],
)
def test_turns_that_cannot_be(solution_of, turn):
    with pytest.raises(BadInputError):
        review(solution_of("lawn"), [turn])
