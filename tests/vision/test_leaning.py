"""Leaning dice: the rule that the feet of flat ones follow, and what the network sees on drawn trays."""

from collections.abc import Sequence
from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray

from simulator.cases import Example, example
from tests.vision.samples import drawn_profile
from vision.inference.foot_network import (
    AUGMENTATIONS,
    PATCH_PX,
    Augmentation,
    Posture,
    PostureEstimate,
    posture_of,
)
from vision.inference.networks import shared
from vision.judgement.leaning import LEANS, stand_of
from vision.reader import Reader
from vision.reading import Reason, Status

SIZE = (1280, 720)
X = np.array([150, 400, 640, 900, 1150], np.float32)
Y = np.array([600, 150, 420, 300, 560], np.float32)


def _flat(tilt: Sequence[float] = (0.0, 0.0), slope: float = 1.0) -> NDArray[np.float32]:
    """Feet of flat dice under a camera that is tilted so, of such a focal length."""
    place = np.stack([X - SIZE[0] / 2, Y - SIZE[1] / 2], 1) / SIZE[0]
    return np.asarray(np.array(tilt) - slope * place, np.float32)


def _looks(foot: NDArray[np.float32], doubt: float = 0.06) -> PostureEstimate:
    return PostureEstimate(
        foot, np.full(len(foot), doubt, np.float32), np.full((len(foot), 5), 0.2, np.float32)
    )


def leaning_dice(looks: PostureEstimate) -> NDArray[np.bool_]:
    return stand_of(X, Y, looks, SIZE).leaning > LEANS


@pytest.mark.parametrize(
    ("tilt", "slope"),
    [
        *product([(0.0, 0.0), (0.1, -0.3), (-0.5, 0.2)], [0.6, 1.0, 1.3]),
        *product([(0.0, 0.55), (0.1, 0.8), (-0.15, 1.1)], [0.7]),  # from the table's edge
    ],
)
def test_flat_dice_are_flat_under_any_camera(tilt: tuple[float, float], slope: float) -> None:
    assert not leaning_dice(_looks(_flat(tilt, slope))).any()


@pytest.mark.parametrize(
    ("tilt", "slope", "off"),
    [
        *(((0.1, -0.2), 1.0, {k: by}) for k in range(5) for by in ((0.45, 0.0), (-0.3, 0.4))),
        ((0.0, 0.8), 0.7, {3: (0.3, -0.4)}),  # from the table's edge
        ((0.0, 0.0), 1.0, {1: (0.5, 0.5), 4: (-0.5, -0.5)}),
    ],
)
def test_dice_whose_feet_are_off_lean(
    tilt: tuple[float, float], slope: float, off: dict[int, tuple[float, float]]
) -> None:
    foot = _flat(tilt, slope)
    for which, by in off.items():
        foot[which] += np.array(by, np.float32)
    assert leaning_dice(_looks(foot)).tolist() == [k in off for k in range(5)]


@pytest.mark.parametrize("which", range(5))
@pytest.mark.parametrize("slope", [0.7, 1.3])
def test_a_foot_that_goes_astray_from_those_of_all_others_tells_a_lean(which: int, slope: float) -> None:
    foot = _flat((0.1, -0.1), slope)
    assert not stand_of(X, Y, _looks(foot), SIZE).any_leans()
    # less than the likelihoods of all splits make of it: the rule could follow the die that leans
    foot[which] += np.float32(0.26) * foot[which] / np.hypot(*foot[which])
    astray = stand_of(X, Y, _looks(foot), SIZE).astray
    assert astray.argmax() == which
    assert astray[which] > 1.0


@pytest.mark.parametrize("count", [1, 2, 3, 5])
def test_where_the_camera_is_known_a_foot_may_be_off_by_less(count: int) -> None:
    x, y, flat = X[:count], Y[:count], _flat((0.1, 0.3), 0.9)[:count]
    foot = flat.copy()
    foot[0, 1] -= 0.14
    looks = _looks(foot, 0.05)
    assert not stand_of(x, y, looks, SIZE).any_leans()
    assert stand_of(x, y, looks, SIZE, flat).any_leans()
    assert not stand_of(x, y, _looks(flat, 0.05), SIZE, flat).any_leans()


