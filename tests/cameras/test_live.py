"""The grabbing thread: drivers that hang, lie, raise or fall silent."""

import threading
from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from messages.errors import CameraError
from messages.message import Message
from tests.cameras.worlds import DEADLINE_S, Device, card, next_frame
from vision.cameras import live
from vision.cameras.capture import CaptureSource
from vision.cameras.live import EVERYTHING, LiveCamera
from vision.cameras.wanted import CaptureSettings


class Scripted(live.Source):
    """A source that does what the list says: a picture, None, an exception, an event to wait for."""

    def __init__(self, steps: list[object], on_open: Exception | None = None) -> None:
        self.steps, self.on_open = steps, on_open
        self.closed = threading.Event()

    def open(self) -> None:
        if self.on_open is not None:
            raise self.on_open

    def grab(self) -> NDArray[np.uint8] | None:
        step = self.steps.pop(0) if self.steps else None
        if isinstance(step, threading.Event):
            step.wait(DEADLINE_S)
            return None
        if isinstance(step, Exception):
            raise step
        return step  # type: ignore[return-value]

    def close(self) -> None:
        self.closed.set()


class Opening(Scripted):
    """One that takes its time to open."""

    def __init__(self, opens: threading.Event) -> None:
        super().__init__([])
        self._opens, self.openings = opens, 0

    def open(self) -> None:
        self.openings += 1
        self._opens.wait(DEADLINE_S)

    def grab(self) -> NDArray[np.uint8]:
        return card()


def test_one_that_opens_slowly_is_waited_for_and_then_takes_what_was_wanted_meanwhile():
    slow, made = threading.Event(), list[CaptureSettings]()
    source = Opening(slow)
    camera = LiveCamera(lambda wanted: made.append(wanted) or source, "Pi camera 0", open_s=0.02)
    for _ in range(3):
        with pytest.raises(CameraError, match="No answer from"):
            camera.start()
    assert source.openings == 1
    turned = CaptureSettings(rotation=90)
    camera.want(turned)
    slow.set()
    with camera:
        next_frame(camera)
    assert made[-1] == turned
    assert source.openings == len(made) == 2


def test_one_that_is_not_open_after_a_minute_hangs_and_another_is_tried(clock, monkeypatch):
    monkeypatch.setattr(live, "JOIN_S", 0.01)
    hang, made = threading.Event(), []

    def source(_: CaptureSettings) -> Opening:
        made.append(Opening(hang))
        return made[-1]

    camera = LiveCamera(source, "Pi camera 0", open_s=0.02, clock=clock)
    for opened, passes_s in ((1, 0.0), (1, live.HANGS_S + 1), (2, 0.0)):
        clock.now_s += passes_s
        with pytest.raises(CameraError):
            camera.start()
        assert len(made) == opened
    hang.set()
    camera.stop()


def test_an_exception_of_the_driver_is_a_sentence_and_not_the_end():
    source = Scripted([card(1), ValueError("bad ioctl"), card(2)])
    with LiveCamera(lambda _: source, "USB camera 0", retry_s=0.01) as camera:
        seen = 0
        while seen < 2:
            try:
                seen += camera.read(timeout_s=DEADLINE_S) is not None
            except CameraError as error:
                assert "USB camera 0" in str(error)  # noqa: PT017 - whether it is raised depends on the timing


def test_an_old_picture_is_never_given(clock):
    hang = threading.Event()
    with LiveCamera(lambda _: Scripted([card(1), hang]), "USB camera 0", clock=clock) as camera:
        next_frame(camera)
        hang.set()
    hang.clear()
    with LiveCamera(lambda _: Scripted([card(1), hang]), "USB camera 0", clock=clock) as camera:
        run = camera._run
        assert run is not None
        with run.news:
            assert run.news.wait_for(lambda: run.image is not None, DEADLINE_S)
        clock.sleep(live.STALE_S + 0.1)
        assert camera.read(timeout_s=0) is None
        clock.sleep(live.SILENT_S)
        with pytest.raises(CameraError, match="No picture from"):
            camera.read(timeout_s=0)
        hang.set()


def test_a_slow_opening_leaves_time_for_the_first_picture(clock):
    comes = threading.Event()

    class Slow(Scripted):
        def open(self) -> None:
            super().open()
            clock.sleep(17)

    with LiveCamera(lambda _: Slow([comes, card(1)]), "Pi camera 0", clock=clock) as camera:
        clock.sleep(live.SILENT_S + 0.1)
        assert camera.read(timeout_s=0) is None
        clock.sleep(live.FIRST_S - live.SILENT_S)
        with pytest.raises(CameraError, match="No picture from"):
            camera.read(timeout_s=0)
        comes.set()


