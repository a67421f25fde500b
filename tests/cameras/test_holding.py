"""Exposure, gain, white balance and focus are held, and restored at the next start."""

import sys
from typing import NoReturn

import cv2
import pytest

from messages.errors import CameraError
from messages.message import Message
from tests.cameras import fake_picamera2
from tests.cameras.worlds import DEADLINE_S, Device, DeviceCapture, card
from vision.cameras.capture import CaptureSource
from vision.cameras.held_picture import EXPOSURE_MOST, light_of
from vision.cameras.live import EVERYTHING, Held, LiveCamera
from vision.cameras.picamera import pi_camera

UVC = {
    cv2.CAP_PROP_AUTO_EXPOSURE: 3.0,
    cv2.CAP_PROP_EXPOSURE: 157.0,
    cv2.CAP_PROP_GAIN: 12.0,
    cv2.CAP_PROP_AUTO_WB: 1.0,
    cv2.CAP_PROP_WB_TEMPERATURE: 4300.0,
}


def usb(device: Device, controls: tuple[tuple[str, float], ...] = ()) -> LiveCamera:
    camera = LiveCamera(
        lambda _: CaptureSource(device.capture, lambda: Message("camera/crashed")), "USB camera 0"
    )
    camera.keep(controls)
    return camera


def read_on(camera: LiveCamera) -> NoReturn:
    while True:
        camera.read(timeout_s=0.05)


def test_a_usb_camera_holds_what_it_can_and_says_what_it_cannot() -> None:
    device = Device()
    device.settings = dict(UVC)  # no focus: many cheap cameras have a fixed one
    with usb(device) as camera:
        held = camera.hold()
        assert camera.read(timeout_s=DEADLINE_S) is not None, "it goes on filming"
    assert held == Held((("exposure", 157.0), ("gain", 12.0), ("white_balance", 4300.0)), ("focus",))
    assert device.settings[cv2.CAP_PROP_AUTO_EXPOSURE] == 1
    assert device.settings[cv2.CAP_PROP_AUTO_WB] == 0
    assert (
        str(held.message)
        == "The camera's settings are held. It cannot hold its focus: keep the light as it is."
    )


@pytest.mark.parametrize("takes", [60.0, 157.0, 300.0, 900.0, 2500.0])
def test_a_usb_camera_that_does_not_say_how_it_exposes_is_held_as_bright(takes: float) -> None:
    """Its exposure and gain read as they come while the automatics run, whatever these have chosen."""
    device = Device()
    device.settings, device.takes = UVC | {cv2.CAP_PROP_GAIN: 0.0}, takes
    with usb(device) as camera:
        before = camera.read(timeout_s=DEADLINE_S)
        held = camera.hold()
        after = camera.read(timeout_s=DEADLINE_S)
        again = camera.read(timeout_s=DEADLINE_S)
    assert before is not None
    assert after is not None
    assert again is not None
    assert light_of(again.image) == pytest.approx(light_of(before.image), rel=0.25)
    told = dict(held.controls)
    assert told["exposure"] == device.settings[cv2.CAP_PROP_EXPOSURE] <= max(157.0, EXPOSURE_MOST)
    assert told["gain"] == device.settings[cv2.CAP_PROP_GAIN]
    assert held.missing == ("focus",)


def test_an_exposure_that_cannot_be_held_so_is_left_to_the_camera() -> None:
    device = Device()
    device.settings, device.takes = dict(UVC), 1e6
    with usb(device) as camera:
        held = camera.hold()
    assert held == Held((("white_balance", 4300.0),), ("exposure", "focus"))
    assert device.settings[cv2.CAP_PROP_AUTO_EXPOSURE] == 3


FOCUSING = UVC | {cv2.CAP_PROP_AUTOFOCUS: 1.0, cv2.CAP_PROP_FOCUS: 0.0}


