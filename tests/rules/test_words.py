"""Rule sets told in words."""

from dataclasses import replace
from itertools import product

import pytest

from messages.catalogue import languages, text
from station import games
from station.rules import Entry, Sheet, built_in, built_in_ids, explain
from station.rules.dice import FACES
from station.rules.house import parse_rules
from station.rules.scoring.choice import Choice
from station.rules.scoring.full_house import FullHouse
from station.rules.scoring.groups import Groups
from station.rules.scoring.number import Number
from station.rules.scoring.of_a_kind import OfAKind
from station.rules.scoring.straight import AceStraight, Exactly, Run
from station.rules.scoring.yacht import Yacht
from station.rules.sentences import describe
from tests.wording import in_words


@pytest.mark.parametrize("rules_id", built_in_ids())
def test_every_box_and_the_source_are_told(rules_id):
    rule_set = built_in(rules_id)
    told = "\n".join(map(str, describe(rule_set)))
    assert all(f"  {box.label}: " in told for box in rule_set.boxes)
    assert str(rule_set.source) in told
    assert ("Bonus" in told) == (rule_set.bonus is not None)


@pytest.mark.parametrize(
    ("rules_id", "words"),
    [
        (
            "general",
            "2-3-4-5-6, where 1s may stand for 2 and 6: 20, 25 in the first throw",
        ),
        ("general", "All dice alike in a turn's first throw win the game at once."),
        ("game-rules-guru", "A further yacht may also stand for a full house or a straight."),
        ("yahtzee", "A further yacht goes to the box of its face"),
        ("shared-roll", "All players use the same throws"),
        ("double-cameroon", "two boxes are filled each turn"),
        ("general", "at least four alike: 40, 45 in the first throw"),
        ("yatzy", "2 and 2 alike, each of another face: the sum of these"),
    ],
)
def test_what_is_special_is_told(rules_id, words):
    assert words in "\n".join(map(str, describe(built_in(rules_id))))


def test_a_rule_set_is_told_line_by_line():
    rules = built_in("yahtzee")
    told = [str(line) for line in describe(rules)]
    assert told[:3] == [
        "Yahtzee \N{EN DASH} the official rules (yahtzee)",
        "5 dice, up to 3 throws a turn; one box is filled each turn.",
        f"1 to {rules.players[1]} players; each player rolls; the highest total starts, then to the left.",
    ]
    assert told[16:-2] == [
        "  Bonus: 35 for 63 or more in the boxes of the faces",
        "Each further yacht brings 100 on top while Yahtzee holds points.",
    ]
    assert told[-1] == "Source: the well-known rules."


def test_boxes_that_have_to_be_announced_are_told_so():
    told = [str(line) for line in describe(parse_rules(games.texts()["yamb"]))]
    assert "  Ones, announced: the sum of the 1s, only if announced before the second throw" in told


def test_a_further_yacht_is_told_to_count_as_its_column():
    told = [str(line) for line in describe(parse_rules(games.texts()["triple-yahtzee"]))]
    assert told[-3].startswith("Each further yacht brings 100 on top, as many times as its column counts,")


def test_one_die_one_throw_and_one_number_of_players_are_one():
    rules = replace(built_in("yacht-1938"), dice=1, throws=1, players=(2, 2))
    told = [str(line) for line in describe(rules)]
    assert told[1] == "1 die, 1 throw a turn; one box is filled each turn."
    assert told[2].startswith("2 players; ")


FULL_HOUSE = "three of one face and two of another (five of a kind does not count)"


@pytest.mark.parametrize(
    ("scoring", "words"),
    [
        (Number(4), "the sum of the 4s"),
        (Choice(), "the sum of all dice"),
        (FullHouse(), f"{FULL_HOUSE}: the sum of all dice"),
        (FullHouse(points=30, first_throw=35), f"{FULL_HOUSE}: 30, 35 in the first throw"),
        (FullHouse(points=25, first_throw=30, five_of_a_kind=True),
         "three of one face and two of another (five of a kind counts): 25, 30 in the first throw"),
        (OfAKind(3), "at least three alike: the sum of all dice"),
        (OfAKind(2, matching_only=True), "at least two alike: the sum of these"),
        (OfAKind(4, points=40, first_throw=45), "at least four alike: 40, 45 in the first throw"),
        (Run(5, points=40), "five in a row: 40"),
        (Run(4, points=15, first_throw=20), "four in a row: 15, 20 in the first throw"),
        (Exactly((2, 3, 4, 5, 6), points=20, first_throw=25), "2-3-4-5-6: 20, 25 in the first throw"),
        (AceStraight(points=20, first_throw=25),
         "1-2-3-4-5 or 2-3-4-5-6, where 1s may stand for 2 and 6: 20, 25 in the first throw"),
        (Groups((2, 2), matching_only=True), "2 and 2 alike, each of another face: the sum of these"),
        (Yacht(points=50, first_throw=60), "all alike: 50, 60 in the first throw"),
    ],
)  # fmt: skip
def test_what_a_box_pays_is_told(scoring, words):
    assert in_words(scoring.how()) == words


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("rules_id", built_in_ids())
def test_a_rule_set_has_words_in_every_language(rules_id, language):
    rule_set = built_in(rules_id)
    for line in describe(rule_set):
        in_words(line, language)
    labels = [text(box.label, language) for box in rule_set.boxes]
    assert len(set(labels)) == len(labels)


THROWS = [(face,) * 5 for face in FACES] + [
    (1, 2, 3, 4, 5), (2, 3, 4, 5, 6), (1, 3, 4, 5, 6), (1, 1, 3, 4, 5), (1, 1, 2, 3, 4), (2, 2, 5, 5, 5),
    (2, 2, 5, 5, 6), (2, 6, 6, 6, 6), (1, 2, 4, 6, 6), (1, 2, 3, 3, 6),
]  # fmt: skip


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("rules_id", built_in_ids())
def test_why_a_box_pays_has_words_in_every_language(rules_id, language):
    rule_set = built_in(rules_id)
    yachts = [Entry(box.category, 50) for box in [rule_set.yacht] if box]
    for category, dice, throw, sheet in product(
        rule_set.categories, THROWS, (1, 2), (Sheet(), Sheet(tuple(yachts)))
    ):
        sentence = explain(rule_set, category, dice, throw, sheet).sentence
        in_words(sentence, language)
