"""A numeral or a picture on a die is never read as a 1."""

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from tests.vision.helpers import draw, empty_tray
from vision import pips
from vision.detection import candidates
from vision.detection.pip_search import Search
from vision.judgement import fusion, lone_pips
from vision.judgement.evidence import Evidence, gather_evidence
from vision.reader import Reader
from vision.reading import Status

EDGE = 60.0
INK = (25, 25, 25)
AT = (310, 250)


def tray(mark: Callable[[np.ndarray], None]) -> np.ndarray:
    """Four dice and, in the middle, one with that mark."""
    image = empty_tray()
    for face, place, turn in ((2, (120, 120), 0.3), (4, (480, 130), 0.9), (5, (150, 360), 0.1)):
        draw(image, face, place, EDGE, turn)
    draw(image, 3, (500, 370), EDGE, 0.6)
    draw(image, 1, AT, EDGE, 0.3, pip=(235, 240, 240))
    mark(image)
    return cv2.GaussianBlur(image, (0, 0), 0.7)


def numeral(figure: str, height: float = 1.0) -> Callable[[np.ndarray], None]:
    """Draws a numeral on the die in the middle."""

    def mark(image: np.ndarray) -> None:
        font, thick = cv2.FONT_HERSHEY_DUPLEX, 2
        (wide, high), _ = cv2.getTextSize(figure, font, height, thick)
        corner = AT[0] - wide // 2, AT[1] + high // 2
        cv2.putText(image, figure, corner, font, height, INK, thick, cv2.LINE_AA)

    return mark


def pip(image: np.ndarray) -> None:
    """Draws a pip on it."""
    cv2.circle(image, AT, 6, INK, -1, cv2.LINE_AA)


def oval(image: np.ndarray) -> None:
    """Draws a pip on it as from beside."""
    cv2.ellipse(image, AT, (8, 5), 20, 0, 360, INK, -1, cv2.LINE_AA)


def lit(image: np.ndarray) -> None:
    """Draws a pip on it, and a streak of light that touches it."""
    pip(image)
    cv2.ellipse(image, AT, (9, 9), 0, 200, 300, (140, 140, 140), 1, cv2.LINE_AA)


def star(image: np.ndarray) -> None:
    """Draws a star on it."""
    turn = np.arange(10) * np.pi / 5
    out = np.where(np.arange(10) % 2, 7, 18)
    points = np.stack([np.cos(turn), np.sin(turn)], 1) * out[:, None] + AT
    cv2.fillPoly(image, [np.round(points).astype(np.int32)], INK, cv2.LINE_AA)


def ones(image: np.ndarray) -> tuple[tuple[np.ndarray, ...], Evidence]:
    """The halvings of a picture, and the evidence for a 1 in the middle die."""
    levels = pips.pyramid(image)
    found = candidates.gather(levels, Search(levels).find())
    bodies = np.array([[*AT, EDGE, 3.0]], np.float32)
    evidence = gather_evidence(levels, found, fusion.classical_log_odds(found), bodies)
    near = np.hypot(evidence.x - AT[0], evidence.y - AT[1]) < 0.3 * EDGE
    return levels, evidence.take(near & (evidence.face == 1))


@pytest.mark.parametrize("mark", [pip, oval, lit])
def test_a_pip_is_round_from_wherever_it_is_seen(mark: Callable[[np.ndarray], None]) -> None:
    levels, evidence = ones(tray(mark))
    assert len(evidence)
    assert not lone_pips.unlike_pips(levels, evidence).any()


@pytest.mark.parametrize("mark", [numeral("5"), numeral("6"), numeral("4"), numeral("2"), star])
def test_a_mark_that_is_not_round_is_no_pip(mark: Callable[[np.ndarray], None]) -> None:
    levels, evidence = ones(tray(pip))
    assert lone_pips.unlike_pips(pips.pyramid(tray(mark)), evidence).all()
    assert not lone_pips.unlike_pips(levels, evidence).any()


@pytest.mark.parametrize(("figure", "height"), [("2", 0.8), ("3", 0.8), ("4", 1.0), ("5", 0.8), ("6", 1.0)])
def test_a_die_with_a_numeral_is_not_read_as_a_1(figure: str, height: float) -> None:
    assert Reader(5).read(tray(numeral(figure, height))).status is not Status.READY


def test_a_die_with_a_pip_is_read_as_a_1() -> None:
    assert Reader(5).read(tray(lit)).faces == (1, 2, 3, 4, 5)
