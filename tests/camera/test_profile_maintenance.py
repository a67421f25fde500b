"""What keeps a calibration good on the running station: repair, another light, profiles side by side."""

import shutil
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.profile import CalibrationProfile
from calibration.profile_files import save_profile
from messages.errors import BadInputError, CameraError, RefusalError
from messages.message import Message
from simulator.person import SimulatedPerson
from station.camera.camera_access import CameraAccess
from station.camera.held_settings import HeldSettings
from station.camera.profile_maintenance import ProfileMaintenance
from station.camera.profiles import Profiles, key_of
from station.game.feature import areas
from tests.camera.stand import DICE, Settings, Table, corners_of, truth
from vision.frame import Frame


@pytest.mark.thorough
@pytest.mark.parametrize("share", [1.0, 0.75])
def test_one_press_repairs_a_bump_with_dice_in_the_tray(settled, share):
    """Also in smaller pictures than those that were calibrated: a board may be slow, or short of memory."""
    settled.frames.share = share
    assert settled.profiles.fits(settled.frames.next_frames(1, 1.0)[0].image)
    settled.bump(18.0, -11.0)
    settled.calibrator.read_throw()
    assert settled.calibrator.repair().message == Message("calibration/profile/fits")
    assert np.abs(corners_of(settled) - share * (truth(settled) + np.array([18.0, -11.0]))).max() < 2.0
    # From now on that is how the camera stands.
    settled.frames.next_frames(1, 1.0)
    with pytest.raises(RefusalError, match="has not moved"):
        settled.calibrator.repair()
    assert settled.used == 1


@pytest.mark.needs_feature("dice_keeper")
def test_an_area_marked_in_smaller_pictures_leaves_the_profile_its_empty_tray(settled):
    settled.frames.share = 0.75
    settled.frames.next_frames(1, 1.0)
    settled.calibrator.mark(areas()[0], [(400.0, 200.0), (500.0, 200.0), (500.0, 300.0), (400.0, 300.0)])
    empty, current = settled.profiles.empty(), settled.profiles.current()
    assert current is not None
    assert empty is not None
    assert (empty.shape[1], empty.shape[0]) == current.size_wh == (960, 540)


def test_where_a_lost_camera_looked_is_nothing_to_repair_by(settled):
    settled.frames.broken = True
    for look in (settled.calibrator.repair, settled.calibrator.choose):
        with pytest.raises(CameraError, match="No picture from"):
            look()
    assert settled.used == 0


def test_what_cannot_be_repaired_is_refused_and_stays(settled):
    before = corners_of(settled)
    settled.frames.change = np.array([[-0.7, 0.7, 700.0], [-0.7, -0.7, 1000.0]])
    settled.frames.next_frames(1, 1.0)
    with pytest.raises(RefusalError, match="find the tray again"):
        settled.calibrator.repair()
    assert np.array_equal(corners_of(settled), before)


def test_a_profile_of_another_camera_is_no_matter_of_light(settled):
    current, empty = settled.profiles.current(), settled.profiles.empty()
    assert current is not None
    settled.profiles.keep(replace(current, camera="usb:7"), empty)
    with pytest.raises(RefusalError, match="was made for"):
        settled.calibrator.repair()


BY_DAY = (("exposure", 50.0), ("white_balance", 5500.0), ("focus", 30.0))
BY_LAMP = (("focus", 30.0), ("exposure", 400.0), ("white_balance", 2900.0))


