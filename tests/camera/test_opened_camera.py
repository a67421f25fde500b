"""The camera of the settings, and what came too late for them."""

from station.camera import opened_camera
from station.camera.opened_camera import OpenedCamera
from station.config import parse
from station.contract.check import Level
from station.contract.view import DeviceView
from station.health.diagnosis import watched
from vision.cameras import real_camera_factory


def test_a_camera_that_is_plugged_in_after_the_start_is_reported(tmp_path, monkeypatch):
    there: dict[int, None] = {}
    monkeypatch.setattr(real_camera_factory, "camera_count", lambda: 0)
    monkeypatch.setattr(real_camera_factory, "usb_devices", dict)
    monkeypatch.setattr(opened_camera, "usb_devices", lambda: there)
    auto = OpenedCamera(parse({"data": str(tmp_path), "camera": "auto"}))
    drawn = OpenedCamera(parse({"data": str(tmp_path), "camera": "simulated"}))
    seen = DeviceView("simulated tray", ok=True)
    assert auto.came == ()
    assert watched(seen, 0.1, auto.camera, auto.came).status is Level.OK
    there[2] = None
    found = watched(seen, 0.1, auto.camera, auto.came)
    assert found.status is Level.WARNING
    assert str(found.message) == (
        "A camera is here now (USB camera 2). Restart the station to read real dice."
    )
    assert drawn.came == (), "it was asked for"


def test_before_there_is_a_camera_health_says_just_that(tmp_path):
    camera = OpenedCamera(parse({"data": str(tmp_path), "camera": "simulated"})).camera
    found = watched(DeviceView(), None, camera)
    assert (found.status, str(found.message)) == (Level.INFO, "No camera yet.")
