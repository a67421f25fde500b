"""Every reason to refuse a picture, on drawn dice."""

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.helpers import PLACES, draw, empty_tray, thrown
from vision.detection import candidates
from vision.detection.pip_search import Search
from vision.judgement import evidence, fusion
from vision.judgement.no_dice import PRINTED, markers
from vision.judgement.posture import cut_dice, cut_off, piled, pipped_at_rim
from vision.pips import pyramid
from vision.reader import Reader
from vision.reading import Reason, Status
from vision.reasons.counters import are_counters, without_counters
from vision.reasons.refusal import UnreadBodies

Picture = NDArray[np.uint8]
WHITE = (235, 240, 240)


def test_the_roll_itself_is_ready() -> None:
    assert Reader(5).read(thrown()).status is Status.READY


def too_dark() -> Picture:
    noise = np.random.default_rng(2).normal(0, 9, (480, 640, 3))
    return np.clip(thrown() / 30 + noise, 0, 255).astype(np.uint8)


def burnt_out() -> Picture:
    return np.clip(thrown().astype(int) + 230, 0, 255).astype(np.uint8)


def blurred() -> Picture:
    return cv2.GaussianBlur(thrown(), (0, 0), 12).astype(np.uint8)


def shaken() -> Picture:
    smear = np.zeros((41, 41), np.float32)
    smear[20] = 1 / 41
    return cv2.filter2D(thrown(), -1, smear).astype(np.uint8)


def cut_through() -> Picture:
    image = thrown((2, 3, 4, 5))
    draw(image, 6, (640, 300), turn=0.0)  # its right half is outside
    return image


def with_a_highlight() -> Picture:
    image = thrown(body=(40, 40, 190), pip=(245, 245, 245))
    cv2.circle(image, PLACES[2], 27, (255, 255, 255), -1)  # a lamp, mirrored
    return image


@pytest.mark.parametrize(
    ("picture", "reason"),
    [
        (too_dark, Reason.DARK),
        (burnt_out, Reason.OVEREXPOSED),
        (blurred, Reason.BLURRED),
        (shaken, Reason.BLURRED),
        (cut_through, Reason.CUT_OFF),
        (with_a_highlight, Reason.GLARE),
    ],
)
def test_a_spoilt_picture_is_refused_with_its_reason(picture: Callable[[], Picture], reason: Reason) -> None:
    reading = Reader(5).read(picture())
    assert reading.status is Status.UNSURE
    assert reason in reading.reasons


def test_dice_that_are_merely_too_few_are_blamed_on_nothing_else() -> None:
    assert Reader(6).read(thrown()).reasons == (Reason.TOO_FEW,)


def test_little_of_a_die_at_the_rim_is_known_by_its_colour() -> None:
    image = thrown()
    cv2.rectangle(image, (500, 470), (550, 479), WHITE, -1)  # its top is outside
    reading = Reader(6).read(image)
    assert reading.status is Status.UNSURE
    assert reading.reasons == (Reason.CUT_OFF, Reason.TOO_FEW)
    cv2.rectangle(image, (300, 470), (639, 479), WHITE, -1)  # the rim of a tray
    assert Reason.CUT_OFF not in Reader(6).read(image).reasons


def _domino(*bar: int) -> Picture:
    """A domino whose bar, thin and out of focus, reaches from one y to the other."""
    image = empty_tray()
    cv2.rectangle(image, (260, 200), (380, 260), WHITE, -1)
    for k, face in enumerate((4, 2)):
        draw(image, face, (290 + 60 * k, 230), turn=0.0)
    cv2.line(image, (320, bar[0]), (320, bar[1]), (165, 170, 170), 2, cv2.LINE_AA)
    return image


def test_a_domino_alone_leaves_the_tray_empty_and_two_dice_do_not() -> None:
    assert Reader(5).read(_domino(206, 254)).status is Status.EMPTY
    near_the_rims = _domino(203, 257)
    assert Reader(2).read(near_the_rims).status is Status.EMPTY
    gap = _domino(206, 254)
    cv2.rectangle(gap, (316, 217), (324, 218), WHITE, -1)
    assert Reader(2).read(gap).status is Status.EMPTY
    seam = _domino(200, 260)  # a seam between dice runs from end to end
    assert Reader(2).read(seam).faces == (2, 4)


def test_half_a_domino_is_no_die_whatever_lies_on_the_other() -> None:
    image = _domino(206, 254)
    cv2.circle(image, (368, 230), 21, (60, 120, 190), -1, cv2.LINE_AA)
    assert Reader(1).read(image).status is not Status.READY


