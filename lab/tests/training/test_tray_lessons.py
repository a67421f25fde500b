"""Scenes of the simulated tray for the leaning network."""

import cv2
import numpy as np
import pytest

from lab.training.scenes import Scene
from lab.training.tray_lessons import rim_lessons

pytestmark = pytest.mark.thorough


@pytest.fixture(scope="module")
def lessons() -> tuple[Scene, ...]:
    return tuple(rim_lessons(41, 12))


def test_lessons_by_the_rim_are_the_same_for_the_same_seed(lessons: tuple[Scene, ...]) -> None:
    for one, other in zip(lessons, rim_lessons(41, 12), strict=True):
        assert np.array_equal(one.image, other.image)


def test_lessons_by_the_rim_hold_flat_leaning_and_covered_dice(lessons: tuple[Scene, ...]) -> None:
    dice = [die for lesson in lessons for die in lesson.dice]
    assert sum(die.tilt_deg < 1 for die in dice) > 20
    assert sum(die.tilt_deg > 7 for die in dice) > 10
    assert any(0 < die.visible < 1 for die in dice)


def test_a_foot_is_where_the_die_goes_down_from_its_top(lessons: tuple[Scene, ...]) -> None:
    # seen from there, the far end of the body is not behind the top face
    for lesson in lessons:
        for die in lesson.dice:
            foot, edge = np.array(die.top.foot), die.top.edge_px
            x, y = die.top.center + foot * edge
            corners = np.concatenate([side.corners for side in (die.top, *die.sides)])
            hull = cv2.convexHull(corners.reshape(-1, 1, 2).astype(np.float32))
            assert cv2.pointPolygonTest(hull, (float(x), float(y)), measureDist=True) > -0.1 * edge
            if np.hypot(*foot) > 0.5:
                middle = hull.reshape(-1, 2).mean(0) - die.top.center
                assert float(middle @ foot) > 0