@pytest.mark.slow
@pytest.mark.parametrize("left_lying", [False, True])
def test_another_light_is_learnt_with_what_the_camera_chooses_for_it(settled, left_lying, monkeypatch):
    profile = settled.profiles.current()
    assert profile is not None
    settled.profiles.keep(replace(profile, controls=BY_DAY), settled.profiles.empty())
    camera, in_use = Settings(*BY_LAMP[1:]), settled.profiles.current
    person = SimulatedPerson(settled.tray, clock=settled.clock, sleep=settled.clock.sleep)
    if left_lying:
        monkeypatch.setattr(SimulatedPerson, "clear", lambda person: person.throw(DICE))
    settings = HeldSettings(camera, lambda: in_use().controls)
    access = CameraAccess(
        settled.frames, lambda: settled.tray.name, lambda: DICE, person=person, settings=settings
    )
    maintenance = ProfileMaintenance(access, settled.profiles, settled.use)
    if left_lying:
        with pytest.raises(BadInputError, match="take everything out"):
            maintenance.relearn(surely_empty=False)
    else:
        maintenance.relearn(surely_empty=False)
    settings.end()
    assert camera.received[:2] == [(("focus", 30.0),), "exposure white_balance"]
    assert camera.received[2:] == ([BY_DAY] if left_lying else []), "who uses the new one has it held"
    assert in_use().controls == (BY_DAY if left_lying else BY_LAMP)


@pytest.mark.thorough
def test_learning_the_light_follows_a_small_bump_and_does_not_hide_a_large_one(settled):
    settled.bump(18.0, -11.0)
    settled.calibrator.relearn()
    assert np.abs(corners_of(settled) - (truth(settled) + np.array([18.0, -11.0]))).max() < 2.0
    before, picture = settled.profiles.current(), settled.profiles.empty()
    for right_px in (78.0, 268.0):
        settled.bump(right_px, 4.0)
        with pytest.raises(RefusalError, match="find the tray again"):
            settled.calibrator.relearn()
    assert settled.profiles.current() == before
    assert picture is not None
    assert np.array_equal(settled.profiles.empty(), picture)


@pytest.mark.slow
@pytest.mark.parametrize("share", [1.0, 0.3, 0.05])
def test_learning_the_light_takes_any_light(settled, share, monkeypatch):
    def darker(frame: Frame, _: NDArray[np.float64]) -> Frame:
        return replace(frame, image=np.asarray(frame.image * share, np.uint8))

    settled.bump(0.0, 0.0)
    monkeypatch.setattr(settled.frames, "pushed", darker)
    assert settled.calibrator.relearn().message == Message("calibration/profile/relearnt")
    assert np.abs(corners_of(settled) - truth(settled)).max() < 1.5
    assert settled.used == 1


@pytest.mark.slow
def test_profiles_are_chosen_by_looking_at_the_picture(settled, tmp_path):
    other = Table(tmp_path / "other", seed=3)
    with other.tray:
        other.calibrator.find_tray([tuple(map(float, corner)) for corner in truth(other)], width_mm=280)
        other.calibrator.learn_empty()
        other.calibrator.save("Garden")
    # Both stand in one folder; the one of another tray is in use.
    for file in (tmp_path / "other" / "profiles").iterdir():
        file.rename(settled.profiles.folder / file.name)
    assert settled.calibrator.choose("garden").active.name == "Garden"
    assert settled.calibrator.choose().active.name == "Kitchen"
    # A station that is carried to another tray finds that by itself when it starts, and stays where it fits.
    assert settled.calibrator.settle(1.0) is None
    settled.calibrator.choose("garden")
    assert settled.calibrator.settle(1.0) == "Kitchen"


def test_a_profile_made_elsewhere_is_kept_when_another_takes_its_place(settled):
    CalibrationProfile(name="by hand", made="2026-01-01").save(settled.profiles.active)
    settled.calibrator.choose("kitchen")
    assert {each.profile.name for each in settled.profiles.stored()} == {"by hand", "Kitchen"}


def profiles_in(folder: Path) -> Profiles:
    """Each of the profiles that are kept was made a day after the one before."""
    days = (datetime(2026, 1, day, tzinfo=UTC) for day in range(1, 30))
    return Profiles(folder / "profile.json", lambda: next(days))


def picture(level: int) -> NDArray[np.uint8]:
    return np.full((72, 128, 3), level, np.uint8)


