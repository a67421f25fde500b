"""Small games by the solver, and by a recursion over real sheets."""

from random import Random

import pytest

from station.rules import Entry, Sheet, fill, legal_boxes
from station.strategy.model.position import of_sheet
from station.strategy.review import Filled, ReviewedThrow, Turn, review
from station.strategy.values.hints import hint, to_come
from station.strategy.values.solver import solve
from tests.strategy.brute_force import SHORTENED, BruteForce, gone_through, of_boxes, solved


@pytest.mark.thorough
@pytest.mark.parametrize("name", SHORTENED)
def test_shortened_games_are_worth_what_brute_force_finds(name):
    assert solved(name).start == pytest.approx(gone_through(name).start, abs=1e-9)


@pytest.mark.thorough
@pytest.mark.parametrize("name", [name for name in SHORTENED if SHORTENED[name].dice == 2])
def test_hints_anywhere_are_what_brute_force_finds(name):
    """Sheets that are filled by chance, with boxes in any order, and every box that may be filled then."""
    rules, plain, solution = SHORTENED[name], gone_through(name), solved(name)
    random = Random(name)
    for _ in range(12):
        sheet = Sheet()
        for _ in range(random.randrange(len(rules.boxes))):
            dice = tuple(random.choices(range(1, 7), k=2)) if random.random() < 0.5 else (5, 5)
            filled = fill(rules, sheet, random.choice(legal_boxes(rules, sheet, dice)), dice, 2)
            sheet = sheet if filled.is_full(rules) else Sheet(tuple(sorted(filled.entries)))
        dice, left = random.choice(((1, 5), (2, 2), (5, 5), (3, 4))), random.randrange(rules.throws)
        named = [box for box in rules.next_boxes(sheet.open(rules)) if rules.box(box).announced]
        called = random.choice(["", *named]) if left < rules.throws - 1 else ""
        boxes = plain.boxes(sheet, dice, left, rules.throws, called)
        if boxes:
            found = hint(solution, of_sheet(rules, sheet, called=called), dice, left)
            told = {each.category: each.value for each in found.boxes}
            assert told == pytest.approx({box: boxes[box] for box in told})
            assert max(told.values()) == pytest.approx(max(boxes.values()))
            assert found.value == pytest.approx(plain.roll(sheet, dice, left, rules.throws, called))


def test_a_box_that_may_stay_open_is_no_sure_part_of_a_bonus():
    columns = (
        "[[column]]\nid = 'free'\nlabel = 'F'\nannounced = true\n"
        "[[column]]\nid = 'down'\nlabel = 'D'\norder = 'down'\nannounced = true\n"
    )
    rules = of_boxes(
        f"{columns}[[bonus]]\nboxes = 'all'\nthreshold = 3\npoints = 5",
        "odd = 'sum'",
        "choice; factor = 2; optional = true",
        dice=1,
    )
    plain, solution = BruteForce(rules), solve(rules)
    for points in (0, 1, 3, 5):
        sheet = Sheet((Entry("free-odd", points),))
        assert to_come(solution, sheet) == pytest.approx(plain.sheet(sheet, 0)), points


def test_boxes_alike_that_are_announced_are_looked_back_at():
    rules, solution = SHORTENED["boxes alike that are announced"], solved("boxes alike that are announced")
    for box in ("twos", "twos-2"):
        turn = Turn((ReviewedThrow((2, 5), (2,)), ReviewedThrow((2, 2))), (Filled(Entry(box, 4), (2, 2)),))
        looked = review(solution, [turn])
        assert looked.luck - looked.given_away == pytest.approx(4 + looked.still_to_come - looked.expected)
        assert rules.box(box).announced


def test_hints_of_saved_throws_are_what_brute_force_finds():
    rules = SHORTENED["saved throws"]
    plain, solution = gone_through("saved throws"), solved("saved throws")
    sheet = Sheet((Entry("pair", 8),))
    where = of_sheet(rules, sheet, saved=1)
    for dice, left in (((1, 4), 2), ((2, 2), 1), ((1, 3), 0)):
        found = hint(solution, where, dice, left)
        assert found.value == pytest.approx(plain.roll(sheet, dice, left, 3))
        boxes = {each.category: each.value for each in found.boxes}
        assert boxes == pytest.approx(plain.boxes(sheet, dice, left, 3))
