"""What is drawn is where the truth says it is, and dice are made as real dice are."""

import math

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator import CameraView, Scene, SceneSensor, SceneTray
from simulator.backdrop import _wrapped
from simulator.die_drawing import pip_places
from simulator.draw import DrawnPicture, draw
from simulator.geometry import (
    AXIS_OF_FACE,
    about,
    face_up,
    footprints_overlap,
    resting_height,
    tilt_deg,
    upper_face,
)
from simulator.scene import DieStyle, Material, SceneDie, SceneHand, SceneLight, lying
from simulator.styles import STYLES
from vision.reading import Colour

VIEW = CameraView(size_wh=(480, 360), focal_px=1300, height_mm=360, tilt_deg=10)
CALM = SceneSensor(noise=0, vignette=0, blur_px=0.5)
FLOOR = SceneTray(material=Material.PLASTIC, floor=(90, 120, 160), half_mm=(60, 45))


def picture_of(
    *dice: SceneDie, view: CameraView = VIEW, sensor: SceneSensor = CALM, **more: object
) -> DrawnPicture:
    return draw(Scene(dice, view, FLOOR, sensor=sensor, **more))  # type: ignore[arg-type]


def dark_spots(image: np.ndarray, top: np.ndarray) -> int:
    """How many dark blobs stand within a quadrilateral of the picture."""
    square = np.array([[0, 0], [120, 0], [120, 120], [0, 120]], np.float32)
    flat = cv2.warpPerspective(image, cv2.getPerspectiveTransform(top.astype(np.float32), square), (120, 120))
    grey = cv2.cvtColor(flat, cv2.COLOR_BGR2GRAY)
    grey[:8] = grey[-8:] = grey[:, :8] = grey[:, -8:] = 255
    count, _, stats, _ = cv2.connectedComponentsWithStats((grey < 110).astype(np.uint8))
    return sum(1 for blob in range(1, count) if stats[blob, cv2.CC_STAT_AREA] > 60)


@pytest.mark.parametrize("face", range(1, 7))
def test_the_upper_face_shows_its_pips_where_the_truth_says(face: int) -> None:
    picture = picture_of(lying(STYLES["white"], face, (5.0, -4.0), 0.6))
    (die,) = picture.dice
    assert die.face == face
    assert dark_spots(picture.image, die.top) == face


def test_opposite_faces_make_seven_and_1_2_3_run_counter_clockwise() -> None:
    normals = {face: np.eye(3)[axis] * sign for face, (axis, sign) in AXIS_OF_FACE.items()}
    for face in range(1, 7):
        assert np.array_equal(normals[face], -normals[7 - face])
    # Seen from outside on their corner, 1, 2, 3 turn to the left: their normals make a right-handed system.
    assert np.linalg.det(np.stack([normals[1], normals[2], normals[3]])) > 0


@given(face=st.integers(1, 6), yaw=st.floats(-7, 7))
def test_a_die_lies_with_the_face_up_that_it_was_told(face: int, yaw: float) -> None:
    rotation = face_up(face, yaw)
    assert upper_face(rotation) == face
    assert np.allclose(rotation @ rotation.T, np.eye(3))
    assert np.linalg.det(rotation) == pytest.approx(1)
    assert tilt_deg(rotation) < 0.01


@given(lean=st.floats(0.05, 0.7), face=st.integers(1, 6))
def test_a_leaning_die_is_called_cocked_and_touches_the_floor(lean: float, face: int) -> None:
    rotation = about((1, 0, 0), lean) @ face_up(face, 0.0)
    assert tilt_deg(rotation) == pytest.approx(math.degrees(lean))
    die = SceneDie(STYLES["white"], 16.0, (0, 0, resting_height(rotation, 16.0)), rotation)
    assert die.corners_mm[:, 2].min() == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("style", [DieStyle(), DieStyle(two_way=True, three_way=True, six_way=True)])
def test_pips_stand_as_on_real_dice(style: DieStyle) -> None:
    for face in range(1, 7):
        places = pip_places(face, style)
        assert len(places) == face
        assert np.allclose(places.sum(0), 0), "a face looks the same after half a turn"
        gaps = np.linalg.norm(places[:, None] - places[None], axis=2) + np.eye(face) * 9
        assert gaps.min() > 2 * style.pip_radius, "two pips run into each other"


@given(
    x=st.floats(0, 1279), y=st.floats(0, 719), tilt=st.floats(0, 35), roll=st.floats(-180, 180),
    k1=st.floats(-0.2, 0.1),
)  # fmt: skip
def test_rays_and_projection_are_each_others_inverse(
    x: float, y: float, tilt: float, roll: float, k1: float
) -> None:
    view = CameraView(tilt_deg=tilt, roll_deg=roll, k1=k1)
    ray = view.rays(x, y).astype(float)
    point = view.eye - ray * view.eye[2] / ray[2]
    assert np.allclose(view.project(point)[0], (x, y), atol=0.05)


