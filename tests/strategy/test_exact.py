"""Values against published ones, against 1,200 exact positions, and against a plain solver."""

from itertools import combinations, combinations_with_replacement

import pytest

from station.advice.tables import shipped
from station.rules import Entry, Sheet, best_split, built_in, built_in_ids
from station.strategy.model.model import Model
from station.strategy.model.multisets import multisets
from station.strategy.model.position import of_sheet, place, position
from station.strategy.values.hints import hint
from station.strategy.values.solver import solve
from tests.conftest import ROOT
from tests.strategy.brute_force import BruteForce, of_boxes
from tests.strategy.helpers import filled

EMPTY_SHEETS = {
    "yacht-1938": 166.955068,
    "treasurehouse": 166.955068,
    "yacht-spruce": 169.773889,
    "dice-play-yahtzee": 212.695032,
    "world-51": 191.774369,
    "clubhouse-51": 191.760880,
    "scorecard": 191.760880,
    "yahtzee": 254.587729,
    "shared-roll": 245.904728,
    "coolmath": 245.904728,
    "game-rules-guru": 254.711273,
    "general": 155.895173,
    "general-chance": 185.142433,
    "double-cameroon": 197.731836,
    "yatzy": 248.439989,
}


@pytest.mark.parametrize(("rules_id", "value"), EMPTY_SHEETS.items())
def test_empty_sheets_are_worth_what_the_documents_say(solution_of, rules_id, value):
    assert solution_of(rules_id).start == pytest.approx(value, abs=1e-6)


@pytest.mark.parametrize("rules_id", built_in_ids())
def test_every_built_in_game_has_a_table_that_ships(rules_id):
    """Where this fails, rules or format have changed: call python -m station.advice.tables."""
    assert shipped(Model(built_in(rules_id))) is not None


@pytest.mark.thorough
def test_all_tables_together_stay_below_10_mb():
    folder = ROOT / "station" / "advice" / "tables"
    tables = list(folder.glob("*.values"))
    assert len(tables) == len({Model(built_in(rules_id)).fingerprint for rules_id in built_in_ids()})
    assert sum(table.stat().st_size for table in tables) < 10_000_000


@pytest.mark.thorough
@pytest.mark.parametrize("rules_id", ["yacht-1938", "yacht-spruce", "general", "double-cameroon", "lawn"])
def test_what_ships_is_what_the_solver_finds(solution_of, rules_id):
    shipped = solution_of(rules_id)
    assert abs(solve(shipped.model).values - shipped.values).max() < 1e-7


@pytest.mark.thorough
def test_every_exact_position(solution_of, oracle):
    """1,200 positions from an independent solver: the value to 1e-6, and the same best decisions."""
    assert len(oracle) == 1200
    for row in oracle:
        solution = solution_of(row["rules"])
        where = position(solution.model.rules, row["open"], row["upper"], int(row["yacht_scored"]))
        found = hint(solution, where, row["dice"], row["rolls_left"])
        assert found.value == pytest.approx(row["best_value"], abs=1e-6), row
        if row["rolls_left"]:
            assert set(found.best_holds) == {tuple(hold) for hold in row["best"]}, row
        else:
            spoken = {each.replace("cameroon", "straight") for each in row["best"]}
            assert set(found.best_boxes) == spoken, row


def test_values_of_sheets_before_a_throw(solution_of, oracle):
    for row in oracle:
        solution = solution_of(row["rules"])
        where = place(
            solution.model,
            position(solution.model.rules, row["open"], row["upper"], int(row["yacht_scored"])),
        )
        value = solution.values[solution.model.layout.offset[where.mask] + where.column]
        assert value == pytest.approx(row["value_before_roll"], abs=1e-6), row


@pytest.mark.slow
@pytest.mark.parametrize(
    ("joker", "yacht"),
    [("none", 50), ("wild", 0), ("wild", 50), ("forced", 0), ("forced", 50), ("forced", None)],
)
def test_house_rules_against_a_plain_solver(joker, yacht):
    """Bonus, jokers, further yachts and first-throw points, on sheets with two or three boxes open."""
    rule_set = of_boxes(
        f"[bonus]\nthreshold = 5\npoints = 11\n[further_yachts]\njoker = '{joker}'\npoints = 17",
        "yacht = 50",
        "ones",
        "twos",
        "full-house = 25; first_throw_points = 30; five_of_a_kind = false",
        dice=5,
    )
    plain, solution = BruteForce(rule_set), solve(rule_set)
    entries = (Entry("ones", 3),) if yacht is None else (Entry("yacht", yacht),)
    left_open = Sheet((*entries, Entry("twos", 2)))
    where = of_sheet(rule_set, left_open)
    for dice in ((1, 1, 1, 1, 1), (2, 2, 2, 2, 2), (1, 1, 3, 3, 3), (1, 2, 3, 4, 5)):
        now = hint(solution, where, dice, 0)
        expected = plain.boxes(left_open, dice, 0, 2)
        assert {each.category: each.value for each in now.boxes} == pytest.approx(expected)
        before = hint(solution, where, dice, 1)
        first = plain.boxes(left_open, dice, 1, 2)
        assert {each.category: each.value for each in before.boxes} == pytest.approx(first)
        for hold in before.holds:
            stop = len(hold.hold) == 5
            value = max(first.values()) if stop else plain.hold(left_open, hold.hold, 1, 2)
            assert hold.value == pytest.approx(value), (dice, hold)


@pytest.mark.parametrize("rules_id", built_in_ids())
def test_one_box_of_every_rule_set_against_a_plain_solver(solution_of, rules_id):
    rule_set = built_in(rules_id)
    if rule_set.boxes_per_turn > 1:
        pytest.skip("Double Cameroon fills two boxes a turn; see the exact positions")
    category = rule_set.categories[len(rules_id) % len(rule_set.boxes)]
    sheet = filled(rule_set, category)
    plain = BruteForce(rule_set)
    found = hint(solution_of(rules_id), of_sheet(rule_set, sheet), (1, 3, 4, 4, 5), 1)
    assert found.value == pytest.approx(plain.roll(sheet, (1, 3, 4, 4, 5), 1, rule_set.throws), abs=1e-6)


def test_double_cameroon_splits_as_the_rules_do(solution_of):
    rule_set = built_in("double-cameroon")
    dice = (1, 1, 2, 2, 2, 3, 3, 3, 4, 5)
    found = hint(solution_of("double-cameroon"), position(rule_set), dice, 0)
    splits = (best_split(rule_set, Sheet(), pair, dice) for pair in combinations(rule_set.categories, 2))
    points = {"+".join(split.categories): sum(split.points) for split in splits}
    assert {box.category: box.points for box in found.boxes} == points


@pytest.mark.parametrize(("dice", "holds", "rolls"), [(5, 462, 252), (10, 8008, 3003)])
def test_all_ways_to_hold(dice, holds, rolls):
    found = multisets(dice)
    assert sum(map(len, found.held)) == holds
    assert len(found.rolls) == rolls
    assert found.rolls == tuple(combinations_with_replacement(range(1, 7), dice))
    assert found.chance.sum() == pytest.approx(1.0, abs=1e-12)
