"""The odds of winning against games that are played, and those that are found by playing."""

import numpy as np
import pytest

from station.rules import built_in
from station.strategy.forward.simulation import SimulatedGames
from station.strategy.forward.trials import Trials
from station.strategy.model.position import of_sheet, place, position
from station.strategy.odds.shared import Lying, SharedGames
from station.strategy.odds.win_chances import PlayerStanding, chances
from station.strategy.odds.win_trials import WinTrials
from station.strategy.values.hints import hint
from tests.strategy.helpers import Match, filled, standing


def games(solution, count, seed):
    """Final scores of that many games by best play for points."""
    model = solution.model
    rule_set = model.rules
    turns = len(rule_set.boxes) // rule_set.boxes_per_turn
    rng = np.random.default_rng(seed)
    start = int(model.layout.offset[model.layout.full])
    table = SimulatedGames(solution, np.full(count, start), np.zeros(count, dtype=np.intp))
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
        games = SimulatedGames(solution, np.full(count, start), np.full(count, total))
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


@pytest.mark.thorough
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
    ("rules_id", "count"), [("yahtzee", 200), ("double-cameroon", 40), ("world-51", 200)]
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
    ben = PlayerStanding(position(built_in("shared-roll"), ["ones"]), 10)
    done = PlayerStanding(of_sheet(built_in("shared-roll"), filled(built_in("shared-roll"))), 10)
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
    games = SharedGames(solution, [PlayerStanding(where, 10), PlayerStanding(where, 11)], faces, lying)
    assert games.estimate().shares == (1.0, 0.0)
    assert games.tried(1) == ()
