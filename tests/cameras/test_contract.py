"""What every camera adapter must do, whatever it is made of."""

import random
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from messages.errors import CameraError
from messages.message import Message
from simulator import CameraView, Scene, SimulatedTray
from simulator.scene import SceneDie, lying
from simulator.styles import STYLES
from tests.cameras import fake_picamera2
from tests.cameras.conftest import FakeClock
from tests.cameras.worlds import (
    DEADLINE_S,
    HEIGHT,
    WIDTH,
    Device,
    SendingPhone,
    World,
    card,
    level_of,
    mjpeg_server,
    open_files,
)
from vision.cameras.capture import CaptureSource
from vision.cameras.live import LiveCamera
from vision.cameras.network import stream_camera
from vision.cameras.picamera import pi_camera
from vision.cameras.recorded import stills, video
from vision.frame import Camera, EndOfRecording, Frame

LIVE = ("usb", "stream", "picamera", "phone")
RECORDED = ("stills", "video")
RECORDED_FRAMES = 6
SOON_S = 0.02
"""Pause before a device is opened again, in these tests."""


def _simulated() -> World:
    clock = FakeClock()
    view = CameraView(size_wh=(320, 180), focal_px=290)
    places = ((-60.0, 0.0), (0.0, 0.0), (60.0, 0.0))
    dice: tuple[SceneDie, ...] = tuple(
        lying(STYLES[name], 6, place, 0.0, 30.0)
        for name, place in zip(("red", "green", "blue"), places, strict=True)
    )
    tray = SimulatedTray(random.Random(1), scene=Scene(dice=dice, view=view), clock=clock, sleep=clock.sleep)
    spots = tuple((round(x), round(y)) for x, y in view.project([(x, y, 30.0) for x, y in places]).tolist())
    return World(tray, live=False, spots=spots, size_wh=view.size_wh)


def _of_device(device: Device, camera: Camera) -> World:
    return World(
        camera,
        live=True,
        show=device.show,
        wait_shown=device.wait_shown,
        vanish=lambda: device.plug(plugged=False),
        come_back=lambda: device.plug(plugged=True),
    )


