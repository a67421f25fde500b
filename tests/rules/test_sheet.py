"""Filling boxes, refusals, jokers, totals, explanations."""

from dataclasses import replace
from itertools import chain, combinations

import pytest

from messages.errors import BadInputError, RefusalError
from messages.message import Message
from station import games
from station.rules import (
    Entry,
    Sheet,
    best_split,
    built_in,
    built_in_ids,
    explain,
    explain_all,
    fill,
    legal_boxes,
    parse_rules,
    potentials,
    sheet_totals,
)
from station.rules.ruleset import Counts
from station.strategy.model.model import Model
from tests.wording import in_words


def test_ids_are_those_of_the_documents_and_two_more():
    assert set(built_in_ids()) == {
        "yacht-1938", "treasurehouse", "yacht-spruce", "dice-play-yahtzee", "general", "general-chance",
        "double-cameroon", "game-rules-guru", "coolmath", "shared-roll", "world-51", "clubhouse-51",
        "scorecard", "lawn", "yahtzee", "yatzy",
    }  # fmt: skip


def test_an_unknown_rule_set_names_those_there_are():
    with pytest.raises(
        BadInputError, match="no rule set 'chess'; there are yacht-1938, treasurehouse"
    ) as refused:
        built_in("chess")
    assert refused.value.code == "rules/unknown"


@pytest.mark.parametrize("rules_id", built_in_ids())
def test_every_rule_set_is_whole(rules_id):
    rule_set = built_in(rules_id)
    assert len(set(rule_set.categories)) == len(rule_set.boxes) in {10, 11, 12, 13, 15}
    assert len({box.label for box in rule_set.boxes}) == len(rule_set.boxes)
    assert rule_set.title
    assert rule_set.source
    assert 1 <= rule_set.players[0] <= rule_set.players[1]
    assert [box.section for box in rule_set.boxes].count("upper") == 6


@pytest.mark.parametrize(
    ("category", "dice", "code"),
    [("ones", (1, 1, 1, 1, 2), "box/filled"), ("twos-and-a-half", (1, 1, 1, 1, 2), "box/unknown")],
)
def test_a_box_that_cannot_be_filled(category, dice, code):
    with pytest.raises(RefusalError) as refused:
        fill(built_in("world-51"), Sheet((Entry("ones", 3),)), category, dice)
    assert refused.value.code == code


@pytest.mark.parametrize(
    ("dice", "sentence"),
    [
        ((1, 2, 3, 4), "There are 4 dice where 5 are needed."),
        ((1, 2, 3, 4, 5, 6), "There are 6 dice where 5 are needed."),
        ((1, 2, 3, 4, 7), "7 is not a face of a die; faces are 1 to 6."),
        ((1, 2, 3, 4, 0), "0 is not a face of a die; faces are 1 to 6."),
        ((1, 2, 3, 4, True), "True is not a face of a die; faces are 1 to 6."),
        ((1, 2, 3, 4, "5"), "'5' is not a face of a die; faces are 1 to 6."),
    ],
)
def test_what_are_no_dice(dice, sentence):
    with pytest.raises(BadInputError) as refused:
        potentials(built_in("world-51"), Sheet(), dice)
    assert (refused.value.code, in_words(refused.value.message)) == ("input/bad", sentence)


@pytest.mark.parametrize("by_row", ["", "factor = 5"])
def test_a_further_yacht_brings_as_much_more_as_its_column_counts_whatever_its_row_does(by_row):
    text = games.texts()["triple-yahtzee"].replace('category = "fours"', f'category = "fours"\n{by_row}')
    rules = parse_rules(text)
    sheet = fill(rules, Sheet(), "thrice-yacht", (4,) * 5)
    assert fill(rules, sheet, "thrice-fours", (4,) * 5).entries[-1].extra == 300
    assert fill(rules, sheet, "once-fours", (4,) * 5).entries[-1].extra == 0


@pytest.mark.parametrize("throw", [0, 4])
def test_a_throw_that_no_turn_has(throw):
    with pytest.raises(BadInputError) as refused:
        explain_all(built_in("world-51"), (1, 2, 3, 4, 5), throw)
    assert refused.value.code == "input/bad"
    assert refused.value.message == Message("rules/no-throw", roll=throw, throws=3)


