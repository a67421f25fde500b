"""The games that come as rule files: worked examples, exact values, games in parts."""

from dataclasses import replace
from itertools import product

import pytest

from station.rules import Entry, Joker, Sheet, fill, legal_boxes, potentials, sheet_totals
from station.strategy.forward.trials import Trials, mean_of
from station.strategy.model.model import Model
from station.strategy.model.position import of_sheet, position
from station.strategy.values.hints import hint, to_come
from station.strategy.values.parts import InParts, plan
from station.strategy.values.solver import solve
from tests.strategy.brute_force import SHORTENED, game, of_boxes, shortened, solved


def test_what_a_box_waits_for_tells_games_apart():
    one, other = (of_boxes("", "ones", "twos", f"yacht = 9; after = '{box}'") for box in ("ones", "twos"))
    assert Model(one).fingerprint != Model(other).fingerprint


def test_a_game_of_columns_with_points_for_each_box_is_planned_in_parts():
    columns = "".join(f"[[column]]\nid = '{each}'\nlabel = '{each}'\n" for each in ("left", "right"))
    rules = of_boxes(
        f"{columns}[[bonus]]\neach_box = 2\nboxes = 'all'\n[further_yachts]\njoker = 'wild'\npoints = 10",
        "yacht = 50",
    )
    assert [part.rules.categories for part in plan(rules).parts] == [("left-yacht",), ("right-yacht",)]


@pytest.mark.parametrize("paid", ["each_box = 20", "par = [9, 6]\neach = -2"])
def test_what_each_box_of_all_brings_is_counted_in_parts_too(paid):
    columns = "".join(f"[[column]]\nid = '{each}'\nlabel = '{each}'\n" for each in ("left", "right"))
    rules = of_boxes(f"{columns}[[bonus]]\nboxes = 'all'\n{paid}", "fives", "pair = 'sum'")
    parts = InParts(rules, [solve(part.model()) for part in plan(rules, sheets_max=0).parts])
    assert len(parts.solutions) == 2
    sheet = Sheet((Entry("left-fives", 5),))
    for dice in ((5, 5), (1, 4)):
        for each in hint(parts, of_sheet(rules, sheet), dice, 0).boxes:
            after = fill(rules, sheet, each.category, dice, 2)
            gained = sheet_totals(rules, after).total - sheet_totals(rules, sheet).total
            assert each.value == pytest.approx(gained + to_come(parts, after))
    assert parts.start == pytest.approx(solve(rules).start, abs=8)


@pytest.mark.parametrize(("upper", "yachts"), [(0, 0), (5, 1), (10, 0), (10, 1)])
def test_a_position_of_sums_is_that_of_its_boxes_in_parts_too(upper, yachts):
    rules = of_boxes(
        "[[bonus]]\nthreshold = 12\npoints = 30\n"
        "[[bonus]]\nboxes = ['choice', 'run']\nthreshold = 9\npoints = 8\n"
        "[further_yachts]\njoker = 'wild'\npoints = 20",
        "fives",
        "sixes",
        "yacht = 50",
        "choice",
        "run = 7; length = 2",
    )
    faces = replace(rules.bonuses[0], boxes=("fives", "sixes"))
    plain = {"joker": Joker.NONE, "extra_yacht": 0}
    parts = InParts(
        rules,
        [
            solve(replace(rules, boxes=rules.boxes[:2], bonuses=(faces,), **plain)),
            solve(replace(rules, boxes=rules.boxes[2:], bonuses=rules.bonuses[1:])),
        ],
    )
    sheet = Sheet((Entry("fives", upper), Entry("yacht", 50 * yachts)))
    told = position(rules, sheet.open(rules), upper, yachts)
    for values in (parts, solve(rules)):
        for dice, left in (((6, 6), 0), ((6, 6), 1), ((1, 6), 1)):
            assert hint(values, told, dice, left) == hint(values, of_sheet(rules, sheet), dice, left)


def test_a_box_that_may_stay_open_is_advised_on_while_other_parts_go_on():
    columns = "".join(f"[[column]]\nid = '{each}'\nlabel = '{each}'\n" for each in ("left", "right"))
    rules = of_boxes(columns, "fives", "pair = 9; optional = true")
    parts = InParts(rules, [solve(part.model()) for part in plan(rules, sheets_max=0).parts])
    sheet = Sheet((Entry("left-fives", 5),))
    found = {each.category: each.value for each in hint(parts, of_sheet(rules, sheet), (1, 1), 0).boxes}
    assert found.keys() == potentials(rules, sheet, (1, 1), 2).keys()
    assert found["left-pair"] == pytest.approx(9 + to_come(parts, fill(rules, sheet, "left-pair", (1, 1), 2)))
    played = mean_of(Trials(parts, 1000, 1).play())
    assert played.mean == pytest.approx(solve(rules).start, abs=2)


