"""The odds of winning: against arithmetic by hand, and against each other."""

from dataclasses import replace
from functools import cache
from itertools import combinations

import numpy as np
import pytest

from station.rules import Entry, Sheet, built_in, fill, legal_boxes, sheet_totals
from station.strategy.model.position import is_plain, of_sheet, place
from station.strategy.odds.distributions import distributions, layer_bytes, spans
from station.strategy.odds.endgame import Endgame
from station.strategy.odds.spreads import ERROR, spreads, spreads_table
from station.strategy.odds.win_chances import (
    CurrentRoll,
    PlayerStanding,
    chances,
    final_in_turn,
    final_of,
    first_throw_wins,
    shares,
)
from station.strategy.odds.winning import by_chance, win_hint
from station.strategy.values.hints import hint
from station.strategy.values.solver import solve
from tests.strategy.brute_force import BruteForce, of_boxes
from tests.strategy.helpers import filled, standing

MORE_GAMES = [
    pytest.param(rules_id, marks=pytest.mark.slow) for rules_id in ("lawn", "double-cameroon", "world-51")
]


def test_shares_of_three_players_by_hand():
    """A has 0, B has 0 or 1 evenly, C has 1 in one of four: all ways by hand."""
    half, quarter = np.array([0.5, 0.5]), np.array([0.75, 0.25])
    found = shares([np.array([1.0]), half, quarter])
    all_tied = 0.5 * 0.75
    only_b, only_c, both = 0.5 * 0.75, 0.5 * 0.25, 0.5 * 0.25
    assert found == pytest.approx(
        (all_tied / 3, all_tied / 3 + only_b + both / 2, all_tied / 3 + only_c + both / 2)
    )


@pytest.mark.thorough
@pytest.mark.parametrize("players", range(2, 9))
def test_chances_add_up_to_one_for_any_number_of_players(solution_of, table_of, players):
    standings = [standing("yacht-1938", total=0)] * (players - 1) + [
        standing("yacht-1938", "yacht", total=150)
    ]
    found = chances(solution_of("yacht-1938"), table_of("yacht-1938"), standings, 0)
    assert sum(found) == pytest.approx(1.0, abs=1e-9)
    assert found[:-1] == pytest.approx([found[0]] * (players - 1))


@pytest.mark.parametrize("rules_id", ["yacht-1938", *MORE_GAMES])
def test_a_mirrored_position_is_even(solution_of, table_of, rules_id):
    standings = [standing(rules_id, total=40)] * 2
    assert chances(solution_of(rules_id), table_of(rules_id), standings, 0) == pytest.approx(
        (0.5, 0.5), abs=1e-9
    )


@pytest.mark.thorough
def test_general_favours_who_throws_first_by_the_big_general_alone(solution_of, table_of):
    model = solution_of("general").model
    wins, going_on = first_throw_wins(model, [standing("general", "ones")] * 2, 1, thrown_already=False)
    once = 6 / 7776
    assert wins == pytest.approx(((1 - once) * once, once))
    assert going_on == pytest.approx((1 - once) ** 2)
    wins, _ = first_throw_wins(model, [standing("general", "ones")] * 2, 1, thrown_already=True)
    assert wins == pytest.approx((once, 0.0))
    big = CurrentRoll((4, 4, 4, 4, 4), 2)
    won = chances(solution_of("general"), table_of("general"), [standing("general")] * 2, 1, big)
    assert won == (0.0, 1.0)
    found = chances(solution_of("general"), table_of("general"), [standing("general")] * 2, 0)
    assert 0.5 < found[0] < 0.50001
    assert sum(found) == pytest.approx(1.0, abs=1e-9)


@pytest.mark.parametrize("rules_id", ["yacht-1938", "general", *MORE_GAMES])
def test_distributions_have_the_values_as_their_means(solution_of, table_of, rules_id):
    solution, table = solution_of(rules_id), table_of(rules_id)
    masks = range(0, solution.model.layout.full + 1, 5)
    assert_means_are_values(solution, table, [mask for mask in masks if table.spans.width[mask]], within=2e-4)


BONUS = of_boxes(
    "[bonus]\nthreshold = 6\npoints = 12\n[further_yachts]\njoker = 'forced'\npoints = 30",
    "yacht = 50",
    "ones",
    "threes",
    "full-house = 25; first_throw_points = 40; five_of_a_kind = false",
    "choice",
    dice=5,
)


def assert_means_are_values(solution, table, masks, within=1e-4):
    """Each distribution adds up to 1, and its mean is the solution's value."""
    layout = solution.model.layout
    for mask in masks:
        found = table.of_mask(mask).astype(float)
        values = solution.values[layout.offset[mask] : layout.offset[mask] + len(found)]
        assert found.sum(axis=1) == pytest.approx(1.0, abs=1e-6)
        assert found @ np.arange(found.shape[1]) == pytest.approx(values, abs=within)


def test_distributions_with_bonus_jokers_and_first_throws():
    solution = solve(replace(BONUS, throws=3))
    assert_means_are_values(solution, distributions(solution), range(solution.model.layout.full + 1))


