"""Calibration on the real station, over HTTP, and what the watcher gives it."""

import random
from pathlib import Path

import pytest

from calibration.profile import Profile
from messages.errors import CameraError
from simulator import SimulatedTray
from station.camera.watcher import Watcher
from station.table.table import Table
from tests.process.station import RunningStation


def post(station: RunningStation, step: str, **fields: object) -> dict:
    status, answer = station.post(f"/api/v1/calibration/{step}", fields)
    assert status == 200, answer
    return answer


@pytest.mark.slow
def test_a_station_is_calibrated_and_read_with_at_once(tmp_path: Path) -> None:
    with RunningStation(tmp_path / "data") as station:
        assert post(station, "tray")["tray"] is not None
        assert post(station, "empty")["empty"] is True
        post(station, "dice")
        assert post(station, "save", name="kitchen")["saved"] is True
        profile = Profile.load(tmp_path / "data" / "profile.json")
        assert (profile.name, profile.camera) == ("kitchen", "simulated tray")
        station.send("start_game", players=["Ana"], rules="yacht-1938")
        station.send("throw", faces=[1, 2, 3, 4, 6])
        state = station.wait_for(lambda state: "accept_roll" in state["commands"])
        assert state["reading"]["faces"] == [1, 2, 3, 4, 6]
        assert state["camera"] == {"name": "simulated tray", "ok": True, "message": ""}


def test_a_camera_without_pictures_is_said() -> None:
    watcher = Watcher(SimulatedTray(random.Random(1)), Table())
    assert watcher.frame() is None
    with pytest.raises(CameraError, match="No picture from"):
        watcher.next_frames(1, 0.0)
