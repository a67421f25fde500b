"""The games that come as rule files: worked examples, exact values, a brute-force solver."""

from dataclasses import replace
from functools import cache
from itertools import combinations, product
from random import Random

import pytest

from station import games
from station.rules import Entry, Joker, Sheet, fill, legal_boxes, parse_rules, potentials, sheet_totals
from station.strategy.forward.trials import Trials, mean_of
from station.strategy.model.model import Model
from station.strategy.model.position import of_sheet
from station.strategy.review import Filled, Thrown, Turn, review
from station.strategy.values.hints import hint, to_come
from station.strategy.values.parts import InParts, plan
from station.strategy.values.solver import solve


@cache
def game(name):
    return parse_rules(games.texts()[name], name)


def shortened(name, *categories, **changes):
    """The game with these boxes alone, and the bonuses that are for them."""
    rules = game(name)
    boxes = tuple(replace(box, column="") for box in rules.boxes if box.category in categories)
    bonuses = tuple(
        replace(bonus, boxes=tuple(box.category for box in rules.members(bonus)))
        for bonus in rules.bonuses
        if {box.category for box in rules.members(bonus)} <= set(categories)
    )
    return replace(rules, boxes=boxes, bonuses=bonuses, **{"columns": (), **changes})


class BruteForce:
    """The value of a sheet by recursion over real sheets, real throws and saved throws.

    Straight from station.rules; shares nothing with station.strategy.
    """

    def __init__(self, rules):
        self.rules = rules
        self.sheet = cache(self._sheet)
        self.roll = cache(self._roll)
        self.total = cache(self._total)

    @staticmethod
    @cache
    def throws(count):
        found = {}
        for dice in product(range(1, 7), repeat=count):
            key = tuple(sorted(dice))
            found[key] = found.get(key, 0) + 6.0**-count
        return tuple(found.items())

    def _total(self, sheet):
        return sheet_totals(self.rules, sheet).total

    def _sheet(self, sheet, saved):
        """The expected points still to come."""
        if sheet.is_full(self.rules):
            return 0.0
        allowed = self.rules.throws + saved
        chances = self.throws(self.rules.dice)
        if self.rules.first_throw_yacht_wins:
            chances = [(dice, chance) for dice, chance in chances if len(set(dice)) > 1]
        sure = sum(chance for _, chance in chances)
        return sum(chance / sure * self.roll(sheet, dice, allowed - 1, allowed) for dice, chance in chances)

    def boxes(self, sheet, dice, left, allowed, called=""):
        found = {}
        for category in legal_boxes(self.rules, sheet, dice):
            late = self.rules.box(category).announced and allowed - left > 1
            if called != category and (called or late):
                continue
            after = fill(self.rules, sheet, category, dice, allowed - left)
            after = Sheet(tuple(sorted(after.entries)))
            gained = self.total(after) - self.total(sheet)
            found[category] = gained + self.sheet(after, left if self.rules.saved_throws else 0)
        return found

    def _roll(self, sheet, dice, left, allowed, called=""):
        best = max(self.boxes(sheet, dice, left, allowed, called).values(), default=-1e6)
        named = [called]
        if left == allowed - 1:
            named += [each for each in sheet.open(self.rules) if self.rules.box(each).announced]
        for size, name in product(range(len(dice) if left else 0), named):
            for hold in set(combinations(dice, size)):
                value = sum(
                    chance * self.roll(sheet, tuple(sorted(hold + more)), left - 1, allowed, name)
                    for more, chance in self.throws(len(dice) - size)
                )
                best = max(best, value)
        return best

    @property
    def start(self):
        return self.sheet(Sheet(), 0) + self.total(Sheet())


def of_boxes(more, *boxes, dice=2):
    """A house game of so many dice and two throws; of each box the pattern, what it pays, and other keys."""
    text = f"id = 'h'\ntitle = 'H'\nthrows = 2\ndice = {dice}\n{more}\n"
    for number, (pattern, *keys) in enumerate(each.split("; ") for each in boxes):
        category, _, points = pattern.partition(" = ")
        paid = [f"points = {points}"] if points else []
        own = [f"category = '{category}'", f"label = 'L{number}'", *paid, *keys]
        text += "\n".join(["[[box]]", *own, ""])
    return parse_rules(text)