@pytest.mark.parametrize(("sharp_at", "held"), [(0.0, True), (40.0, False)])
def test_a_focus_that_is_not_the_one_it_had_is_left_to_the_camera(sharp_at: float, held: bool) -> None:  # noqa: FBT001
    """Some read as they come here, too: held so, the tray would be blurred from then on."""
    device = Device()
    device.settings, device.sharp_at = dict(FOCUSING), sharp_at
    with usb(device) as camera:
        found = camera.hold(("focus",))
    assert found == (Held((("focus", 0.0),)) if held else Held((), ("focus",)))
    assert device.settings[cv2.CAP_PROP_AUTOFOCUS] == (not held)


@pytest.mark.parametrize(("lit_by", "held"), [(4300.0, True), (2700.0, False)])
def test_a_white_balance_that_is_not_the_one_it_had_is_left_to_the_camera(lit_by: float, held: bool) -> None:  # noqa: FBT001
    device = Device()
    device.settings, device.lit_by = dict(UVC), lit_by
    with usb(device) as camera:
        found = camera.hold(("white_balance",))
    assert found == (Held((("white_balance", 4300.0),)) if held else Held((), ("white_balance",)))
    assert device.settings[cv2.CAP_PROP_AUTO_WB] == (not held)


@pytest.mark.parametrize("automatic", [3.0, 0.0])
def test_a_usb_camera_lets_its_automatics_run_again(
    automatic: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    device = Device()
    held = {cv2.CAP_PROP_AUTO_EXPOSURE: 1.0, cv2.CAP_PROP_AUTO_WB: 0.0, cv2.CAP_PROP_AUTOFOCUS: 0.0}
    loose = {cv2.CAP_PROP_AUTO_EXPOSURE: automatic, cv2.CAP_PROP_AUTO_WB: 1.0, cv2.CAP_PROP_AUTOFOCUS: 1.0}
    told = DeviceCapture.set

    def picky(capture: DeviceCapture, prop: int, value: float) -> bool:
        """As cameras are: each knows one of the two automatics of exposure."""
        known = prop != cv2.CAP_PROP_AUTO_EXPOSURE or value in {1, automatic}
        return known and told(capture, prop, value)

    monkeypatch.setattr(DeviceCapture, "set", picky)
    device.settings = UVC | held  # of an earlier calibration: a camera keeps it until it loses its power
    with usb(device) as camera:
        assert loose.items() <= device.settings.items(), "opened with nothing to hold"
        camera.hold()
        assert held.items() <= device.settings.items()
        camera.release()
        assert loose.items() <= device.settings.items()
        assert camera.read(timeout_s=DEADLINE_S) is not None, "it goes on filming"


def test_what_was_held_is_restored_at_the_next_start() -> None:
    device = Device()
    device.settings = dict(UVC)
    with usb(device, (("exposure", 99.0), ("white_balance", 5000.0))) as camera:
        assert camera.read(timeout_s=DEADLINE_S) is not None
    assert device.settings[cv2.CAP_PROP_AUTO_EXPOSURE] == 1
    assert device.settings[cv2.CAP_PROP_EXPOSURE] == 99
    assert device.settings[cv2.CAP_PROP_WB_TEMPERATURE] == 5000


def test_a_stream_holds_nothing_and_says_so() -> None:
    with usb(Device()) as camera:
        held = camera.hold()
        camera.release()
    assert held == Held((), EVERYTHING)
    assert str(held.message).startswith(
        "This camera holds no settings. It cannot hold its exposure, white balance or focus:"
    )


@pytest.mark.parametrize("autofocus", [True, False])
def test_the_pi_camera_holds_and_restores(monkeypatch: pytest.MonkeyPatch, autofocus: bool) -> None:  # noqa: FBT001
    device = Device()
    device.autofocus = autofocus
    monkeypatch.setitem(sys.modules, "picamera2", fake_picamera2.module(device))
    with pi_camera() as camera:
        held = camera.hold()
        camera.release()
    told: dict[str, object] = {"ExposureTime": 9998, "AeEnable": False, "AnalogueGain": 1.5}
    told |= {"ColourGains": (1.8, 1.4), "AwbEnable": False}
    told |= {"LensPosition": 2.5, "AfMode": 0} if autofocus else {}
    loose: dict[str, object] = {"AeEnable": True, "ExposureTime": 0, "AnalogueGain": 0.0, "AwbEnable": True}
    loose |= {"AfMode": 2} if autofocus else {}
    start = {"AfMode": 2} if autofocus else {}
    assert device.controls == [start, told, loose]
    assert dict(held.controls)["ColourGains.red"] == 1.8
    assert ("LensPosition" in dict(held.controls)) == autofocus
    assert held.missing == ()
    again = pi_camera()
    again.keep(held.controls)
    with again:
        pass
    assert device.controls == [start, told, loose, told]


@pytest.mark.parametrize("autofocus", [True, False])
def test_what_is_held_outlasts_a_restart_and_what_is_kept_replaces_it(
    monkeypatch: pytest.MonkeyPatch,
    autofocus: bool,  # noqa: FBT001
) -> None:
    """Another picture was chosen, or the cable was pulled: the camera is stopped and started again."""
    device = Device()
    device.autofocus = autofocus
    monkeypatch.setitem(sys.modules, "picamera2", fake_picamera2.module(device))
    camera = pi_camera()
    camera.keep([("ExposureTime", 4000.0)])
    camera.start()
    camera.hold()
    for kept in (None, (("ExposureTime", 7000.0), ("AnalogueGain", 2.0)), ()):
        if kept is not None:
            camera.keep(kept)
        at_once, before = told_last(device), len(device.controls)
        camera.stop()
        camera.start()
        again = device.controls[before]
        if kept is None:
            assert (again["ExposureTime"], again["AeEnable"]) == (4000, False)
            assert again.get("LensPosition") == (2.5 if autofocus else None)
        elif kept:
            assert (at_once["ExposureTime"], at_once["AeEnable"]) == (7000, False)
            assert again == {"ExposureTime": 7000, "AnalogueGain": 2.0, "AeEnable": False} | focus(autofocus)
        else:
            assert (at_once["ExposureTime"], at_once["AeEnable"], at_once["AwbEnable"]) == (0, True, True)
            assert again == focus(autofocus)
    camera.stop()


def told_last(device: Device) -> dict[str, object]:
    """What the camera was told last."""
    return device.controls[-1]


def focus(autofocus: bool) -> dict[str, object]:  # noqa: FBT001
    """What a lens with a motor is told where no focus is held."""
    return {"AfMode": 2} if autofocus else {}


def test_a_usb_camera_keeps_other_settings_and_lets_the_rest_go() -> None:
    device = Device()
    device.settings = dict(UVC)
    with usb(device, (("exposure", 99.0), ("white_balance", 5000.0))) as camera:
        camera.keep((("white_balance", 6000.0),))
        assert device.settings[cv2.CAP_PROP_AUTO_EXPOSURE] == 3
        assert device.settings[cv2.CAP_PROP_WB_TEMPERATURE] == 6000
        assert device.settings[cv2.CAP_PROP_AUTO_WB] == 0
    device.settings |= {cv2.CAP_PROP_WB_TEMPERATURE: 1.0, cv2.CAP_PROP_AUTO_EXPOSURE: 1.0}
    with camera:
        assert camera.read(timeout_s=DEADLINE_S) is not None
    assert device.settings[cv2.CAP_PROP_WB_TEMPERATURE] == 6000
    assert device.settings[cv2.CAP_PROP_AUTO_EXPOSURE] == 3, "of an earlier calibration: nobody holds it"


def test_a_camera_that_is_stopped_or_hangs_is_said() -> None:
    device = Device()
    camera = usb(device)
    with pytest.raises(CameraError, match="not started"):
        camera.hold()
    camera.start()
    assert camera.read(timeout_s=DEADLINE_S) is not None
    device.plug(plugged=False)
    with pytest.raises(CameraError, match="is gone"):  # in the very moment it goes it may still answer
        read_on(camera)
    with pytest.raises(CameraError, match="No answer from"):
        camera.hold(timeout_s=0.05)
    camera.stop()
    assert card().shape[2] == 3
