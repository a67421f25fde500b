"""The odds of winning: against arithmetic by hand, against each other, against simulated games."""

from itertools import combinations

import numpy as np
import pytest

from station.rules import Entry, Sheet, built_in, fill, legal_boxes, parse_rules, sheet_totals
from station.strategy.distributions import distributions, layer_bytes, spans
from station.strategy.endgame import Endgame
from station.strategy.hints import hint
from station.strategy.position import of_sheet, place, position
from station.strategy.shared import Lying, SharedGames
from station.strategy.simulation import Table
from station.strategy.solver import solve
from station.strategy.spreads import ERROR, spreads, spreads_table
from station.strategy.trials import Trials
from station.strategy.win_chances import (
    Standing,
    Throw,
    chances,
    final_in_turn,
    final_of,
    first_throw_wins,
    shares,
)
from station.strategy.win_trials import WinTrials
from station.strategy.winning import by_chance, win_hint
from tests.strategy.helpers import Match, PlainSolver, filled

MORE_GAMES = [
    pytest.param(rules_id, marks=pytest.mark.slow) for rules_id in ("lawn", "double-cameroon", "world-51")
]


@pytest.fixture(scope="module")
def table_of(solution_of):
    kept = {}

    def table(rules_id):
        if rules_id not in kept:
            kept[rules_id] = distributions(solution_of(rules_id))
        return kept[rules_id]

    return table


def standing(rules_id, *still_open, total=0, upper=0):
    return Standing(position(built_in(rules_id), still_open or None, upper), total)


def test_shares_of_three_players_by_hand():
    """A has 0, B has 0 or 1 evenly, C has 1 in one of four: all ways by hand."""
    half, quarter = np.array([0.5, 0.5]), np.array([0.75, 0.25])
    found = shares([np.array([1.0]), half, quarter])
    all_tied = 0.5 * 0.75
    only_b, only_c, both = 0.5 * 0.75, 0.5 * 0.25, 0.5 * 0.25
    assert found == pytest.approx(
        (all_tied / 3, all_tied / 3 + only_b + both / 2, all_tied / 3 + only_c + both / 2)
    )


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


def test_general_favours_who_throws_first_by_the_big_general_alone(solution_of, table_of):
    model = solution_of("general").model
    wins, going_on = first_throw_wins(model, [standing("general", "ones")] * 2, 1, thrown_already=False)
    once = 6 / 7776
    assert wins == pytest.approx(((1 - once) * once, once))
    assert going_on == pytest.approx((1 - once) ** 2)
    wins, _ = first_throw_wins(model, [standing("general", "ones")] * 2, 1, thrown_already=True)
    assert wins == pytest.approx((once, 0.0))
    big = Throw((4, 4, 4, 4, 4), 2)
    won = chances(solution_of("general"), table_of("general"), [standing("general")] * 2, 1, big)
    assert won == (0.0, 1.0)
    found = chances(solution_of("general"), table_of("general"), [standing("general")] * 2, 0)
    assert 0.5 < found[0] < 0.50001
    assert sum(found) == pytest.approx(1.0, abs=1e-9)


@pytest.mark.parametrize("rules_id", ["yacht-1938", "general", *MORE_GAMES])
def test_distributions_have_the_values_as_their_means(solution_of, table_of, rules_id):
    solution, table = solution_of(rules_id), table_of(rules_id)
    layout = solution.model.layout
    for mask in range(0, layout.full + 1, 5):
        if not table.spans.width[mask]:
            continue
        found = table.of_mask(mask).astype(float)
        values = solution.values[layout.offset[mask] : layout.offset[mask] + len(found)]
        assert found.sum(axis=1) == pytest.approx(1.0, abs=1e-6)
        assert found @ np.arange(found.shape[1]) == pytest.approx(values, abs=2e-4)


BONUS = """
id = "small"
title = "Small"
throws = 3
[bonus]
threshold = 6
points = 12
[further_yachts]
joker = "forced"
points = 30
[[box]]
category = "yacht"
label = "Yacht"
points = 50
[[box]]
category = "ones"
label = "Ones"
[[box]]
category = "threes"
label = "Threes"
[[box]]
category = "full-house"
label = "House"
points = 25
first_throw_points = 40
five_of_a_kind = false
[[box]]
category = "choice"
label = "All"
"""