SHORTENED = {
    "crag": shortened("crag", "high-straight", "thirteen", "crag"),
    "generala": shortened("generala", "ones", "yacht", "double-generala", throws=2, dice=2),
    "generala, served": shortened("generala", "four-of-a-kind", "sixes", throws=1, dice=4),
    "points by throw": replace(
        shortened("kniffel", "sixes", "choice", "yacht", dice=2),
        bonuses=(),
        boxes=tuple(
            replace(box, served={"sixes": (9, 4), "yacht": (30, 20, 1)}.get(box.category, 0))
            for box in game("kniffel").boxes
            if box.category in {"sixes", "choice", "yacht"}
        ),
    ),
    "points by throw, after": replace(
        shortened("generala", "ones", "yacht", "double-generala", dice=2),
        boxes=tuple(
            replace(box, served=(8, 5) if box.category == "double-generala" else 0)
            for box in game("generala").boxes
            if box.category in {"ones", "yacht", "double-generala"}
        ),
    ),
    "saved throws": shortened("maxi-yatzy", "ones", "pair", dice=2, throws=2),
    "balut": shortened("balut", "fours", "fours-2", "straight", "straight-2", throws=1),
    "complete": shortened("balut", "straight", "straight-2", "straight-3", "straight-4", throws=1),
    "columns": replace(
        shortened("yams", "down-fives", dice=2, throws=2),
        columns=game("yams").columns,
        boxes=tuple(
            box
            for box in game("yams").boxes
            if box.category in {"down-ones", "down-sixes", "up-ones", "up-fives", "free-sixes"}
        ),
        bonuses=(),
    ),
    "poker dice": shortened("poker-dice", "sixes", "pair", "choice", dice=2),
    "kniffel": shortened("kniffel", "ones", "three-of-a-kind", "choice", dice=2, throws=2),
    "announced": shortened(
        "yamb", "free-fives", "announced-fives", "announced-two-pairs", "announced-yacht", dice=2
    ),
    "announced beside a forced joker": replace(
        shortened("kniffel", "sixes", "choice", "yacht", "fives", dice=2),
        bonuses=(),
        boxes=tuple(
            replace(box, announced=box.category in {"fives", "choice"})
            for box in game("kniffel").boxes
            if box.category in {"fives", "sixes", "choice", "yacht"}
        ),
        joker=Joker.FORCED,
        extra_yacht=13,
    ),
    "par": replace(
        shortened("crag", "fives", "sixes", dice=2),
        bonuses=(replace(game("balut").bonuses[0], steps=(), boxes=(), par=(5, 6), each=2),),
    ),
    "a bonus over jokers": replace(
        shortened("kniffel", "fives", "sixes", "yacht", throws=2, dice=2),
        bonuses=(replace(game("kniffel").bonuses[0], steps=((11, 7), (17, 20))),),
        joker="forced",
        extra_yacht=13,
    ),
    "optional": replace(
        shortened("crag", "sixes", "crag", "thirteen"),
        boxes=tuple(
            replace(box, optional=box.category == "thirteen")
            for box in game("crag").boxes
            if box.category in {"sixes", "thirteen", "crag"}
        ),
    ),
    "negative": replace(
        shortened("crag", "sixes", "fives", dice=2),
        boxes=tuple(
            replace(box, factor=-2 if box.category == "sixes" else 1)
            for box in game("crag").boxes
            if box.category in {"sixes", "fives"}
        ),
    ),
    "two yachts, of which the first makes others further ones": of_boxes(
        "[further_yachts]\njoker = 'none'\npoints = 10", "twos", "yacht = 50; count = 2"
    ),
    "two yachts, the first of which is wild": of_boxes(
        "[further_yachts]\njoker = 'wild'\npoints = 0", "yacht = 9; count = 2", "run = 25; length = 2"
    ),
    "a forced joker with two boxes of a face": of_boxes(
        "[further_yachts]\njoker = 'forced'\npoints = 0", "yacht = 45", "fives; count = 2", "twos"
    ),
    "points below 0 are points": of_boxes(
        "[further_yachts]\njoker = 'none'\npoints = 10",
        "ones; plus = -5",
        "yacht = 50; after = 'ones'",
        "twos",
    ),
    "a further yacht does not count as a box of it does": of_boxes(
        "[further_yachts]\njoker = 'none'\npoints = 10", "twos; factor = 3", "yacht = 9; factor = 2", "sixes"
    ),
    "a further yacht counts as its column does": of_boxes(
        "[[column]]\nid = 'one'\nlabel = 'One'\nfactor = 3\n[further_yachts]\njoker = 'none'\npoints = 10",
        "twos; factor = -2",
        "yacht = 9",
    ),
    "a box of a bonus that waits for another": of_boxes(
        "[bonus]\nboxes = ['counted', 'twos']\nthreshold = 4\npoints = 5",
        "twos",
        "counted; faces = [5]; table = [1, 3, 5]; after = 'twos'",
    ),
    "a box that waits, and one like it that does not": of_boxes(
        "", "ones", "twos", "waits; pattern = 'sixes'; after = 'ones'", "sixes"
    ),
    "a forced joker in a column with an order": of_boxes(
        "[[column]]\nid = 'one'\nlabel = 'One'\norder = 'down'\n"
        "[further_yachts]\njoker = 'forced'\npoints = 0",
        "yacht = 9",
        "pair = 7",
        "fives",
    ),
    "boxes alike that are announced": of_boxes("", "choice", "twos; announced = true; count = 2"),
    "boxes alike of which one may stay open": of_boxes(
        "[bonus]\nboxes = ['fours', 'counted']\nthreshold = 3\npoints = 5",
        "fours",
        "counted; faces = [1]; table = [0, 1, 9]; optional = true; count = 2",
    ),
    "any dice after another box": of_boxes(
        "[further_yachts]\njoker = 'forced'\npoints = 0", "yacht = 9", "fours", "choice; after = 'fours'"
    ),
}
"""Games that a recursion over real sheets can go through, each with something that has no other test."""


