"""A share of what `make torture` does: nothing lost, nothing accepted that should not be."""

from collections.abc import Callable

import pytest

from lab.torture.network import TRIALS
from lab.torture.row import Row

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("trial", TRIALS, ids=lambda trial: trial.__name__)
def test_a_share_of_each_trial(trial: Callable[[float], Row | list[Row]]):
    found = trial(0.01)
    for row in found if isinstance(found, list) else [found]:
        if row.note.startswith("not tried"):
            pytest.skip(row.note)
        assert row.count > 0
        assert (row.lost, row.wrong) == (0, 0), row