def test_distributions_with_bonus_jokers_and_first_throws():
    solution = solve(parse_rules(BONUS))
    table = distributions(solution)
    layout = solution.model.layout
    for mask in range(layout.full + 1):
        found = table.of_mask(mask).astype(float)
        values = solution.values[layout.offset[mask] : layout.offset[mask] + len(found)]
        assert found @ np.arange(found.shape[1]) == pytest.approx(values, abs=1e-4)


def test_a_distribution_in_the_middle_of_a_turn_has_the_hint_as_its_mean(solution_of, table_of):
    solution, table = solution_of("yacht-1938"), table_of("yacht-1938")
    for rolls_left in (2, 1, 0):
        me = standing("yacht-1938", "sixes", "choice", "yacht", "full-house", total=100)
        final = final_in_turn(solution, table, me, Throw((2, 5, 5, 6, 6), rolls_left))
        expected = hint(solution, me.where, (2, 5, 5, 6, 6), rolls_left).value + 100
        assert final @ np.arange(len(final)) == pytest.approx(expected, abs=1e-4)


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
    behind = [standing("yacht-1938", "choice", "yacht", total=100), Standing(position_done(), 160)]
    throw = Throw((1, 1, 1, 2, 6), 0)
    found = win_hint(solution_of("yacht-1938"), table_of("yacht-1938"), behind, 0, throw)
    assert found.points_hint.best_boxes == ("yacht",)
    assert [box.category for box in found.boxes] == ["choice", "yacht"]
    assert found.boxes[0].chance == pytest.approx(0.0460286, abs=1e-6)  # 11 now, and then a yacht
    assert found.boxes[1].chance == 0
    assert found.differs


def position_done():
    return of_sheet(built_in("yacht-1938"), filled(built_in("yacht-1938")))


def test_equal_chances_are_told_apart_by_points(solution_of, table_of):
    standings = [standing("yacht-1938", "choice", total=200), Standing(position_done(), 100)]
    found = win_hint(
        solution_of("yacht-1938"), table_of("yacht-1938"), standings, 0, Throw((1, 2, 5, 6, 6), 2)
    )
    assert found.chance == 1.0
    assert found.holds[0].hold == found.points_hint.best_holds[0] == (5, 6, 6)
    assert not found.differs


class PlainEndgame(PlainSolver):
    """The end of a game of two by recursion over real sheets, both playing to win."""

    def win(self, mover, other, left=None, dice=None):
        if mover.is_full(self.rules) and other.is_full(self.rules):
            mine, theirs = sheet_totals(self.rules, mover).total, sheet_totals(self.rules, other).total
            return (mine > theirs) + 0.5 * (mine == theirs)
        if mover.is_full(self.rules):
            return 1 - self.win(other, mover)
        if dice is None:
            key = (mover, other)
            if key not in self.known:
                throws, left = self.throws[5], self.rules.throws - 1
                self.known[key] = sum(chance * self.win(mover, other, left, dice) for dice, chance in throws)
            return self.known[key]
        key = (mover, other, left, dice)
        if key not in self.known:
            throw = self.rules.throws - left
            best = max(
                1 - self.win(other, fill(self.rules, mover, category, dice, throw))
                for category in legal_boxes(self.rules, mover, dice)
            )
            if left:
                for size in range(5):
                    for hold in set(combinations(dice, size)):
                        best = max(best, self.hold(mover, other, left, hold))
            self.known[key] = best
        return self.known[key]

    def hold(self, mover, other, left, hold):
        key = (mover, other, left, hold, "held")
        if key not in self.known:
            self.known[key] = sum(
                chance * self.win(mover, other, left - 1, tuple(sorted(hold + more)))
                for more, chance in self.throws[5 - len(hold)]
            )
        return self.known[key]


def test_the_end_of_a_game_of_two_against_a_plain_solver():
    rule_set = parse_rules(BONUS.replace("throws = 3", "throws = 2"))
    model = solve(rule_set).model
    plain = PlainEndgame(rule_set)
    plain.known = {}
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
    throw = Throw((1, 4, 4, 6, 6), 1)
    exact = by_chance(solution, standings[0], throw, end, exact=True)
    assert exact.exact
    assert sum(exact.holds[0].chance >= hold.chance for hold in exact.holds) == len(exact.holds)
    ahead = win_hint(solution, table, standings, 0, throw)
    assert exact.chance == pytest.approx(ahead.chance, abs=0.05)  # the other plays better than for points


