"""What light and focus do to a picture, told on drawn dice."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.helpers import draw, empty_tray
from vision.judgement.evidence import Evidence, EvidenceKind
from vision.pips import pyramid
from vision.reading import Colour, DieReading, Reason
from vision.ready_check import network_agrees
from vision.reasons import quality

PLACES = np.array([(150, 150), (400, 200), (250, 350)], np.float32)
EDGE = np.full(3, 60, np.float32)
Picture = NDArray[np.uint8]


def _tray(body: tuple[int, int, int] = (235, 240, 240), pip: tuple[int, int, int] = (25, 25, 25)) -> Picture:
    image = empty_tray()
    for k, place in enumerate(PLACES.tolist()):
        draw(image, k + 4, (place[0], place[1]), turn=0.4 * k, body=body, pip=pip)
    return image


def _sharpness(image: Picture) -> float:
    return quality.sharpness(image, PLACES[:, 0], PLACES[:, 1], EDGE)


def test_a_sharp_die_is_sharp_and_a_soft_one_still_fit() -> None:
    assert _sharpness(_tray()) > 0.25
    assert _sharpness(cv2.GaussianBlur(_tray(), (0, 0), 3).astype(np.uint8)) > quality.SOFT


def test_dice_whose_pips_run_together_are_blurred() -> None:
    assert _sharpness(cv2.GaussianBlur(_tray(), (0, 0), 11).astype(np.uint8)) < quality.SOFT


@pytest.mark.parametrize("angle", [0, 40, 90, 135])
def test_a_smear_in_one_direction_is_a_blur(angle: int) -> None:
    smear = np.zeros((47, 47), np.float32)
    smear[23] = 1 / 47
    turned = cv2.warpAffine(smear, cv2.getRotationMatrix2D((23, 23), angle, 1), (47, 47))
    assert _sharpness(cv2.filter2D(_tray(), -1, turned / turned.sum()).astype(np.uint8)) < quality.SOFT


def test_the_size_of_a_die_does_not_matter() -> None:
    small = cv2.resize(_tray(), None, fx=0.4, fy=0.4, interpolation=cv2.INTER_AREA).astype(np.uint8)
    found = quality.sharpness(small, PLACES[:, 0] * 0.4, PLACES[:, 1] * 0.4, EDGE * 0.4)
    assert found > quality.SOFT


def test_an_empty_tray_has_no_sharpness() -> None:
    assert quality.sharpness(empty_tray(), PLACES[:, 0], PLACES[:, 1], EDGE) is None


@pytest.mark.parametrize(
    ("body", "radius", "glare"),
    [((40, 40, 190), 26, True), ((60, 60, 250), 20, True), ((40, 40, 190), 0, False)],
    ids=["a highlight over the pips", "in bright light", "none"],
)
def test_a_highlight_on_a_red_die_is_glare(body: tuple[int, int, int], radius: int, *, glare: bool) -> None:
    image = _tray(body, (240, 240, 240))
    if radius:
        cv2.circle(image, (150, 150), radius, (255, 255, 255), -1)
    assert quality.glare(image, PLACES[:, 0], PLACES[:, 1], EDGE).tolist() == [glare, False, False]


def test_a_white_die_is_no_glare() -> None:
    assert not quality.glare(_tray(), PLACES[:, 0], PLACES[:, 1], EDGE).any()


def test_a_good_picture_is_fit() -> None:
    assert quality.picture_faults(pyramid(_tray()), PLACES[:, 0], PLACES[:, 1], EDGE) == ()


def test_a_dark_one_is_not() -> None:
    dark = (_tray() // 8).astype(np.uint8)
    assert Reason.DARK in quality.picture_faults(pyramid(dark), PLACES[:, 0], PLACES[:, 1], EDGE)


@pytest.mark.parametrize(
    ("blur", "kind", "sure"),
    [(1, EvidenceKind.BODY, True), (7, EvidenceKind.BODY, False), (7, EvidenceKind.LATTICE, True)],
)
def test_a_face_that_the_network_alone_sees_and_doubts_must_be_in_focus(
    blur: int, kind: EvidenceKind, *, sure: bool
) -> None:
    levels = pyramid(cv2.GaussianBlur(_tray(), (0, 0), blur).astype(np.uint8))
    x, y = PLACES[:1].T
    says = np.array([[0.08, 0.0, 0.0, 0.0, 0.92, 0.0, 0.0]], np.float32)
    none, one = np.zeros((1, 3), np.float32), np.ones(1, np.float32)
    kinds, four = np.array([kind], np.intp), np.array([4])
    edge = EDGE[:1]
    seen = Evidence(kinds, four, x, y, edge, edge, one, none, none.astype(float), says, one, none)
    die = DieReading(4, 0.85, (float(x[0]), float(y[0])), float(edge[0]), 0.0, Colour.WHITE)
    assert network_agrees(levels, seen, (die,)) is sure
