"""Every module of Raspberry Pi is opened so that its whole field of view is in the picture, and is sharp."""

import itertools
import math

import cv2
import pytest

from messages.message import Message
from station.contract.check import Level
from station.health import diagnosis
from tests.cameras import fake_picamera2
from tests.cameras.network_camera import endless_stream
from tests.cameras.worlds import Device, next_frame
from vision.cameras.capture import CaptureSource, has_autofocus
from vision.cameras.live import SILENT_S, LiveCamera
from vision.cameras.network import stream_camera
from vision.cameras.picamera import FPS, PicameraSource, pi_camera
from vision.cameras.sensors import PICTURE_WH, SENSORS, FieldOfView, SensorMode, whole_mode

each = pytest.mark.parametrize("sensor", SENSORS, ids=lambda sensor: sensor.model)


def opened(
    size_wh: tuple[int, int] = PICTURE_WH, controls: tuple[tuple[str, float], ...] = ()
) -> PicameraSource:
    source = PicameraSource(0, size_wh, FPS)
    source.keep(controls)
    source.open()
    assert source.grab() is not None
    return source


def share_by_size_alone(device: Device) -> tuple[float, float]:
    """Width and height that a camera sees of its sensor where only the size of the picture is set."""
    camera = fake_picamera2.module(device).Picamera2(0)
    camera.configure(camera.create_video_configuration(main={"size": PICTURE_WH}))
    camera.start()
    crop: tuple[int, int, int, int] = camera.wait(camera.capture_metadata(wait=False), 1.0)["ScalerCrop"]
    width, height = camera.camera_properties["PixelArraySize"]
    camera.close()
    return round(crop[2] / width, 2), round(crop[3] / height, 2)


@each
@pytest.mark.parametrize("size_wh", [PICTURE_WH, (1280, 960), (640, 480), (1920, 1080)])
def test_the_camera_shows_all_that_a_picture_of_that_shape_can(device, sensor, size_wh):
    device.model = sensor.model
    source = opened(size_wh)
    assert source.view is not None
    assert source.view.whole
    assert source.view.across_deg is not None
    assert source.view.along_deg is not None
    # A pinhole with square pixels, within what the makers round.
    width, height = (math.tan(math.radians(angle) / 2) for angle in source.view[1:] if angle)
    assert width / height == pytest.approx(size_wh[0] / size_wh[1], rel=0.05)
    source.close()


@pytest.mark.parametrize(
    ("model", "size_wh", "by_size_alone"),
    [
        ("imx708", (2304, 1296), (0.67, 0.67)),
        ("imx708_noir", (2304, 1296), None),
        ("imx708_wide_noir", (2304, 1296), None),
        ("imx219", (1640, 1232), (0.59, 0.44)),
        ("ov5647", (1296, 972), (0.74, 0.56)),
        ("imx477", (2028, 1520), (0.95, 0.71)),
        ("imx296", (1456, 1088), None),
        ("imx500", (2028, 1520), None),
    ],
)
def test_the_mode_is_named_as_the_size_of_the_picture_alone_gets_a_part_of_it(
    device, model, size_wh, by_size_alone
):
    device.model = model
    source = opened()
    assert device.configured["sensor"]["output_size"] == size_wh
    source.close()
    assert by_size_alone in {None, share_by_size_alone(device)}


@each
def test_the_modes_of_a_sensor_lie_on_it_and_the_last_one_is_all_of_it(sensor):
    for mode in sensor.modes:
        left, top, width, height = mode.crop_xywh
        assert left + width <= sensor.native_wh[0]
        assert top + height <= sensor.native_wh[1]
        assert mode.binning in {1, 2, 4}
        assert (width, height) == pytest.approx([mode.binning * side for side in mode.size_wh], rel=0.01)
    assert sensor.modes[-1].size_wh == sensor.native_wh


def test_a_fast_mode_is_preferred_to_a_fine_one_and_a_part_to_nothing():
    whole, fine = (
        SensorMode((800, 600), (0, 0, 1600, 1200), 30),
        SensorMode((1600, 1200), (0, 0, 1600, 1200), 10),
    )
    part = SensorMode((800, 600), (400, 300, 800, 600), 60)
    assert whole_mode((fine, whole, part), (1600, 1200), (1200, 900), 20) == whole
    assert whole_mode((fine, whole, part), (1600, 1200), (1200, 900), 10) == fine
    assert whole_mode((part,), (1600, 1200), (1200, 900), 20) is None