def test_points_by_throw_are_counted_in_parts_too():
    """Two boxes apart: the last of them is decided as in the whole game."""
    rules = SHORTENED["points by throw"]
    whole = solved("points by throw")
    parts = InParts(rules, [solve(replace(rules, boxes=(box,))) for box in rules.boxes])
    sheet = Sheet((Entry("sixes", 12), Entry("choice", 9)))
    where = of_sheet(rules, sheet)
    for dice, left in (((1, 6), 2), ((6, 6), 1), ((6, 6), 0)):
        exact, about = hint(whole, where, dice, left), hint(parts, where, dice, left)
        assert about.value == pytest.approx(exact.value)
        assert about.boxes == exact.boxes
    found = mean_of(Trials(parts, 1000, 1).play())
    assert parts.start < found.mean < whole.start + found.error


def test_in_the_last_turn_nothing_is_saved_for_a_later_one_in_parts_either():
    rules = SHORTENED["saved throws"]
    parts = InParts(rules, [solve(replace(rules, boxes=(box,))) for box in rules.boxes])
    sheet = Sheet((Entry("pair", 0),))
    where = of_sheet(rules, sheet, saved=1)
    for dice, left in (((1, 2), 2), ((1, 2), 1), ((1, 1), 1), ((2, 3), 0)):
        exact, about = hint(solved("saved throws"), where, dice, left), hint(parts, where, dice, left)
        assert about.value == pytest.approx(exact.value)
        assert about.best_holds == exact.best_holds
    found = mean_of(Trials(parts, 1000, 1).play())
    assert found.mean == pytest.approx(solved("saved throws").start, abs=0.2)


@pytest.mark.parametrize(
    ("name", "box", "dice", "points"),
    [
        ("crag", "crag", (1, 6, 6), 50), ("crag", "crag", (3, 5, 5), 50), ("crag", "thirteen", (2, 5, 6), 26),
        ("crag", "crag", (2, 5, 6), 0), ("crag", "odd-straight", (1, 3, 5), 20),
        ("crag", "threes", (3, 3, 3), 9),
        ("maxi-yatzy", "three-pairs", (2, 2, 5, 5, 6, 6), 26),
        ("maxi-yatzy", "two-pairs", (2, 1, 3, 3, 5, 5), 16),
        ("maxi-yatzy", "house", (3, 4, 4, 6, 6, 6), 26), ("maxi-yatzy", "villa", (2, 2, 2, 5, 5, 5), 21),
        ("maxi-yatzy", "tower", (3, 3, 6, 6, 6, 6), 30),
        ("maxi-yatzy", "little-straight", (1, 2, 3, 4, 5, 3), 15),
        ("maxi-yatzy", "five-of-a-kind", (3, 3, 2, 3, 3, 3), 15),
        ("maxi-yatzy", "choice", (3, 4, 2, 6, 5, 4), 24),
        ("maxi-yatzy", "full-straight", (1, 2, 3, 4, 5, 6), 21), ("maxi-yatzy", "yacht", (4,) * 6, 100),
        ("poker-dice", "pair", (5, 5, 1, 2, 3), 16), ("poker-dice", "two-pairs", (2, 2, 3, 3, 5), 15),
        ("poker-dice", "four-of-a-kind", (1, 1, 1, 1, 3), 7),
        ("poker-dice", "small-straight", (2, 3, 4, 5, 5), 30),
        ("generala", "four-of-a-kind", (2, 2, 2, 2, 6), 40), ("generala", "fours", (4, 4, 4, 2, 6), 12),
        ("generala", "full-house", (5, 5, 5, 3, 3), 30), ("generala", "double-generala", (3,) * 5, 0),
        ("balut", "balut", (4,) * 5, 40), ("balut", "straight", (1, 2, 3, 4, 5), 15),
        ("balut", "straight-2", (2, 3, 4, 5, 6), 20), ("balut", "full-house", (5, 5, 5, 2, 2), 19),
        ("triple-yahtzee", "thrice-large-straight", (1, 2, 3, 4, 5), 120),
        ("triple-yahtzee", "twice-yacht", (6,) * 5, 100), ("kniffel", "full-house", (2, 2, 3, 3, 3), 25),
        ("yams", "down-ones", (1, 1, 3, 4, 5), 2), ("yams", "up-yacht", (4,) * 5, 50),
    ],
)  # fmt: skip
def test_worked_examples(name, box, dice, points):
    rules = game(name)
    assert potentials(rules, Sheet(), dice, rules.throws)[box] == points


def test_generala_served_and_double():
    rules = game("generala")
    assert potentials(rules, Sheet(), (2, 2, 2, 2, 6), 1)["four-of-a-kind"] == 45
    assert potentials(rules, Sheet((Entry("yacht", 50),)), (3,) * 5, 2)["double-generala"] == 100
    assert potentials(rules, Sheet((Entry("yacht", 0),)), (3,) * 5, 2)["double-generala"] == 0
    assert rules.first_throw_yacht_wins


