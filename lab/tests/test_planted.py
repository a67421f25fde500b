"""The planted mistakes of `make soak ARGS=planted` fit the code as it is."""

from pathlib import Path

import pytest

from lab.soak.planted import MISTAKES

HOME = Path(__file__).parents[2]


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.what)
def test_a_mistake_can_be_planted(mistake):
    assert (HOME / mistake.file).read_text(encoding="utf-8").count(mistake.was) == 1
