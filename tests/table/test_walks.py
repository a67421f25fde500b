"""Every walk says what it said: see `tests.table.walks`, also for a change that is meant."""

import json
from itertools import zip_longest

import pytest

from tests.table.walks import GOLDEN, WALKS, digests

KEPT = json.loads(GOLDEN.read_text(encoding="utf-8"))


@pytest.mark.parametrize("walk", WALKS)
def test_the_table_says_what_it_said(walk):
    said = zip_longest(digests(walk), KEPT[walk].split(), fillvalue=("nothing", ""))
    for number, ((told, digest), kept) in enumerate(said):
        assert digest == kept, f"step {number} of {walk} is told otherwise, now: {told}"


def test_only_walks_that_are_there_are_kept():
    assert tuple(KEPT) == WALKS