def test_an_unknown_box_of_a_rule_set():
    with pytest.raises(BadInputError) as refused:
        built_in("yacht-spruce").box("pair")
    told = in_words(refused.value.message)
    assert told.startswith(
        f"“{built_in('yacht-spruce').title}” has no box 'pair'; it has yacht, big-straight, "
    )
    assert refused.value.code == "box/unknown"


def test_boxes_open_in_page_order_until_the_sheet_is_full():
    rule_set = built_in("yacht-spruce")
    sheet = Sheet()
    for category in sorted(rule_set.categories):
        assert not sheet.is_full(rule_set)
        sheet = fill(rule_set, sheet, category, (1, 2, 3, 4, 5))
        assert sheet.points(category) is not None
    assert sheet.is_full(rule_set)
    assert [entry.category for entry in sheet.entries] == sorted(rule_set.categories)
    assert Sheet().open(rule_set) == rule_set.categories


def test_of_a_column_in_order_the_box_that_comes_next_is_named_and_no_other_column_s():
    yams = parse_rules(games.texts()["yams"])
    with pytest.raises(RefusalError) as refused:
        fill(yams, Sheet(), "up-big-straight", (2, 3, 4, 5, 6))
    told = in_words(refused.value.message)
    assert told == "Large straight, up is not next in its column; next is Yams, up."


class TestForcedJoker:
    rule_set = built_in("yahtzee")
    fours = (4, 4, 4, 4, 4)

    def sheet(self, *filled, yahtzee=50):
        return Sheet((Entry("yacht", yahtzee), *(Entry(category, 0) for category in filled)))

    def test_first_the_box_of_its_face(self):
        assert legal_boxes(self.rule_set, self.sheet(), self.fours) == ("fours",)
        with pytest.raises(RefusalError, match="cannot go to Chance now; it goes to Fours") as refused:
            fill(self.rule_set, self.sheet(), "choice", self.fours)
        assert refused.value.code == "box/not_allowed"

    def test_then_a_lower_box_which_pays_in_full(self):
        sheet = self.sheet("fours", "three-of-a-kind")
        worth = {
            "four-of-a-kind": 20,
            "full-house": 25,
            "small-straight": 30,
            "large-straight": 40,
            "choice": 20,
        }
        assert potentials(self.rule_set, sheet, self.fours) == worth
        assert fill(self.rule_set, sheet, "large-straight", self.fours).entries[-1].extra == 100

    def test_then_an_upper_box(self):
        lower = (
            "three-of-a-kind",
            "four-of-a-kind",
            "full-house",
            "small-straight",
            "large-straight",
            "choice",
        )
        sheet = self.sheet("fours", *lower)
        assert set(potentials(self.rule_set, sheet, self.fours).values()) == {0}
        assert legal_boxes(self.rule_set, sheet, self.fours) == ("ones", "twos", "threes", "fives", "sixes")

    def test_in_columns_it_forces_those_only_whose_yahtzee_box_is_filled(self):
        text = games.texts()["triple-yahtzee"].replace('joker = "wild"', 'joker = "forced"')
        rules = parse_rules(text, "forced")
        others = tuple(each.category for each in rules.boxes if each.column != "once")
        sheet = Sheet((Entry("once-yacht", 50),))
        assert legal_boxes(rules, sheet, self.fours) == ("once-fours", *others)

    def test_extras_are_counted_in_the_total(self):
        sheet = fill(self.rule_set, self.sheet(), "fours", self.fours)
        assert sheet_totals(self.rule_set, sheet) == (20, 43, 0, 100, 170, 0)


def test_five_dice_that_are_no_yacht_are_never_wild():
    rule_set = built_in("game-rules-guru")
    assert potentials(rule_set, Sheet((Entry("yacht", 50),)), (4, 4, 4, 4, 5))["full-house"] == 0


@pytest.mark.parametrize(("points", "bonus"), [(62, 0), (63, 35), (64, 35)])
def test_the_bonus_is_paid_from_its_threshold_on(points, bonus):
    found = sheet_totals(built_in("scorecard"), Sheet((Entry("sixes", points), Entry("yacht", 50))))
    assert found == (points, 63 - points if points < 63 else 0, bonus, 0, points + bonus + 50, 0)


