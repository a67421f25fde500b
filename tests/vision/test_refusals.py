"""Every reason to refuse a picture, on drawn dice."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.helpers import draw, empty_tray
from vision.leaning import out_of_line
from vision.pipeline import Reader
from vision.posture import cut_off, piled
from vision.reading import Reading, Reason, Status

Picture = NDArray[np.uint8]
PLACES = ((100, 120), (250, 110), (420, 140), (180, 330), (430, 340))


def _roll() -> Picture:
    image = empty_tray()
    for k, place in enumerate(PLACES):
        draw(image, k + 2 if k < 4 else 4, place, turn=0.4 * k)
    return image


def _read(image: Picture, dice: int = 5) -> Reading:
    return Reader(dice).read(image)


def test_the_roll_itself_is_ready() -> None:
    assert _read(_roll()).status is Status.READY


def test_too_dark() -> None:
    noise = np.random.default_rng(2).normal(0, 9, (480, 640, 3))
    reading = _read(np.clip(_roll() / 30 + noise, 0, 255).astype(np.uint8))
    assert reading.status is Status.UNSURE
    assert Reason.DARK in reading.reasons


def test_burnt_out() -> None:
    reading = _read(np.clip(_roll().astype(int) + 230, 0, 255).astype(np.uint8))
    assert reading.status is Status.UNSURE
    assert Reason.OVEREXPOSED in reading.reasons


def test_blurred() -> None:
    reading = _read(cv2.GaussianBlur(_roll(), (0, 0), 12).astype(np.uint8))
    assert reading.status is Status.UNSURE
    assert Reason.BLURRED in reading.reasons


def test_shaken() -> None:
    smear = np.zeros((41, 41), np.float32)
    smear[20] = 1 / 41
    reading = _read(cv2.filter2D(_roll(), -1, smear).astype(np.uint8))
    assert reading.status is Status.UNSURE
    assert Reason.BLURRED in reading.reasons


def test_cut_off_by_the_rim() -> None:
    image = empty_tray()
    for k, place in enumerate(PLACES[:4]):
        draw(image, k + 2, place, turn=0.4 * k)
    draw(image, 6, (640, 300), turn=0.0)  # its right half is outside
    reading = _read(image)
    assert reading.status is Status.UNSURE
    assert Reason.CUT_OFF in reading.reasons


def test_a_hand_over_dice() -> None:
    image = _roll()
    cv2.fillPoly(image, [np.array([(0, 250), (0, 380), (230, 370), (260, 320), (220, 280)])], (140, 165, 215))
    reading = _read(image)
    assert reading.status is Status.COVERED


def test_a_half_hidden_die_is_never_counted() -> None:
    image = _roll()
    x, y = PLACES[0]
    image[y - 45 : y + 2, x - 45 : x + 45] = (60, 90, 50)
    assert _read(image).status is not Status.READY


def test_piled_dice_are_told_by_their_distance() -> None:
    x, y = np.array([100, 130, 300], np.float32), np.array([100, 100, 100], np.float32)
    assert piled(x, y, np.full(3, 50, np.float32)).tolist() == [True, True, False]


def test_dice_side_by_side_are_not_piled() -> None:
    x, y = np.array([100, 150], np.float32), np.array([100, 100], np.float32)
    assert not piled(x, y, np.full(2, 50, np.float32)).any()


def test_a_die_beyond_the_rim_is_cut_off() -> None:
    x, y = np.array([100, 630], np.float32), np.array([100, 100], np.float32)
    assert cut_off(x, y, np.full(2, 50, np.float32), (640, 480)).tolist() == [False, True]


@pytest.mark.parametrize("lean", [0.0, 0.1, 0.7])
def test_a_foot_out_of_line_is_a_leaning_die(lean: float) -> None:
    x = np.array([100, 200, 300, 400, 500], np.float32)
    y = np.full(5, 200, np.float32)
    foot = np.stack([(300 - x) / 600, np.zeros(5, np.float32)], 1)
    foot[2, 1] = lean
    assert out_of_line(x, y, foot, (600, 400)).tolist() == [False, False, lean > 0.5, False, False]
