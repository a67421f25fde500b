"""Calibration with the camera of the running station: three presses with the simulated tray."""

import random
from contextlib import contextmanager
from datetime import UTC, datetime

import numpy as np
import pytest

from calibration.profile import Profile
from station.calibrating import Calibrating
from station.errors import BadInputError, CameraError, RefusalError
from station.table import Table
from station.watcher import Watcher
from vision.cameras.live import Held
from vision.cameras.simulated import SimulatedTray
from vision.frame import Frame

NOON = datetime(2026, 1, 6, 12, 0, tzinfo=UTC)


@contextmanager
def watching(tray, table):
    watcher = Watcher(tray, table)
    watcher.start()
    try:
        yield watcher
    finally:
        assert watcher.stop(30.0)


class Pictures:
    """A camera that always gives the same picture."""

    def __init__(self, image):
        self.image = image

    def next_frames(self, count, timeout_s):
        assert timeout_s > 0
        return [Frame(self.image, float(i), i) for i in range(count)]


def desk(frames, path, tray=None, saved=lambda: None):
    return Calibrating(
        frames, "simulated tray", path, dice=lambda: 5, saved=saved, now=lambda: NOON, tray=tray
    )


@pytest.mark.slow
def test_three_presses_with_the_simulated_tray(tmp_path):
    tray = SimulatedTray(random.Random(4), fps=20, pace=5)
    path, saved = tmp_path / "profile.json", []
    with watching(tray, Table()) as watcher:
        calibrating = desk(watcher, path, tray, lambda: saved.append(path.exists()))
        assert calibrating.state()["words"].startswith("Lay the four printed markers")
        assert calibrating.find_tray()["step"] == "empty"
        assert calibrating.learn_empty()["step"] == "dice"
        state = calibrating.learn_dice()
    assert (state["step"], len(state["said"]), saved) == ("done", 3, [True])
    profile = Profile.load(path)
    assert profile.tray_mm == pytest.approx((280, 200), abs=3)
    assert (profile.camera, profile.dice.count, profile.reference) == (
        "simulated tray",
        5,
        "profile.empty.png",
    )
    assert calibrating.begin() == {
        "step": "tray",
        "words": "Lay the four printed markers into the tray's corners.",
        "said": [],
    }


def test_a_step_that_fails_changes_nothing(tmp_path):
    path = tmp_path / "profile.json"
    path.write_text("the one in use")
    calibrating = desk(Pictures(np.full((480, 640, 3), 90, np.uint8)), path)
    with pytest.raises(BadInputError):
        calibrating.find_tray()
    assert calibrating.state()["step"] == "tray"
    with pytest.raises(RefusalError, match="First: Lay the four printed markers"):
        calibrating.learn_empty()
    assert calibrating.set_corners([(80, 60), (560, 60), (560, 420), (80, 420)], 280.0)["step"] == "empty"
    with pytest.raises(RefusalError, match="First: Take everything out"):
        calibrating.learn_dice()
    calibrating.learn_empty()
    with pytest.raises(BadInputError):
        calibrating.learn_dice()
    assert calibrating.state()["step"] == "dice"
    assert path.read_text() == "the one in use"


def test_a_camera_without_pictures_is_said(tmp_path):
    watcher = Watcher(SimulatedTray(random.Random(1)), Table())
    with pytest.raises(CameraError, match="gives no pictures"):
        watcher.next_frames(1, 0.0)
    assert desk(watcher, tmp_path / "profile.json").state()["step"] == "tray"


def test_the_camera_is_told_to_keep_its_settings(tmp_path):
    held = Held((("exposure", 120.0),), ())
    calls = []

    def hold():
        calls.append(1)
        return held

    path = tmp_path / "profile.json"
    frames = Pictures(np.full((480, 640, 3), 90, np.uint8))
    calibrating = Calibrating(
        frames, "USB camera 0", path, dice=lambda: 5, saved=lambda: None, now=lambda: NOON, hold=hold
    )
    calibrating.set_corners([(80, 60), (560, 60), (560, 420), (80, 420)], 280.0)
    assert held.in_words in calibrating.learn_empty()["said"][-1]
    assert calls == [1]
    assert calibrating._session.profile().controls == held.controls
