"""The names of bodies' colours, and that a lamp does not change them."""

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.helpers import draw, empty_tray
from vision.inference.body_colour import (
    NAMES,
    features,
    log_probabilities,
    measure_colours,
    name_colours,
    pooled_by_likeness,
)
from vision.pips import pyramid
from vision.reader import Reader
from vision.reading import Colour

PLACES = ((100, 120), (250, 110), (420, 140), (180, 330), (430, 340))
BODIES = {
    Colour.WHITE: ((236, 240, 240), (30, 30, 30)),
    Colour.BLACK: ((28, 26, 26), (240, 240, 240)),
    Colour.RED: ((34, 28, 190), (240, 240, 240)),
    Colour.YELLOW: ((40, 205, 240), (30, 30, 30)),
    Colour.GREEN: ((60, 125, 30), (240, 240, 240)),
    Colour.BLUE: ((170, 68, 28), (240, 240, 240)),
}


def _tray(colour: Colour, floor: tuple[int, int, int] = (96, 92, 88)) -> NDArray[np.uint8]:
    image = empty_tray(colour=floor)
    body, pip = BODIES[colour]
    for k, place in enumerate(PLACES):
        draw(image, k + 2, place, turn=0.4 * k, body=body, pip=pip)
    return image


def _named(image: NDArray[np.uint8]) -> list[Colour]:
    x, y = np.array(PLACES, np.float32).T
    return name_colours(pyramid(image), x, y, np.full(5, 60, np.float32))


@pytest.mark.parametrize("colour", BODIES)
def test_plain_colours_have_their_names(colour: Colour) -> None:
    assert _named(_tray(colour)) == [colour] * 5


@pytest.mark.parametrize("tint", [(1.0, 0.97, 0.9), (0.88, 0.96, 1.0)])
@pytest.mark.parametrize("colour", [Colour.WHITE, Colour.RED, Colour.BLUE, Colour.BLACK])
def test_a_warm_or_cold_lamp_changes_no_name(colour: Colour, tint: tuple[float, float, float]) -> None:
    image = np.clip(_tray(colour) * np.array(tint), 0, 255).astype(np.uint8)
    assert _named(image) == [colour] * 5


def test_a_reading_names_the_colours() -> None:
    reading = Reader(5).read(_tray(Colour.RED))
    assert [die.colour for die in reading.dice] == [Colour.RED] * 5


def test_no_dice_have_no_colours() -> None:
    none = np.zeros(0, np.float32)
    assert name_colours(pyramid(empty_tray()), none, none, none) == []


def test_dice_that_look_alike_are_named_alike() -> None:
    image = _tray(Colour.WHITE)
    x, y = np.array(PLACES, np.float32).T
    seen = measure_colours(pyramid(image), x, y, np.full(5, 60, np.float32))
    assert features(seen).shape[0] == 5
    logs = log_probabilities(seen)
    logs[0] = np.log(1 / len(NAMES))  # one that could be anything
    assert pooled_by_likeness(seen, logs).argmax(1)[0] == logs[1:].mean(0).argmax()


@pytest.mark.parametrize("place", [(-30.0, -30.0), (639.0, 479.0), (5000.0, 20.0)])
def test_a_die_may_lie_anywhere(place: tuple[float, float]) -> None:
    (named,) = name_colours(pyramid(empty_tray()), *(np.array([v], np.float32) for v in (*place, 50.0)))
    assert named in NAMES
