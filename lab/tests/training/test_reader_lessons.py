"""What teaches the next reader's networks: who may teach, what is cut out and what is asked about it."""

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from lab.training.reader import crops, drawn, looks, patches, sources
from lab.training.reader.crops import Crop, CropMaker, target
from lab.training.reader.patches import Cut, PatchMaker
from lab.training.reader.plan import Plan
from lab.training.reader.sources import Die, Picture
from lab.training.scenes import DieTruth, Face, Scene, State
from lab.two_networks.faces import SIDE, cut_square
from lab.two_networks.places import GREY, STRIDE, UNIT_PX, Place, apart, peaks

MAY_TEACH = {"nell-byler", "DamianTab", "matteop65", "rune55", "game-boards", "renders"}


def _picture(*dice: Die, maker: str = "somebody", licence: str = "MIT", path: Path = Path()) -> Picture:
    faces = tuple(sorted(die.face for die in dice if die.face))
    return Picture(path, maker, maker, licence, "", faces, dice)


def _shared(folder: Path) -> Path:
    """A folder as the one beside the project, with one picture of each of three makers."""
    (folder / "photos").mkdir()
    head = "file,source_repo,licence,n_dice,faces,boxes,box_kind\n"
    rows = (
        'open__a/1.png,example.org/open,MIT,1,5,"[[5, 10, 20, 30, 40]]",die\n',
        'shut__b/1.png,,none stated,1,2,"[[2, 10, 20, 30, 40]]",die\n',
        "open__a/2.png,example.org/open,MIT,2,1-6,,\n",
    )
    (folder / "photos" / "manifest.csv").write_text(head + "".join(rows))
    (folder / "photos2").mkdir()
    boxes = (
        "file,face,cx,cy,w,h,group",
        "game-boards/1.jpg,3,0.5,0.25,0.1,0.2,wood",
        "game-boards/1.jpg,4,0.1,0.1,0.1,0.1,wood",
    )
    (folder / "photos2" / "boxes.csv").write_text("\n".join(boxes) + "\n")
    flat = {"value": 4, "readable": True, "bbox": [1, 2, 11, 32], "top_visible": 1.0, "in_frame": True}
    leaning, hidden = {**flat, "readable": False}, {**flat, "die_visible": 0.2}
    label = {"file": "1.jpg", "stratum": "easy", "values": [4, 4, 4], "dice": [flat, leaning, hidden]}
    (folder / "renders" / "easy").mkdir(parents=True)
    (folder / "renders" / "easy" / "labels.jsonl").write_text(json.dumps(label) + "\n")
    return folder


def test_only_licensed_makers_that_are_not_held_out_teach(tmp_path: Path) -> None:
    shared = _shared(tmp_path)
    everybody = sources.teaching(shared, frozenset())
    assert {p.maker for p in everybody} == {"open", "game-boards", "renders"}
    assert {p.maker for p in sources.teaching(shared, frozenset({"open"}))} == {"game-boards", "renders"}


def test_whoever_taught_is_named(tmp_path: Path) -> None:
    makers = sources.credits_for(sources.teaching(_shared(tmp_path), frozenset({"game-boards"})))
    assert set(makers) == {"open", "renders"}
    assert makers["open"] == {"origin": "example.org/open", "licence": "MIT", "pictures": 1}


def test_who_is_measured_on_did_not_teach(tmp_path: Path) -> None:
    shared = _shared(tmp_path)
    for held_out in (frozenset[str](), frozenset({"open"}), frozenset({"game-boards", "open"})):
        measured = {p.maker for p in sources.measuring(shared, held_out)}
        assert measured == held_out | {"shut"}
        assert not measured & {p.maker for p in sources.teaching(shared, held_out)}


def test_a_picture_whose_dice_are_not_all_boxed_is_no_lesson(tmp_path: Path) -> None:
    names = {p.path.name for p in sources.teaching(_shared(tmp_path), frozenset()) if p.maker == "open"}
    assert names == {"1.png"}


def test_boxes_are_told_in_pixels(tmp_path: Path) -> None:
    (photo,) = (p for p in sources.photographs(_shared(tmp_path)) if p.maker == "shut")
    assert photo.dice == (Die(2, 25, 40, 30, 40),)
    (boxed,) = sources.boxed_photographs(tmp_path)
    assert boxed.faces == (3, 4)
    assert boxed.dice[0].face == 3
    assert (boxed.dice[0].x, boxed.dice[0].y, boxed.dice[0].size) == pytest.approx((320, 160, 128))


def test_a_leaning_render_shows_no_face_and_a_hidden_one_is_no_lesson(tmp_path: Path) -> None:
    (render,) = sources.renders(_shared(tmp_path))
    assert [die.face for die in render.dice] == [4, None]
    assert render.doubtful == (Die(4, 6, 17, 10, 30),)