@cache
def solved(name):
    """The solution of one of them; several tests ask for it."""
    return solve(SHORTENED[name])


@cache
def gone_through(name):
    """The same by brute force."""
    return BruteForce(SHORTENED[name])


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


def test_boxes_alike_that_are_announced_are_looked_back_at():
    rules, solution = SHORTENED["boxes alike that are announced"], solved("boxes alike that are announced")
    for box in ("twos", "twos-2"):
        turn = Turn((Thrown((2, 5), (2,)), Thrown((2, 2))), (Filled(Entry(box, 4), (2, 2)),))
        looked = review(solution, [turn])
        assert looked.luck - looked.given_away == pytest.approx(4 + looked.still_to_come - looked.expected)
        assert rules.box(box).announced


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


@pytest.mark.thorough
def test_hints_count_the_points_of_each_throw():
    rules = SHORTENED["points by throw"]
    plain, solution = gone_through("points by throw"), solved("points by throw")
    for dice, left in (((1, 6), 2), ((2, 2), 1), ((6, 6), 1), ((6, 6), 0)):
        found = hint(solution, of_sheet(rules, Sheet()), dice, left)
        assert found.value == pytest.approx(plain.roll(Sheet(), dice, left, 3))
        boxes = {each.category: each.value for each in found.boxes}
        assert boxes == pytest.approx(plain.boxes(Sheet(), dice, left, 3))
        points = {each.category: each.points for each in found.boxes}
        assert points == potentials(rules, Sheet(), dice, 3 - left)


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
def test_the_size_is_told_before_anything_runs(name, sheets, exact):
    found = plan(game(name))
    assert found.exact is exact
    assert sheets is None or found.sheets == sheets
    assert found.part_sheets < 1_200_000


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
    """Two groups of Crag apart against the whole: less, but not by much, and never more."""
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
    """An announced turn is worth to those who play it what it is worth, the extra of a further yacht too."""
    rules = replace(SHORTENED["announced beside a forced joker"], extra_yacht=300)
    found = mean_of(Trials(solve(rules), 4000, 1).play())
    assert found.mean == pytest.approx(solve(rules).start, abs=found.error)