@pytest.fixture
def world(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    kind: str = request.param
    if kind == "simulated":
        yield _simulated()
    elif kind == "stills":
        for number in range(RECORDED_FRAMES):
            cv2.imwrite(str(tmp_path / f"frame{number + 7}.png"), card(number))
        yield World(stills(tmp_path, fps=10), live=False)
    elif kind == "video":
        file = tmp_path / "throw.avi"
        writer = cv2.VideoWriter(str(file), cv2.VideoWriter.fourcc(*"MJPG"), 10, (WIDTH, HEIGHT))
        for number in range(RECORDED_FRAMES):
            writer.write(card(number))
        writer.release()
        yield World(video(file), live=False)
    elif kind == "usb":
        device = Device()
        camera = LiveCamera(
            lambda _: CaptureSource(
                device.capture, lambda: Message("camera/no_pictures", camera="USB camera 0")
            ),
            "USB camera 0",
            retry_s=SOON_S,
        )
        yield _of_device(device, camera)
        camera.stop()
        assert device.open_captures == 0, "the device was not released"
    elif kind == "picamera":
        device = Device()
        monkeypatch.setitem(sys.modules, "picamera2", fake_picamera2.module(device))
        camera = pi_camera(retry_s=SOON_S)
        yield _of_device(device, camera)
        camera.stop()
        assert device.open_captures == 0, "the camera was not closed"
    elif kind == "phone":
        with SendingPhone() as phone:
            yield World(
                phone.camera,
                live=True,
                show=phone.show,
                wait_shown=phone.wait_shown,
                vanish=phone.vanish,
                come_back=phone.come_back,
                restarts=8,
            )
            phone.camera.stop()
    else:
        with mjpeg_server() as server:
            camera = stream_camera(f"http://127.0.0.1:{server.port}/video", retry_s=SOON_S)
            yield World(
                camera,
                live=True,
                show=server.show,
                wait_shown=server.wait_shown,
                vanish=server.end,
                come_back=server.begin,
                restarts=8,
            )
            camera.stop()


every = pytest.mark.parametrize("world", ["simulated", *RECORDED, *LIVE], indirect=True)
live = pytest.mark.parametrize("world", LIVE, indirect=True)
recorded = pytest.mark.parametrize("world", RECORDED, indirect=True)


def next_frame(camera: Camera) -> Frame:
    frame = camera.read(timeout_s=DEADLINE_S)
    assert frame is not None, "no frame came"
    return frame


def what_it_says_in_the_end(camera: Camera) -> str:
    """The sentence of the CameraError that reading ends with."""
    end = time.monotonic() + DEADLINE_S
    while time.monotonic() < end:
        try:
            camera.read(timeout_s=0.5)
        except CameraError as error:
            return str(error)
    pytest.fail("it never says that it has gone")


def until(condition: Callable[[], bool], what: str) -> None:
    """Await a condition with a deadline."""
    end = time.monotonic() + DEADLINE_S
    while not condition():
        assert time.monotonic() < end, what


@pytest.mark.thorough
@every
def test_a_frame_is_a_picture_of_the_right_shape(world: World) -> None:
    with world.camera as camera:
        frame = next_frame(camera)
    assert frame.image.shape == (world.size_wh[1], world.size_wh[0], 3)
    assert frame.image.dtype == np.uint8
    assert frame.image.flags.c_contiguous
    assert frame.number == 0 or world.live
    assert camera.name


@every
def test_red_green_and_blue_stand_where_they_should(world: World) -> None:
    with world.camera as camera:
        image = next_frame(camera).image.astype(int)
    for (x, y), channel in zip(world.spots, (2, 1, 0), strict=True):
        colour = image[y - 2 : y + 3, x - 2 : x + 3].mean((0, 1))
        assert colour.argmax() == channel, f"at {x}, {y}: {colour}"
        assert colour[channel] > 1.5 * np.delete(colour, channel).max()


@every
def test_times_and_numbers_rise(world: World) -> None:
    with world.camera as camera:
        frames = [next_frame(camera) for _ in range(RECORDED_FRAMES)]
    times, numbers = [frame.time_s for frame in frames], [frame.number for frame in frames]
    assert times == sorted(times)
    assert numbers == sorted(set(numbers))


@every
def test_a_frame_is_never_written_to_again(world: World) -> None:
    with world.camera as camera:
        first = next_frame(camera)
        before = first.image.copy()
        for level in range(1, 4):
            world.show(level)
            next_frame(camera)
    assert np.array_equal(first.image, before)


@every
def test_start_and_stop_again_and_again_leaves_nothing_behind(world: World) -> None:
    with world.camera as camera:
        next_frame(camera)
    threads, files = threading.active_count(), open_files()
    for _ in range(world.restarts):
        with world.camera as camera:
            assert next_frame(camera).number >= 0
    until(lambda: threading.active_count() <= threads + 1, "threads are left behind")
    until(lambda: open_files() <= files + 2, "files are left open")


@pytest.mark.parametrize("world", ["simulated", *RECORDED], indirect=True)  # live ones may drop the first
def test_a_new_start_begins_with_number_0(world: World) -> None:
    for _ in range(2):
        with world.camera as camera:
            assert [next_frame(camera).number for _ in range(3)] == [0, 1, 2]


@every
def test_reading_before_start_and_stopping_twice(world: World) -> None:
    with pytest.raises(CameraError, match="not started"):
        world.camera.read()
    world.camera.stop()
    world.camera.start()
    world.camera.stop()
    world.camera.stop()
    with pytest.raises(CameraError, match="not started"):
        world.camera.read()


@recorded
def test_a_recording_gives_every_frame_in_order_and_then_ends(world: World) -> None:
    with world.camera as camera:
        frames = [next_frame(camera) for _ in range(RECORDED_FRAMES)]
        with pytest.raises(EndOfRecording, match="end"):
            camera.read()
        with pytest.raises(EndOfRecording):
            camera.read()
    assert [level_of(frame) for frame in frames] == list(range(RECORDED_FRAMES))
    assert [frame.time_s for frame in frames] == pytest.approx(
        [number / 10 for number in range(RECORDED_FRAMES)]
    )


@live
def test_after_a_pause_the_newest_frame_comes(world: World) -> None:
    with world.camera as camera:
        next_frame(camera)
        for level in (3, 7, 5):
            world.show(level)
            world.wait_shown()
            assert level_of(next_frame(camera)) == level


@live
def test_no_frame_is_given_twice(world: World) -> None:
    with world.camera as camera:
        numbers = [next_frame(camera).number for _ in range(20)]
    assert len(set(numbers)) == 20


@live
def test_it_says_when_it_has_gone_and_comes_back_by_itself(world: World) -> None:
    with world.camera as camera:
        world.show(2)
        next_frame(camera)
        world.vanish()
        sentence = what_it_says_in_the_end(camera)
        assert sentence.endswith((".", "?"))
        assert len(sentence.split()) > 4
        world.show(6)
        world.come_back()
        levels = []
        end = time.monotonic() + DEADLINE_S
        while 6 not in levels:
            assert time.monotonic() < end, "it did not come back"
            try:
                frame = camera.read(timeout_s=0.5)
            except CameraError:
                continue
            if frame is not None:
                levels.append(level_of(frame))
        assert set(levels[levels.index(6) :]) == {6}


@live
def test_start_says_that_there_is_nothing(world: World) -> None:
    world.vanish()
    with pytest.raises(CameraError) as told:
        world.camera.start()
    assert str(told.value).endswith((".", "?"))
    world.come_back()
    with world.camera as camera:
        next_frame(camera)
