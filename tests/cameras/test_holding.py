"""Exposure, gain, white balance and focus are held, and restored at the next start."""

import cv2
import pytest

from messages.errors import CameraError
from messages.message import Message
from tests.cameras.worlds import Device, DeviceCapture, next_frame, trouble_of
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


def test_a_usb_camera_holds_what_it_can_and_says_what_it_cannot():
    device = Device()
    device.settings = dict(UVC)  # no focus: many cheap cameras have a fixed one
    with usb(device) as camera:
        held = camera.hold()
        next_frame(camera)
    assert held == Held((("exposure", 157.0), ("gain", 12.0), ("white_balance", 4300.0)), ("focus",))
    assert device.settings[cv2.CAP_PROP_AUTO_EXPOSURE] == 1
    assert device.settings[cv2.CAP_PROP_AUTO_WB] == 0
    assert (
        str(held.message)
        == "The camera's settings are held. It cannot hold its focus: keep the light as it is."
    )


@pytest.mark.parametrize("takes", [60.0, 157.0, 300.0, 900.0, 2500.0])
def test_a_usb_camera_that_does_not_say_how_it_exposes_is_held_as_bright(takes):
    """Its exposure and gain read as they come while the automatics run, whatever these have chosen."""
    device = Device()
    device.settings, device.takes = UVC | {cv2.CAP_PROP_GAIN: 0.0}, takes
    with usb(device) as camera:
        before = next_frame(camera)
        held = camera.hold()
        next_frame(camera)
        after = next_frame(camera)
    assert light_of(after.image) == pytest.approx(light_of(before.image), rel=0.25)
    controls = dict(held.controls)
    assert controls["exposure"] == device.settings[cv2.CAP_PROP_EXPOSURE] <= max(157.0, EXPOSURE_MOST)
    assert controls["gain"] == device.settings[cv2.CAP_PROP_GAIN]
    assert held.missing == ("focus",)


def test_an_exposure_that_cannot_be_held_so_is_left_to_the_camera():
    device = Device()
    device.settings, device.takes = dict(UVC), 1e6
    with usb(device) as camera:
        held = camera.hold()
    assert held == Held((("white_balance", 4300.0),), ("exposure", "focus"))
    assert device.settings[cv2.CAP_PROP_AUTO_EXPOSURE] == 3


FOCUSING = UVC | {cv2.CAP_PROP_AUTOFOCUS: 1.0, cv2.CAP_PROP_FOCUS: 0.0}


@pytest.mark.parametrize(
    ("name", "value", "automatic", "there", "held"),
    [
        ("focus", 0.0, cv2.CAP_PROP_AUTOFOCUS, {"sharp_at": 0.0}, True),
        ("focus", 0.0, cv2.CAP_PROP_AUTOFOCUS, {"sharp_at": 40.0}, False),
        ("white_balance", 4300.0, cv2.CAP_PROP_AUTO_WB, {"lit_by": 4300.0}, True),
        ("white_balance", 4300.0, cv2.CAP_PROP_AUTO_WB, {"lit_by": 2700.0}, False),
    ],
)
def test_a_setting_that_is_not_the_one_it_had_is_left_to_the_camera(name, value, automatic, there, held):
    device = Device()
    device.settings = dict(FOCUSING)
    vars(device).update(there)
    with usb(device) as camera:
        assert camera.hold((name,)) == (Held(((name, value),)) if held else Held((), (name,)))
    assert device.settings[automatic] == (not held)


@pytest.mark.parametrize("automatic", [3.0, 0.0])
def test_a_usb_camera_lets_its_automatics_run_again(automatic, monkeypatch):
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
        next_frame(camera)


def test_a_stream_holds_nothing_and_says_so():
    with usb(Device()) as camera:
        held = camera.hold()
        camera.release()
    assert held == Held((), EVERYTHING)
    assert str(held.message).startswith(
        "This camera holds no settings. It cannot hold its exposure, white balance or focus:"
    )