def games(solution, count, seed):
    """Final scores of that many games by best play for points."""
    model = solution.model
    rule_set = model.rules
    turns = len(rule_set.boxes) // rule_set.boxes_per_turn
    rng = np.random.default_rng(seed)
    start = int(model.layout.offset[model.layout.full])
    table = Table(solution, np.full(count, start), np.zeros(count, dtype=np.intp))
    for _ in range(turns):
        table.turn(rng.integers(1, 7, size=(count, rule_set.throws, rule_set.dice), dtype=np.int8))
    return table.totals


@pytest.mark.slow
def test_chances_against_20000_simulated_games(solution_of, table_of):
    """Ben is 20 ahead; the share of the wins of Ana over 20,000 games is within three standard errors."""
    solution = solution_of("yacht-1938")
    ana, ben = np.split(games(solution, 40_000, seed=7), 2)
    won = (ana > ben + 20) + 0.5 * (ana == ben + 20)
    standings = [standing("yacht-1938"), standing("yacht-1938", total=20)]
    chance = chances(solution, table_of("yacht-1938"), standings, 0)[0]
    assert abs(won.mean() - chance) < 3 * won.std() / np.sqrt(len(won))
    error = ana.std() / np.sqrt(len(ana))
    assert abs(ana.mean() - solution.start) < 3 * error


@pytest.mark.slow
def test_playing_to_win_wins_more_than_playing_for_points(solution_of, table_of):
    """1,000 matches from four boxes each and 25 points behind, both ways with the same throws.

    Against the same play for points. Over whole games the margin is smaller (docs/advice.md).
    """
    solution, table, count = solution_of("yacht-1938"), table_of("yacht-1938"), 1000
    faces = np.random.default_rng(11).integers(1, 7, size=(2, count, 4, 3, 5), dtype=np.int8)
    where = place(solution.model, position(solution.model.rules, ("sixes", "full-house", "choice", "yacht")))
    start = int(solution.model.layout.offset[where.mask])
    scores, before = [], []
    for throws, total in zip(faces, (100, 125), strict=True):
        games = Table(solution, np.full(count, start), np.full(count, total))
        before = []
        for turn in range(4):
            before.append((games.sheets.copy(), games.totals.copy()))
            games.turn(throws[:, turn])
        scores.append(games.totals)
    points, ben = scores
    match = Match(solution, table)
    to_win = np.array(
        [
            match.ana(faces[0, game], [(int(s[game]), int(t[game])) for s, t in before], start, 100)
            for game in range(count)
        ]
    )
    gain = ((to_win > ben) + 0.5 * (to_win == ben)) - ((points > ben) + 0.5 * (points == ben))
    assert gain.mean() > 2 * gain.std() / np.sqrt(count)
    assert to_win.mean() < points.mean()


def test_who_plays_to_win_in_many_games_decides_as_the_hint_does(solution_of, table_of):
    """Five games with the same dice, decided one by one from the hint's own figures."""
    solution, table, count = solution_of("yacht-1938"), table_of("yacht-1938"), 5
    ben, ana = Trials(solution, count, 5), WinTrials(solution, table, count, 6)
    ana.others = (ben,)
    dice, match, before = np.random.default_rng(6), Match(solution, table), []
    faces = np.stack([dice.integers(1, 7, (count, 3, 5), dtype=np.int8) for _ in range(ben.turns)], axis=1)
    start = solution.model.layout.offset[solution.model.layout.full]
    for _ in range(ben.turns):
        ben.turn()
        sheets = [
            solution.model.layout.offset[mask] + column for mask, column in map(ben.place, range(count))
        ]
        before.append((sheets, ben.totals()))
        ana.turn()
    for game in range(count):
        his = [(sheets[game], int(totals[game])) for sheets, totals in before]
        assert ana.totals()[game] == match.ana(faces[game], his, start, 0)
    assert list(ana.totals()) != list(Trials(solution, count, 6).play())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rules_id", "count"), [("yacht-1938", 400), ("yahtzee", 200), ("double-cameroon", 40), ("world-51", 200)]
)
def test_simulated_games_score_as_expected(solution_of, rules_id, count):
    solution = solution_of(rules_id)
    found = games(solution, count, seed=3)
    assert abs(found.mean() - solution.start) < 4 * found.std() / np.sqrt(count)
    assert (found == games(solution, count, seed=3)).all()