def test_an_unknown_sensor_lists_its_modes_and_one_without_a_raw_stream_has_none(device):
    device.model = "imx999"
    source = opened()
    assert device.configured["sensor"]["output_size"] == (2304, 1296)
    assert source.view == FieldOfView(1.0), "its lens is not known"
    source.close()
    device.model = fake_picamera2.VIRTUAL
    source = opened()
    assert source.view is None
    source.close()


@pytest.mark.parametrize(
    ("model", "seen", "advice"),
    [
        ("imx219", "59%", "; 'yacht height --angle 39x22' says how high."),
        ("imx999", "67%", ", until the whole tray is in the picture."),
    ],
)
def test_the_doctor_says_when_only_a_part_is_seen(device, monkeypatch, model, seen, advice):
    device.model = model
    assert diagnosis.camera(pi_camera(), simulated=False).status is Level.OK
    monkeypatch.setattr("vision.cameras.picamera.whole_mode", lambda *_: None)
    check = diagnosis.camera(pi_camera(), simulated=False)
    assert check.status is Level.WARNING
    assert str(check.message) == (
        f"Pi camera 0 shows only {seen} of what its lens sees in width or height. Hang it higher{advice}"
    )


# -- focus -----------------------------------------------------------------------------------------------


def test_a_lens_with_a_motor_focuses_by_itself_until_its_focus_is_held(device):
    source = opened()
    assert device.controls == [{"AfMode": 2}]
    held = source.hold(("focus",))
    assert held.controls == (("LensPosition", 2.5),), "not one on the way there"
    assert held.missing == ()
    assert device.controls[-1] == {"LensPosition": 2.5, "AfMode": 0}
    device.sharp_at = 7.0  # a hand comes near
    assert dict(source.hold().controls)["LensPosition"] == 2.5, "it stays where the tray is sharp"
    source.close()
    source.open()
    assert device.controls[-1]["LensPosition"] == 2.5
    source.close()


@pytest.mark.parametrize("motor", [True, False])
def test_whether_a_lens_has_a_motor_is_known_with_the_first_picture(device, motor):
    device.autofocus = motor
    device.settings = {cv2.CAP_PROP_AUTOFOCUS: 0.0} if motor else {}
    gone = Message("camera/crashed")
    usb = LiveCamera(
        lambda _: CaptureSource(device.capture, lambda: gone, has_motor=has_autofocus), "USB camera 0"
    )
    for camera in (pi_camera(), usb):
        assert not camera.focuses
        with camera:
            next_frame(camera)
            assert camera.focuses is motor


@pytest.mark.slow
def test_of_a_stream_nobody_knows_a_motor():
    with endless_stream() as stream, stream_camera(f"http://{stream.camera.place}/") as camera:
        next_frame(camera)
        assert not camera.focuses


def test_a_focus_that_is_not_found_is_not_held(device):
    device.sharp_at = None
    source = opened()
    held = source.hold()
    assert held.missing == ("focus",)
    assert "LensPosition" not in dict(held.controls)
    assert "AfMode" not in device.controls[-1]
    source.close()


@pytest.mark.usefixtures("device")
def test_a_focus_that_is_searched_for_for_ever_is_not_waited_for(monkeypatch):
    """A camera that gives few pictures must not be silent for so long that it is taken for a broken one."""
    monkeypatch.setattr(fake_picamera2, "SCAN_FRAMES", 10**9)
    frames = itertools.count()
    source = PicameraSource(0, PICTURE_WH, FPS, clock=lambda: next(frames) / 5.0)
    source.open()
    assert source.grab() is not None
    assert source.hold().missing == ("focus",)
    assert next(frames) / 5.0 < SILENT_S
    source.close()


# -- the stand-in ----------------------------------------------------------------------------------------


def test_it_refuses_what_the_real_one_refuses(device):
    camera = fake_picamera2.module(device).Picamera2(0)
    with pytest.raises(RuntimeError, match="not been configured"):
        camera.start()
    with pytest.raises(ValueError, match="Bad key"):
        camera.create_video_configuration(main={"width": 1280})
    with pytest.raises(RuntimeError, match="Unexpected keys"):
        camera.configure(camera.create_video_configuration(sensor={"size": (1640, 1232)}))
    with pytest.raises(RuntimeError, match="Bad format"):
        camera.configure(camera.create_video_configuration(main={"format": "BGR"}))
    with pytest.raises(RuntimeError, match="not advertised"):
        camera.set_controls({"Zoom": 2})
    camera.configure(camera.create_video_configuration())
    camera.start()
    with pytest.raises(RuntimeError, match="stopped before configuring"):
        camera.configure(camera.create_video_configuration())
    camera.close()