def test_a_grey_camera_gives_colour_pictures():
    device = Device()
    device.still = np.full((4, 6), 90, np.uint8)
    source = CaptureSource(device.capture, lambda: Message("camera/crashed"))
    source.open()
    image = source.grab()
    assert image is not None
    assert image.shape == (4, 6, 3)


def test_a_driver_that_hangs_again_and_again_gathers_no_threads(monkeypatch):
    monkeypatch.setattr(live, "JOIN_S", 0.01)
    hang = threading.Event()
    made: list[Scripted] = []

    def source(_: CaptureSettings) -> Scripted:
        made.append(Scripted([hang]))
        return made[-1]

    camera = LiveCamera(source, "USB camera 0")
    for _ in range(2):
        camera.start()
        camera.stop()
    for _ in range(20):
        with pytest.raises(CameraError, match="hung twice"):
            camera.start()
    assert len(made) == 2
    assert not any(one.closed.is_set() for one in made), "closed while its thread uses it"
    hang.set()
    for one in made:
        assert one.closed.wait(DEADLINE_S)
    for thread in camera._left_behind:
        thread.join(DEADLINE_S)
    camera.start()
    camera.stop()
    assert len(made) == 3


def test_a_callback_comes_before_each_opening_of_the_device():
    source, calls = Scripted([card(1)]), []
    camera = LiveCamera(lambda _: source, "USB camera 0", retry_s=0.01)
    reopened, hang = threading.Event(), threading.Event()

    def called() -> None:
        calls.append(camera.opening)
        if len(calls) > 1:
            source.steps = [card(2), hang]
            reopened.set()

    camera.before_opening = called
    with camera:
        assert reopened.wait(DEADLINE_S)
        next_frame(camera)
        assert (calls, camera.opening) == ([True, True], False)
        hang.set()


class Held(Scripted):
    """One that can hold its settings, and takes its time for it."""

    def __init__(self, steps: list[object]) -> None:
        super().__init__(steps)
        self.received: list[object] = []
        self.slow, self.begun = threading.Event(), threading.Event()

    def hold(self, settings: Sequence[str] = EVERYTHING) -> live.Held:
        del settings
        self.begun.set()
        self.slow.wait(DEADLINE_S)
        return live.Held((("focus", 3.0),))

    def release(self) -> None:
        self.received.append("release")

    def keep(self, controls: live.Controls) -> None:
        self.received.append(controls)

    def grab(self) -> NDArray[np.uint8]:
        return card()


def give_up(camera: LiveCamera, source: Held) -> None:
    """Ask the device to hold, and wait no longer, until it is busy with one such request."""
    while not source.begun.is_set():
        with pytest.raises(CameraError, match="No answer from"):
            camera.hold(timeout_s=0.02)


def test_a_camera_that_works_on_a_request_is_not_silent(clock):
    source = Held([])
    with LiveCamera(lambda _: source, "USB camera 0", clock=clock) as camera:
        next_frame(camera)
        request = threading.Thread(target=camera.hold, args=(EVERYTHING, DEADLINE_S))
        request.start()
        assert source.begun.wait(DEADLINE_S)
        clock.sleep(live.SILENT_S + 0.1)
        assert camera.read(timeout_s=0) is None
        source.slow.set()
        request.join(DEADLINE_S)


def test_settings_to_keep_reach_the_device_though_nobody_waits():
    source = Held([])
    with LiveCamera(lambda _: source, "Pi camera 0") as camera:
        give_up(camera, source)
        with pytest.raises(CameraError):
            camera.keep((("focus", 5.0),), timeout_s=0.02)
        release = threading.Thread(target=camera.release, args=(DEADLINE_S,))
        release.start()
        source.slow.set()
        release.join(DEADLINE_S)
        assert source.received == [(("focus", 5.0),), "release"]


def test_nobody_waits_for_a_device_that_was_stopped(clock):
    source = Held([])
    source.grab = lambda: None  # type: ignore[method-assign, return-value]
    camera = LiveCamera(lambda _: source, "Pi camera 0", retry_s=DEADLINE_S, clock=clock)
    camera.start()
    kept = threading.Thread(target=camera.keep, args=((("focus", 5.0),), DEADLINE_S))
    kept.start()
    camera.stop()
    kept.join(DEADLINE_S / 2)
    assert not kept.is_alive()
    camera.start()
    assert source.received[-1] == (("focus", 5.0),)
    camera.stop()