def test_side_faces_show_on_the_side_that_looks_at_the_lens() -> None:
    picture = picture_of(lying(STYLES["white"], 1, (30.0, 0.0), 0.0))
    (die,) = picture.dice
    middle_of_all = die.hull.mean(0)
    assert die.center[0] > middle_of_all[0] + 1, "the top of a die on the right leans to the right"
    assert die.size == pytest.approx(16 * VIEW.px_per_mm((30, 0, 16)), rel=0.03)


def test_the_angle_is_that_of_an_edge() -> None:
    straight = CameraView(size_wh=(480, 360), focal_px=1300, height_mm=360, tilt_deg=0)
    for degrees in (0, 10, 44, 46, 89, 100):
        picture = picture_of(lying(STYLES["white"], 3, (0.0, 0.0), math.radians(degrees)), view=straight)
        away = (picture.dice[0].angle + degrees) % 90  # the picture's y axis runs down
        assert min(away, 90 - away) < 0.5


def test_a_hidden_die_and_one_under_the_hand_are_known_as_such() -> None:
    lower = lying(STYLES["white"], 3, (0.0, 0.0), 0.0)
    upper = SceneDie(STYLES["red"], 16.0, (0.0, 0.0, 24.0), face_up(5, 0.2), stacked=True)
    by_face = {die.face: die for die in picture_of(lower, upper).dice}
    assert by_face[3].visible < 0.1
    assert by_face[5].visible > 0.99
    assert not by_face[3].legible
    assert not by_face[5].legible
    (die,) = picture_of(lower, hand=SceneHand((0.0, 0.0))).dice
    assert die.visible < 0.05


def test_a_die_over_the_edge_is_not_inside() -> None:
    edge = VIEW.size_wh[0] / 2 / VIEW.px_per_mm()
    (die,) = picture_of(lying(STYLES["white"], 3, (edge - 2, 0.0), 0.0)).dice
    assert not die.inside


def test_neighbours_shade_each_other_and_shadows_fall_away_from_the_lamp() -> None:
    light = SceneLight(lamp_mm=(-400, 0, 300), size_mm=10, lamp=0.9, room=0.2)
    empty = picture_of(light=light).image.astype(int)
    one = picture_of(lying(STYLES["white"], 1, (0.0, 0.0), 0.0), light=light)
    x, y = (round(value) for value in VIEW.project([(16.0, 0.0, 0.0)])[0].tolist())
    assert one.image[y, x].sum() < 0.6 * empty[y, x].sum(), "no shadow on the far side"
    x, y = (round(value) for value in VIEW.project([(-16.0, 0.0, 0.0)])[0].tolist())
    assert one.image[y, x].sum() > 0.9 * empty[y, x].sum(), "a shadow towards the lamp"


@pytest.mark.parametrize("name", STYLES)
def test_every_style_has_the_colour_it_is_called_by(name: str) -> None:
    style = STYLES[name]
    blue, green, red = (float(value) for value in body_colour(style))
    brightest, darkest = max(blue, green, red), min(blue, green, red)
    grey = brightest - darkest < 0.22 * brightest + 12
    expected = {
        Colour.WHITE: grey and brightest > 165,
        Colour.IVORY: red > blue + 20 and brightest > 150,
        Colour.BLACK: brightest < 100,
        Colour.GREY: grey and 70 < brightest < 190,
        Colour.CLEAR: grey,
        Colour.RED: red > 1.5 * green and red > 1.5 * blue,
        Colour.ORANGE: red > green > blue,
        Colour.YELLOW: red > 1.4 * blue and green > 1.3 * blue,
        Colour.GREEN: green > red and green > blue,
        Colour.BLUE: blue > red and blue > green,
        Colour.PURPLE: blue > green and red > green,
        Colour.PINK: red > green + 20 and blue > green,
        Colour.BROWN: red > green > blue,
    }
    assert expected[style.colour], (blue, green, red)


def body_colour(style: DieStyle) -> np.ndarray:
    """Mean colour of the top face between the pips."""
    picture = picture_of(lying(style, 1, (0.0, 0.0), 0.0))
    (die,) = picture.dice
    x, y = (round(value) for value in die.center)
    step = round(die.size * 0.32)
    patches = [
        picture.image[y + dy - 3 : y + dy + 4, x + dx - 3 : x + dx + 4] for dx, dy in ((step, 0), (-step, 0))
    ]
    return np.mean(patches, axis=(0, 1, 2))


@given(x=st.floats(-3, 3), y=st.floats(-3, 3))
def test_overlap_of_footprints(x: float, y: float) -> None:
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], float)
    assert footprints_overlap(square, square + np.array([x, y])) == (abs(x) < 2 and abs(y) < 2)


@pytest.mark.parametrize("length", [32, 411, 640])
def test_grain_repeats_as_the_remainder_says(length: int) -> None:
    side = np.float32(length)
    spots = np.random.default_rng(length).uniform(-9000, 9000, 100_000).astype(np.float32)
    seams = np.arange(-20, 20, dtype=np.float32) * side
    beside = [np.nextafter(seams, np.float32(way)) for way in (-np.inf, np.inf)]
    value = np.concatenate([spots, seams, *beside])
    assert np.array_equal(_wrapped(value, side), value % side)
