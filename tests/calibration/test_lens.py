"""The lens from a dozen views, and views that do not help."""

import random
from functools import lru_cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from calibration.lens import VIEWS_GOOD, Lens, LensBoardView, progress, solve, view_of
from messages.errors import BadInputError
from tests.calibration.scenes import Image, board_view

SIZE = (800, 600)


def lens_of(k1: float) -> Lens:
    return Lens(SIZE, (690.0, 690.0), (405.0, 296.0), (k1, 0.05 * abs(k1), 0.0, 0.0, 0.0))


def pose(rng: random.Random) -> tuple[tuple[float, float, float], tuple[float, float, float]]:
    turn = (rng.uniform(-0.5, 0.5), rng.uniform(-0.5, 0.5), rng.uniform(-0.4, 0.4))
    far = rng.uniform(230, 330)
    return turn, (rng.uniform(-0.55, 0.0) * far, rng.uniform(-0.45, 0.0) * far, far)


@lru_cache(maxsize=4)
def views(k1: float, count: int = 14) -> tuple[LensBoardView, ...]:
    rng = random.Random(3)
    found: list[LensBoardView] = []
    for seed in range(80):
        try:
            found.append(view_of(board_view(lens_of(k1), *pose(rng), seed)))
        except BadInputError:
            continue
        if len(found) == count:
            break
    return tuple(found)


@pytest.mark.slow
@pytest.mark.parametrize("k1", [-0.22, 0.12])
def test_barrel_and_pincushion_are_made_straight(k1: float) -> None:
    truth, lens = lens_of(k1), solve(views(k1), SIZE)
    assert lens.error_px < 0.3
    assert "very well" in str(lens.message)
    assert lens.focal[0] == pytest.approx(690, rel=0.01)
    spots = np.array([(x, y) for x in (40.0, 400.0, 760.0) for y in (30.0, 300.0, 570.0)])
    # Compare what they make of the picture, free of the focal length: directions of rays.
    one, other = ((each.straightened(spots) - each.middle) / each.focal for each in (truth, lens))
    assert np.abs(one - other).max() * 690 < 3.0


@pytest.mark.thorough
def test_the_same_pose_again_and_again_is_refused() -> None:
    same = [
        view_of(board_view(lens_of(0.0), (0.1, 0.2, 0.0), (-90.0, -60.0, 300.0), seed)) for seed in range(5)
    ]
    with pytest.raises(BadInputError, match=r"Views so far: 5, different enough: 1"):
        solve(same, SIZE)


@pytest.mark.slow
def test_what_is_missing_is_shown() -> None:
    few = progress(views(-0.22)[:1], SIZE)
    assert not few.enough
    assert few.missing
    assert "Now hold the board to the" in str(few.message)
    many = progress(views(-0.22), SIZE)
    assert many.views >= VIEWS_GOOD
    assert len(many.missing) < len(few.missing)


def test_no_board_and_too_little_of_it_are_reported() -> None:
    with pytest.raises(BadInputError, match="Too little of the board"):
        view_of(np.full((600, 800, 3), 127, np.uint8))
    cut = board_view(lens_of(0.0), (0.0, 0.0, 0.0), (40.0, 60.0, 200.0))
    with pytest.raises(BadInputError, match="Too little of the board"):
        view_of(cut)


def test_two_boards_are_reported() -> None:
    def half(left: float) -> Image:
        return board_view(lens_of(0.0), (0.0, 0.0, 0.0), (left, -60.0, 420.0))

    both = half(-260.0)
    both[:, 400:] = half(20.0)[:, 400:]
    with pytest.raises(BadInputError, match="Two boards"):
        view_of(both)


@given(k1=st.floats(-0.25, 0.15), x=st.floats(0, 799), y=st.floats(0, 599))
@settings(max_examples=60)
def test_bent_undoes_straightened(k1: float, x: float, y: float) -> None:
    lens = lens_of(k1)
    spot = np.array([[x, y]])
    assert np.allclose(lens.bent(lens.straightened(spot)), spot, atol=0.02)


def test_a_straightened_view_has_straight_edges() -> None:
    lens = lens_of(-0.22)
    bent = view_of(board_view(lens, (0.0, 0.0, 0.0), (-91.0, -65.0, 200.0))).pixels[:6]

    def crookedness(row: NDArray[np.float64]) -> float:
        line = np.polyfit(row[:, 0], row[:, 1], 1)
        return float(np.abs(np.polyval(line, row[:, 0]) - row[:, 1]).max())

    assert crookedness(bent) > 1.2
    assert crookedness(lens.straightened(bent)) < 0.4
