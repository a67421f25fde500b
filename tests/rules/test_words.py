"""Rule sets told in words."""

import re
from itertools import product

import pytest

from messages.catalogue import languages, text
from station.rules import Entry, Sheet, built_in, built_in_ids, explain
from station.rules.dice import FACES
from station.rules.sentences import describe


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
        ("general", "Five of a kind in a turn's first throw wins the game at once."),
        ("game-rules-guru", "A further yacht may also stand for a full house or a straight."),
        ("yahtzee", "A further yacht goes to the box of its face"),
        ("shared-roll", "All players use the same throws"),
        ("double-cameroon", "two boxes are filled each turn"),
        ("general", "at least four alike: 40, 45 in the first throw"),
        ("yatzy", "two of one face and two of another: the sum of these four"),
    ],
)
def test_what_is_special_is_told(rules_id, words):
    assert words in "\n".join(map(str, describe(built_in(rules_id))))


def without_words(told: str) -> bool:
    """Whether a key or a placeholder is left where words should be."""
    return bool(re.search(r"\{\w|\b[a-z-]+/[a-z-]+", told))


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("rules_id", built_in_ids())
def test_a_rule_set_has_words_in_every_language(rules_id, language):
    rule_set = built_in(rules_id)
    for line in describe(rule_set):
        assert not without_words(text(line, language))
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
        assert not without_words(text(sentence, language)), sentence
