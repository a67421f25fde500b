"""Where the camera of a profile stands, and where it has the feet of flat dice."""

import dataclasses

import numpy as np
import pytest

from calibration.camera_pose import pose_of
from calibration.profile import CalibrationProfile, KnownDice
from calibration.tray_geometry import from_corners
from simulator.geometry import CameraView

EDGE_MM = 16.0
PLACES_MM = np.array([(-90.0, 40.0), (70.0, 55.0), (0.0, 0.0), (85.0, -50.0)])
VIEWS = (
    CameraView(tilt_deg=0.0),
    CameraView(tilt_deg=12.0, roll_deg=20.0),
    CameraView(tilt_deg=25.0, focal_px=900.0, height_mm=350.0),
)


def _profile(view: CameraView, height: float = 1.0) -> CalibrationProfile:
    """What is known of a tray of 240 by 160 mm whose camera is thought to hang so many times as high."""
    corners = view.project([(-120, 80, 0), (120, 80, 0), (120, -80, 0), (-120, -80, 0)])
    tray = from_corners(corners, 240.0, view.size_wh)
    tray = dataclasses.replace(tray, focal_px=view.focal_px * height)
    return CalibrationProfile(
        mm_per_px=tray.mm_per_px_at(EDGE_MM),
        die_mm=EDGE_MM,
        to_mm=tuple(tray.to_mm.ravel().tolist()),
        size_wh=view.size_wh,
    )


def _seen(view: CameraView) -> tuple[np.ndarray, np.ndarray]:
    """Middles of the tops of flat dice and the way from them to their feet, px."""
    top = view.project(np.column_stack([PLACES_MM, np.full(len(PLACES_MM), EDGE_MM)]))
    return top, view.project(np.column_stack([PLACES_MM, np.zeros(len(PLACES_MM))])) - top


@pytest.mark.parametrize("view", VIEWS)
def test_feet_of_flat_dice_are_where_the_camera_sees_them(view: CameraView) -> None:
    pose = pose_of(_profile(view))
    top, feet = _seen(view)
    assert np.abs(pose.feet(*top.T, view.size_wh[0]) - feet).max() < 0.6
    assert pose.height_mm == pytest.approx(view.height_mm, rel=0.03)


def test_a_picture_of_another_size_has_its_feet_nearer() -> None:
    view = VIEWS[1]
    pose = pose_of(_profile(view))
    top, feet = _seen(view)
    half = pose.feet(*((top + 0.5) / 2 - 0.5).T, view.size_wh[0] // 2)
    assert np.abs(half - feet / 2).max() < 0.3


def test_a_camera_thought_too_low_has_its_feet_too_far() -> None:
    view = VIEWS[0]
    pose = pose_of(_profile(view, 0.7))
    top, feet = _seen(view)
    found = pose.feet(*top.T, view.size_wh[0])
    assert np.hypot(*found.T)[0] > 1.3 * np.hypot(*feet.T)[0]


def test_a_bumped_camera_hangs_as_high_as_before() -> None:
    profile = _profile(VIEWS[1])
    turn = np.array([[1.02, -0.03, 9.0], [0.03, 1.02, -4.0]])
    before, after = pose_of(profile), pose_of(profile.moved(turn))
    assert after.height_mm == pytest.approx(before.height_mm, rel=0.02)


@pytest.mark.parametrize(
    "profile",
    [
        CalibrationProfile(),
        CalibrationProfile(to_mm=(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0), size_wh=(640, 480)),
        # as large on top of the dice as on the floor, or larger: no camera sees that
        CalibrationProfile(mm_per_px=1.0, to_mm=(1.0, 0, 0, 0, 1.0, 0, 0, 0, 1.0), size_wh=(640, 480)),
        CalibrationProfile(mm_per_px=1.2, to_mm=(1.0, 0, 0, 0, 1.0, 0, 0, 0, 1.0), size_wh=(640, 480)),
        # nothing but zeros, as a damaged file may have it
        CalibrationProfile(mm_per_px=0.5, to_mm=(0.0,) * 9, size_wh=(640, 480)),
    ],
)
def test_where_a_profile_does_not_tell_it_there_is_no_pose(profile: CalibrationProfile) -> None:
    assert pose_of(profile) is None


def test_dice_of_several_sizes_hold_for_their_mean() -> None:
    profile = _profile(VIEWS[0])
    mixed = dataclasses.replace(profile, die_mm=None, dice=KnownDice((14.0, 18.0)))
    one, other = pose_of(profile), pose_of(mixed)
    assert one.height_mm == pytest.approx(other.height_mm)
