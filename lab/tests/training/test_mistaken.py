"""Lessons in what is no die: where they are taken from, and where not."""

import numpy as np
import pytest

from lab.training.mistaken import FIRST_SEED, added, mistaken, trays
from lab.training.pools import Labelled
from simulator.cases import example
from vision.inference.face_looks import NOT_A_FACE

pytestmark = pytest.mark.thorough


@pytest.mark.parametrize("case", ["button beside", "score pad beside", "touching row"])
def test_no_lesson_lies_on_a_die(case: str) -> None:
    made = example(case, FIRST_SEED - 1)
    dice = [(*die.center, die.size) for die in made.dice]
    for cut in mistaken(made.image, dice):
        assert cut.label == NOT_A_FACE
        assert all(np.hypot(cut.x - x, cut.y - y) > edge for x, y, edge in dice)


def test_a_tray_with_nothing_but_things_gives_lessons() -> None:
    assert any(list(mistaken(example("only things", seed).image, ())) for seed in range(3))


def test_where_not_all_is_known_there_is_no_lesson() -> None:
    image = example("only things", 0).image
    (same,) = added([Labelled(image, (), "drawn")])
    assert same.cuts == ()


def test_the_trays_teach_their_legible_dice() -> None:
    first = next(iter(trays(1)))
    assert len(first.cuts) == len(first.dice or ()) > 0
    assert all(cut.label in range(1, 7) for cut in first.cuts)
