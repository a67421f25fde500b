"""Settings of the picture: what cameras do of them, and what they say they cannot."""

import struct
from collections.abc import Iterable
from pathlib import Path

import cv2
import numpy as np
import pytest

from messages.errors import BadInputError, CameraError
from messages.message import Message
from station.camera.camera_factory import open_camera, wanted_of
from station.config import Config, parse
from station.health import diagnosis
from tests.cameras.worlds import HEIGHT, WIDTH, Device, DeviceCapture, card, next_frame
from vision.cameras import capture, picamera
from vision.cameras.capture import CaptureSource
from vision.cameras.live import LiveCamera
from vision.cameras.wanted import CaptureSettings

EVERYTHING = CaptureSettings((WIDTH, HEIGHT), 15.0, 180, True, 50, True, True)  # noqa: FBT003 - all there is
RED, GREEN, BLUE = (0, 0, 230), (0, 230, 0), (230, 0, 0)


def pi_picture(wanted: CaptureSettings):
    """The first picture of a Pi camera, and what it refuses."""
    with picamera.pi_camera(wanted=wanted) as camera:
        return next_frame(camera).image, camera.refused, diagnosis.falls_short(camera)


def all_set(device: Device) -> dict[str, object]:
    """The last value of each control."""
    return {name: value for each in device.controls for name, value in each.items()}


@pytest.mark.usefixtures("device")
@pytest.mark.parametrize(
    ("rotation", "mirrored", "corner"),
    [(0, False, RED), (180, False, BLUE), (0, True, BLUE), (180, True, RED), (90, False, None)],
)
def test_a_picture_is_turned_and_mirrored(rotation, mirrored, corner):
    image, refused, _ = pi_picture(CaptureSettings(rotation=rotation, mirrored=mirrored))
    assert refused == ()
    if corner is None:
        assert image.shape == (WIDTH, HEIGHT, 3)
        assert tuple(image[4, 90]) == RED  # what was on the left is above now
    else:
        assert image.shape == (HEIGHT, WIDTH, 3)
        assert tuple(image[48, 10]) == corner


def test_a_pi_camera_gets_the_wanted_settings(device):
    device.hdr = True
    wanted = CaptureSettings(fps=15.0, flicker_hz=60, hdr=True, short_exposure=True)
    _, refused, short = pi_picture(wanted)
    assert refused == ()
    assert short is None
    assert device.configured["controls"]["FrameDurationLimits"] == (66667, 66667)
    assert all_set(device)["AeFlickerPeriod"] == 8333
    assert all_set(device)["AeFlickerMode"] == 1
    assert all_set(device)["AeExposureMode"] == 1
    assert all_set(device)["HdrMode"] == 3


@pytest.mark.parametrize(("fps", "refused"), [(40.0, ()), (60.0, ("fps",))])
def test_more_pictures_a_second_than_the_whole_sensor_gives_are_refused(device, fps, refused):
    device.model = "imx219"  # 41.85 of its whole field of view
    assert pi_picture(CaptureSettings(fps=fps))[1] == refused


def test_the_camera_of_another_number_is_opened_and_called_so(device):
    device.cameras = 2
    with picamera.pi_camera(wanted=CaptureSettings(number=1)) as camera:
        next_frame(camera)
        assert (device.opened, camera.name) == (1, "Pi camera 1")
        camera.want(CaptureSettings())
        assert camera.name == "Pi camera 0"
    device.cameras = 1
    with pytest.raises(CameraError, match="camera 1"), picamera.pi_camera(wanted=CaptureSettings(number=1)):
        pass
    assert capture.usb_camera(0, wanted=CaptureSettings(number=2)).name == "USB camera 2"


@pytest.mark.parametrize("heeds_ae_enable", [True, False])
def test_a_pi_camera_is_exposed_so_long_and_lets_the_rest_go(device, heeds_ae_enable):
    device.heeds_ae_enable = heeds_ae_enable
    with picamera.pi_camera(wanted=CaptureSettings(fps=20.0, exposure_ms=80)) as camera:
        next_frame(camera)
        assert camera.refused == ()
        assert device.configured["controls"]["FrameDurationLimits"] == (50000, 80000)
        assert all_set(device)["ExposureTime"] == 80000
        assert "AnalogueGain" not in all_set(device), "the gain follows the light"
        held = dict(camera.hold(("exposure",)).controls)
        assert held["ExposureTime"] == 80000
        camera.release()
        assert all_set(device)["ExposureTime"] == 80000
    calibrated = picamera.pi_camera()
    calibrated.keep([("ExposureTime", 7000.0), ("AnalogueGain", 8.0)])
    with calibrated as camera:
        assert dict(camera.hold(("exposure",)).controls)["ExposureTime"] == 7000
        camera.release()
        assert dict(camera.hold(("exposure",)).controls) == {"ExposureTime": 9998, "AnalogueGain": 1.5}


