"""A hand in a picture, of any skin, in light and shade, with and without a sleeve; and what is none."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.helpers import draw, empty_tray
from vision.reader import Reader
from vision.reading import Status
from vision.reasons.hand import shows_hand

HAND = [
    (60, 260),
    (60, 380),
    (200, 350),
    (300, 380),
    (210, 310),
    (310, 290),
    (205, 275),
    (290, 230),
    (180, 240),
]


@pytest.mark.parametrize("skin", [(130, 160, 215), (48, 62, 92)])
@pytest.mark.parametrize("sleeve", [0, 60])
def test_a_hand_pale_or_dark_is_seen_with_and_without_a_sleeve(
    sleeve: int, skin: tuple[int, int, int]
) -> None:
    image = empty_tray()
    cv2.fillPoly(image, [np.array([(x - 60 + sleeve, y) for x, y in HAND])], skin)
    cv2.rectangle(image, (0, 250), (sleeve, 390), (120, 60, 30), -1)
    assert shows_hand(image)


def test_a_wooden_tray_is_no_hand() -> None:
    image = empty_tray(colour=(70, 110, 160))
    cv2.rectangle(image, (100, 80), (540, 400), (90, 130, 185), -1)
    assert not shows_hand(image)


def test_the_dark_rim_of_a_tray_is_no_hand() -> None:
    image = empty_tray()
    cv2.rectangle(image, (-20, 40), (520, 440), (48, 62, 92), 40)
    assert not shows_hand(image)


def _arm(image: NDArray[np.uint8], colour: tuple[int, int, int], reach: tuple[int, int] = (0, 420)) -> None:
    """A forearm and a fist across the picture, so far from its left side."""
    cv2.rectangle(image, (reach[0], 200), (reach[1] - 60, 290), colour, -1)
    cv2.circle(image, (reach[1] - 60, 245), 62, colour, -1)


def test_a_hand_half_in_the_shade_is_one_hand() -> None:
    image = empty_tray()
    _arm(image, (120, 150, 200))
    shade = image[:245].astype(np.float32) * 0.55
    lit = (image[:245] == (120, 150, 200)).all(2)
    image[:245][lit] = shade[lit].astype(np.uint8)
    assert shows_hand(image)


def test_a_fist_at_the_end_of_a_long_sleeve_is_a_hand() -> None:
    image = empty_tray()
    _arm(image, (120, 150, 200), (250, 480))
    cv2.rectangle(image, (0, 195), (250, 295), (120, 60, 30), -1)
    assert shows_hand(image)


def test_a_floor_of_the_colour_of_skin_is_no_hand_where_dice_lie_on_it() -> None:
    image = empty_tray()
    _arm(image, (120, 150, 200))
    assert shows_hand(image)
    assert not shows_hand(image, np.array([(200 / 640, 245 / 480)]))


def test_a_tray_with_nothing_but_a_hand_over_it_is_not_called_empty() -> None:
    image = empty_tray()
    _arm(image, (120, 150, 200))
    assert Reader(5).read(image).status is Status.COVERED
    assert Reader(5).read(empty_tray()).status is Status.EMPTY


def test_where_enough_dice_are_read_a_hand_has_no_say() -> None:
    image = empty_tray()
    _arm(image, (120, 150, 200))
    draw(image, 5, (550, 100))
    assert Reader(2).read(image).status is Status.COVERED
    assert Reader(1).read(image).status is Status.READY
