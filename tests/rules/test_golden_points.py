"""The sixteen sets score as before patterns became data: every throw, box, throw number and joker."""

import hashlib
import json
from itertools import combinations_with_replacement
from pathlib import Path

import pytest

from station.rules import Entry, Sheet, built_in, built_in_ids, explain, fill, legal_boxes

pytestmark = pytest.mark.thorough

GOLDEN = Path(__file__).parent / "golden" / "points.json"
THROWS = tuple(combinations_with_replacement(range(1, 7), 5))
"""The 252 that the 7,776 come to; that their order says nothing is tested elsewhere."""


def digest(rules_id, throws=THROWS):
    """Points, legal boxes and extra, of all throws in all throw numbers and states of the yacht box."""
    rule_set = built_in(rules_id)
    found = hashlib.sha256()
    yacht = rule_set.yacht
    sheets = [Sheet()] + [Sheet((Entry(yacht.category, points),)) for points in (50, 0) if yacht]
    for sheet in sheets:
        for throw in range(1, rule_set.throws + 1):
            for dice in throws:
                legal = legal_boxes(rule_set, sheet, tuple(sorted(dice)))
                points = [explain(rule_set, each, dice, throw, sheet).points for each in rule_set.categories]
                extra = fill(rule_set, sheet, legal[0], dice, throw).entries[-1].extra
                found.update(repr((dice, throw, legal, points, extra)).encode())
    return found.hexdigest()[:32]


@pytest.mark.parametrize("rules_id", built_in_ids())
def test_points_are_what_they_were(rules_id):
    assert digest(rules_id) == json.loads(GOLDEN.read_text(encoding="utf-8"))[rules_id]
