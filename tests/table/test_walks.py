"""Every walk goes as it was recorded: see `tests.table.walks`, also for an intended change."""

from difflib import unified_diff
from itertools import zip_longest

import pytest

from tests.table.walks import GOLDEN, WALKS, record, recorded


@pytest.mark.parametrize("walk", WALKS)
@pytest.mark.needs_feature
def test_a_walk_goes_as_it_was_recorded(walk):
    for number, (now, kept) in enumerate(zip_longest(record(walk), recorded(walk), fillvalue="")):
        if now != kept:
            diff = unified_diff(kept.splitlines(), now.splitlines(), "recorded", "now", lineterm="")
            pytest.fail(f"{walk} differs from step {number} on:\n" + "\n".join(diff))


def test_only_walks_that_exist_are_recorded():
    assert sorted(path.stem for path in GOLDEN.iterdir()) == sorted(WALKS)
