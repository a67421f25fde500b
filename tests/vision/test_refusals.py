"""Every reason to refuse a picture, on drawn dice."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from simulator.cases import example
from tests.vision.helpers import draw, empty_tray
from vision.detection import candidates
from vision.detection.pip_search import Search
from vision.judgement import evidence, fusion
from vision.judgement.no_dice import PRINTED, markers
from vision.judgement.posture import cut_dice, cut_off, piled, pipped_at_rim
from vision.pips import pyramid
from vision.reader import Reader
from vision.reading import Reading, Reason, Status
from vision.reasons.counters import are_counters, without_counters
from vision.reasons.refusal import UnreadBodies

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


@pytest.mark.thorough
def test_dots_of_a_cloth_are_no_die_far_larger_than_the_others() -> None:
    made = example("touching row", 20_005)
    reading = Reader(made.asked).read(made.image)
    assert reading.status is not Status.READY or made.expected.accepts(reading)


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


@pytest.mark.slow
@pytest.mark.parametrize("seed", [95_003, 96_001, 96_002, 96_003])
def test_dice_that_are_shaken_beyond_all_telling_are_no_empty_tray(seed: int) -> None:
    made = example("shaken", seed)
    assert Reader(made.asked).read(made.image).status is Status.UNSURE


def test_cut_off_by_the_rim() -> None:
    image = empty_tray()
    for k, place in enumerate(PLACES[:4]):
        draw(image, k + 2, place, turn=0.4 * k)
    draw(image, 6, (640, 300), turn=0.0)  # its right half is outside
    reading = _read(image)
    assert reading.status is Status.UNSURE
    assert Reason.CUT_OFF in reading.reasons


def test_little_of_a_die_at_the_rim_is_told_by_its_colour() -> None:
    image = _roll()
    cv2.rectangle(image, (500, 470), (550, 479), (235, 240, 240), -1)  # its top is outside
    reading = _read(image, dice=6)
    assert reading.status is Status.UNSURE
    assert reading.reasons == (Reason.CUT_OFF, Reason.TOO_FEW)
    cv2.rectangle(image, (300, 470), (639, 479), (235, 240, 240), -1)  # the rim of a tray
    assert Reason.CUT_OFF not in _read(image, dice=6).reasons


def _domino(image: Picture, bar: tuple[int, int]) -> None:
    cv2.rectangle(image, (260, 200), (380, 260), (235, 240, 240), -1)
    for k, face in enumerate((4, 2)):
        draw(image, face, (290 + 60 * k, 230), turn=0.0)
    cv2.line(image, (320, bar[0]), (320, bar[1]), (165, 170, 170), 2, cv2.LINE_AA)  # thin and out of focus


def test_a_domino_alone_leaves_the_tray_empty_and_two_dice_do_not() -> None:
    image = empty_tray()
    _domino(image, (206, 254))
    assert _read(image).status is Status.EMPTY
    _domino(image, (200, 260))  # a seam between dice runs from end to end
    assert _read(image, dice=2).faces == (2, 4)


def test_half_a_domino_is_no_die_whatever_lies_on_the_other() -> None:
    image = empty_tray()
    _domino(image, (206, 254))
    cv2.circle(image, (368, 230), 21, (60, 120, 190), -1, cv2.LINE_AA)
    assert _read(image, dice=1).status is not Status.READY


def test_a_bar_whose_ends_are_near_the_rims_is_a_domino() -> None:
    image = empty_tray()
    _domino(image, (203, 257))
    assert _read(image, dice=2).status is Status.EMPTY


def test_a_bar_may_have_a_gap() -> None:
    image = empty_tray()
    _domino(image, (206, 254))
    cv2.rectangle(image, (316, 217), (324, 218), (235, 240, 240), -1)
    assert _read(image, dice=2).status is Status.EMPTY


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "dice"), [(380041, 2), (380025, 1), (383014, 2)])
def test_a_domino_alone_is_no_dice(seed: int, dice: int) -> None:
    """A long bar, a half whose other one shows no face, halves that one look alone proves."""
    assert Reader(dice).read(example("only things", seed).image).status is Status.EMPTY


def test_a_button_leaves_the_tray_empty_if_it_is_surely_one() -> None:
    image = empty_tray()
    cv2.circle(image, (320, 240), 34, (190, 90, 40), -1, cv2.LINE_AA)
    levels, place = pyramid(image), [np.array([v], np.float32) for v in (320, 240, 56, 0.9)]
    assert len(without_counters(levels, UnreadBodies(*place)).x) == 0
    blurred = pyramid(cv2.GaussianBlur(image, (0, 0), 12).astype(np.uint8))
    assert len(without_counters(blurred, UnreadBodies(*place)).x) == 1
    square = empty_tray()
    cv2.rectangle(square, (290, 210), (350, 270), (190, 90, 40), -1)
    assert len(without_counters(pyramid(square), UnreadBodies(*place)).x) == 1


@pytest.mark.slow
@pytest.mark.parametrize("seed", [361008, 361002, 361001, 365025])
def test_what_is_plainly_no_die_leaves_the_tray_empty(seed: int) -> None:
    """A d20, a card, a number token, a button with four holes."""
    made = example("only things", seed)
    assert Reader(made.asked).read(made.image).status is Status.EMPTY


@pytest.mark.parametrize("faces", [(1,), (1, 2)])
def test_counters_are_round_and_have_no_foot(faces: tuple[int, ...]) -> None:
    image = empty_tray()
    for k, face in enumerate(faces):
        draw(image, face, (200 + 150 * k, 220), turn=0.4)
    dice = Reader(len(faces)).read(image).dice
    faint = tuple(replace(die, confidence=0.6) for die in dice)
    assert len(dice) == len(faces)
    nothing = UnreadBodies(*np.zeros((4, 0), np.float32))
    assert not are_counters(pyramid(image), faint, nothing)
    assert not are_counters(pyramid(image), (), nothing)
    cv2.circle(image, (200, 220), 40, (190, 225, 240), -1, cv2.LINE_AA)
    cv2.circle(image, (200, 220), 6, (40, 40, 200), -1, cv2.LINE_AA)
    assert are_counters(pyramid(image), faint, nothing) == (len(faces) == 1)
    assert not are_counters(pyramid(image), dice, nothing)


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


Places = tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]


def _one_die(x: float, y: float, edge: float) -> Places:
    return np.array([x], np.float32), np.array([y], np.float32), np.array([edge], np.float32)


def test_what_the_rim_cuts_is_a_die_where_it_has_the_size_of_one() -> None:
    image = empty_tray()
    draw(image, 6, (200, 200))
    dice = _one_die(200, 200, 60)
    place = np.array([[620, 120, 60, 0.5]], np.float32)
    assert not cut_dice(pyramid(image), dice, place)
    body = image.copy()
    draw(body, 5, (620, 120), turn=0.0)
    assert cut_dice(pyramid(body), dice, place)
    cv2.rectangle(body, (400, 90), (640, 150), (235, 240, 240), -1)
    assert not cut_dice(pyramid(body), dice, place)


def test_what_the_rim_cuts_has_a_pip_if_it_is_a_die_of_another_colour() -> None:
    image = empty_tray()
    draw(image, 6, (200, 200))
    place = np.array([[620, 120, 60, 0.5]], np.float32)

    def seen(picture: Picture, *, without_pips: bool = False) -> bool:
        levels = pyramid(picture)
        spots = Search(levels).find()
        found = candidates.gather(levels, spots)
        all_ = evidence.gather_evidence(levels, found, fusion.classical_log_odds(found))
        six = all_.take(np.flatnonzero((all_.face == 6) & (np.hypot(all_.x - 200, all_.y - 200) < 9))[:1])
        return pipped_at_rim(levels, replace(six, r=0 * six.r) if without_pips else six, place, spots)

    key = image.copy()
    cv2.rectangle(key, (590, 90), (640, 150), (40, 40, 200), -1)
    assert not seen(key)
    body = image.copy()
    draw(body, 5, (620, 120), turn=0.0, body=(40, 40, 200), pip=(240, 240, 240))
    assert seen(body)
    assert not seen(body, without_pips=True)
    blot = image.copy()
    cv2.circle(blot, (620, 120), 6, (240, 240, 240), -1, cv2.LINE_AA)
    assert not seen(blot)
    cv2.circle(key, (620, 120), 6, (240, 240, 240), -1, cv2.LINE_AA)
    assert seen(key)


def test_tiny_dice_with_a_place_beyond_the_rim() -> None:
    image = empty_tray()
    draw(image, 6, (200, 200), edge=5.0)
    dice = _one_die(200, 200, 5)
    assert not cut_dice(pyramid(image), dice, np.array([[641, 120, 5, 0.5]], np.float32))


def test_glare_on_a_die() -> None:
    image = empty_tray()
    for k, place in enumerate(PLACES):
        draw(image, k + 2 if k < 4 else 4, place, turn=0.4 * k, body=(40, 40, 190), pip=(245, 245, 245))
    cv2.circle(image, PLACES[2], 27, (255, 255, 255), -1)  # a lamp, mirrored
    reading = _read(image)
    assert reading.status is Status.UNSURE
    assert Reason.GLARE in reading.reasons


def test_dice_that_are_merely_too_few_are_blamed_on_nothing_else() -> None:
    assert _read(_roll(), dice=6).reasons == (Reason.TOO_FEW,)


def test_a_picture_of_dots_without_bodies_and_too_many_of_them_is_refused() -> None:
    image = _roll()
    for k in range(4):  # faces printed on the cloth, without any die
        middle = (320 + 70 * (k % 2), 230 + 70 * (k // 2))
        for place in ((-15, -15), (15, 15), (-15, 15), (15, -15), (0, 0)):
            cv2.circle(
                image, (middle[0] + place[0], middle[1] + place[1]), 5, (210, 210, 200), -1, cv2.LINE_AA
            )
    reading = _read(image, dice=3)
    assert reading.status is Status.UNSURE
    assert Reason.TOO_MANY in reading.reasons


def test_printed_markers_of_every_size_are_told_from_dice() -> None:
    printed = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    for number in range(PRINTED + 1):
        for px in (30, 72, 150):
            image = np.full((640, 640, 3), 215, np.uint8)
            drawn = cv2.aruco.generateImageMarker(printed, number, px)
            image[320 - px // 2 :, 320 - px // 2 :][:px, :px] = drawn[..., None]
            image = cv2.GaussianBlur(image, (0, 0), 0.02 * px).astype(np.uint8)
            draw(image, 5, (110, 110), turn=0.3)
            x, y = np.array([320.0, 110.0], np.float32), np.array([320.0, 110.0], np.float32)
            told = markers(pyramid(image), x, y, np.array([px, 52.0], np.float32))
            assert told.tolist() == [number < PRINTED, False], (number, px)
