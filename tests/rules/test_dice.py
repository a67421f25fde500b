"""Rows of faces, as straights and reasons in words need them."""

import pytest

from station.rules.dice import longest_run


@pytest.mark.parametrize(
    ("dice", "run"),
    [
        ((1, 2, 2, 4, 5), (4, 5)),
        ((2, 3, 4, 5, 6), (2, 3, 4, 5, 6)),
        ((1, 2, 3, 5, 6), (1, 2, 3)),
        ((1, 3, 5, 5, 5), (5,)),
        ((2, 2, 2, 2, 2), (2,)),
    ],
)
def test_of_two_equally_long_rows_the_higher_counts(dice, run):
    assert longest_run(dice) == run
