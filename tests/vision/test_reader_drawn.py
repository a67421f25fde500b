"""The reader on drawn dice: every face, any colour of pip, and the number that is expected."""

from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.profile import CalibrationProfile
from simulator.draw import draw as drawn_scene
from simulator.scene import Scene, lying
from simulator.styles import STYLES
from tests.vision.helpers import draw, empty_tray
from vision.inference import finder
from vision.judgement import evidence
from vision.reader import Reader
from vision.reading import Status

FIVE = ((100, 120), (250, 110), (420, 140), (180, 330), (430, 340))


def test_an_empty_tray_is_empty() -> None:
    assert Reader(5).read(empty_tray()).status is Status.EMPTY


@pytest.mark.parametrize("faces", [(1, 2, 3, 4, 5), (6, 6, 6, 6, 6), (1, 1, 1, 1, 1), (2, 2, 3, 3, 3)])
@pytest.mark.parametrize(
    ("body", "pip"),
    [((235, 240, 240), (25, 25, 25)), ((30, 30, 190), (240, 240, 240)), ((30, 30, 30), (235, 235, 235))],
)
def test_five_dice_read_right(
    faces: tuple[int, ...], body: tuple[int, int, int], pip: tuple[int, int, int]
) -> None:
    image = empty_tray()
    for k, (face, center) in enumerate(zip(faces, FIVE, strict=True)):
        draw(image, face, center, turn=0.2 + 0.31 * k, body=body, pip=pip)
    reading = Reader(5).read(image)
    assert (reading.status, reading.faces) == (Status.READY, tuple(sorted(faces)))
    for die, center in zip(reading.dice, sorted(FIVE), strict=True):
        assert np.hypot(die.center[0] - center[0], die.center[1] - center[1]) < 3
        assert die.size == pytest.approx(60, rel=0.2)


@pytest.mark.parametrize(
    ("edge", "gathered", "proposed"),
    [(60, [True], [True]), (38, [True, False], [False, True]), (28, [False], [False, True])],
)
def test_a_quick_look_at_small_dice_asks_no_more_than_may_help(
    monkeypatch: pytest.MonkeyPatch, edge: float, gathered: list[bool], proposed: list[bool]
) -> None:
    image = empty_tray((540, 960))
    for k, (x, y) in enumerate(FIVE):
        draw(image, k + 1, (x * 1.5, y * 1.1), edge=edge, turn=0.2 + 0.31 * k)
    image = cv2.GaussianBlur(image, (0, 0), 0.7).astype(np.uint8)
    quickly: dict[str, list[bool]] = {"gather_evidence": [], "proposals": []}

    def gather_evidence(*told: Any, **how: Any) -> evidence.Evidence:
        quickly["gather_evidence"].append(told[3] is None)
        return gathers(*told, **how)

    def proposals(levels: tuple[NDArray[np.uint8], ...], *, quick: bool = False) -> NDArray[np.float32]:
        quickly["proposals"].append(quick)
        return proposes(levels, quick=quick)

    gathers, proposes = evidence.gather_evidence, evidence.proposals
    monkeypatch.setattr(evidence, "gather_evidence", gather_evidence)
    monkeypatch.setattr(evidence, "proposals", proposals)
    reading = Reader(5).read(image)
    assert (reading.status, reading.faces) == (Status.READY, (1, 2, 3, 4, 5))
    assert quickly == {"gather_evidence": gathered, "proposals": proposed}


@pytest.mark.parametrize(("width", "edge"), [(1280, 43), (960, 32), (640, 21)])
def test_another_look_needs_no_close_one_at_any_size(
    monkeypatch: pytest.MonkeyPatch, width: int, edge: float
) -> None:
    image = empty_tray((width * 9 // 16, width))
    for k, (x, y) in enumerate(FIVE):
        draw(image, k + 1, (x * width / 640, y * width / 640), edge=edge, turn=0.2 + 0.31 * k)
    image = cv2.GaussianBlur(image, (0, 0), 0.7).astype(np.uint8)
    closely = []

    def propose(picture: NDArray[np.uint8], *, quick: bool = False) -> NDArray[np.float64]:
        closely.append(not quick)
        return found(picture, quick=quick)

    found = finder.propose
    monkeypatch.setattr(finder, "propose", propose)
    reading = Reader(5).read(image, again=True, smallest=edge)
    assert (reading.status, reading.faces) == (Status.READY, (1, 2, 3, 4, 5))
    assert closely == [False]


@pytest.mark.parametrize("shape", [(1, 1), (1, 500), (500, 1), (2, 2), (17, 33), (90, 3000)])
def test_odd_pictures_do_no_harm(shape: tuple[int, int]) -> None:
    image = np.random.default_rng(3).integers(0, 256, (*shape, 3), dtype=np.uint8)
    assert Reader(5).read(image).status is not Status.READY


def test_what_lies_outside_the_tray_does_not_exist() -> None:
    image = empty_tray()
    for k, place in enumerate(FIVE):
        draw(image, k + 2 if k < 4 else 4, place, turn=0.4 * k)
    left = CalibrationProfile(outline=((0, 0), (320, 0), (320, 480), (0, 480)), size_wh=(640, 480))
    assert Reader(3, left).read(image).faces == (2, 3, 5)


def test_dice_of_another_size_than_those_in_use_are_none() -> None:
    image = empty_tray()
    draw(image, 5, (150, 200), edge=60)
    draw(image, 3, (420, 240), edge=150)
    assert Reader(1, CalibrationProfile(mm_per_px=0.27, die_mm=16.0)).read(image).faces == (5,)


@pytest.mark.slow
def test_dice_are_measured_right_whatever_they_show() -> None:
    at = ((-90.0, -40.0), (-40.0, 30.0), (0.0, -40.0), (45.0, 30.0), (90.0, -40.0))
    for face in range(1, 7):
        dice = tuple(lying(STYLES["white"], face, spot, 0.4 + k, 16.0) for k, spot in enumerate(at))
        picture = drawn_scene(Scene(dice=dice))
        reading = Reader(5).read(picture.image)
        assert reading.faces == (face,) * 5
        true = [die.size for die in sorted(picture.dice, key=lambda die: die.center)]
        assert np.median([die.size for die in reading.dice] / np.array(true)) == pytest.approx(1, abs=0.04)
