"""What becomes of scenes and photographs on the way into the network."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from lab.training import pools
from lab.training.augment import bad_pose, cut, good_pose, place, training_patch
from lab.training.blanks import blank_pool
from lab.training.dense_data import Picture
from lab.training.measure import figures, reliability
from lab.training.measure_finder import Found, counted
from lab.training.pools import Cut, Labelled, Pool, cut_pool, join, scene_cuts
from lab.training.scenes import DieTruth, Face, Scene, State


def _truth(state: State, angle_deg: float = 10.0) -> DieTruth:
    corners = np.array([[40, 40], [60, 40], [60, 60], [40, 60.0]])
    return DieTruth(4, state, Face(corners, angle_deg), (Face(corners + 15, 80.0),))


@pytest.mark.parametrize(
    ("state", "labels"),
    [
        (State.FLAT, {0, 4}),
        (State.COCKED, {0}),
        (State.STACKED, {0}),
        (State.COVERED, {0}),
        (State.UNCLEAR, {0}),
    ],
)
def test_only_a_flat_die_gives_a_face(state: State, labels: set[int]) -> None:
    scene = Scene(np.zeros((100, 100, 3), np.uint8), (_truth(state),), ((20.0, 80.0, 15.0),))
    found = [c for seed in range(10) for c in scene_cuts(np.random.default_rng(seed), scene)]
    assert {c.label for c in found} == labels
    on_top = {c.label for c in found if np.hypot(c.x - 50, c.y - 50) < 3}
    assert on_top == {State.FLAT: {4}, State.UNCLEAR: set()}.get(state, {0})


def test_pools_join_and_come_back_from_disk(tmp_path: Path) -> None:
    image = np.random.default_rng(1).integers(0, 256, (80, 90, 3), np.uint8)
    one = cut_pool([Labelled(image, (Cut(40, 40, 20, 3), Cut(10, 70, 20, 0)), "photo/a")])
    both = join([one, cut_pool([]), one])
    assert both.patches.shape == (4, 96, 96, 3)
    assert both.labels.tolist() == [3, 0, 3, 0]
    both.save(tmp_path / "pool.npz")
    again = pools.load(tmp_path / "pool.npz")
    assert (again.patches == both.patches).all()
    assert again.only(again.labels == 3).groups.tolist() == ["photo/a", "photo/a"]


def test_a_straight_turn_shows_the_middle() -> None:
    patch = np.zeros((96, 96, 3), np.uint8)
    cv2.circle(patch, (48, 48), 6, (255, 255, 255), -1)
    rng = np.random.default_rng(1)
    for _ in range(20):
        pose = good_pose(rng)
        seen = cut(patch, pose)[..., 0].astype(float)
        y, x = np.mgrid[0:48, 0:48]
        away = np.hypot((seen * x).sum() / seen.sum() - 23.5, (seen * y).sum() / seen.sum() - 23.5)
        assert away < 0.25 * 48 / 1.2


def test_a_bad_pose_misses_clearly() -> None:
    rng = np.random.default_rng(1)
    for _ in range(50):
        pose = bad_pose(rng)
        assert np.hypot(*pose.shift) > 0.3 or not 0.6 < pose.edges / 1.6 < 1.5


def test_training_patches_are_reproducible_and_may_lose_their_label() -> None:
    patch = np.random.default_rng(1).integers(0, 256, (96, 96, 3), np.uint8)
    one = [training_patch(np.random.default_rng(seed), patch, 5, miss=0.5) for seed in range(40)]
    other = [training_patch(np.random.default_rng(seed), patch, 5, miss=0.5) for seed in range(40)]
    assert all((a[0] == b[0]).all() and a[1] == b[1] for a, b in zip(one, other, strict=True))
    assert {label for _, label, _ in one} == {0, 5}
    assert all(seen.shape == (48, 48, 3) and seen.dtype == np.uint8 for seen, _, _ in one)


def test_a_cut_knows_where_its_face_lies() -> None:
    patch = np.zeros((96, 96, 3), np.uint8)
    patch[45:51, 45:51] = 255
    rng = np.random.default_rng(2)
    y, x = np.mgrid[0:48, 0:48]
    for _ in range(20):
        pose = good_pose(rng)
        squeeze = float(rng.uniform(0.8, 1.0))
        seen = cut(patch, pose, squeeze)[..., 0].astype(float)
        placed = place(pose, squeeze)
        assert (seen * x).sum() / seen.sum() - 23.5 == pytest.approx(placed[0] * 30, abs=0.3)
        assert (seen * y).sum() / seen.sum() - 23.5 == pytest.approx(placed[1] * 30, abs=0.3)
        wide = np.sqrt((seen / 255).sum())
        assert wide / 5.0 == pytest.approx(2.0 ** placed[2], rel=0.06)


def test_blanks_are_no_faces_and_reproducible() -> None:
    one, other = blank_pool(3, 6), blank_pool(3, 6)
    assert (one.patches == other.patches).all()
    assert one.patches.shape == (6, 96, 96, 3)
    assert not one.labels.any()
    assert all(patch.std() > 0 for patch in one.patches)


def test_figures_count_what_is_sure_and_wrong() -> None:
    labels = np.array([1, 2, 3, 0, 0], np.uint8)
    pool = Pool(np.zeros((5, 96, 96, 3), np.uint8), labels, np.array(["a"] * 5))
    odds = np.full((5, 7), 0.001)
    for row, (face, likely) in enumerate([(1, 0.995), (5, 0.995), (3, 0.9), (0, 0.999), (6, 0.999)]):
        odds[row, face] = likely
    row = next(iter(figures(pool, odds)))
    assert (row.faces, row.right, row.sure, row.sure_wrong, row.refused) == (3, 2, 2, 1, 0)
    assert (row.others, row.kept_out, row.sure_taken) == (2, 1, 1)
    assert reliability(labels, odds) == [(0.9, 1, 1.0), (0.99, 2, 0.5), (0.999, 2, 0.5)]


def test_a_die_is_found_by_place_and_size() -> None:
    dice = np.array([[50, 50, 20, 1], [90, 50, 20, 1], [20, 90, 20, 0]], float)
    picture = Picture(np.zeros((100, 100, 3), np.uint8), dice, "photo/a")
    proposals = np.array([[52, 49, 22, 0.9], [90, 50, 60, 0.9], [20, 91, 20, 0.5], [10, 10, 20, 0.4]])
    row = counted(Found("photo/a"), picture, proposals)
    assert (row.pictures, row.dice, row.found, row.false) == (1, 2, 1, 1)
    empty = counted(row, Picture(picture.image, np.zeros((0, 4)), "photo/a"), proposals)
    assert (empty.pictures, empty.dice, empty.false) == (2, 2, 5)


@pytest.mark.photos
def test_only_permitted_photographs_teach(photos: Path) -> None:
    taught = {p.group for p in pools.photographs(photos, 1, for_training=True)}
    assert taught == {
        "photo/DamianTab__DiceDetection",
        "photo/matteop65__Dice_Detection_Recognition",
        "photo/nell-byler__dice_detection",
    }
    facts = json.loads((Path(pools.__file__).parents[2] / "vision/models/faces.json").read_text())
    assert {s for s in facts["taught_by"] if s.startswith("photo/")} <= taught
