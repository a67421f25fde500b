"""What every camera adapter must do, whatever it is made of."""

import random
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
from tests.cameras.network_camera import EndlessStream, endless_stream
from tests.cameras.worlds import (
    DEADLINE_S,
    HEIGHT,
    WIDTH,
    Device,
    SendingPhone,
    World,
    card,
    level_of,
    next_frame,
    open_files,
    trouble_of,
)
from tests.table.helpers import Clock
from vision.cameras.capture import CaptureSource
from vision.cameras.live import LiveCamera
from vision.cameras.network import stream_camera
from vision.cameras.picamera import pi_camera
from vision.cameras.recorded import stills, video
from vision.frame import Camera, EndOfRecording

LIVE = ("usb", "stream", "picamera", "phone")
RECORDED = ("stills", "video")
RECORDED_FRAMES = 6
SOON_S = 0.02
"""Pause before a device is opened again, in these tests."""


def simulated_world() -> World:
    clock = Clock()
    view = CameraView(size_wh=(320, 180), focal_px=290)
    places = ((-60.0, 0.0), (0.0, 0.0), (60.0, 0.0))
    dice: tuple[SceneDie, ...] = tuple(
        lying(STYLES[name], 6, place, 0.0, 30.0)
        for name, place in zip(("red", "green", "blue"), places, strict=True)
    )
    tray = SimulatedTray(random.Random(1), scene=Scene(dice=dice, view=view), clock=clock, sleep=clock.sleep)
    spots = tuple((round(x), round(y)) for x, y in view.project([(x, y, 30.0) for x, y in places]).tolist())
    return World(tray, live=False, spots=spots, size_wh=view.size_wh)


def recorded_world(kind: str, folder: Path) -> World:
    file = folder / "throw.avi"
    if kind == "stills":
        for number in range(RECORDED_FRAMES):
            cv2.imwrite(str(folder / f"frame{number + 7}.png"), card(number))
        return World(stills(folder, fps=10), live=False)
    writer = cv2.VideoWriter(str(file), cv2.VideoWriter.fourcc(*"MJPG"), 10, (WIDTH, HEIGHT))
    for number in range(RECORDED_FRAMES):
        writer.write(card(number))
    writer.release()
    return World(video(file), live=False)


def of_device(device: Device, camera: Camera) -> World:
    return World(
        camera,
        live=True,
        show=device.show,
        wait_shown=device.wait_shown,
        vanish=lambda: device.plug(plugged=False),
        come_back=lambda: device.plug(plugged=True),
    )


def of_sender(sender: SendingPhone | EndlessStream, camera: Camera) -> World:
    return World(
        camera,
        live=True,
        show=sender.show,
        wait_shown=sender.wait_shown,
        vanish=sender.vanish,
        come_back=sender.come_back,
        restarts=8,
    )


@pytest.fixture
def world(request: pytest.FixtureRequest, tmp_path: Path, device: Device) -> Iterator[World]:
    kind: str = request.param
    if kind == "simulated":
        yield simulated_world()
    elif kind in RECORDED:
        yield recorded_world(kind, tmp_path)
    elif kind in {"usb", "picamera"}:
        name = "USB camera 0"
        gone = Message("camera/no_pictures", camera=name)
        usb = LiveCamera(lambda _: CaptureSource(device.capture, lambda: gone), name, retry_s=SOON_S)
        camera = usb if kind == "usb" else pi_camera(retry_s=SOON_S)
        yield of_device(device, camera)
        camera.stop()
        assert device.open_captures == 0, "the device was not released"
    elif kind == "phone":
        with SendingPhone() as phone:
            yield of_sender(phone, phone.camera)
            phone.camera.stop()
    else:
        with endless_stream() as stream:
            camera = stream_camera(f"http://{stream.camera.place}/video", retry_s=SOON_S)
            yield of_sender(stream, camera)
            camera.stop()


every = pytest.mark.parametrize("world", ["simulated", *RECORDED, *LIVE], indirect=True)
live = pytest.mark.parametrize("world", LIVE, indirect=True)
recorded = pytest.mark.parametrize("world", RECORDED, indirect=True)


def until(condition: Callable[[], bool], failure: str) -> None:
    """Await a condition with a deadline."""
    end_s = time.monotonic() + DEADLINE_S
    while not condition():
        assert time.monotonic() < end_s, failure


@pytest.mark.thorough
@every
def test_frames_are_pictures_of_the_right_shape_and_colours_whose_times_rise(world: World) -> None:
    with world.camera as camera:
        frames = [next_frame(camera) for _ in range(RECORDED_FRAMES)]
    image = frames[0].image
    assert image.shape == (world.size_wh[1], world.size_wh[0], 3)
    assert image.dtype == np.uint8
    assert image.flags.c_contiguous
    for (x, y), channel in zip(world.spots, (2, 1, 0), strict=True):
        colour = image[y - 2 : y + 3, x - 2 : x + 3].astype(int).mean((0, 1))
        assert colour.argmax() == channel, f"at {x}, {y}: {colour}"
        assert colour[channel] > 1.5 * np.delete(colour, channel).max()
    times, numbers = [frame.time_s for frame in frames], [frame.number for frame in frames]
    assert times == sorted(times)
    assert numbers == sorted(set(numbers)), "none is given twice"
    assert camera.name


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
            number = next_frame(camera).number
            assert number >= 0 if world.live else number == 0
    until(lambda: threading.active_count() <= threads + 1, "threads are left behind")
    until(lambda: open_files() <= files + 2, "files are left open")


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
        for _ in range(2):
            with pytest.raises(EndOfRecording, match="end"):
                camera.read()
    numbers = list(range(RECORDED_FRAMES))
    assert [level_of(frame) for frame in frames] == [frame.number for frame in frames] == numbers
    assert [frame.time_s for frame in frames] == pytest.approx([number / 10 for number in numbers])


@live
def test_after_a_pause_the_newest_frame_comes(world: World) -> None:
    with world.camera as camera:
        next_frame(camera)
        for level in (3, 7, 5):
            world.show(level)
            world.wait_shown()
            assert level_of(next_frame(camera)) == level


@live
def test_it_says_when_it_has_gone_and_comes_back_by_itself(world: World) -> None:
    with world.camera as camera:
        world.show(2)
        next_frame(camera)
        world.vanish()
        sentence = trouble_of(camera)
        assert sentence.endswith((".", "?"))
        assert len(sentence.split()) > 4
        world.show(6)
        world.come_back()
        levels = []
        end_s = time.monotonic() + DEADLINE_S
        while 6 not in levels:
            assert time.monotonic() < end_s, "it did not come back"
            try:
                frame = camera.read(timeout_s=0.5)
            except CameraError:
                continue
            if frame is not None:
                levels.append(level_of(frame))


@live
def test_start_says_that_there_is_nothing(world: World) -> None:
    world.vanish()
    with pytest.raises(CameraError, match=r"[.?]$"):
        world.camera.start()
    world.come_back()
    with world.camera as camera:
        next_frame(camera)