@pytest.mark.photos
def test_the_makers_who_may_teach(photos: Path) -> None:
    assert {p.maker for p in sources.teaching(photos.parent, frozenset())} == MAY_TEACH


def test_the_detector_is_asked_for_middles_and_sizes() -> None:
    die = Die(3, 101.0, 50.0, 64.0, 60.0)
    planes = target(Crop(np.zeros((crops.CROP, crops.CROP, 3), np.uint8), (die,), ()))
    row, column = np.unravel_index(planes[0].argmax(), planes[0].shape)
    assert planes[0].max() == 1
    assert (planes[0] == 1).sum() == 1
    heat, size, x, y, known, weight = planes[:, row, column]
    assert (heat, known, weight) == (1, 1, 1)
    assert ((column + 0.5 + x) * STRIDE, (row + 0.5 + y) * STRIDE) == pytest.approx((101, 50))
    assert UNIT_PX * 2**size == pytest.approx(64)


def test_a_detector_that_says_what_it_should_finds_the_dice() -> None:
    dice = (Die(1, 61.0, 90.5, 30, 28), Die(2, 97.0, 91.0, 40, 40), Die(6, 200.0, 33.0, 90, 90))
    planes = target(Crop(np.zeros((crops.CROP, crops.CROP, 3), np.uint8), dice, ()))
    heat = np.clip(planes[:1], 1e-4, 1 - 1e-4)
    found = apart(peaks(np.concatenate([np.log(heat / (1 - heat)), planes[1:4]])))
    found = sorted(found, key=lambda one: one.x)
    assert [(p.x, p.y, p.size) for p in found] == [pytest.approx((d.x, d.y, d.size), abs=1e-3) for d in dice]


def test_what_is_doubtful_or_cut_off_is_neither_a_die_nor_background() -> None:
    doubtful, cut_off = Die(None, 40, 40, 20, 20), Die(6, -4, 200, 40, 40)
    planes = target(Crop(np.zeros((crops.CROP, crops.CROP, 3), np.uint8), (cut_off,), (doubtful,)))
    assert planes[0].max() == 0
    assert planes[5][10, 10] == 0
    assert planes[5][50, 1] == 0
    assert planes[5][30, 30] == 1


def test_a_crop_moves_its_boxes_with_its_picture() -> None:
    image = np.full((400, 500, 3), 90, np.uint8)
    die = Die(5, 300.0, 150.0, 40.0, 40.0)
    cv2.circle(image, (300, 150), 20, (90, 90, 255), -1)
    seen = 0
    for seed in range(30):
        rng = np.random.default_rng(seed)
        made = crops.crop(rng, _picture(die), image, look=lambda _, picture: picture)
        (moved,) = made.dice
        red = np.abs(made.picture.astype(int) - (90, 90, 255)).max(-1) < 25
        if 20 < moved.x < crops.CROP - 20 and 20 < moved.y < crops.CROP - 20 and moved.size < 40:
            rows, columns = np.nonzero(red)
            assert (columns.mean(), rows.mean()) == pytest.approx((moved.x, moved.y), abs=1.5)
            assert np.ptp(columns) + 1 == pytest.approx(moved.w, rel=0.25, abs=2)
            seen += 1
    assert seen > 3