@pytest.mark.parametrize("name", ["table", "the table under the lamp in the living room"])
def test_two_profiles_of_one_name_are_both_kept(tmp_path, name):
    profiles = profiles_in(tmp_path)

    def used() -> tuple[str | None, int]:
        profile, empty = profiles.current(), profiles.empty()
        assert profile is not None
        assert empty is not None
        return profile.made, int(empty[0, 0, 0])

    page, command = (
        CalibrationProfile(name=name, made=made, size_wh=(128, 72)) for made in ("page", "command")
    )
    profiles.keep(page, picture(10))
    save_profile(
        profiles.active, command, picture(200), datetime(2026, 2, 1, tzinfo=UTC)
    )  # as the command does
    profiles.use(profiles.stored()[0].key)
    assert used() == ("page", 10)
    keys = {each.profile.made: each.key for each in profiles.stored()}
    assert set(keys) == {"page", "command"}
    profiles.use(keys["command"])
    profiles.keep(replace(command, camera="USB camera 0"), picture(100))  # repaired
    assert used() == ("command", 100)
    profiles.use(keys["page"])
    assert used() == ("page", 10)
    assert len(profiles.stored()) == 2


def test_a_profile_for_which_there_is_no_room_is_not_written(tmp_path):
    profiles = profiles_in(tmp_path)
    profiles.keep(CalibrationProfile(name="kitchen", made="first", size_wh=(128, 72)), picture(0))

    def full(key: str, there: Sequence[str]) -> None:
        raise RefusalError("room/full", what=" ".join((key, *there)), most=1)

    with pytest.raises(RefusalError, match="attic kitchen"):
        profiles.keep(CalibrationProfile(name="attic", made="second", size_wh=(128, 72)), picture(0), full)
    assert [each.key for each in profiles.stored()] == ["kitchen"]
    assert profiles.current().made == "first"


def test_a_profile_that_was_deleted_cannot_be_chosen(settled):
    settled.calibrator.forget("kitchen")
    with pytest.raises(RefusalError, match="no profile"):
        settled.calibrator.choose("kitchen")
    assert settled.profiles.current() is not None


def test_profiles_whose_files_would_be_called_the_same_stand_side_by_side(tmp_path):
    profiles = profiles_in(tmp_path)
    long = "the small table in the living room, " + "by the window"
    names = ["🏠", "🏖", "table", long, long.replace("window", "door"), "🏖", "Table "]
    for made, name in enumerate(names):
        profiles.keep(CalibrationProfile(name=name, made=str(made)), None)
    found = {each.profile.name: each.profile.made for each in profiles.stored()}
    assert found == {"🏠": "0", "🏖": "5", "Table ": "6", names[3]: "3", names[4]: "4"}
    assert [each.profile.name for each in profiles.stored() if each.active] == ["Table "]


@pytest.mark.parametrize("name", ["../../etc/passwd", "a/b", "", "Küche & Bad", "x" * 99])
def test_a_name_never_leaves_the_folder(name):
    key = key_of(name)
    assert key
    assert not set(key) & set("/\\. ")
    assert len(key) <= 40


def test_a_profile_in_a_renamed_file_is_used_and_deleted_and_leaves_others_their_picture(tmp_path):
    profiles = profiles_in(tmp_path)
    profiles.keep(CalibrationProfile(name="Kitchen", made="1", size_wh=(128, 72)), picture(10))
    shutil.copy(profiles.folder / "kitchen.json", profiles.folder / "Kitchen (Copy).json")
    (copy,) = (each.key for each in profiles.stored() if each.key != "kitchen")
    assert profiles.use(copy).name == "Kitchen"
    assert profiles.empty() is not None
    profiles.forget(copy)
    assert [each.key for each in profiles.stored()] == ["kitchen"]
    profiles.use("Kitchen")
    assert profiles.empty() is not None
    for key in (copy, "../profile", ""):
        with pytest.raises(RefusalError):
            profiles.forget(key)