@pytest.mark.parametrize("autofocus", [True, False])
def test_the_pi_camera_holds_and_restores(device, autofocus):
    device.autofocus = autofocus
    with pi_camera() as camera:
        held = camera.hold()
        camera.release()
    holding: dict[str, object] = {"ExposureTime": 9998, "AeEnable": False, "AnalogueGain": 1.5}
    holding |= {"ColourGains": (1.8, 1.4), "AwbEnable": False}
    holding |= {"LensPosition": 2.5, "AfMode": 0} if autofocus else {}
    loose: dict[str, object] = {"AeEnable": True, "ExposureTime": 0, "AnalogueGain": 0.0, "AwbEnable": True}
    loose |= focus(autofocus)
    assert device.controls == [focus(autofocus), holding, loose]
    assert dict(held.controls)["ColourGains.red"] == 1.8
    assert ("LensPosition" in dict(held.controls)) == autofocus
    assert held.missing == ()
    again = pi_camera()
    again.keep(held.controls)
    with again:
        pass
    assert device.controls[3:] == [holding]


@pytest.mark.parametrize("autofocus", [True, False])
def test_what_is_held_outlasts_a_restart_and_what_is_kept_replaces_it(device, autofocus):
    device.autofocus = autofocus
    camera = pi_camera()
    camera.keep([("ExposureTime", 4000.0)])
    camera.start()
    camera.hold()

    def after_a_restart() -> dict[str, object]:
        before = len(device.controls)
        camera.stop()
        camera.start()
        return device.controls[before]

    again = after_a_restart()
    assert (again["ExposureTime"], again["AeEnable"]) == (4000, False)
    assert again.get("LensPosition") == (2.5 if autofocus else None)
    camera.keep((("ExposureTime", 7000.0), ("AnalogueGain", 2.0)))
    exposure = {"ExposureTime": 7000, "AeEnable": False}
    assert exposure.items() <= device.controls[-1].items()
    assert after_a_restart() == exposure | {"AnalogueGain": 2.0} | focus(autofocus)
    camera.keep(())
    assert {"ExposureTime": 0, "AeEnable": True, "AwbEnable": True}.items() <= device.controls[-1].items()
    assert after_a_restart() == focus(autofocus)
    camera.stop()


def focus(autofocus: bool) -> dict[str, object]:  # noqa: FBT001
    """What is set on a lens with a motor where no focus is held."""
    return {"AfMode": 2} if autofocus else {}


def test_a_usb_camera_keeps_other_settings_and_lets_the_rest_go():
    device = Device()
    device.settings = dict(UVC)
    with usb(device, (("exposure", 99.0), ("white_balance", 5000.0))) as camera:
        next_frame(camera)
        assert device.settings[cv2.CAP_PROP_AUTO_EXPOSURE] == 1
        assert device.settings[cv2.CAP_PROP_EXPOSURE] == 99
        assert device.settings[cv2.CAP_PROP_WB_TEMPERATURE] == 5000
        camera.keep((("white_balance", 6000.0),))
        assert device.settings[cv2.CAP_PROP_AUTO_EXPOSURE] == 3
        assert device.settings[cv2.CAP_PROP_WB_TEMPERATURE] == 6000
        assert device.settings[cv2.CAP_PROP_AUTO_WB] == 0
    device.settings |= {cv2.CAP_PROP_WB_TEMPERATURE: 1.0, cv2.CAP_PROP_AUTO_EXPOSURE: 1.0}
    with camera:
        next_frame(camera)
    assert device.settings[cv2.CAP_PROP_WB_TEMPERATURE] == 6000
    assert device.settings[cv2.CAP_PROP_AUTO_EXPOSURE] == 3, "of an earlier calibration: nobody holds it"


def test_a_camera_that_is_stopped_or_hangs_is_reported():
    device = Device()
    camera = usb(device)
    with pytest.raises(CameraError, match="not started"):
        camera.hold()
    camera.start()
    next_frame(camera)
    device.plug(plugged=False)
    assert "is gone" in trouble_of(camera)  # in the very moment it goes it may still answer
    with pytest.raises(CameraError, match="No answer from"):
        camera.hold(timeout_s=0.05)
    camera.stop()
