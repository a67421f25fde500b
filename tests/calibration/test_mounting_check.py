"""What the mounting assistant says of drawn trays: it is true, and whoever follows it gets a green line."""

import dataclasses
import re

import numpy as np
import pytest

from calibration.markers import seen_markers
from calibration.mounting_check import CheckState, Item, Mounting, MountingLine, TrayInView, judge, shake_px
from simulator import CameraView, Scene, SceneLight, SceneSensor, SceneTray
from tests.calibration.scenes import Image, Station

VIEW = CameraView((768, 432), 690.0, tilt_deg=0)
"""From 42 cm the whole tray of 28 by 20 cm is seen."""


def drawn(
    view: CameraView = VIEW, *, tray: SceneTray | None = None, sensor: SceneSensor | None = None
) -> tuple[Station, Image]:
    scene = Scene((), view, tray or SceneTray(), SceneLight(), sensor or SceneSensor())
    return Station(scene), Station(scene).picture(markers=True)


def judged(image: Image, view: CameraView = VIEW, **more: object) -> Mounting:
    return judge([image], seen_markers(image), focal_px=view.focal_px, **more)  # type: ignore[arg-type]


def line(found: Mounting, item: Item) -> MountingLine:
    return next(each for each in found.lines if each.item is item)


def says(found: Mounting, item: Item, standing: CheckState) -> str:
    """The line's words, in English."""
    of = line(found, item)
    assert of.standing is standing, of
    return " ".join(str(each) for each in of.messages)


def cm_in(words: str) -> int:
    return int(re.findall(r"(\d+) cm", words)[0])


@pytest.mark.thorough
def test_of_a_camera_that_hangs_well_the_tray_is_outlined():
    station, image = drawn()
    found = judge([image] * 4, seen_markers(image), focal_px=VIEW.focal_px)
    assert found.good, found.lines
    assert str(found.next[0]) == "All good: on to calibration."
    words = says(found, Item.TRAY, CheckState.GOOD)
    assert words.startswith("The whole tray is in the picture, from about ")
    assert cm_in(words) == pytest.approx(42, abs=1)
    assert np.abs(np.array(found.outline) - station.corners_px).max() < 3


@pytest.mark.thorough
def test_who_raises_the_camera_as_advised_sees_the_whole_tray():
    low = dataclasses.replace(VIEW, height_mm=355, aim_mm=(-25, -12))
    found = judged(drawn(low)[1], low)
    assert line(found, Item.TRAY) is not None
    words = says(found, Item.TRAY, CheckState.WRONG)
    assert words.startswith("Raise the camera by "), words
    right = dataclasses.replace(VIEW, height_mm=low.height_mm + 10 * cm_in(words))
    assert line(judged(drawn(right)[1], right), Item.TRAY).standing is CheckState.GOOD
    assert 2 <= cm_in(words) <= 7


@pytest.mark.thorough
def test_who_pushes_the_tray_as_advised_sees_all_of_it():
    aside = dataclasses.replace(VIEW, height_mm=450, aim_mm=(-112, 0))
    words = says(judged(drawn(aside)[1], aside), Item.TRAY, CheckState.WRONG)
    assert re.match(r"Push the tray \d cm to the left in the picture", words), words
    right = dataclasses.replace(aside, aim_mm=(-112 + 10 * cm_in(words), 0))
    assert line(judged(drawn(right)[1], right), Item.TRAY).standing is CheckState.GOOD


def test_a_tray_across_the_picture_is_to_be_turned():
    across = dataclasses.replace(VIEW, height_mm=475)
    words = says(
        judged(drawn(across, tray=SceneTray(half_mm=(100, 140)))[1], across), Item.TRAY, CheckState.WRONG
    )
    assert words.startswith("Turn the tray by a quarter"), words


@pytest.mark.thorough
def test_a_camera_that_hangs_too_high_is_lowered_until_dice_are_large_enough():
    high = dataclasses.replace(VIEW, height_mm=580)
    words = says(judged(drawn(high)[1], high), Item.DICE, CheckState.WRONG)
    assert words.startswith("Dice are only 19 pixels wide; at least 26 are needed. Lower the camera by ")
    right = dataclasses.replace(high, height_mm=580 - 10 * cm_in(words))
    assert line(judged(drawn(right)[1], right), Item.DICE).standing is CheckState.GOOD


def test_a_lens_that_is_not_sharp_is_reported_before_the_markers_it_hides():
    found = judged(drawn(sensor=SceneSensor(blur_px=2.5))[1])
    assert "Turn the lens" in says(found, Item.SHARP, CheckState.WRONG)
    assert found.next == line(found, Item.SHARP).messages


def test_a_lens_with_a_motor_is_not_turned_by_hand():
    _, image = drawn(sensor=SceneSensor(blur_px=2.5))
    found = judge([image], seen_markers(image), focal_px=VIEW.focal_px, focuses=True)
    sentence = says(found, Item.SHARP, CheckState.WRONG)
    assert "focus anew" in sentence
    assert "Turn the lens" not in sentence


def test_a_lamp_in_the_tray_is_reported_with_its_side_and_marked():
    image = drawn()[1].copy()
    y, x = np.ogrid[:432, :768]
    image[(x - 250) ** 2 + (y - 216) ** 2 < 27**2] = 255
    found = judged(image)
    assert says(found, Item.LIGHT, CheckState.WRONG).startswith("Turn the lamp: a highlight on the left.")
    assert np.allclose(found.spots[0], (250, 216), atol=2)


def test_one_marker_of_four_missing_is_named_and_the_corner_worked_out():
    _, image = drawn()
    markers = seen_markers(image)
    del markers[2]
    found = judge([image], markers, focal_px=VIEW.focal_px)
    assert "2 (bottom right)" in says(found, Item.TRAY, CheckState.WRONG)
    whole, worked_out = TrayInView.of(seen_markers(image)), TrayInView.of(markers)
    assert np.abs(worked_out.outline - whole.outline).max() < 4


def test_without_markers_nothing_is_claimed_but_the_size_of_dice_that_lie_there():
    image = np.full((360, 640, 3), 128, np.uint8)
    bare = judge([image], {}, focal_px=600)
    assert {each.item for each in bare.lines if each.standing is CheckState.WAITING} == {
        Item.TRAY,
        Item.DICE,
        Item.SHARP,
        Item.LIGHT,
    }
    assert not bare.good
    assert bare.outline is None
    assert says(judge([image], {}, focal_px=600, dice_px=[41, 40, 42]), Item.DICE, CheckState.GOOD) == (
        "Dice are 41 pixels wide."
    )


@pytest.mark.parametrize(("jump_px", "standing"), [(0, CheckState.GOOD), (4, CheckState.WRONG)])
def test_a_stand_that_shakes_is_noticed_by_the_pixels_it_jumps(jump_px: int, standing: CheckState):
    _, image = drawn()
    moved = np.roll(image, jump_px, axis=1)
    assert shake_px([image, moved, image]) == pytest.approx(jump_px, abs=0.5)
    found = judge([image, moved, image], {}, focal_px=VIEW.focal_px)
    assert line(found, Item.STILL).standing is standing
