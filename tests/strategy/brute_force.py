"""Games that are small enough to be gone through sheet by sheet, and what that finds."""

from dataclasses import replace
from functools import cache
from itertools import combinations, product

from station import games
from station.rules import Joker, Sheet, fill, legal_boxes, parse_rules, sheet_totals
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
        self.hold = cache(self._hold)
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
                best = max(best, self.hold(sheet, hold, left, allowed, name))
        return best

    def _hold(self, sheet, hold, left, allowed, called=""):
        return sum(
            chance * self.roll(sheet, tuple(sorted(hold + more)), left - 1, allowed, called)
            for more, chance in self.throws(self.rules.dice - len(hold))
        )

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