@pytest.mark.parametrize(
    ("rules_id", "early", "filled", "over"),
    [
        ("shared-roll", 0, 35, 35),
        ("scorecard", 0, 35, 35),
        ("dice-play-yahtzee", 0, 0, 35),
        ("world-51", 35, 35, 35),
        ("game-rules-guru", 35, 35, 35),
    ],
)
def test_the_bonus_is_added_when_the_page_says_so(rules_id, early, filled, over):
    """At 63 with a box open, once all six are filled, and when the game is over."""
    rules = built_in(rules_id)
    five = Sheet(
        (Entry("sixes", 30), Entry("fives", 20), Entry("fours", 12), Entry("threes", 0), Entry("ones", 1))
    )
    six = Sheet((*five.entries, Entry("twos", 0)))
    assert sheet_totals(rules, five, running=True) == (63, 0, early, 0, 63 + early, over - early)
    assert sheet_totals(rules, six, running=True) == (63, 0, filled, 0, 63 + filled, over - filled)
    assert sheet_totals(rules, six).bonus == sheet_totals(rules, five).bonus == over


def test_a_bonus_that_is_added_later_changes_no_value_of_a_position():
    """Values that were worked out before are found again."""
    rules = built_in("shared-roll")
    at_once = replace(rules, bonuses=tuple(replace(each, counts=Counts.REACHED) for each in rules.bonuses))
    assert at_once != rules
    assert Model(at_once).fingerprint == Model(rules).fingerprint


class TestDoubleCameroon:
    rule_set = built_in("double-cameroon")
    dice = (1, 1, 2, 2, 2, 3, 3, 3, 4, 5)

    def test_each_box_gets_the_best_five_of_the_ten(self):
        worth = potentials(self.rule_set, Sheet(), self.dice)
        assert worth["full-house"] == 13
        assert worth["little-straight"] == 21
        assert worth["big-straight"] == 0
        assert str(explain(self.rule_set, "little-straight", self.dice).sentence) == (
            "Little Cameroon: 1-2-3-4-5 is worth 21."
        )

    def test_all_pairs_of_boxes(self):
        pairs = list(combinations(self.rule_set.categories, 2))
        found = [best_split(self.rule_set, Sheet(), pair, self.dice) for pair in pairs]
        assert len(found) == 45
        assert [split.categories for split in found] == pairs
        best = max(found, key=lambda split: sum(split.points))
        assert sum(best.points) == 27  # the little straight leaves 3-3 for the threes; 13 + 5 with the house
        for split in found:
            assert sorted(chain(*split.groups)) == list(self.dice)
            for category, group, points in zip(*split, strict=True):
                assert fill(self.rule_set, Sheet(), category, group).points(category) == points

    def test_ten_dice_are_split_and_no_others(self):
        with pytest.raises(BadInputError, match="9 dice where 10 are needed"):
            best_split(self.rule_set, Sheet(), ("ones", "twos"), self.dice[1:])

    def test_a_first_throw_counts_in_both_halves(self):
        rule_set = replace(built_in("general"), dice=10, boxes_per_turn=2)
        pair, dice = ("straight", "full-house"), (1, 2, 2, 3, 3, 3, 4, 5, 2, 3)
        points = {throw: best_split(rule_set, Sheet(), pair, dice, throw).points for throw in (1, 2)}
        assert points == {1: (25, 35), 2: (20, 30)}


def test_dice_of_another_game_are_refused():
    with pytest.raises(BadInputError, match="10 dice where 5 are needed"):
        potentials(built_in("world-51"), Sheet(), TestDoubleCameroon.dice)
    with pytest.raises(BadInputError, match="9 dice where 5 or 10 are needed"):
        potentials(TestDoubleCameroon.rule_set, Sheet(), TestDoubleCameroon.dice[1:])


def test_a_score_has_a_sentence_with_the_name_of_its_box():
    sentence = explain(built_in("yacht-1938"), "ones", (1, 3, 4, 5, 6), 3).sentence
    assert str(sentence) == "Ones: one die shows a 1."
    yachts = Sheet((Entry("yacht", 50),))
    wild = explain(built_in("game-rules-guru"), "full-house", (2, 2, 2, 2, 2), 3, yachts).sentence
    assert str(wild) == (
        "Full house: a further yacht may stand for a full house, worth 25. A further yacht brings 100 on top."
    )
