"""Rule sets told in words."""

import pytest

from station.rules import built_in, built_in_ids
from station.rules.sentences import describe, how


@pytest.mark.parametrize("rules_id", built_in_ids())
def test_every_box_and_the_source_are_told(rules_id):
    rule_set = built_in(rules_id)
    told = "\n".join(describe(rule_set))
    assert all(f"  {box.label}: " in told for box in rule_set.boxes)
    assert rule_set.source in told
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
    assert words in "\n".join(describe(built_in(rules_id)))


def test_a_way_to_score_without_words_is_an_error():
    with pytest.raises(TypeError, match="no words for"):
        how(object())