def test_a_height_that_was_only_guessed_condemns_no_flat_die() -> None:
    foot = _flat((0.0, 0.1), 1.0)
    guessed = _flat((0.0, 0.1), 1.25)
    assert not stand_of(X, Y, _looks(foot, 0.05), SIZE, guessed).any_leans()


def test_what_the_network_doubts_condemns_no_die() -> None:
    foot = _flat()
    foot[2] += np.float32(0.3)
    looks = _looks(foot)
    looks.doubt[2] = 0.3
    assert not leaning_dice(looks).any()


@pytest.mark.parametrize("count", [0, 1, 2, 10])
def test_any_number_of_dice(count: int) -> None:
    rng = np.random.default_rng(count)
    x, y = rng.uniform(0, 700, (2, count)).astype(np.float32)
    chance = stand_of(x, y, _looks(np.zeros((count, 2), np.float32)), SIZE).leaning
    assert chance.shape == (count,)
    assert ((chance >= 0) & (chance <= 1)).all()


def test_the_network_answers_for_each_patch_alone() -> None:
    patches = np.random.default_rng(2).integers(0, 256, (4, PATCH_PX, PATCH_PX, 3), np.uint8)
    together = posture_of(patches)
    alone = []
    for k in range(4):
        shared.cache_clear()  # so that none is known by now
        alone.append(posture_of(patches[k : k + 1]))
    assert np.allclose(together.foot, np.concatenate([one.foot for one in alone]), atol=1e-4)
    assert np.allclose(together.posture.sum(1), 1, atol=1e-5)
    assert (together.doubt > 0).all()
    assert posture_of(patches[:0]).posture.shape == (0, len(Posture))


def _offer(made: Example) -> tuple[Status, bool]:
    reading = Reader(made.expected_dice).read(made.image)
    return reading.status, Reason.COCKED in reading.reasons


@pytest.mark.slow
def test_leaning_dice_of_the_simulated_tray_are_refused() -> None:
    cases = ("cocked on a die", "cocked on the rim", "cocked on a pencil")
    told = [_offer(example(case, seed)) for case in cases for seed in range(300, 308)]
    assert sum(status is Status.READY for status, _ in told) <= 2
    assert sum(cocked for _, cocked in told) >= 18


@pytest.mark.slow
def test_with_a_profile_no_leaning_die_is_ready() -> None:
    for case in ("cocked on a die", "cocked on the rim", "cocked on a pencil"):
        for seed in range(792_000, 792_006):
            made = example(case, seed)
            reading = Reader(made.expected_dice, drawn_profile(made.scene)).read(made.image)
            assert reading.status is not Status.READY, (case, seed)


@pytest.mark.slow
def test_flat_dice_of_the_simulated_tray_are_not_called_cocked() -> None:
    told = [
        _offer(example(case, 300)) for case in ("plain", "oblique", "at the rim", "touching row", "1080p")
    ]
    assert not any(cocked for _, cocked in told)


@pytest.mark.parametrize("way", AUGMENTATIONS)
def test_what_is_seen_turned_is_told_as_it_stands(way: Augmentation) -> None:
    patch = np.zeros((1, 11, 11, 3), np.uint8)
    patch[0, 5 + 1, 5 + 3] = 1  # three to the right, one down
    row, column = np.argwhere(way.apply(patch)[0, :, :, 0])[0]
    assert way.undo(np.array([[column - 5, row - 5]], np.float32)).tolist() == [[3.0, 1.0]]


def test_a_plain_patch_is_no_die() -> None:
    grey = np.full((1, PATCH_PX, PATCH_PX, 3), 120, np.uint8)
    grey[0, ::2, ::3] += 6
    assert posture_of(grey).posture.argmax() == Posture.NOT