@pytest.mark.parametrize(("wanted_ms", "held"), [(80, False), (7, True), (None, True)])
def test_an_exposure_that_is_chosen_after_a_calibration_is_taken(device, wanted_ms, held):
    controls = [("ExposureTime", 7000.0), ("AnalogueGain", 8.0), ("LensPosition", 3.0)]
    calibrated = picamera.pi_camera(wanted=CaptureSettings(exposure_ms=wanted_ms))
    calibrated.keep(controls)
    with calibrated as camera:
        next_frame(camera)
        for _ in range(2):
            assert all_set(device)["ExposureTime"] == (7000 if held else 80000)
            assert all_set(device).get("AnalogueGain", 0.0) == (8.0 if held else 0.0), "0 lets it go"
            assert all_set(device)["LensPosition"] == 3.0
            camera.keep(controls)
    usb = Device()
    usb.settings = {cv2.CAP_PROP_AUTO_EXPOSURE: 3.0, cv2.CAP_PROP_EXPOSURE: 157.0, cv2.CAP_PROP_GAIN: 20.0}
    calibrated = usb_camera(usb, CaptureSettings(exposure_ms=wanted_ms))
    calibrated.keep([("exposure", 70.0), ("gain", 5.0)])
    with calibrated as camera:
        next_frame(camera)
    assert usb.settings[cv2.CAP_PROP_AUTO_EXPOSURE] == 1
    found = usb.settings[cv2.CAP_PROP_EXPOSURE], usb.settings[cv2.CAP_PROP_GAIN]
    assert found == ((70, 5) if held else (800, 20))


def test_a_usb_camera_is_exposed_in_units_of_its_driver():
    device = Device()
    device.settings = {cv2.CAP_PROP_AUTO_EXPOSURE: 3.0, cv2.CAP_PROP_EXPOSURE: 157.0}
    wanted = CaptureSettings(exposure_ms=5)
    with usb_camera(device, wanted) as camera:
        next_frame(camera)
        assert camera.refused == ()
        camera.release()
        next_frame(camera)
    assert device.settings == {cv2.CAP_PROP_AUTO_EXPOSURE: 1, cv2.CAP_PROP_EXPOSURE: 50}
    assert refused(wanted, EXPOSURE=157.0) == ("exposure_ms",)


@pytest.mark.usefixtures("device")
def test_a_board_without_hdr_says_so_though_it_has_the_control():
    _, refused, short = pi_picture(CaptureSettings(hdr=True))
    assert refused == ("hdr",)
    assert short == Message(
        "health/camera/refused",
        camera=Message("camera/name/pi", number="0"),
        settings=(Message("camera/picture/hdr"),),
    )


def test_the_wanted_size_is_the_requested_one(device):
    pi_picture(CaptureSettings(size_wh=(960, 540)))
    assert device.configured["main"]["size"] == (960, 540)


def unyielding(**settings: float) -> Device:
    """A USB camera whose driver has these properties, and changes none."""
    device = Device()
    device.fixed = True
    device.settings = {getattr(cv2, f"CAP_PROP_{name}"): value for name, value in settings.items()}
    return device


def usb_camera(device: Device, wanted: CaptureSettings, *, flicker: bool = True) -> LiveCamera:
    no_frame = Message("camera/no_frame")
    source = CaptureSource(device.capture, lambda: no_frame, wanted, lambda _hz: flicker)
    return LiveCamera(lambda _: source, "USB camera 0", wanted=wanted)


def refused(wanted: CaptureSettings, *, flicker: bool = True, **settings: float) -> tuple[str, ...]:
    with usb_camera(unyielding(**settings), wanted, flicker=flicker) as camera:
        next_frame(camera)
        return camera.refused


def test_a_usb_camera_does_size_rate_and_flicker_and_refuses_the_rest():
    there = {"FRAME_WIDTH": WIDTH, "FRAME_HEIGHT": HEIGHT, "FPS": 15.0}
    assert refused(EVERYTHING, **there) == ("hdr", "short_exposure")
    assert refused(EVERYTHING, flicker=False, **there)[0] == "flicker"
    assert refused(EVERYTHING, **there | {"FRAME_WIDTH": 640, "FPS": 30.0})[:2] == ("size", "fps")
    assert refused(CaptureSettings(), **there) == ()


