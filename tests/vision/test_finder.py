"""The finder: proposals on the whole picture, at any size."""

import cv2
import numpy as np
import pytest

from vision.inference.finder import blob, decoded, merged, propose
from vision.judgement import evidence
from vision.pips import pyramid


def _table(width: int, height: int, dice: list[tuple[int, int, int]]) -> np.ndarray:
    """White dice with five black pips on green, `dice` as x, y, edge."""
    image = np.full((height, width, 3), (60, 110, 40), np.uint8)
    for x, y, edge in dice:
        half = edge // 2
        cv2.rectangle(image, (x - half, y - half), (x + half, y + half), (235, 235, 235), -1)
        for dx, dy in ((0, 0), (-1, -1), (1, 1), (-1, 1), (1, -1)):
            at = (x + dx * edge // 4, y + dy * edge // 4)
            cv2.circle(image, at, max(1, edge // 10), (20, 20, 20), -1, cv2.LINE_AA)
    return np.asarray(cv2.GaussianBlur(image, (0, 0), 0.8), np.uint8)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("width", "height", "edge"), [(1920, 1080, 60), (640, 480, 36), (3000, 4000, 330), (480, 640, 25)]
)
def test_dice_are_proposed_where_they_lie(width: int, height: int, edge: int) -> None:
    dice = [(width * a // 8, height * b // 8, edge) for a, b in ((2, 2), (5, 3), (4, 6))]
    found = propose(_table(width, height, dice))
    for x, y, _ in dice:
        away = np.hypot(found[:, 0] - x, found[:, 1] - y)
        best = found[int(away.argmin())]
        assert away.min() < 0.25 * edge
        assert 0.7 < best[2] / edge < 1.4
        assert best[3] > 0.4


@pytest.mark.parametrize("size_wh", [(1280, 720), (1920, 1080), (1300, 747), (640, 480)])
@pytest.mark.parametrize("quick", [False, True])
def test_a_half_that_is_there_already_changes_nothing(size_wh: tuple[int, int], *, quick: bool) -> None:
    levels = pyramid(_table(*size_wh, [(200, 150, 40), (500, 300, 44)]))
    number = next(k for k, one in enumerate(levels) if one.shape[0] * one.shape[1] <= evidence.FINDER_PIXELS)
    plain = propose(levels[number], quick=quick)
    plain[:, :3] *= 2**number
    plain[:, :2] += 0.5 * 2**number - 0.5
    assert len(plain) >= 2
    assert np.abs(evidence.proposals(levels, quick=quick) - plain).max() < 1e-3


@pytest.mark.parametrize("value", [0, 120, 255])
@pytest.mark.parametrize("size", [(1, 1), (7, 300), (480, 640)])
def test_nothing_is_proposed_on_an_even_table(size: tuple[int, int], value: int) -> None:
    found = propose(np.full((*size, 3), value, np.uint8))
    assert found.shape[1] == 4
    assert not (found[:, 3] > 0.5).any()


def test_a_peak_is_decoded_to_the_pixel() -> None:
    maps = np.full((4, 6, 8), -9.0, np.float32)
    maps[1:] = 0
    maps[:, 2, 5] = (3.0, 1.0, 0.25, -0.5)
    ((x, y, edge, score),) = decoded(maps)
    assert (x, y) == (5.25 * 4 + 1.5, 1.5 * 4 + 1.5)
    assert edge == pytest.approx(32)
    assert score == pytest.approx(1 / (1 + np.exp(-3.0)))


def test_two_proposals_of_one_die_become_the_better_one() -> None:
    proposals = np.array([[100, 100, 40, 0.5], [108, 100, 44, 0.9], [145, 100, 40, 0.7]], float)
    assert merged(proposals)[:, 3].tolist() == [0.9, 0.7]
    assert merged(np.zeros((0, 4))).shape == (0, 4)


def test_the_input_is_evened_out() -> None:
    image = np.random.default_rng(1).integers(0, 256, (16, 24, 3), np.uint8)
    seen = blob(image)
    assert seen.shape == (1, 3, 16, 24)
    assert seen.mean() == pytest.approx(0, abs=0.01)
    assert seen.std() == pytest.approx(1, abs=0.05)
    assert np.abs(blob(np.full((8, 8, 3), 90, np.uint8))).max() == 0