@pytest.mark.slow
def test_shared_throws_tie_players_who_hold_alike(solution_of):
    solution = solution_of("shared-roll")
    faces = np.random.default_rng(5).integers(1, 7, size=(40, 13, 3, 5), dtype=np.int8)
    alike = SharedGames(solution, [standing("shared-roll")] * 2, faces).estimate()
    assert alike.shares == (0.5, 0.5)
    assert alike.errors == (0.0, 0.0)
    ahead = [standing("shared-roll"), standing("shared-roll", total=1)]
    assert SharedGames(solution, ahead, faces).estimate().shares == (0.0, 1.0)


def test_shared_throws_from_the_middle_of_a_turn(solution_of):
    """One box left: Ana holds a yacht already, Ben has one throw for it."""
    solution = solution_of("shared-roll")
    faces = np.random.default_rng(5).integers(1, 7, size=(1000, 1, 3, 5), dtype=np.int8)
    lying = Lying(((6, 6, 6, 6, 6), (6, 6, 6, 6, 2)), 1)
    found = SharedGames(solution, [standing("shared-roll", "yacht")] * 2, faces, lying).estimate()
    assert sum(found.shares) == pytest.approx(1.0)
    assert found.shares[1] == pytest.approx(0.5 / 6, abs=4 * found.errors[1])


def test_who_has_filled_a_box_already_waits_for_the_next_turn(solution_of):
    """Ana is done with 10 points; Ben fills the ones with two of them."""
    solution = solution_of("shared-roll")
    faces = np.random.default_rng(5).integers(1, 7, size=(600, 1, 3, 5), dtype=np.int8)
    ben = Standing(position(built_in("shared-roll"), ["ones"]), 10)
    done = Standing(of_sheet(built_in("shared-roll"), filled(built_in("shared-roll"))), 10)
    lying = Lying(((2, 2, 2, 2, 3), (1, 1, 2, 3, 4)), 0)
    games = SharedGames(solution, [done, ben], faces, lying)
    assert games.estimate().shares == (0.0, 1.0)  # two ones, 12 against 10
    assert games.tried(0) == ()
    assert [each.what for each in games.tried(1)] == ["ones"]


def test_decisions_are_tried_in_games_on_the_same_throws(solution_of):
    """A point behind, with the sixes left to both: to hold what the other holds never wins."""
    solution = solution_of("shared-roll")
    faces = np.random.default_rng(5).integers(1, 7, size=(500, 1, 3, 5), dtype=np.int8)
    standings = [standing("shared-roll", "choice"), standing("shared-roll", "choice", total=1)]
    hands = ((4, 4, 5, 6, 6), (4, 4, 5, 6, 6))
    games = SharedGames(solution, standings, faces, Lying(hands, 1))
    assert games.estimate().shares == (0.0, 1.0)
    tried = games.tried(0)
    assert len(tried) == 3
    assert tried[0].what != hint(solution, standings[0].where, hands[0], 1).holds[0].hold
    assert tried[0].chance > 0.2 > tried[-1].chance
    assert 0 < tried[0].error < 0.05


def test_boxes_are_tried_in_games_on_the_same_throws(solution_of):
    """Far behind with choice and yacht left: choice now, and then a yacht."""
    solution = solution_of("shared-roll")
    faces = np.random.default_rng(5).integers(1, 7, size=(1000, 2, 3, 5), dtype=np.int8)
    standings = [
        standing("shared-roll", "choice", "yacht"),
        standing("shared-roll", "ones", "twos", total=40),
    ]
    games = SharedGames(solution, standings, faces, Lying(((1, 1, 1, 2, 6), (3, 3, 3, 3, 3)), 0))
    tried = games.tried(0)
    assert [each.what for each in tried] == ["choice", "yacht"]
    assert tried[0].chance == pytest.approx(0.046, abs=4 * max(tried[0].error, 0.005))
    assert SharedGames(solution, standings, faces).tried(0) == ()


def test_who_is_not_in_this_turn_plays_from_the_next_one_on(solution_of):
    """Ana fills the ones with two of them; Ben came late, and has the ones before him with 11 points."""
    solution = solution_of("shared-roll")
    faces = np.random.default_rng(5).integers(2, 7, size=(50, 2, 3, 5), dtype=np.int8)  # nobody throws a one
    where = position(built_in("shared-roll"), ["ones"])
    lying = Lying(((1, 1, 2, 3, 4), ()), 0)
    games = SharedGames(solution, [Standing(where, 10), Standing(where, 11)], faces, lying)
    assert games.estimate().shares == (1.0, 0.0)
    assert games.tried(1) == ()
