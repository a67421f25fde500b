"""Cameras in the network: what they answer is read, or told as what it is."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit

import numpy as np
import pytest

from messages.errors import CameraError
from tests.cameras.conftest import FakeClock
from tests.cameras.network_camera import (
    Answer,
    NetworkCamera,
    camera_that_answers,
    digest_wanted,
    jpeg,
    streamed,
)
from tests.cameras.worlds import HEIGHT, WIDTH
from vision.cameras import live
from vision.cameras.live import LiveCamera
from vision.cameras.network import HttpSource, stream_camera
from vision.cameras.wanted import AS_IT_COMES, Wanted

HEIC = b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + bytes(40)
BASIC = {"WWW-Authenticate": 'Basic realm="camera"'}


@contextmanager
def source_of(
    camera: NetworkCamera, clock: FakeClock, wanted: Wanted = AS_IT_COMES, user: str = ""
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
def test_what_is_no_camera_is_told_as_what_it_answers(answer: Answer, key: str, clock: FakeClock) -> None:
    with camera_that_answers(answer) as camera, source_of(camera, clock) as source:
        for _ in range(2):  # and again the next time: nothing changes its mind
            with pytest.raises(CameraError) as told:
                source.open()
            assert told.value.message.key == key
            assert camera.place in str(told.value)


def test_what_does_not_speak_http_is_told(clock: FakeClock) -> None:
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
def test_a_stream_is_read_however_its_parts_are_marked(
    boundary: str,
    dashes: str,
    lengths: bool,  # noqa: FBT001 - of the table
    clock: FakeClock,
) -> None:
    answer = streamed(
        *(jpeg(level) for level in (1, 5, 9)), boundary=boundary.strip('"'), dashes=dashes, lengths=lengths
    )
    answer.kind = f"multipart/x-mixed-replace;boundary={boundary}"
    with camera_that_answers(answer) as camera, source_of(camera, clock) as source:
        source.open()
        assert [level_of(source.grab()) for _ in range(3)] == [1, 5, 9]
        assert source.grab() is None
        assert camera.asked == 1


def test_a_stream_without_a_boundary_and_with_damaged_parts_is_read(clock: FakeClock) -> None:
    answer = streamed(jpeg(2)[:900], jpeg(3), HEIC, jpeg(4))
    answer.kind = "multipart/x-mixed-replace"
    with camera_that_answers(answer) as camera, source_of(camera, clock) as source:
        source.open()
        assert [level_of(source.grab()) for _ in range(2)] == [3, 4]


def test_single_pictures_are_asked_for_again(clock: FakeClock) -> None:
    with (
        camera_that_answers(lambda number, _: Answer(body=jpeg(number % 10))) as camera,
        source_of(camera, clock, Wanted(fps=5)) as source,
    ):
        began_s = clock()
        source.open()
        assert [level_of(source.grab()) for _ in range(4)] == [0, 1, 2, 3]
        assert clock() - began_s == pytest.approx(3 * 0.2)


def test_the_same_file_again_is_no_new_picture(clock: FakeClock) -> None:
    """A camera that renews its picture once in a while: dice that roll would seem to lie still."""
    with (
        camera_that_answers(lambda number, _: Answer(body=jpeg(number // 5))) as camera,
        source_of(camera, clock, Wanted(fps=10)) as source,
    ):
        source.open()
        taken = [(level_of(source.grab()), camera.asked) for _ in range(3)]
        assert taken == [(0, 1), (1, 6), (2, 11)]


def test_a_camera_whose_picture_never_changes_gives_one_a_second(clock: FakeClock) -> None:
    with (
        camera_that_answers(Answer(body=jpeg(4))) as camera,
        source_of(camera, clock, Wanted(fps=10)) as source,
    ):
        source.open()
        began_s = clock()
        assert [level_of(source.grab()) for _ in range(3)] == [4, 4, 4]
        assert clock() - began_s == pytest.approx(2.0, abs=0.2)


def test_a_camera_that_is_asked_too_often_is_asked_more_rarely(clock: FakeClock) -> None:
    def answer(number: int, _headers: dict[str, str]) -> Answer:
        return (
            Answer(429, "text/plain", b"", {"Retry-After": "1"}) if number == 1 else Answer(body=jpeg(number))
        )

    with camera_that_answers(answer) as camera, source_of(camera, clock, Wanted(fps=10)) as source:
        source.open()
        began_s = clock()
        assert [level_of(source.grab()) for _ in range(3)] == [0, 2, 3]
        assert clock() - began_s == pytest.approx(0.1 + 1.0 + 1.0, abs=0.01)


def test_a_camera_that_takes_turns_of_a_minute_is_told(clock: FakeClock) -> None:
    def answer(number: int, _headers: dict[str, str]) -> Answer:
        return Answer(503, "text/plain", b"", {"Retry-After": "60"}) if number else Answer(body=jpeg())

    with camera_that_answers(answer) as camera, source_of(camera, clock) as source:
        source.open()
        assert level_of(source.grab()) == 0
        with pytest.raises(CameraError, match="is being asked too often"):
            source.grab()


@pytest.mark.parametrize("kind", ["image/jpeg", "application/octet-stream", "text/plain"])
def test_a_picture_is_known_by_its_first_bytes(kind: str, clock: FakeClock) -> None:
    with (
        camera_that_answers(lambda number, _: Answer(kind=kind, body=jpeg(number))) as camera,
        source_of(camera, clock) as source,
    ):
        source.open()
        assert [level_of(source.grab()) for _ in range(2)] == [0, 1]


def test_a_password_is_given_when_it_is_asked_for(clock: FakeClock) -> None:
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

    with (
        camera_that_answers(basic) as camera,
        source_of(camera, clock, user="eva:a%3Ab%20c@") as source,
    ):
        source.open()
        assert level_of(source.grab()) == 7
        assert "eva" not in camera.paths[0]


def problems(camera: LiveCamera, tries: NetworkCamera, count: int) -> Iterator[str]:
    """What is told while the camera is asked that often."""
    for number in range(count):
        with tries.news:
            assert tries.news.wait_for(lambda number=number: tries.asked > number, 60)
        try:
            assert camera.read(0.02) is None
        except CameraError as error:
            yield error.message.key


def test_a_camera_that_answers_wrongly_after_a_good_picture_stays_what_it_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Between two tries it was well again, and gone, every two seconds."""
    monkeypatch.setattr(live, "STALE_S", 3600.0)

    def answer(number: int, _headers: dict[str, str]) -> Answer:
        return streamed(jpeg(3)) if number == 0 else Answer(200, "text/html", b"<html>")

    with (
        camera_that_answers(answer) as there,
        stream_camera(f"http://{there.place}/", retry_s=0.01) as camera,
    ):
        assert camera.read(60.0) is not None
        with there.news:
            assert there.news.wait_for(lambda: there.asked > 3, 60)
        told = list(problems(camera, there, 12))
        assert told == ["camera/stream_page"] * 12


def test_a_stream_that_ends_at_once_is_told_until_a_picture_comes() -> None:
    """RTSP cameras open, and give nothing: each time they did, all seemed well until they ended again."""
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


def test_a_camera_that_speaks_rtsp_says_why_it_plays_nothing() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        ended = threading.Event()
        said: list[bytes] = []

        def serve() -> None:
            while not ended.is_set():
                line, _ = server.accept()
                with line, suppress(OSError):  # FFmpeg hangs up
                    while request := line.recv(2000):
                        said.append(request)
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
        assert b"eva" not in said[-1].split(b"\r\n")[0]
