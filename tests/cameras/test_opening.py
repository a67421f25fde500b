"""`open_camera`: what --camera may say, and the sentence for what it may not."""

import random
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import cv2
import numpy as np
import pytest

from messages.errors import BadInputError, CameraError
from simulator import SimulatedTray
from station.camera.camera_factory import open_camera
from station.contract.check import Level
from station.health import diagnosis
from tests.cameras.worlds import HEIGHT, WIDTH, card
from vision.cameras import capture, real_camera_factory
from vision.cameras.recorded import picture_files, stills
from vision.frame import Camera, EndOfRecording, Frame


@pytest.fixture
def no_camera(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(real_camera_factory, "camera_count", lambda: 0)
    monkeypatch.setattr(real_camera_factory, "usb_devices", dict)


@pytest.mark.usefixtures("no_camera")
def test_auto_takes_the_simulated_tray_where_there_is_nothing():
    camera = open_camera("auto", rng=random.Random(3), dice=6)
    assert isinstance(camera, SimulatedTray)
    assert camera.dice == 6


def test_auto_takes_the_first_usb_camera_that_works_and_before_it_the_pi_camera(monkeypatch, tmp_path):
    cv2.imwrite(str(tmp_path / "1.png"), card())

    class Broken(SimulatedTray):
        def start(self) -> None:
            raise CameraError("It is busy.")

    def usb(number: int, **_: object) -> Camera:
        return Broken() if number == 0 else stills(tmp_path)

    monkeypatch.setattr(real_camera_factory, "camera_count", lambda: 0)
    monkeypatch.setattr(real_camera_factory, "usb_devices", lambda: dict.fromkeys((0, 2)))
    monkeypatch.setattr(real_camera_factory, "usb_camera", usb)
    assert open_camera("auto").name.startswith("folder")
    monkeypatch.setattr(real_camera_factory, "camera_count", lambda: 1)
    assert open_camera("auto").name == "Pi camera 0"


@pytest.mark.thorough
def test_auto_waits_for_a_camera_whose_first_picture_takes_its_time(monkeypatch):
    class Slow(SimulatedTray):
        name = "USB camera 0"

        def start(self) -> None:
            """There is no tray to draw."""

        def read(self, timeout_s: float = 1.0) -> Frame | None:
            return None if timeout_s < 8 else Frame(card(), 0.0, 0)

    monkeypatch.setattr(real_camera_factory, "camera_count", lambda: 0)
    monkeypatch.setattr(real_camera_factory, "usb_devices", lambda: dict.fromkeys((0,)))
    monkeypatch.setattr(real_camera_factory, "usb_camera", lambda *_, **__: Slow())
    found = open_camera("auto")
    assert found.name == "USB camera 0"
    check = diagnosis.camera(found, simulated=False)
    assert check.status is Level.OK, check


def test_the_names_say_what_it_is(tmp_path):
    cv2.imwrite(str(tmp_path / "1.png"), card())
    assert open_camera("simulated").name == "simulated tray"
    assert open_camera("picamera").name == "Pi camera 0"
    assert open_camera("picamera:1").name == "Pi camera 1"
    assert open_camera("usb:3").name == "USB camera 3"
    assert open_camera("http://ana:secret@cam.local:8080/video").name == "camera at cam.local:8080"
    assert open_camera(str(tmp_path)).name == f"folder {tmp_path.name}"
    assert open_camera(str(tmp_path / "1.png")).name == "picture 1.png"


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("", "There is no camera, folder or video called ''"),
        ("webcam", "There is no camera, folder or video called 'webcam'; a camera can be: auto, picamera"),
        ("usb:", "usb: is not a USB camera; write its number, as in usb:0."),
        ("usb:one", "usb:one is not a USB camera"),
        ("usb:-1", "usb:-1 is not a USB camera"),
        ("picamera:", "picamera: is not a Pi camera"),
        ("picamera:x", "picamera:x is not a Pi camera"),
        ("picamera:12", "picamera:12 is not a Pi camera"),
        ("gopher://hole", "gopher://hole is not a camera address. One looks like http://"),
        ("http://", "http:// is not a camera address"),
        ("http://[::1/video", "is not a camera address"),
        ("http://cam:99999/x", "is not a camera address"),
        ("/no/such/folder", "There is no camera, folder or video called '/no/such/folder'"),
    ],
)
def test_nonsense_gets_a_sentence(spec, sentence):
    with pytest.raises(BadInputError) as refused:
        open_camera(spec)
    assert sentence in str(refused.value)


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("picamera", r"no picamera2 here .*apt install python3-picamera2"),
        ("usb:97", r"No camera found at usb:97 \(/dev/video97\)"),
        ("http://ana:secret@127.0.0.1:9/video", "does not answer"),
    ],
)
def test_a_camera_that_is_not_there_is_reported_without_its_password(spec, sentence):
    with pytest.raises(CameraError, match=sentence) as error:
        open_camera(spec).start()
    assert "secret" not in str(error.value)


