"""A share of what `make torture` does to what is kept: nothing lost, nothing accepted that should not be."""

from collections.abc import Callable

import pytest

from lab.torture.row import Row
from lab.torture.storage import TRIALS, hostile_copies, power_cuts, wear

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning"),  # a child that only plays and ends
]


@pytest.mark.parametrize(
    "trial", [each for each in TRIALS if each not in {wear, power_cuts}], ids=lambda each: each.__name__
)
def test_a_share_of_each_trial(trial: Callable[[float], Row | list[Row]]):
    found = trial(0.0015 if trial is hostile_copies else 0.02)
    for row in found if isinstance(found, list) else [found]:
        assert row.count > 0 or "not tried" in row.note
        assert (row.lost, row.wrong) == (0, 0), row
