"""Scenes from the table's edge, turned: tops are squares again, and the truth goes with the picture."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from lab.training.from_above import from_above
from lab.training.scenes import Scene, State, Wish, draw_scene, plain

BESIDE = plain(Wish(dice=(2, 9), edge_px=(18.0, 64.0), tilt_deg=(40.0, 55.0)))


def _scenes(count: int) -> list[Scene]:
    return [draw_scene(np.random.default_rng(seed), BESIDE) for seed in range(count)]


@pytest.mark.thorough
def test_tops_that_were_squeezed_are_about_square() -> None:
    before, after = [], []
    for seed, scene in enumerate(_scenes(12)):
        turned = from_above(np.random.default_rng(seed), scene)
        assert turned is not None
        seen, _ = turned
        before += [die.top.angle_deg for die in scene.dice]
        after += [die.top.angle_deg for die in seen.dice]
    assert np.median(before) > 40
    assert np.median(after) < 25  # where the camera stands is known roughly


@pytest.mark.thorough
def test_the_truth_goes_with_the_picture() -> None:
    for seed, scene in enumerate(_scenes(4)):
        image = np.zeros_like(scene.image)
        for die in scene.dice:
            cv2.circle(image, np.round(die.top.center).astype(int).tolist(), 4, (255, 255, 255), -1)
        turned = from_above(np.random.default_rng(seed), replace(scene, image=image))
        assert turned is not None
        marked, view = turned
        height, width = marked.image.shape[:2]
        for before, die in zip(scene.dice, marked.dice, strict=True):
            assert np.allclose(view.in_view(before.top.corners), die.top.corners)
            x, y = np.round(die.top.center).astype(int)
            inside = (before.top.center >= 0).all() and (before.top.center < (320, 240)).all()
            if inside and 0 <= x < width and 0 <= y < height:
                assert marked.image[y, x].min() > 128


def test_a_scene_without_flat_dice_tells_no_camera() -> None:
    scene = _scenes(1)[0]
    leaning = tuple(replace(die, thrown=State.COCKED) for die in scene.dice)
    assert from_above(np.random.default_rng(1), replace(scene, dice=leaning)) is None


def test_a_top_too_squeezed_to_be_read_is_no_lesson() -> None:
    scene = _scenes(1)[0]
    flat = replace(scene.dice[0], state=State.FLAT)
    corners = flat.top.center + (flat.top.corners - flat.top.center) * (1.0, 0.05)
    squeezed = replace(flat, top=replace(flat.top, corners=corners))
    for die, state in ((flat, State.FLAT), (squeezed, State.UNCLEAR)):
        turned = from_above(np.random.default_rng(1), replace(scene, dice=(die,)))
        assert turned is not None
        assert [one.state for one in turned[0].dice] == [state]