def test_the_frequency_of_the_mains_is_set_as_v4l2_has_it(tmp_path, monkeypatch):
    """V4L2_CID_POWER_LINE_FREQUENCY is V4L2_CID_BASE + 24; 2 is 60 Hz (v4l2-controls.h)."""
    requests = []
    monkeypatch.setattr(capture.fcntl, "ioctl", lambda _file, request, data: requests.append((request, data)))
    device = tmp_path / "video0"
    device.write_bytes(b"")
    assert capture.set_flicker(device, 60)
    assert requests == [(0xC008561C, struct.pack("Ii", 0x00980900 + 24, 2))]


def test_a_device_that_has_no_such_setting_is_no_trouble(tmp_path):
    (tmp_path / "no-camera").write_bytes(b"")
    assert not capture.set_flicker(tmp_path / "no-camera", 50)
    assert not capture.set_flicker(tmp_path / "nothing", 50)


def sized(sizes: Iterable[tuple[int, int]], wanted_wh: tuple[int, int]) -> DeviceCapture:
    """A driver that has some sizes, and gives the one with the nearest number of pixels, as uvcvideo does."""
    pixels = wanted_wh[0] * wanted_wh[1]
    width, height = min(sizes, key=lambda size: abs(size[0] * size[1] - pixels))
    device = unyielding(FRAME_WIDTH=width, FRAME_HEIGHT=height)
    device.still = np.zeros((height, width, 3), np.uint8)
    return device.capture()


def test_a_camera_whose_driver_knows_no_rates_is_opened_all_the_same(monkeypatch):
    """Of what is asked for as it is opened everything has to be done, or OpenCV opens it not at all."""

    def opened(_: int, __: int, params: list[int]) -> DeviceCapture:
        driver = unyielding(FRAME_WIDTH=1280.0, FRAME_HEIGHT=720.0).capture()
        monkeypatch.setattr(driver, "isOpened", lambda: cv2.CAP_PROP_FPS not in params[::2])
        return driver

    monkeypatch.setattr(cv2, "VideoCapture", opened)
    with capture.usb_camera(0, wanted=CaptureSettings(fps=15)) as camera:
        next_frame(camera)
        assert camera.refused == ("fps",)


@pytest.mark.parametrize(
    ("sizes", "asked", "shape"),
    [
        (((960, 540), (1280, 720)), [(960, 540)], (540, 960)),
        (((800, 600), (1280, 720)), [(960, 540), (1280, 720)], (540, 960)),
        (((640, 480),), [(960, 540), (1280, 720)], (480, 640)),
    ],
)
def test_a_smaller_picture_that_nobody_named_is_made_where_the_camera_has_none(
    sizes, asked, shape, monkeypatch
):
    requested: list[tuple[int, int]] = []

    def opened(_: int, __: int, params: list[int]) -> DeviceCapture:
        size = dict(zip(params[::2], params[1::2], strict=True))
        requested.append((size[cv2.CAP_PROP_FRAME_WIDTH], size[cv2.CAP_PROP_FRAME_HEIGHT]))
        return sized(sizes, requested[-1])

    monkeypatch.setattr(cv2, "VideoCapture", opened)
    with capture.usb_camera(0, wanted=CaptureSettings(usual_wh=(960, 540))) as camera:
        assert next_frame(camera).image.shape[:2] == shape
        assert camera.refused == ()
    assert requested == asked


def test_settings_reach_the_camera_as_they_stand_in_the_file():
    config = parse({"picture": {"size": [960, 540], "rotation": 180, "flicker_hz": 50, "exposure": "short"}})
    assert wanted_of(config.picture) == CaptureSettings((960, 540), None, 180, False, 50, False, True)  # noqa: FBT003
    assert wanted_of(Config().picture) == CaptureSettings()


@pytest.mark.parametrize(
    "wrong", [{"rotation": 45}, {"size": [961, 540]}, {"size": [100, 100]}, {"flicker_hz": 55}, {"fps": 500}]
)
def test_settings_no_camera_can_have_are_refused(wrong):
    with pytest.raises(BadInputError, match="picture"):
        parse({"picture": wrong})


def test_a_recording_is_as_it_was_filmed(tmp_path: Path):
    cv2.imwrite(str(tmp_path / "1.png"), card())
    with open_camera(str(tmp_path), wanted=CaptureSettings(rotation=180)) as camera:
        frame = camera.read()
        assert frame is not None
        assert np.array_equal(frame.image, card())
