"""How far off values are that are not exact, found by games, and chances to win that follow."""

import numpy as np
import pytest

from station.rules import Sheet
from station.strategy.forward.trials import Offset, Trials
from station.strategy.measured import AboutHint, about, chances_about, offset_at
from station.strategy.model.position import of_sheet
from station.strategy.values.hints import hint
from station.strategy.values.parts import InParts, plan
from station.strategy.values.solver import solve
from tests.strategy.brute_force import SHORTENED


def test_exact_values_are_off_by_nothing():
    trials = Trials(solve(SHORTENED["crag"]), 2000, 3)
    trials.play()
    for offset in trials.offsets():
        assert abs(offset.mean) < 1.6 * offset.error
        assert offset.error == pytest.approx(1.96 * offset.spread / 2000**0.5, rel=0.3)


def test_values_of_parts_are_set_right_by_games():
    """Two columns apart expect less than both together can bring; games say by how much."""
    whole = SHORTENED["columns"]
    parts = InParts(whole, [solve(part.model()) for part in plan(whole, sheets_max=1).parts])
    exact = solve(whole)
    trials = Trials(parts, 4000, 5)
    trials.play()
    start = trials.offsets()[0]
    assert parts.start < exact.start
    assert parts.start + start.mean == pytest.approx(exact.start, abs=2 * start.error)
    where = of_sheet(whole, Sheet())
    raw, told = hint(parts, where, (5, 6), 1), about(hint(parts, where, (5, 6), 1), start)
    assert isinstance(told, AboutHint)
    assert (told.exact, told.error) == (False, start.error)
    assert [each.hold for each in told.holds] == [each.hold for each in raw.holds]
    assert told.value - raw.value == pytest.approx(start.mean)
    assert about(raw, None).error is None


def test_a_position_is_found_by_the_turns_that_were_played():
    rules = SHORTENED["crag"]
    offsets = [Offset(float(turn)) for turn in range(len(rules.boxes))]
    assert offset_at(rules, of_sheet(rules, Sheet()), offsets) == offsets[0]
    assert offset_at(rules, of_sheet(rules, Sheet()), ()) is None


def test_chances_are_those_of_games_that_spread_so():
    random = np.random.default_rng(2)
    means, spreads = [100.0, 112.0, 95.0], [20.0, 15.0, 30.0]
    drawn = np.rint(random.normal(means, spreads, (200_000, 3)))
    won = (drawn == drawn.max(axis=1, keepdims=True)) / (drawn == drawn.max(axis=1, keepdims=True)).sum(
        1, keepdims=True
    )
    chances, errors = chances_about(means, [Offset(0.0, 2.0, spread) for spread in spreads])
    assert chances == pytest.approx(won.mean(axis=0), abs=0.004)
    assert sum(chances) == pytest.approx(1.0)
    assert all(0.02 < error < 0.05 for error in errors)
    known, _ = chances_about([70.0, 69.0], [Offset(), Offset()])
    assert known == (1.0, 0.0)