def test_a_usb_camera_in_use_and_one_that_is_forbidden_are_reported(monkeypatch, tmp_path):
    monkeypatch.setattr(capture, "usb_devices", lambda: {97: None})
    with pytest.raises(CameraError, match=r"is there but does not open\. Another program may be using it"):
        open_camera("usb:97").start()
    (tmp_path / "video7").write_text("")
    monkeypatch.setattr(capture.os, "access", lambda *_: False)
    assert "Add them to the group 'video'" in str(capture._why_not(7, (7,), tmp_path / "video7"))


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("empty.mp4", b"", "is empty"),
        ("noise.mp4", bytes(range(256)) * 40, "not a video that can be played"),
        ("empty.jpg", b"", "is empty"),
        ("noise.jpg", b"no picture at all", "not a picture that can be read"),
        ("letter.txt", b"Dear dice", "neither a picture nor a video"),
    ],
)
def test_a_file_that_cannot_be_shown_is_reported(tmp_path, name, content, sentence):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(BadInputError) as refused:
        open_camera(str(tmp_path / name)).start()
    assert sentence in str(refused.value)


@pytest.mark.slow
def test_opencv_and_ffmpeg_write_nothing_of_their_own(tmp_path):
    (tmp_path / "noise.mp4").write_bytes(bytes(range(256)) * 40)
    yacht = Path(sys.executable).with_name("yacht")
    done = subprocess.run(
        [yacht, "read", tmp_path / "noise.mp4"], capture_output=True, text=True, check=False
    )
    assert done.stderr.count("\n") == 1, done.stderr
    line = done.stderr
    assert line.startswith("yacht: ")


def test_a_video_that_was_cut_off_is_read_as_far_as_it_goes(tmp_path):
    file = tmp_path / "throw.avi"
    writer = cv2.VideoWriter(str(file), cv2.VideoWriter.fourcc(*"MJPG"), 10, (WIDTH, HEIGHT))
    for number in range(12):
        writer.write(card(number % 10))
    writer.release()
    file.write_bytes(file.read_bytes()[: file.stat().st_size * 2 // 3])
    numbers = []
    with suppress(EndOfRecording), open_camera(str(file)) as camera:
        while (frame := camera.read()) is not None:
            numbers.append(frame.number)
    assert 4 <= len(numbers) <= 9


def test_an_empty_folder_is_reported(tmp_path):
    (tmp_path / "notes.txt").write_text("no picture")
    with pytest.raises(BadInputError, match="no pictures in the folder"):
        open_camera(str(tmp_path))


def test_a_damaged_picture_in_the_middle_is_named(tmp_path):
    for number in range(3):
        cv2.imwrite(str(tmp_path / f"{number}.jpg"), card())
    whole = (tmp_path / "1.jpg").read_bytes()
    (tmp_path / "1.jpg").write_bytes(whole[: len(whole) // 2])
    with open_camera(str(tmp_path)) as camera:
        assert camera.read() is not None
        with pytest.raises(CameraError, match=r"1\.jpg is cut short"):
            camera.read()


def test_frames_are_counted_as_people_count(tmp_path):
    for name in ("f10.png", "f2.png", "f1.PNG", "f1²3.png", ".hidden.png", "labels.jsonl"):
        (tmp_path / name).write_bytes(b"x")
    assert [file.name for file in picture_files(tmp_path)] == ["f1.PNG", "f1²3.png", "f2.png", "f10.png"]


def test_a_paced_recording_takes_its_time(tmp_path, clock):
    for number in range(3):
        cv2.imwrite(str(tmp_path / f"{number}.png"), card())
    with stills(tmp_path, fps=2, paced=True, clock=clock, sleep=clock.sleep) as camera:
        assert camera.read() is not None
        assert camera.read(timeout_s=0.25) is None
        second = camera.read(timeout_s=1)
        assert second is not None
        assert clock() == pytest.approx(1000.5)


def test_one_pixel_and_a_wide_picture_are_frames_too(tmp_path):
    cv2.imwrite(str(tmp_path / "1.png"), np.zeros((1, 1, 3), np.uint8))
    cv2.imwrite(str(tmp_path / "2.png"), np.zeros((2, 12_000, 3), np.uint8))
    with open_camera(str(tmp_path)) as camera:
        shapes = [frame.image.shape for frame in (camera.read(), camera.read()) if frame is not None]
    assert shapes == [(1, 1, 3), (2, 12_000, 3)]
