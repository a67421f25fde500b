"""A phone as the camera: what is made of what it sends, what is said, and what it is told."""

import threading
import time
from collections.abc import Iterator
from contextlib import suppress

import cv2
import numpy as np
import pytest

from messages.errors import BadInputError, CameraError
from tests.cameras.worlds import DEADLINE_S, HEIGHT, WIDTH, card, next_frame, trouble_of
from vision.cameras.phone import PhoneCamera, PhoneLine, Trouble, Wants
from vision.cameras.wanted import CaptureSettings
from vision.frame import Frame
from vision.reader import Reader
from vision.reading import Status
from vision.stream import StreamReader


def jpeg(image: np.ndarray) -> bytes:
    return cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 95])[1].tobytes()


LARGE, SMALL = jpeg(card(5)), jpeg(cv2.resize(card(2), (WIDTH // 2, HEIGHT // 2)))
TURNED = jpeg(cv2.resize(card(2), (HEIGHT // 2, WIDTH // 2)))


@pytest.fixture
def camera() -> Iterator[PhoneCamera]:
    """One that is open, and whose phone has sent a large picture."""
    camera = PhoneCamera(
        silent_s=DEADLINE_S, retry_s=0.02, wanted=CaptureSettings(size_wh=(640, 320), fps=20)
    )
    sent = threading.Event()
    camera.line.came = sent.set

    def send() -> None:
        while not camera.line._taken:
            sent.wait(0.01)
        camera.line.put(LARGE, small=False)

    thread = threading.Thread(target=send)
    thread.start()
    camera.start()
    thread.join(DEADLINE_S)
    next_frame(camera)
    yield camera
    camera.stop()


def sent_again(camera: PhoneCamera) -> Frame:
    """The first picture of a phone that goes on sending."""
    until_s = time.monotonic() + DEADLINE_S
    while time.monotonic() < until_s:
        camera.line.put(LARGE, small=False)
        with suppress(CameraError):
            frame = camera.read(0.05)
            if frame is not None:
                return frame
    pytest.fail("it is not taken up again")


def test_small_pictures_are_made_as_large_as_the_large_ones(camera: PhoneCamera):
    camera.line.put(SMALL, small=True)
    frame = next_frame(camera)
    assert (frame.image.shape, frame.coarse) == ((HEIGHT, WIDTH, 3), True)
    camera.line.put(TURNED, small=True)
    assert next_frame(camera).image.shape == (640, 320, 3), "of another shape, as long as a large one will be"
    camera.line.put(LARGE, small=False)
    assert not next_frame(camera).coarse


def test_word_that_nothing_has_moved_lets_the_large_picture_count_again(camera: PhoneCamera):
    camera.line.put(LARGE, small=False)
    first = next_frame(camera)
    camera.line.still()
    again = next_frame(camera)
    assert again.image is first.image
    assert (again.number, again.time_s) > (first.number, first.time_s)
    camera.line.put(SMALL, small=True)
    next_frame(camera)
    camera.line.still()  # a small one never counts again
    assert camera.line.wanted is Wants.FRESH
    assert camera.read(0.05) is None


@pytest.mark.parametrize("trouble", Trouble)
def test_trouble_of_a_phone_is_reported_until_a_picture_comes(camera: PhoneCamera, trouble: Trouble):
    camera.line.tell(trouble)
    sentence = trouble_of(camera)
    assert sentence.endswith(".")
    assert "phone" in sentence
    assert sent_again(camera).image.shape == (HEIGHT, WIDTH, 3)


def test_a_picture_that_is_none_is_refused_and_changes_nothing(camera: PhoneCamera):
    for wrong in (b"", b"no picture", LARGE[:200]):
        with pytest.raises(BadInputError, match="damaged"):
            camera.line.put(wrong, small=False)
    assert camera.read(0.05) is None


def test_a_phone_gets_what_to_send(camera: PhoneCamera):
    line = camera.line
    assert line.long_px == 640
    assert camera.refused == ("fps",)
    line.put(LARGE, small=False)
    for wants in Wants:
        line.wants = lambda wants=wants: wants
        assert line.wanted is wants
    line.put(SMALL, small=True)
    line.wants = lambda: Wants.WORD
    assert line.wanted is Wants.FRESH, "of what lies still there is no large one"


def test_it_holds_what_its_browser_lets_it(camera: PhoneCamera):
    line = camera.line

    def answer() -> None:
        while not line.hold:
            line.put(LARGE, small=False)
        line.holds(["focus"], ["focus"])  # of an earlier wish: not the answer
        line.holds(line.hold, ["exposure", "torch"])

    thread = threading.Thread(target=answer)
    thread.start()
    held = camera.hold(("exposure", "focus"), DEADLINE_S)
    thread.join(DEADLINE_S)
    assert (held.controls, held.missing) == ((("exposure", 1.0),), ("focus",))
    line.wish(())
    assert not line.hold


def test_a_phone_that_looks_rarely_or_another_that_asks_is_spoken_of(camera: PhoneCamera):
    def notice() -> str:
        camera.line.put(LARGE, small=False)
        next_frame(camera)
        return str(camera.notice or "")

    assert notice() == ""
    camera.line.look_rate(2.0)
    assert "battery saver" in notice()
    camera.line.has_request = lambda: True
    assert "Another phone asks" in notice()


def test_nobody_reads_dice_from_small_pictures():
    image = np.full((180, 320, 3), 90, np.uint8)
    stream = StreamReader(Reader(5))
    told = [stream.feed(Frame(image, number / 10, number, coarse=number < 20)).status for number in range(30)]
    assert set(told[:20]) == {Status.MOVING}
    assert told[-1] is Status.EMPTY


def test_another_phone_begins_anew():
    line = PhoneLine()
    line.put(LARGE, small=False)
    line.change(line.notice or CameraError("camera/phone/another").message)
    line.still()
    with pytest.raises(CameraError, match="Another phone"):
        line.take(0.0, first=True)
