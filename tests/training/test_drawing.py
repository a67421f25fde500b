"""Drawn scenes: true perspective, exact truth, the same for the same seed."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from training import shelf
from training.die_drawing import Die, Light, draw_die, random_faces
from training.materials import PLACES, random_material
from training.scenes import Face, Scene, State, Wish, draw_scene, plain
from training.view import View, looking_down

SIZE = (120, 100)


def _view(tilt_deg: float = 20.0, seed: int = 3) -> View:
    return looking_down(np.random.default_rng(seed), SIZE, 30.0, tilt_deg, 45.0)


def test_a_ray_goes_where_the_point_was_projected_from() -> None:
    view = _view()
    points = np.random.default_rng(1).uniform(-1, 1, (20, 3))
    spots = view.project(points)
    rays = view.rays(spots[:, 0], spots[:, 1])
    towards = points - view.position
    assert np.allclose(rays, towards / np.linalg.norm(towards, axis=1, keepdims=True), atol=1e-5)


def test_the_floor_homography_agrees_with_the_projection() -> None:
    view = _view()
    points = np.array([[0.5, -1.0, 0.0], [2.0, 1.0, 0.0]])
    flat = (points * (1, 1, 0) + (0, 0, 1)) @ view.floor_homography().T
    assert np.allclose(flat[:, :2] / flat[:, 2:], view.project(points))


def test_a_die_at_the_origin_is_as_wide_as_asked() -> None:
    view = _view(tilt_deg=0.0)
    spots = view.project(np.array([[-0.5, 0, 0], [0.5, 0, 0]]))
    assert np.linalg.norm(spots[0] - spots[1]) == pytest.approx(30, rel=0.01)


@pytest.mark.parametrize("face_up", [1, 2, 3, 4, 5, 6])
def test_pips_are_drawn_where_the_truth_says(face_up: int) -> None:
    rng = np.random.default_rng(face_up)
    material = replace(
        random_material(rng), body=(0.9, 0.9, 0.9), second=(0.9, 0.9, 0.9), pip=(0.02, 0.02, 0.02),
        special_faces=(), grain="plain", clear=0.0, shine=0.0, bowl=0.0, ring=False, logo=0,
        rounding=0.1, ball=9.0, places=tuple(tuple((x / 4, y / 4) for x, y in p) for p in PLACES),
        pip_radius=0.09, one_radius=0.09,
    )  # fmt: skip
    faces, flips = random_faces(rng)
    while faces[4] != face_up:
        faces, flips = random_faces(rng)
    die = Die(np.array([0, 0, 0.5]), np.eye(3), 1.0, faces, flips, material, 1)
    picture = np.full((SIZE[1], SIZE[0], 3), 0.3, np.float32)
    owners = np.zeros((SIZE[1], SIZE[0]), np.uint8)
    view = _view(tilt_deg=15.0)
    draw_die(picture, owners, 7, view, die, Light(1.0, ()))
    x, y = np.round(view.project(die.pips(4))).astype(int).T
    assert len(x) == face_up
    assert (picture[y, x] < 0.1).all()
    assert (owners[y, x] == 7).all()
    top = (owners == 7) & (picture[..., 0] < 0.1)
    assert top.sum() < 0.4 * (owners == 7).sum()


def test_opposite_faces_add_up_to_seven() -> None:
    for seed in range(20):
        faces, _ = random_faces(np.random.default_rng(seed))
        assert sorted(faces) == [1, 2, 3, 4, 5, 6]
        assert all(faces[side] + faces[side + 1] == 7 for side in (0, 2, 4))


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
    leaning = draw_scene(rng, Wish(dice=(5, 5), cocked=1.0, lean_deg=(20.0, 40.0), stacked=0.0, finger=0.0))
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