def test_batches_are_the_same_for_the_same_number(tmp_path: Path) -> None:
    path = tmp_path / "1.png"
    cv2.imwrite(str(path), np.random.default_rng(1).integers(0, 256, (300, 300, 3), np.uint8))
    pictures = [_picture(Die(2, 100, 100, 40, 40), path=path), replace(_picture(path=path), group="bare")]
    maker = CropMaker(pictures, Plan(steps=1, batch=4, rate=1))
    (shown, planes), (again, _), (other, _) = maker.batch(3), maker.batch(3), maker.batch(4)
    assert shown.shape == (4, 3, crops.CROP, crops.CROP)
    assert planes.shape == (4, 6, crops.CROP // 4, crops.CROP // 4)
    assert np.array_equal(shown, again)
    assert not np.array_equal(shown, other)
    held = patches.collect(pictures, seed=1)
    batches = PatchMaker(held, Plan(steps=1, batch=6, rate=1))
    (seen, labels), (once_more, _) = batches.batch(3), batches.batch(3)
    assert seen.shape == (6, 3, SIDE, SIDE)
    assert np.array_equal(seen, once_more)
    assert set(labels.tolist()) <= {0, 2}


@pytest.mark.parametrize("scale", [0.4, 1.0, 2.5])
def test_a_patch_is_cut_round_its_middle(scale: float) -> None:
    image = np.zeros((200, 300, 3), np.uint8)
    side = round(80 / scale)
    cv2.rectangle(image, (120, 70), (180, 130), (255, 255, 255), -1)
    patch = cut_square(image, (150.0, 100.0), side, 80)[..., 0].astype(float)
    rows, columns = np.mgrid[0:80, 0:80]
    assert (patch * columns).sum() / patch.sum() == pytest.approx(39.5, abs=0.6)
    assert (patch * rows).sum() / patch.sum() == pytest.approx(39.5, abs=0.6)


def test_outside_the_picture_a_patch_is_grey() -> None:
    image = np.zeros((50, 50, 3), np.uint8)
    assert (cut_square(image, (0.0, 25.0), 40, 40)[20, 2] == GREY).all()
    assert (cut_square(image, (500.0, 25.0), 40, 40) == GREY).all()


def test_what_is_called_no_die_is_beside_all_dice_or_far_too_large_or_small() -> None:
    dice = (Die(4, 100, 100, 40, 40), Die(None, 160, 100, 44, 40))
    found: list[Cut] = []
    for seed in range(40):
        found += patches.cuts(np.random.default_rng(seed), _picture(*dice), (320, 240))
    assert {cut.label for cut in found} == {0, 4}
    for cut in found:
        for die in dice:
            near = np.hypot(cut.x - die.x, cut.y - die.y) < 0.5 * die.size
            alike = abs(np.log(cut.size / die.size)) < 0.7
            assert cut.label == 4 or not (near and alike)


def test_other_light_keeps_shape_and_changes_the_picture() -> None:
    picture = np.random.default_rng(2).integers(0, 256, (60, 80, 3), np.uint8)
    for seed in range(30):
        rng = np.random.default_rng(seed)
        changed = looks.marbled(rng, looks.relit(rng, picture))
        changed = looks.stored(rng, looks.coarser(rng, changed, 0.5))
        assert changed.shape == picture.shape
        assert changed.dtype == np.uint8
        assert not np.array_equal(changed, picture)


def test_what_is_learnt_from_a_step_depends_on_its_number_alone() -> None:
    plan = Plan(steps=100, batch=1, rate=2.0, warm=0.1)
    assert [plan.rate_at(step) for step in (0, 5, 10, 55, 100)] == pytest.approx([0.02, 1.0, 2.0, 1.0, 0.02])


def test_what_the_detector_mistakes_is_no_die() -> None:
    picture = _picture(Die(4, 100, 100, 40, 40))
    seen = [
        Place(104, 98, 44, 0.9),  # the die
        Place(110, 110, 12, 0.8),  # a pip of it
        Place(220, 60, 30, 0.7),  # a plug
        Place(310, 60, 30, 0.6),  # at the rim, where a die may lie that nobody told
    ]
    wrong = list(patches.mistaken(picture, (320, 240), seen))
    assert wrong == [Cut(110, 110, 12, 0), Cut(220, 60, 30, 0)]


def test_what_the_detector_mistakes_is_a_group_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "1.png"
    cv2.imwrite(str(path), np.zeros((300, 300, 3), np.uint8))
    picture = _picture(Die(2, 100, 100, 40, 40), path=path)
    held = patches.collect([picture], seed=1, find=lambda _: [Place(200, 200, 30, 0.5)])
    assert held.labels[held.groups == "somebody, mistaken"].tolist() == [0]


def test_a_thing_is_no_die_unless_a_die_lies_on_it() -> None:
    things = (Die(None, 250, 200, 40, 40), Die(None, 90, 100, 60, 60))
    picture = replace(_picture(Die(4, 100, 100, 40, 40)), things=things)
    made = list(patches.cuts(np.random.default_rng(1), picture, (320, 240)))
    assert Cut(250, 200, 40, 0) in made
    assert Cut(90, 100, 60, 0) not in made


def test_drawn_scenes_teach_what_can_be_seen() -> None:
    square = np.array([[10, 10], [30, 10], [30, 30], [10, 30]], float)
    top, side = Face(square, 0.0), Face(square + np.array([0, 20]), 60.0)
    flat = DieTruth(3, State.FLAT, top, (side,))
    dice = (flat, replace(flat, state=State.COCKED), replace(flat, visible=0.2))
    truth = drawn.truth(Scene(np.zeros((60, 60, 3), np.uint8), dice, ((50.0, 40.0, 12.0),)))
    box = {"x": 20.0, "y": 30.0, "w": 20.0, "h": 40.0}
    assert truth["dice"] == [{"face": 3, **box}, {"face": None, **box}]
    assert [die["face"] for die in truth["doubtful"]] == [3]
    assert truth["things"] == [{"face": None, "x": 50.0, "y": 40.0, "w": 12.0, "h": 12.0}]


def test_scenes_are_drawn_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = list(drawn.drawn(tmp_path, seed=1, scenes=1))
    assert [one.group for one in first] == [f"renders/drawn {kind}" for kind in drawn.WISHES]
    assert all(one.may_teach and one.path.exists() for one in first)
    monkeypatch.setattr(drawn, "draw_scene", None)
    assert list(drawn.drawn(tmp_path, seed=1, scenes=1)) == first
