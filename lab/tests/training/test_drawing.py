"""Drawn scenes: exact truth, the same for the same seed."""

from pathlib import Path

import numpy as np
import pytest

from lab.training import shelf
from lab.training.scenes import Face, Scene, State, Wish, draw_scene, photographed, plain
from simulator.cases import example


@pytest.mark.thorough
def test_the_truth_of_a_scene_is_that_of_the_simulator() -> None:
    made = example("button beside", 3)
    scene = photographed(made.scene)
    assert np.array_equal(scene.image, made.image)
    assert sorted(die.value for die in scene.dice) == sorted(die.face for die in made.dice)
    for die in scene.dice:
        nearest = min(made.dice, key=lambda one: float(np.hypot(*(one.center - die.top.center))))
        assert np.allclose(nearest.top, die.top.corners)
        assert die.state is State.FLAT
        assert all(die.top.angle_deg < side.angle_deg < 88 for side in die.sides)
    assert len(scene.things) == len(made.scene.things)


def _scenes(count: int, seed: int = 5) -> list[Scene]:
    return shelf.draw_shard(seed, 0, count, Wish(size_wh=(160, 120), edge_px=(14, 30), dice=(2, 5)))


@pytest.mark.thorough
def test_the_same_seed_draws_the_same_scene() -> None:
    one, other = _scenes(2), _scenes(2)
    assert all((a.image == b.image).all() for a, b in zip(one, other, strict=True))
    assert not (one[0].image == one[1].image).all()


def test_a_shelf_gives_back_what_was_put_on_it(tmp_path: Path) -> None:
    scenes = _scenes(3)
    shelf.save(scenes, tmp_path / "scenes.npz")
    for before, after in zip(scenes, shelf.load(tmp_path / "scenes.npz"), strict=True):
        assert (before.image == after.image).all()
        assert [d.value for d in before.dice] == [d.value for d in after.dice]
        assert [d.state for d in before.dice] == [d.state for d in after.dice]
        for a, b in zip(before.dice, after.dice, strict=True):
            assert np.allclose(a.top.corners, b.top.corners, atol=0.01)


@pytest.mark.thorough
def test_plain_scenes_hold_flat_dice_only() -> None:
    for seed in range(6):
        scene = draw_scene(np.random.default_rng(seed), plain(Wish(size_wh=(160, 120), edge_px=(14, 30))))
        assert all(die.state not in {State.COCKED, State.STACKED} for die in scene.dice)
        assert not scene.things


def test_a_face_knows_its_middle_and_edge() -> None:
    face = Face(np.array([[0, 0], [10, 0], [10, 10], [0, 10.0]]), 0.0)
    assert face.center == pytest.approx([5, 5])
    assert face.edge_px == pytest.approx(10)


@pytest.mark.thorough
def test_the_truth_tells_how_dice_lean_and_which_way_their_feet_stand() -> None:
    rng = np.random.default_rng(4)
    leaning = draw_scene(rng, Wish(dice=(5, 5), cocked=1.0, lean_deg=(20.0, 40.0), stacked=0.0, hand=0.0))
    assert leaning.dice
    assert all(20 <= die.tilt_deg <= 46 for die in leaning.dice if die.thrown is State.COCKED)
    flat = draw_scene(rng, plain(Wish(dice=(7, 7), edge_px=(24.0, 25.0))))
    assert all(die.tilt_deg < 0.01 for die in flat.dice)
    # The feet of flat dice follow one straight rule across the picture (see vision.judgement.leaning).
    places = np.array([die.top.center for die in flat.dice])
    feet = np.array([die.top.foot for die in flat.dice])
    rule = np.column_stack([places, np.ones(len(places))])
    assert len(places) >= 4
    left = feet - rule @ np.linalg.lstsq(rule, feet, rcond=None)[0]
    assert np.abs(left).max() < 0.08


@pytest.mark.thorough
def test_dice_seen_from_the_edge_of_the_table_have_far_feet() -> None:
    wish = plain(Wish(dice=(5, 5), edge_px=(20.0, 21.0), tilt_deg=(40.0, 45.0)))
    scenes = [draw_scene(np.random.default_rng(seed), wish) for seed in range(4)]
    flat = [die for scene in scenes for die in scene.dice if die.state is State.FLAT]
    assert len(flat) > 4
    # at 40 degrees a foot is sin 40 against the mean of 1 and cos 40 away: 0.73; of near dice less
    assert np.median([np.hypot(*die.top.foot) for die in flat]) > 0.6
    assert all(die.top.foot[1] > 0.3 for die in flat), "the camera stands upright: feet are below tops"
    assert all(die.tilt_deg < 0.01 for die in flat)


def test_a_shelf_keeps_the_pose(tmp_path: Path) -> None:
    scenes = [draw_scene(np.random.default_rng(8), Wish(cocked=0.5))]
    shelf.save(scenes, tmp_path / "scenes.npz")
    for before, after in zip(scenes[0].dice, shelf.load(tmp_path / "scenes.npz")[0].dice, strict=True):
        assert after.thrown is before.thrown
        assert after.tilt_deg == pytest.approx(before.tilt_deg)
        assert after.top.foot == pytest.approx(before.top.foot)