@pytest.mark.parametrize(
    ("more", "twos"),
    [("threshold = 6\npoints = 12", "served = 4"), ("steps = [[3, 2], [5, 9]]", "plus = 1")],
    ids=["points of the first throw", "steps"],
)
def test_distributions_and_ends_of_sheets_that_a_bonus_tells_apart(more, twos):
    """A sheet after the first throw may be another than after a later one; and each step of a bonus pays."""
    rule_set = of_boxes(f"[bonus]\n{more}", f"twos; {twos}", "threes", "pair = 7")
    solution, plain = solve(rule_set), PlainEnd(rule_set)
    table = distributions(solution)
    assert_means_are_values(solution, table, range(solution.model.layout.full + 1))
    for mine in (Sheet((Entry("threes", 3),)), Sheet((Entry("pair", 7), Entry("threes", 0)))):
        theirs = Sheet((Entry("twos", 2), Entry("threes", 3)))
        me, they = (place(solution.model, of_sheet(rule_set, sheet)) for sheet in (mine, theirs))
        game, apart = Endgame(solution.model), plain.total(mine) - plain.total(theirs)
        chance = game.chance(me, they)[game.reach(me, they) + apart]
        assert chance == pytest.approx(plain.win(mine, theirs), abs=1e-12)
        standings = [PlayerStanding(of_sheet(rule_set, each), plain.total(each)) for each in (mine, theirs)]
        final = final_in_turn(solution, table, standings[0], CurrentRoll((2, 2), 1))
        ahead = hint(solution, standings[0].where, (2, 2), 1).value + standings[0].total
        assert final @ np.arange(len(final)) == pytest.approx(ahead, abs=1e-4)
        won = win_hint(solution, table, standings, 0, CurrentRoll((2, 2), 1))
        assert won.chance == pytest.approx(plain.win(mine, theirs, 1, (2, 2)), abs=0.02)


class PlainEnd(BruteForce):
    """The end of a game of two by recursion over real sheets, both playing to win."""

    def __init__(self, rules):
        super().__init__(rules)
        self.win = cache(self._win)
        self.win_with = cache(self._win_with)

    def _win(self, mover, other, left=None, dice=()):
        if mover.is_full(self.rules):
            if not other.is_full(self.rules):
                return 1 - self.win(other, mover)
            mine, theirs = self.total(mover), self.total(other)
            return (mine > theirs) + 0.5 * (mine == theirs)
        if left is None:
            left = self.rules.throws - 1
            throws = self.throws(self.rules.dice)
            return sum(chance * self.win(mover, other, left, dice) for dice, chance in throws)
        throw = self.rules.throws - left
        best = max(
            1 - self.win(other, Sheet(tuple(sorted(fill(self.rules, mover, box, dice, throw).entries))))
            for box in legal_boxes(self.rules, mover, dice)
        )
        for size in range(len(dice) if left else 0):
            for hold in set(combinations(dice, size)):
                best = max(best, self.win_with(mover, other, left, hold))
        return best

    def _win_with(self, mover, other, left, hold):
        return sum(
            chance * self.win(mover, other, left - 1, tuple(sorted(hold + more)))
            for more, chance in self.throws(self.rules.dice - len(hold))
        )


def test_a_turn_that_reaches_the_bonus_has_a_distribution_with_boxes_of_it_still_open():
    """Two sixes bring 12 and the bonus; a one comes in a throw with 11 of 36, two with one."""
    rule_set = replace(of_boxes("[bonus]\nthreshold = 10\npoints = 50", "ones", "sixes"), throws=1)
    solution = solve(rule_set)
    me = PlayerStanding(of_sheet(rule_set, Sheet()), 0)
    final = final_in_turn(solution, distributions(solution), me, CurrentRoll((6, 6), 0))
    assert final[[62, 63, 64]] == pytest.approx([25 / 36, 10 / 36, 1 / 36], abs=1e-6)


def test_a_bonus_that_may_cost_points_has_no_chances():
    assert is_plain(of_boxes("[bonus]\nsteps = [[2, 3], [5, 3]]", "twos", "threes"))
    assert not is_plain(of_boxes("[bonus]\nsteps = [[2, -2], [5, 9]]", "twos", "threes"))
    assert not is_plain(of_boxes("[bonus]\nsteps = [[2, 9], [5, 3]]", "twos", "threes"))


def test_a_distribution_of_one_box_by_hand(table_of):
    """The yacht alone: the chance of five alike in three throws is 0.0460286."""
    final = final_of(table_of("yacht-1938"), standing("yacht-1938", "yacht", total=7))
    assert final[7] == pytest.approx(1 - 0.0460286, abs=1e-6)
    assert final[57] == pytest.approx(0.0460286, abs=1e-6)


