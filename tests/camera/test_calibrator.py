"""Calibration on the running station, played with the simulated tray."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.lens import VIEWS_GOOD, Lens
from messages.errors import CameraError, RefusalError
from simulator.draw import draw
from simulator.person import SimulatedPerson
from simulator.scene import SceneHand
from station.camera.calibrator import Calibrator
from station.camera.camera_access import CameraAccess
from station.camera.held_settings import HeldSettings
from tests.calibration.scenes import board_view
from tests.camera.stand import DICE, Settings, Table, corners_of, truth
from vision.frame import Frame
from vision.reader import Reader
from vision.reading import Reading, Status


def test_four_presses_make_a_profile_that_is_used(made):
    _, table, report = made
    assert (table.used, report.saved, report.active.name) == (1, True, "Kitchen")
    assert report.tray.tray_mm == pytest.approx([280, 200], abs=1.0)
    assert report.light.good, report.light
    assert report.dice.count == DICE
    assert report.dice.edge_mm == pytest.approx([16, 16], abs=1.2)
    profile = table.profiles.current()
    assert profile is not None
    assert (profile.camera, profile.size_wh) == (table.tray.name, (1280, 720))
    assert table.profiles.empty() is not None
    assert np.abs(corners_of(table) - truth(table)).max() < 1.5
    assert [(each.key, each.active) for each in table.profiles.stored()] == [("kitchen", True)]


@pytest.mark.thorough
def test_the_automatics_run_from_the_first_step_to_the_second(settled):
    camera = Settings(("exposure", 157.0))
    settings = HeldSettings(camera, tuple)
    calibrator = Calibrator(
        CameraAccess(settled.frames, lambda: settled.tray.name, lambda: DICE, settings=settings),
        settled.profiles,
        use=settled.use,
        now=settled.day,
    )
    settled.tray.clear()
    calibrator.find_tray([tuple(map(float, point)) for point in truth(settled)], width_mm=280)
    assert camera.received == ["release", "focus"], "hands come in next"
    calibrator.learn_empty()
    assert camera.received == ["release", "focus", "exposure white_balance focus"]
    calibrator.save("Kitchen")
    profile = settled.profiles.current()
    assert profile is not None
    assert profile.controls == (("exposure", 157.0),)
    settings.end()  # or its timer runs down in the middle of another test


def test_corners_by_hand_need_a_width(table):
    corners = [tuple(map(float, point)) for point in truth(table)]
    report = table.calibrator.find_tray(corners, width_mm=280)
    assert report.tray.tray_mm == pytest.approx([280, 200], rel=0.06)
    with pytest.raises(RefusalError, match="how wide"):
        table.calibrator.find_tray(corners)


@pytest.mark.parametrize("step", ["learn_empty", "learn_dice"])
def test_no_step_before_the_tray_is_found(table, step):
    with pytest.raises(RefusalError, match="Find the tray first"):
        getattr(table.calibrator, step)()


@pytest.mark.thorough
def test_a_failed_calibration_leaves_the_one_in_use(settled, monkeypatch):
    file = settled.profiles.active.read_bytes()
    monkeypatch.setattr(SimulatedPerson, "lay_markers", lambda person: person.clear())
    with pytest.raises(RefusalError, match="No marker"):
        settled.calibrator.find_tray()
    assert settled.profiles.active.read_bytes() == file
    assert settled.used == 0


@pytest.mark.slow
def test_a_die_left_in_the_tray_is_noticed_and_a_person_may_say_that_it_is_a_pattern(table, monkeypatch):
    table.calibrator.find_tray()
    with pytest.raises(RefusalError, match="empty tray first"):
        table.calibrator.save("Kitchen")
    assert table.profiles.current() is None
    assert table.used == 0
    monkeypatch.setattr(SimulatedPerson, "clear", lambda person: person.throw(DICE))
    with pytest.raises(RefusalError, match="in the tray; take everything out") as refused:
        table.calibrator.learn_empty()
    assert refused.value.code == "calibration/empty"
    assert not table.calibrator.state().empty
    assert table.calibrator.learn_empty(surely_empty=True).empty


@pytest.mark.slow
@pytest.mark.parametrize("step", ["learn_empty", "relearn"])
def test_a_hand_that_rests_in_the_tray_is_noticed(settled, step, monkeypatch):
    settled.calibrator.find_tray()
    image = draw(replace(settled.tray.scene, things=(), hand=SceneHand((20.0, 0.0), 1.4))).image
    monkeypatch.setattr(settled.frames, "next_frames", lambda count, _: [Frame(image, 0.0, 0)] * count)
    learn = getattr(settled.calibrator, step)
    with pytest.raises(RefusalError, match="A hand or an arm") as refused:
        learn()
    assert refused.value.code == "calibration/empty"
    assert learn(surely_empty=True)


def test_a_camera_that_is_gone_is_reported(settled):
    settled.frames.broken = True
    with pytest.raises(CameraError, match="No picture from"):
        settled.calibrator.find_tray()
    assert settled.calibrator.state().active.name == "Kitchen"


def face_of_each(table: Table) -> list[int]:
    """What is read of a throw."""
    return [die.face for die in table.calibrator.read_throw().check.reading.dice]


@pytest.mark.thorough
def test_a_check_counts_what_a_person_confirms_or_corrects(settled, monkeypatch):
    read = face_of_each(settled)
    assert sorted(read) == sorted(die.face for die in settled.tray.truth())
    checked = settled.calibrator.check(read).check
    assert (checked.throws, checked.dice, checked.wrong, checked.reading) == (1, DICE, 0, None)
    with pytest.raises(RefusalError, match="Roll first"):
        settled.calibrator.check(read)
    read = face_of_each(settled)
    with pytest.raises(RefusalError, match=f"{DICE} dice were read; say of each what it shows"):
        settled.calibrator.check(read[1:])
    checked = settled.calibrator.check([read[0] % 6 + 1, *read[1:]]).check
    assert (checked.throws, checked.wrong) == (2, 1)
    checked = settled.calibrator.check([None, *face_of_each(settled)[1:]], missed=[4]).check
    assert (checked.throws, checked.dice, checked.wrong) == (3, 3 * DICE + 1, 3)
    # What the station did not claim to be sure of cannot be wrong.
    monkeypatch.setattr(Reader, "read", lambda *_: Reading(Status.UNSURE))
    settled.calibrator.read_throw()
    checked = settled.calibrator.check([], missed=[1, 2, 3, 4, 5]).check
    assert (checked.throws, checked.dice, checked.wrong, checked.unsure) == (4, 3 * DICE + 1, 3, 1)


@pytest.mark.thorough
def test_a_tray_that_is_found_again_keeps_its_dice(settled):
    found = settled.calibrator.find_tray()
    assert found.dice.count == DICE
    settled.calibrator.learn_empty()
    settled.calibrator.save("kitchen")
    profile = settled.profiles.current()
    assert profile is not None
    assert profile.dice is not None
    assert profile.dice.count == DICE
    assert profile.die_mm == pytest.approx(16.0, rel=0.03)


@pytest.mark.slow
def test_a_simulated_person_holds_the_board_until_the_lens_is_known(table):
    for _ in range(VIEWS_GOOD + 1):
        lens = table.calibrator.add_view().lens
    assert lens.enough, lens
    assert "very well" in str(table.calibrator.solve_lens().lens.known)
    found = table.calibrator.find_tray()
    assert np.abs(np.array(found.tray.outline) - truth(table)).max() < 1.0
    table.calibrator.add_view()
    table.calibrator.forget_views()
    assert not table.tray.scene.things


def test_a_picture_without_the_board_is_no_view(table, monkeypatch):
    monkeypatch.setattr(SimulatedPerson, "hold_board", lambda person: person.clear())
    with pytest.raises(RefusalError, match="Too little of the board"):
        table.calibrator.add_view()
    assert table.calibrator.state().lens.views == 0
    with pytest.raises(RefusalError, match="Views so far"):
        table.calibrator.solve_lens()


def test_views_of_the_board_in_pictures_of_another_size_begin_anew(table, monkeypatch):
    seen = Lens((800, 600), (690.0, 690.0), (405.0, 296.0), (-0.2, 0.01, 0.0, 0.0, 0.0))
    poses = (((0.1, 0.2, 0.0), (-90.0, -60.0, 300.0)), ((-0.4, 0.3, 0.2), (-60.0, -90.0, 260.0)))
    views = [board_view(seen, *pose, 1) for pose in poses]
    smaller = np.asarray(cv2.resize(views[0], (640, 480), interpolation=cv2.INTER_AREA), np.uint8)
    images = iter([*views, views[1], smaller])
    monkeypatch.setattr(table.frames, "next_frames", lambda count, _: [Frame(next(images), 0.0, 0)] * count)
    access = CameraAccess(table.frames, lambda: "board", lambda: DICE)
    calibrator = Calibrator(access, table.profiles, use=table.use, now=table.day)
    assert [calibrator.add_view().lens.views for _ in range(2)] == [1, 2]
    with pytest.raises(RefusalError, match="elsewhere"):
        calibrator.add_view()  # the same view twice
    assert calibrator.add_view().lens.views == 1
