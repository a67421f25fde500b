"""The profile is looked after: what has changed is said once, and followed where that is safe."""

import dataclasses

import numpy as np
import pytest

from calibration.camera_movement import MovementKind, Reference
from calibration.drift import EVERY_S, LIGHT_EVERY_S, DriftMonitor, Notice, ProfileTrouble
from calibration.light import figures
from calibration.profile import CalibrationProfile
from simulator.scene import lying
from simulator.styles import STYLES
from tests.calibration.scenes import HD, Image, Station
from tests.calibration.test_camera_movement import moved

pytestmark = pytest.mark.thorough


@pytest.fixture(scope="module")
def profile(table: Station, empty: Image) -> CalibrationProfile:
    outline = tuple((float(x), float(y)) for x, y in table.corners_px)
    mask = np.zeros(HD[::-1], np.uint8)
    mask[200:500, 400:900] = 255
    return CalibrationProfile(outline=outline, size_wh=HD, light=figures(empty, mask))


class Feeder:
    """Feeds a guard with a picture for some seconds."""

    def __init__(self, guard: DriftMonitor) -> None:
        self.guard, self.time_s = guard, 0.0

    def see(self, image: Image, seconds: float = 1.0) -> list[Notice]:
        found = []
        for _ in range(round(seconds / 0.05)):
            notice = self.guard.feed(image, self.time_s)
            self.time_s += 0.05
            if notice is not None:
                found.append(notice)
        return found


@pytest.mark.slow
def test_nothing_is_reported_while_dice_are_thrown(table, empty, profile):
    feeder = Feeder(DriftMonitor(profile, empty))
    for face in (1, 3, 6):
        dice = tuple(
            lying(STYLES["red"], face, (20.0 * n * face % 60 - 30, 15.0 * n - 20), n) for n in range(3)
        )
        assert feeder.see(table.picture(dice=dice)) == []


def test_a_small_bump_is_followed_within_a_second_and_reported_once(empty, profile):
    feeder = Feeder(DriftMonitor(profile, empty))
    bumped = moved(empty, 5, -3, 0)
    (notice,) = feeder.see(bumped, 1.0)
    assert notice.trouble is ProfileTrouble.BUMPED
    assert not notice.withhold
    assert str(notice.message).endswith("The station has followed it.")
    assert np.allclose(np.array(feeder.guard.profile.outline) - profile.outline, (5, -3), atol=0.3)
    assert feeder.see(bumped, 3.0) == []
    assert len(feeder.see(moved(empty, 9, -3, 0), 1.0)) == 1
    assert np.allclose(np.array(feeder.guard.profile.outline) - profile.outline, (9, -3), atol=0.3)


def test_a_large_bump_withholds_rolls_until_it_is_repaired(empty, profile):
    feeder = Feeder(DriftMonitor(profile, empty))
    (notice,) = feeder.see(moved(empty, 60, 20, 0), 1.2)
    assert notice.withhold
    assert "Press 'Find the tray'" in str(notice.message)
    assert feeder.guard.withhold
    assert len(feeder.see(moved(empty, 2, 1, 0), 1.2)) == 1
    assert feeder.guard.profile != profile
    assert not feeder.guard.withhold


@pytest.mark.parametrize("away", [(5.0, -3.0), (60.0, 20.0)])
def test_a_camera_that_is_pushed_back_holds_again_by_itself(empty, profile, away):
    feeder = Feeder(DriftMonitor(profile, empty))
    (notice,) = feeder.see(moved(empty, *away, 0), 1.2)
    assert feeder.guard.standing is notice
    (back,) = feeder.see(empty, 1.2)
    assert (back.trouble, back.withhold) == (None, False)
    assert feeder.guard.standing is None
    assert feeder.guard.profile == profile
    assert feeder.guard.empty is empty
    assert feeder.see(empty, 2.0) == []


def test_a_camera_just_beside_where_it_stood_does_not_go_to_and_fro(empty, profile):
    feeder = Feeder(DriftMonitor(profile, empty))
    assert len(feeder.see(moved(empty, 1.5, 0, 0), 1.2)) == 1
    assert feeder.see(moved(empty, 0.85, 0, 0), 1.2) == []


def test_a_covered_lens_is_lost_or_hidden_but_never_followed(empty, profile):
    guard = DriftMonitor(profile, empty)
    Feeder(guard).see(np.full_like(empty, 12), 1.2)
    assert guard.profile == profile


def test_a_moved_tray_is_distinguished_from_a_bumped_camera(table, empty):
    outline = [(float(x), float(y)) for x, y in table.corners_px]
    reference = Reference(empty, outline)
    shoved = dataclasses.replace(table.scene.view, aim_mm=(6.0, 4.0))
    other = Station(dataclasses.replace(table.scene, view=shoved)).picture()
    x, y, right, low = (round(v) for v in (*table.corners_px.min(0) - 12, *table.corners_px.max(0) + 12))
    cut = empty.copy()
    cut[max(y, 0) : low, max(x, 0) : right] = other[max(y, 0) : low, max(x, 0) : right]
    found = reference.compare(cut)
    assert found.kind is MovementKind.TRAY_MOVED
    assert "The tray was moved" in str(found.message)
    assert reference.compare(moved(empty, 3, 2, 0)).kind is MovementKind.BUMPED


@pytest.mark.slow
def test_changed_light_and_lost_focus_are_reported_once(table, empty, profile):
    feeder = Feeder(DriftMonitor(profile, empty))
    dim = np.clip(empty * 0.4, 0, 255).astype(np.uint8)
    told = feeder.see(dim, 2 * LIGHT_EVERY_S)
    assert [notice.trouble for notice in told] == [ProfileTrouble.LIGHT]
    assert "darker" in str(told[0].message)
    assert not told[0].withhold
    (well,) = feeder.see(empty, 2 * LIGHT_EVERY_S)
    assert well.trouble is None
    assert feeder.guard.standing is None
    sensor = dataclasses.replace(table.scene.sensor, blur_px=5.0)
    soft = Station(dataclasses.replace(table.scene, sensor=sensor)).picture()
    assert ProfileTrouble.FOCUS in [notice.trouble for notice in feeder.see(soft, 2 * LIGHT_EVERY_S)]


def test_it_works_a_few_times_a_second_only(empty, profile, monkeypatch):
    looks = []
    compare = Reference.compare
    monkeypatch.setattr(Reference, "compare", lambda self, image: looks.append(1) or compare(self, image))
    Feeder(DriftMonitor(profile, empty)).see(empty, 3.0)
    assert len(looks) <= 3.0 / EVERY_S + 3


def test_a_hand_over_the_tray_is_no_other_light(empty, profile):
    feeder = Feeder(DriftMonitor(profile, empty))
    dim = np.asarray(empty * 0.4, np.uint8)
    assert feeder.see(empty, LIGHT_EVERY_S) == []
    assert feeder.see(dim, 0.9 * LIGHT_EVERY_S) == []
    assert feeder.see(empty, 2 * LIGHT_EVERY_S) == []
