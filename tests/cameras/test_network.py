"""Cameras in the network: what they answer is read, or told as what it is."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit

import numpy as np
import pytest

from messages.errors import CameraError
from tests.cameras.network_camera import (
    Answer,
    NetworkCamera,
    camera_that_answers,
    digest_wanted,
    jpeg,
    streamed,
)
from tests.cameras.worlds import HEIGHT, WIDTH
from tests.table.helpers import Clock
from vision.cameras import live
from vision.cameras.live import LiveCamera
from vision.cameras.network import HttpSource, stream_camera
from vision.cameras.wanted import AS_IT_COMES, CaptureSettings

HEIC = b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + bytes(40)
BASIC = {"WWW-Authenticate": 'Basic realm="camera"'}


@contextmanager
def source_of(
    camera: NetworkCamera, clock: Clock, wanted: CaptureSettings = AS_IT_COMES, user: str = ""
) -> Iterator[HttpSource]:
    url = urlsplit(f"http://{user}{camera.place}/shot.jpg")
    source = HttpSource(url, camera.place, wanted, clock=clock, sleep=clock.sleep)
    try:
        yield source
    finally:
        source.close()


def level_of(image: np.ndarray | None) -> int:
    assert image is not None
    assert image.shape == (HEIGHT, WIDTH, 3)
    return round((float(image[78:92].mean()) - 20) / 24)


@pytest.mark.parametrize(
    ("answer", "key"),
    [
        (Answer(401, "text/plain", b"no", BASIC), "camera/stream_password"),
        (Answer(401, "text/plain", b"no", {"WWW-Authenticate": "Negotiate"}), "camera/stream_password"),
        (Answer(403, "text/html", b"<html>"), "camera/stream_password"),
        (Answer(404, "text/html", b"<html>"), "camera/stream_status"),
        (Answer(500, "text/plain", b""), "camera/stream_status"),
        (Answer(503, "text/plain", b""), "camera/stream_often"),
        (Answer(200, "text/html; charset=utf-8", b"<p>Log in"), "camera/stream_page"),
        (Answer(200, "application/octet-stream", b"\n<!DOCTYPE HTML><p>Log in"), "camera/stream_page"),
        (Answer(200, "application/vnd.apple.mpegurl", b"#EXTM3U\n"), "camera/stream_playlist"),
        (Answer(200, "video/mp4", b"#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n"), "camera/stream_playlist"),
        (Answer(200, "application/octet-stream", b"ffconcat version 1.0\n"), "camera/stream_playlist"),
        (Answer(200, "application/json", b"{}"), "camera/stream_kind"),
        (Answer(200, "image/heic", HEIC), "camera/stream_kind"),
        (Answer(200, "application/octet-stream", HEIC), "camera/stream_kind"),
        (Answer(200, "image/jpeg", jpeg()[:500]), "camera/stream_damaged"),
        (streamed(), "camera/stream_empty"),
        (streamed(b"words", b"words"), "camera/stream_empty"),
    ],
)
def test_what_is_no_camera_is_reported_by_its_answer(answer, key, clock):
    with camera_that_answers(answer) as camera, source_of(camera, clock) as source:
        for _ in range(2):  # and again the next time: nothing changes its mind
            with pytest.raises(CameraError) as refused:
                source.open()
            assert refused.value.message.key == key
            assert camera.place in str(refused.value)


def test_what_does_not_speak_http_is_reported(clock):
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            line, _ = server.accept()
            with line:
                line.recv(1000)
                line.sendall(b"SSH-2.0-OpenSSH_9.2\r\n")

        thread = threading.Thread(target=serve)
        thread.start()
        source = HttpSource(urlsplit(f"http://127.0.0.1:{server.getsockname()[1]}/"), "there", clock=clock)
        with pytest.raises(CameraError, match="What answers at there is not a camera"):
            source.open()
        thread.join()
    with pytest.raises(CameraError, match="does not answer"):
        source.open()


@pytest.mark.parametrize("lengths", [True, False])
@pytest.mark.parametrize(
    ("boundary", "dashes"), [("frame", "--"), ("--frame", ""), ("--frame", "--"), ('"a b"', "--")]
)
def test_a_stream_is_read_however_its_parts_are_marked(boundary, dashes, lengths, clock):
    answer = streamed(
        *(jpeg(level) for level in (1, 5, 9)), boundary=boundary.strip('"'), dashes=dashes, lengths=lengths
    )
    answer.kind = f"multipart/x-mixed-replace;boundary={boundary}"
    with camera_that_answers(answer) as camera, source_of(camera, clock) as source:
        source.open()
        assert [level_of(source.grab()) for _ in range(3)] == [1, 5, 9]
        assert source.grab() is None
        assert camera.asked == 1


def test_a_stream_without_a_boundary_and_with_damaged_parts_is_read(clock):
    answer = streamed(jpeg(2)[:900], jpeg(3), HEIC, jpeg(4))
    answer.kind = "multipart/x-mixed-replace"
    with camera_that_answers(answer) as camera, source_of(camera, clock) as source:
        source.open()
        assert [level_of(source.grab()) for _ in range(2)] == [3, 4]


def by_turns(number: int, _headers: dict[str, str]) -> Answer:
    often = Answer(429, "text/plain", b"", {"Retry-After": "1"})
    return often if number == 1 else Answer(body=jpeg(number))


def single(kind: str = "image/jpeg", each: int = 1) -> Callable[[int, dict[str, str]], Answer]:
    """A camera of single pictures; so many requests in a row get the same one."""
    return lambda number, _: Answer(kind=kind, body=jpeg(number // each % 10))


@pytest.mark.parametrize(
    ("answer", "fps", "levels", "seconds", "requests"),
    [
        (single(), 5, [0, 1, 2, 3], 0.6, 4),
        (single("application/octet-stream"), 10, [0, 1], 0.1, 2),  # known by its first bytes
        (single("text/plain"), 10, [0, 1], 0.1, 2),
        # A camera that renews its picture once in a while: dice that roll would seem to lie still.
        (single(each=5), 10, [0, 1, 2], 1.0, 11),
        (Answer(body=jpeg(4)), 10, [4, 4, 4], 2.0, 21),  # one that never changes is given once a second
        (by_turns, 10, [0, 2, 3], 2.1, 4),  # too often for it: from then on it is asked more rarely
    ],
)
def test_single_pictures_are_requested_again(answer, fps, levels, seconds, requests, clock):
    with camera_that_answers(answer) as camera, source_of(camera, clock, CaptureSettings(fps=fps)) as source:
        began_s = clock()
        source.open()
        assert [level_of(source.grab()) for _ in levels] == levels
        assert clock() - began_s == pytest.approx(seconds, abs=0.2 if seconds == 2.0 else 0.01)
        assert camera.asked == pytest.approx(requests, abs=2 if seconds == 2.0 else 0)


def test_a_camera_that_takes_turns_of_a_minute_is_reported(clock):
    def answer(number: int, _headers: dict[str, str]) -> Answer:
        return Answer(503, "text/plain", b"", {"Retry-After": "60"}) if number else Answer(body=jpeg())

    with camera_that_answers(answer) as camera, source_of(camera, clock) as source:
        source.open()
        assert level_of(source.grab()) == 0
        with pytest.raises(CameraError, match="is being asked too often"):
            source.grab()


def test_a_password_is_sent_on_request(clock):
    with (
        camera_that_answers(digest_wanted("eva", "a:b c", streamed(jpeg(6)))) as camera,
        source_of(camera, clock, user="eva:a%3Ab%20c@") as source,
    ):
        source.open()
        assert level_of(source.grab()) == 6
        with (
            source_of(camera, clock, user="eva:wrong@") as wrong,
            pytest.raises(CameraError, match=r"refuses this name and password \(401\)"),
        ):
            wrong.open()

    def basic(_number: int, headers: dict[str, str]) -> Answer:
        right = headers.get("authorization") == "Basic ZXZhOmE6YiBj"
        return Answer(body=jpeg(7)) if right else Answer(401, "text/plain", b"", BASIC)

    with camera_that_answers(basic) as camera, source_of(camera, clock, user="eva:a%3Ab%20c@") as source:
        source.open()
        assert level_of(source.grab()) == 7
        assert "eva" not in camera.paths[0]


def test_a_wrong_answer_after_a_good_picture_is_reported_until_a_picture_comes(monkeypatch):
    monkeypatch.setattr(live, "STALE_S", 3600.0)

    def answer(number: int, _headers: dict[str, str]) -> Answer:
        return streamed(jpeg(3)) if number == 0 else Answer(200, "text/html", b"<html>")

    with (
        camera_that_answers(answer) as there,
        stream_camera(f"http://{there.place}/", retry_s=0.01) as camera,
    ):
        assert camera.read(60.0) is not None
        keys = []
        for requests in range(4, 16):
            with there.news:
                assert there.news.wait_for(lambda requests=requests: there.asked >= requests, 60)
            with pytest.raises(CameraError) as error:
                camera.read(0.02)
            keys.append(error.value.message.key)
        assert set(keys) == {"camera/stream_page"}


def test_a_stream_that_ends_at_once_is_reported_until_a_picture_comes():
    opened, may_end = threading.Semaphore(0), threading.Semaphore(0)

    class Ending(live.Source):
        asked = 0

        def open(self) -> None:
            pass

        def grab(self) -> np.ndarray | None:
            self.asked += 1
            if self.asked == 1:
                return np.zeros((HEIGHT, WIDTH, 3), np.uint8)
            opened.release()
            assert may_end.acquire(timeout=60)
            return None

        def close(self) -> None:
            pass

    source = Ending()
    with LiveCamera(lambda _: source, "camera at there", retry_s=0.001) as camera:
        assert camera.read(60.0) is not None
        assert opened.acquire(timeout=60)
        for _ in range(3):
            may_end.release()
            assert opened.acquire(timeout=60)
            with pytest.raises(CameraError, match="is gone"):
                camera.read(0.0)
        may_end.release(100)


def test_a_camera_that_speaks_rtsp_says_why_it_plays_nothing():
    with socket.create_server(("127.0.0.1", 0)) as server:
        ended = threading.Event()
        lines: list[bytes] = []

        def serve() -> None:
            while not ended.is_set():
                line, _ = server.accept()
                with line, suppress(OSError):  # FFmpeg hangs up
                    while request := line.recv(2000):
                        lines.append(request)
                        number = next(each for each in request.split(b"\r\n") if each.startswith(b"CSeq"))
                        line.sendall(
                            b"RTSP/1.0 401 Unauthorized\r\n"
                            + number
                            + b'\r\nWWW-Authenticate: Basic realm="c"\r\n\r\n'
                        )

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        port = server.getsockname()[1]
        camera = stream_camera(f"rtsp://eva:wrong@127.0.0.1:{port}/live")
        with pytest.raises(CameraError, match=r"refuses this name and password \(401\)"):
            camera.start()
        ended.set()
        socket.create_connection(("127.0.0.1", port)).close()
        thread.join(60)
        assert b"eva" not in lines[-1].split(b"\r\n")[0]
