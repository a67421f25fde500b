"""A 3 whose middle pip is washed out is never read as a 2."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.helpers import draw, empty_tray, photographs
from vision import pips
from vision.detection import candidates
from vision.detection.pip_search import Search
from vision.judgement import fusion, middles
from vision.judgement.evidence import Evidence, gather_evidence
from vision.picture import load
from vision.reader import Reader
from vision.reading import Status

EDGE, TURN, MIDDLE = 40.0, 0.3, (120.0, 110.0)


def faces_in(image: np.ndarray, face: int) -> tuple[tuple[np.ndarray, ...], Evidence]:
    """The halvings of a picture, and the evidence for that face in its only die."""
    levels = pips.pyramid(image)
    found = candidates.gather(levels, Search(levels).find())
    evidence = gather_evidence(levels, found, fusion.classical_log_odds(found))
    shown = np.flatnonzero(evidence.face == face)
    return levels, evidence.take(shown[np.argmax(evidence.says[shown, face])][None])


@pytest.mark.parametrize("face", [2, 4, 6])
@pytest.mark.parametrize(("faint", "doubted"), [(0.0, False), (0.5, True)])
def test_an_even_face_with_something_like_a_pip_in_its_middle_is_doubted(
    face: int, faint: float, *, doubted: bool
) -> None:
    image = empty_tray((220, 240))
    draw(image, face, MIDDLE, EDGE, TURN)
    if faint:
        plain = image.copy()
        cv2.circle(image, (round(MIDDLE[0]), round(MIDDLE[1])), round(0.1 * EDGE), (25, 25, 25), -1)
        image = cv2.addWeighted(image, faint, plain, 1 - faint, 0)
    levels, evidence = faces_in(image, face)
    assert middles.may_hide_pip(levels, evidence).tolist() == [doubted]


@pytest.mark.parametrize("face", [2, 4])
@pytest.mark.parametrize("left", [(0.0, 0.0), (0.04, 0.03)])
def test_an_even_face_with_the_rim_or_a_sickle_of_a_pip_in_its_middle_is_doubted(
    face: int, left: tuple[float, float]
) -> None:
    image = empty_tray((220, 240))
    draw(image, face + 1, MIDDLE, EDGE, TURN)
    lamp = tuple(round(place + EDGE * aside) for place, aside in zip(MIDDLE, left, strict=True))
    cv2.circle(image, lamp, round(0.075 * EDGE), (250, 250, 250), -1, cv2.LINE_AA)
    plain = empty_tray((220, 240))
    draw(plain, face, MIDDLE, EDGE, TURN)
    levels, evidence = faces_in(plain, face)
    assert not middles.may_hide_pip(levels, evidence).any()
    assert middles.may_hide_pip(pips.pyramid(image), evidence).all()


def test_an_odd_face_may_have_a_pip_there() -> None:
    image = empty_tray((220, 240))
    draw(image, 3, MIDDLE, EDGE, TURN)
    levels, evidence = faces_in(image, 3)
    assert not middles.may_hide_pip(levels, evidence).any()


@pytest.mark.photos
@pytest.mark.slow
def test_no_photograph_of_small_dice_is_read_wrongly_lying_on_its_side(photos: Path) -> None:
    for path, faces in photographs(photos, "nell-byler")[1::2]:
        reading = Reader(len(faces)).read(np.rot90(load(path)).copy())
        assert reading.status is not Status.READY or reading.faces == faces, path.name