def test_a_layer_is_the_most_there_is_at_once_to_work_a_table_out(solution_of):
    """General by hand: 10 boxes, no bonus, one sheet a mask; 252 ways to have five boxes open."""
    model = solution_of("general").model
    where = spans(model)
    five = [mask for mask in range(1024) if mask.bit_count() == 5]
    assert layer_bytes(model, where) >= 252 * max(int(where.width[mask]) for mask in five) * 4
    assert layer_bytes(model, where) < where.size * 4


@pytest.mark.thorough
@pytest.mark.parametrize("rules_id", ["yacht-1938", "general", *MORE_GAMES])
def test_variances_are_those_of_the_distributions(solution_of, table_of, rules_id):
    solution, table = solution_of(rules_id), table_of(rules_id)
    variances, layout = spreads(solution), solution.model.layout
    for mask in range(0, layout.full + 1, 7):
        if not table.has(mask):
            continue
        found = table.of_mask(mask).astype(float)
        points = np.arange(found.shape[1])
        expected = found @ points**2 - (found @ points) ** 2
        here = variances[layout.offset[mask] : layout.offset[mask] + len(found)]
        assert here == pytest.approx(expected, abs=0.05, rel=1e-3)


@pytest.mark.thorough
def test_chances_from_spreads_are_about_those_from_distributions(solution_of, table_of):
    solution, table = solution_of("yacht-1938"), table_of("yacht-1938")
    about = spreads_table(solution, spreads(solution))
    rng = np.random.default_rng(3)
    names = np.array(solution.model.rules.categories)
    apart = []
    for _ in range(60):
        rng.shuffle(names)
        both = [
            standing("yacht-1938", *names[: rng.integers(6, 13)], total=int(rng.integers(60, 140)))
            for _ in range(2)
        ]
        apart.append(chances(solution, about, both, 0)[0] - chances(solution, table, both, 0)[0])
    assert np.abs(apart).max() < 3 * ERROR
    assert np.sqrt(np.mean(np.square(apart))) < ERROR


def test_winning_asks_for_another_box_than_points(solution_of, table_of):
    """60 behind with choice and yacht open: points scratch the yacht, but only the yacht can win."""
    behind = [standing("yacht-1938", "choice", "yacht", total=100), PlayerStanding(position_done(), 160)]
    throw = CurrentRoll((1, 1, 1, 2, 6), 0)
    found = win_hint(solution_of("yacht-1938"), table_of("yacht-1938"), behind, 0, throw)
    assert found.points_hint.best_boxes == ("yacht",)
    assert [box.category for box in found.boxes] == ["choice", "yacht"]
    assert found.boxes[0].chance == pytest.approx(0.0460286, abs=1e-6)  # 11 now, and then a yacht
    assert found.boxes[1].chance == 0
    assert found.differs


def position_done():
    return of_sheet(built_in("yacht-1938"), filled(built_in("yacht-1938")))


def test_equal_chances_are_ordered_by_points(solution_of, table_of):
    standings = [standing("yacht-1938", "choice", total=200), PlayerStanding(position_done(), 100)]
    found = win_hint(
        solution_of("yacht-1938"), table_of("yacht-1938"), standings, 0, CurrentRoll((1, 2, 5, 6, 6), 2)
    )
    assert found.chance == 1.0
    assert found.holds[0].hold == found.points_hint.best_holds[0] == (5, 6, 6)
    assert not found.differs


@pytest.mark.thorough
def test_the_end_of_a_game_of_two_against_a_plain_solver():
    rule_set, model, plain = BONUS, solve(BONUS).model, PlainEnd(BONUS)
    mine = Sheet((Entry("yacht", 50), Entry("threes", 3), Entry("full-house", 0), Entry("choice", 20)))
    theirs = Sheet((Entry("yacht", 0), Entry("ones", 2), Entry("threes", 3), Entry("full-house", 70)))
    game = Endgame(model)
    me, they = (place(model, of_sheet(rule_set, sheet)) for sheet in (mine, theirs))
    apart = sheet_totals(rule_set, mine).total - sheet_totals(rule_set, theirs).total
    chance = game.chance(me, they)[game.reach(me, they) + apart]
    assert chance == pytest.approx(plain.win(mine, theirs), abs=1e-12)
    assert 0.01 < chance < 0.99


def test_playing_exactly_wins_at_least_as_often_as_looking_ahead(solution_of, table_of):
    solution, table = solution_of("yacht-1938"), table_of("yacht-1938")
    standings = [
        standing("yacht-1938", "choice", "yacht", total=100),
        standing("yacht-1938", "sixes", "full-house", total=104),
    ]
    mover, other = (place(solution.model, each.where) for each in standings)
    end = Endgame(solution.model).turn_ends(mover, other, standings[0].total - standings[1].total)
    throw = CurrentRoll((1, 4, 4, 6, 6), 1)
    exact = by_chance(solution, standings[0], throw, end, exact=True)
    assert exact.exact
    assert sum(exact.holds[0].chance >= hold.chance for hold in exact.holds) == len(exact.holds)
    ahead = win_hint(solution, table, standings, 0, throw)
    assert exact.chance == pytest.approx(ahead.chance, abs=0.05)  # the other plays better than for points
