"""A bump is noticed, a change of dice, light or hand is none."""

import dataclasses

import cv2
import numpy as np
import pytest

from calibration.camera_movement import (
    BUMPED_PX,
    FOLLOW_PX,
    POINTS_LEAST,
    MovementDetector,
    MovementKind,
    Reference,
)
from simulator.scene import SceneHand, lying
from simulator.styles import STYLES
from tests.calibration.scenes import HD, Image, Station, station


@pytest.fixture(scope="module")
def reference(empty: Image) -> Reference:
    return Reference(empty)


@pytest.fixture(scope="module")
def with_dice(table: Station) -> Image:
    spots = ((-30.0, 20.0), (25.0, -10.0), (0.0, 40.0), (45.0, 30.0), (-50.0, -30.0))
    return table.picture(dice=tuple(lying(STYLES["red"], 5, spot, 0.4 * spot[0]) for spot in spots))


def moved(image: Image, dx: float, dy: float, turn_deg: float, seed: int = 1) -> Image:
    height, width = image.shape[:2]
    change = cv2.getRotationMatrix2D((width / 2, height / 2), -turn_deg, 1.0)
    change[:, 2] += (dx, dy)
    seen = cv2.warpAffine(
        image, change, (width, height), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
    )
    noise = np.random.default_rng(seed).normal(0, 2.0, seen.shape)
    return np.clip(seen + noise, 0, 255).astype(np.uint8)


def test_dice_are_no_bump(reference, with_dice):
    found = reference.compare(with_dice)
    assert found.kind is MovementKind.SAME
    assert found.most_px < 0.6
    assert "has not moved" in str(found.message)


@pytest.mark.parametrize(("dx", "dy"), [(2, 0), (0, -2), (-1.4, 1.4), (11, 7)])
def test_a_shift_is_noticed_and_measured(reference, with_dice, dx, dy):
    found = reference.compare(moved(with_dice, dx, dy, 0))
    assert found.kind is MovementKind.BUMPED
    assert found.shift_px == pytest.approx(float(np.hypot(dx, dy)), abs=0.2)
    assert np.allclose(found.change @ [640, 360, 1], [640 + dx, 360 + dy], atol=0.25)
    assert "bumped" in str(found.message)
    assert found.small == (np.hypot(dx, dy) < FOLLOW_PX)


@pytest.mark.parametrize("turn", [0.3, -0.3, 2.0])
def test_a_turn_is_noticed_and_measured(reference, with_dice, turn):
    found = reference.compare(moved(with_dice, 0, 0, turn))
    assert found.kind is MovementKind.BUMPED
    assert found.turn_deg == pytest.approx(turn, abs=0.06)


@pytest.mark.thorough
def test_another_light_is_no_bump(table, reference):
    light = dataclasses.replace(table.scene.light, lamp=table.scene.light.lamp * 0.55, warmth=0.8)
    dimmer = Station(dataclasses.replace(table.scene, light=light)).picture()
    assert reference.compare(dimmer).kind is MovementKind.SAME


def test_a_hand_is_no_bump(table, reference):
    hand = Station(dataclasses.replace(table.scene, hand=SceneHand((0.0, 0.0), 1.4))).picture()
    assert reference.compare(hand).kind in {MovementKind.SAME, MovementKind.HIDDEN}


@pytest.mark.thorough
def test_another_table_is_lost(reference):
    other = station(9, size_wh=HD).picture()
    found = reference.compare(other)
    assert found.kind is MovementKind.LOST
    assert "find the tray again" in str(found.message)


def test_a_picture_of_another_size_or_without_structure_says_nothing(reference):
    assert reference.compare(np.zeros((480, 640, 3), np.uint8)).kind is MovementKind.HIDDEN
    blank = Reference(np.full((720, 1280, 3), 128, np.uint8))
    assert blank.points < POINTS_LEAST
    assert blank.compare(np.full((720, 1280, 3), 90, np.uint8)).kind is MovementKind.HIDDEN


@pytest.mark.parametrize(("light", "black", "noise"), [(0.0, 0.0, 2.0), (0.02, 8.0, 4.0), (0.03, 15.0, 8.0)])
def test_a_picture_taken_in_the_dark_says_nothing_whatever_noise_is_in_it(
    reference, with_dice, light, black, noise
):
    """A sensor whose light is switched off gives no even black: what it makes of itself is no other table."""
    grain = np.random.default_rng(1).normal(black, noise, with_dice.shape)
    night = np.clip(light * with_dice + grain, 0, 255).astype(np.uint8)
    assert reference.compare(night).kind is MovementKind.HIDDEN


def test_one_odd_picture_is_no_bump_but_three_that_agree_are(reference, with_dice):
    watch = MovementDetector(reference)
    bumped = moved(with_dice, 3, 1, 0)
    assert watch.feed(with_dice) is None
    assert watch.feed(bumped) is None
    assert watch.feed(with_dice) is None
    assert watch.feed(bumped) is None
    assert watch.feed(bumped) is None
    told = watch.feed(bumped)
    assert told.most_px > BUMPED_PX
    assert [watch.feed(with_dice) for _ in range(2)] == [None, None]
    back = watch.feed(with_dice)
    assert back.kind is MovementKind.SAME


@pytest.mark.thorough
def test_a_camera_that_still_swings_is_not_yet_measured(reference, with_dice):
    watch = MovementDetector(reference)
    assert [watch.feed(moved(with_dice, dx, 0, 0)) for dx in (3, 12, 6)] == [None, None, None]