def test_balut_counts_points():
    """A game of 29, the most there is (diceworldgame.com)."""
    rules = game("balut")
    best = {
        "fours": (4,) * 5, "fives": (5,) * 5, "sixes": (6,) * 5, "straight": (2, 3, 4, 5, 6),
        "full-house": (5, 5, 6, 6, 6), "choice": (6,) * 5, "balut": (6,) * 5,
    }  # fmt: skip
    sheet = Sheet()
    assert sheet_totals(rules, sheet).total == -2
    for category in rules.categories:
        sheet = fill(rules, sheet, category, best[category.rstrip("-234") or category], 3)
    assert sheet_totals(rules, sheet).total == 29


def test_columns_with_an_order_take_one_box_at_a_time():
    rules = game("yams")
    legal = legal_boxes(rules, Sheet(), (1, 2, 3, 4, 6))
    assert [box for box in legal if not box.startswith("free")] == ["down-ones", "up-yacht"]
    assert "down-twos" in legal_boxes(rules, Sheet((Entry("down-ones", 3),)), (1, 2, 3, 4, 6))


@pytest.mark.parametrize(
    ("name", "sheets", "exact"),
    [("crag", 8192, True), ("generala", 3072, True), ("kniffel", 239744, True), ("poker-dice", 948736, True),
     ("maxi-yatzy", None, False), ("yams", None, False), ("balut", None, False),
        ("triple-yahtzee", None, False)],
)  # fmt: skip
def test_the_size_is_known_before_anything_runs(name, sheets, exact):
    found = plan(game(name))
    assert found.exact is exact
    assert sheets is None or found.sheets == sheets
    assert found.can_be_done


EXACT = {"crag": 149.847593, "generala": 159.204431}


@pytest.mark.thorough
@pytest.mark.parametrize(("name", "value"), EXACT.items())
def test_exact_values(name, value):
    assert solve(game(name)).start == pytest.approx(value, abs=1e-6)


@pytest.mark.slow
def test_kniffel_is_worth_what_is_published():
    assert solve(game("kniffel")).start == pytest.approx(245.870775, abs=1e-6)


@pytest.mark.parametrize(
    "name",
    ["crag", "saved throws", "columns", "announced", "announced beside a forced joker", "points by throw"],
)
def test_games_that_are_played_come_to_the_exact_value(name):
    found = mean_of(Trials(solved(name), 1000, 1).play())
    assert found.mean == pytest.approx(solved(name).start, abs=2 * found.error)


def test_a_game_in_parts_is_played_nearly_as_well_as_exactly():
    rules = shortened("crag", "fives", "sixes", "high-straight", "thirteen", "crag")
    exact = solve(rules).start
    groups = (rules.boxes[:3], rules.boxes[3:])
    parts = InParts(rules, [solve(replace(rules, boxes=boxes)) for boxes in groups])
    found = mean_of(Trials(parts, 1000, 1).play())
    assert exact - 5 < found.mean < exact + found.error
    assert parts.start < found.mean
    where = of_sheet(rules, Sheet((Entry("sixes", 12),)))
    assert {each.category for each in hint(parts, where, (1, 6, 6), 0).boxes} == {
        "fives", "high-straight", "thirteen", "crag",
    }  # fmt: skip


@pytest.mark.parametrize("joker", ["none", "wild", "forced"])
def test_a_further_yacht_in_parts_goes_where_it_may_for_what_it_brings(joker):
    """The yacht box is in the first part; what it means for boxes of the other is told all the same."""
    rules = of_boxes(
        f"[further_yachts]\njoker = '{joker}'\npoints = 20",
        "fives",
        "yacht = 50",
        "twos",
        "run = 20; length = 2; served = [3, 1]",
        "choice",
    )
    groups = rules.boxes[:2], rules.boxes[2:]
    alone = {"joker": Joker.NONE, "extra_yacht": 0}
    first, second = (replace(rules, boxes=boxes) for boxes in groups)
    parts = InParts(rules, [solve(first), solve(replace(second, **alone))])
    for points, more in ((50, ()), (0, ()), (50, ("twos",)), (50, ("run", "twos")), (50, ("fives",))):
        sheet = Sheet((Entry("yacht", points), *(Entry(box, 0) for box in more)))
        for face, left in product((2, 5, 6), (0, 1)):
            dice = (face, face)
            found = hint(parts, of_sheet(rules, sheet), dice, left)
            assert {each.category: each.points for each in found.boxes} == potentials(
                rules, sheet, dice, 2 - left
            )
            for each in found.boxes:
                after = fill(rules, sheet, each.category, dice, 2 - left)
                gained = sheet_totals(rules, after).total - sheet_totals(rules, sheet).total
                assert each.value == pytest.approx(gained + to_come(parts, after))


@pytest.mark.thorough
def test_a_turn_is_announced_with_the_points_on_top_in_mind():
    rules = replace(SHORTENED["announced beside a forced joker"], extra_yacht=300)
    found = mean_of(Trials(solve(rules), 4000, 1).play())
    assert found.mean == pytest.approx(solve(rules).start, abs=found.error)
