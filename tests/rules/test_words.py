"""Rule sets and scores have words in every language; the English ones are in `golden/`."""

from dataclasses import replace
from itertools import product

import pytest

from messages.catalogue import languages, text
from station import games
from station.rules import Entry, Sheet, built_in, built_in_ids, explain
from station.rules.dice import FACES
from station.rules.house import parse_rules
from station.rules.sentences import describe
from tests.wording import in_words


def test_boxes_that_have_to_be_announced_are_told_so():
    lines = [str(line) for line in describe(parse_rules(games.texts()["yamb"]))]
    assert "  Ones, announced: the sum of the 1s, only if announced before the second throw" in lines


def test_a_further_yacht_is_counts_as_its_column():
    lines = [str(line) for line in describe(parse_rules(games.texts()["triple-yahtzee"]))]
    assert lines[-3].startswith("Each further yacht brings 100 on top, as many times as its column counts,")


def test_one_die_one_throw_and_one_number_of_players_are_one():
    rules = replace(built_in("yacht-1938"), dice=1, throws=1, players=(2, 2))
    lines = [str(line) for line in describe(rules)]
    assert lines[1] == "1 die, 1 throw a turn; one box is filled each turn."
    assert lines[2].startswith("2 players; ")


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