def test_a_button_leaves_the_tray_empty_if_it_is_surely_one() -> None:
    button, square = empty_tray(), empty_tray()
    cv2.circle(button, (320, 240), 34, (190, 90, 40), -1, cv2.LINE_AA)
    cv2.rectangle(square, (290, 210), (350, 270), (190, 90, 40), -1)
    blurred_button = cv2.GaussianBlur(button, (0, 0), 12).astype(np.uint8)
    bodies = UnreadBodies(*(np.array([v], np.float32) for v in (320, 240, 56, 0.9)))
    for image, left in ((button, 0), (blurred_button, 1), (square, 1)):
        assert len(without_counters(pyramid(image), bodies).x) == left


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
    image = thrown()
    cv2.fillPoly(image, [np.array([(0, 250), (0, 380), (230, 370), (260, 320), (220, 280)])], (140, 165, 215))
    assert Reader(5).read(image).status is Status.COVERED


def test_a_half_hidden_die_is_never_counted() -> None:
    image = thrown()
    x, y = PLACES[0]
    image[y - 45 : y + 2, x - 45 : x + 45] = (60, 90, 50)
    assert Reader(5).read(image).status is not Status.READY


def _places(edge: float, *x: float, y: float = 100) -> tuple[NDArray[np.float32], ...]:
    return np.array(x, np.float32), np.full(len(x), y, np.float32), np.full(len(x), edge, np.float32)


def test_piled_and_cut_dice_are_known_by_their_places() -> None:
    assert piled(*_places(50, 100, 130, 300)).tolist() == [True, True, False]
    assert not piled(*_places(50, 100, 150)).any(), "side by side"
    assert cut_off(*_places(50, 100, 630), (640, 480)).tolist() == [False, True]


def test_what_the_rim_cuts_is_a_die_where_it_has_the_size_of_one() -> None:
    image = thrown((6,), ((200, 200),), (0.3, 0.0))
    dice, place = _places(60, 200, y=200), np.array([[620, 120, 60, 0.5]], np.float32)
    assert not cut_dice(pyramid(image), dice, place)
    draw(image, 5, (620, 120), turn=0.0)
    assert cut_dice(pyramid(image), dice, place)
    cv2.rectangle(image, (400, 90), (640, 150), WHITE, -1)
    assert not cut_dice(pyramid(image), dice, place)
    tiny = thrown((6,), ((200, 200),), (0.3, 0.0), edge=5.0)
    beyond = np.array([[641, 120, 5, 0.5]], np.float32)
    assert not cut_dice(pyramid(tiny), _places(5, 200, y=200), beyond)


def test_what_the_rim_cuts_has_a_pip_if_it_is_a_die_of_another_colour() -> None:
    image = thrown((6,), ((200, 200),), (0.3, 0.0))
    place = np.array([[620, 120, 60, 0.5]], np.float32)

    def seen(picture: Picture, *, without_pips: bool = False) -> bool:
        levels = pyramid(picture)
        spots = Search(levels).find()
        found = candidates.gather(levels, spots)
        all_ = evidence.gather_evidence(levels, found, fusion.classical_log_odds(found))
        six = all_.take(np.flatnonzero((all_.face == 6) & (np.hypot(all_.x - 200, all_.y - 200) < 9))[:1])
        return pipped_at_rim(levels, replace(six, r=0 * six.r) if without_pips else six, place, spots)

    key, body, blot = image.copy(), image.copy(), image.copy()
    cv2.rectangle(key, (590, 90), (640, 150), (40, 40, 200), -1)
    assert not seen(key)
    draw(body, 5, (620, 120), turn=0.0, body=(40, 40, 200), pip=(240, 240, 240))
    assert seen(body)
    assert not seen(body, without_pips=True)
    cv2.circle(blot, (620, 120), 6, (240, 240, 240), -1, cv2.LINE_AA)
    assert not seen(blot)
    cv2.circle(key, (620, 120), 6, (240, 240, 240), -1, cv2.LINE_AA)
    assert seen(key)


def test_a_picture_of_dots_without_bodies_and_too_many_of_them_is_refused() -> None:
    image = thrown()
    for middle in ((320, 230), (390, 230), (320, 300), (390, 300)):  # faces on the cloth, without any die
        for x, y in ((-15, -15), (15, 15), (-15, 15), (15, -15), (0, 0)):
            cv2.circle(image, (middle[0] + x, middle[1] + y), 5, (210, 210, 200), -1, cv2.LINE_AA)
    reading = Reader(3).read(image)
    assert reading.status is Status.UNSURE
    assert Reason.TOO_MANY in reading.reasons


def test_printed_markers_of_every_size_are_no_dice() -> None:
    printed = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    for number in range(PRINTED + 1):
        for px in (30, 72, 150):
            image = np.full((640, 640, 3), 215, np.uint8)
            drawn = cv2.aruco.generateImageMarker(printed, number, px)
            image[320 - px // 2 :, 320 - px // 2 :][:px, :px] = drawn[..., None]
            image = cv2.GaussianBlur(image, (0, 0), 0.02 * px).astype(np.uint8)
            draw(image, 5, (110, 110), turn=0.3)
            at = np.array([320.0, 110.0], np.float32)
            marked = markers(pyramid(image), at, at, np.array([px, 52.0], np.float32))
            assert marked.tolist() == [number < PRINTED, False], (number, px)
