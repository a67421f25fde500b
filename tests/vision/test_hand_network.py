"""Hands seen by the network: any skin, on any ground, open or closed; and what is none."""

import numpy as np
import pytest

from simulator.cases import example
from vision.inference.hand_network import hand_probabilities, surely_shows_hand
from vision.pips import pyramid
from vision.reader import Reader
from vision.reading import Status
from vision.reasons.hand import shows_hand

HANDS = (80002, 80005, 80010, 80014, 80016, 80022)
"""Seeds of simulated hands: open and closed, pale and dark, whole and cut off by the picture's rim."""


def one_quickly(*cases: object) -> list[object]:
    """The first is among the quick tests; the others are as many pictures more to draw and to read."""
    return [cases[0], *(pytest.param(case, marks=pytest.mark.slow) for case in cases[1:])]


@pytest.mark.parametrize("size_wh", [(1920, 1080), (640, 480), (333, 517), (40, 33)])
def test_a_picture_of_any_size_gets_a_chance_for_each_place(size_wh: tuple[int, int]) -> None:
    image = np.random.default_rng(1).integers(0, 256, (size_wh[1], size_wh[0], 3), np.uint8)
    odds = hand_probabilities(image)
    assert odds.shape[1] / odds.shape[0] == pytest.approx(size_wh[0] / size_wh[1], rel=0.15)
    assert 0 <= odds.min() <= odds.max() <= 1


@pytest.mark.thorough
@pytest.mark.parametrize("seed", one_quickly(*HANDS))
def test_a_hand_over_the_dice_is_told(seed: int) -> None:
    made = example("hand over the dice", seed)
    assert surely_shows_hand(made.image)
    assert Reader(made.expected_dice).read(made.image).status is Status.COVERED


@pytest.mark.thorough
@pytest.mark.parametrize("case", one_quickly("plain", "empty tray", "only things", "on wood", "on leather"))
def test_a_tray_without_one_shows_none(case: str) -> None:
    assert not surely_shows_hand(example(case, 80001).image)


@pytest.mark.thorough
def test_wood_of_the_colour_of_skin_but_not_its_shape_is_no_hand() -> None:
    made = example("too few", 310003)
    assert shows_hand(pyramid(made.image)[1])
    assert made.expected.accepts(Reader(made.expected_dice).read(made.image))
