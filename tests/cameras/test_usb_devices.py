"""USB cameras: which of the kernel's nodes are some, and how one is found that got another number."""

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.cameras.worlds import DEADLINE_S, Device, DeviceCapture, level_of
from vision.cameras import capture
from vision.cameras.usb_devices import UsbPlaces, usb_devices


class Kernel:
    """The kernel's folder of video nodes, and what opens by their numbers."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._cameras: dict[int, Device] = {}

    def plug(
        self, number: int, title: str, socket: str, camera: Device | None = None, index: int = 0
    ) -> None:
        node = self._folder / "class" / f"video{number}"
        device = self._folder / "devices" / socket
        device.mkdir(parents=True, exist_ok=True)
        node.mkdir(parents=True)
        (node / "name").write_text(title + "\n")
        (node / "index").write_text(f"{index}\n")
        (node / "device").symlink_to(device)
        if camera is not None:
            self._cameras[number] = camera

    def unplug(self, number: int) -> None:
        node = self._folder / "class" / f"video{number}"
        for file in node.iterdir():
            file.unlink()
        node.rmdir()
        self._cameras.pop(number)

    @property
    def nodes(self) -> Path:
        return self._folder / "class"

    def opened(self, number: int, *_: Any) -> DeviceCapture:
        """As cv2.VideoCapture: not open where there is no camera of that number."""
        gone = Device()
        gone.plug(plugged=False)
        return DeviceCapture(self._cameras.get(number, gone))


@pytest.fixture
def kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Kernel:
    kernel = Kernel(tmp_path)
    monkeypatch.setattr(capture, "UsbPlaces", partial(UsbPlaces, kernel.nodes))
    monkeypatch.setattr(capture.cv2, "VideoCapture", kernel.opened)
    return kernel


def test_only_cameras_count(kernel, tmp_path):
    kernel.plug(0, "C920", "1-1")
    kernel.plug(1, "C920", "1-1", index=1)
    kernel.plug(2, "Microscope", "1-2")
    kernel.plug(10, "bcm2835-codec-decode", "platform")
    kernel.plug(13, "bcm2835-isp-output0", "platform")
    kernel.plug(19, "pispbe-output", "platform")
    kernel.plug(20, "rp1-cfe-csi2_ch0", "platform")
    kernel.plug(21, "LG UltraFine Display Camera: LG", "1-3")
    assert list(usb_devices(kernel.nodes)) == [0, 2, 21]
    assert usb_devices(tmp_path / "none") == {}


@pytest.mark.parametrize(
    ("others", "again", "found"),
    [
        ((), (1, "C920", "1-1"), 1),  # the old number was still held when it came back
        ((), (1, "C920", "1-2"), 1),  # into another socket
        (((0, "Microscope", "1-2"),), (1, "C920", "1-1"), 1),  # a reset hub: the two changed their numbers
        (((0, "C920", "1-2"),), (1, "C920", "1-1"), 1),  # two of a kind: by the socket
        (((1, "C920", "1-2"), (2, "C920", "1-4")), (3, "C920", "1-3"), 0),  # nobody knows which
        ((), (0, "C920", "1-1"), 0),
        ((), (0, "Microscope", "1-1"), 0),  # another camera in its stead, as the number says
    ],
)
def test_a_camera_that_was_met_is_found_by_its_new_number(others, again, found, kernel):
    places = UsbPlaces(kernel.nodes)
    assert places.now(0) == 0, "none was met yet"
    kernel.plug(0, "C920", "1-1", Device())
    places.met(0, 0)
    kernel.unplug(0)
    assert places.now(0) == 0, "it is nowhere"
    for other in (*others, again):
        kernel.plug(*other)
    assert places.now(0) == found


def test_a_camera_comes_back_by_another_number(kernel):
    first, second = Device(), Device()
    second.show(7)
    kernel.plug(0, "C920", "1-1", first)
    camera = capture.usb_camera(0, retry_s=0.01)
    with camera:
        assert camera.read(DEADLINE_S) is not None
        kernel.unplug(0)
        kernel.plug(2, "C920", "1-1", second)
        first.plug(plugged=False)
        second.wait_shown()
        frame = camera.read(DEADLINE_S)
    assert frame is not None
    assert level_of(frame) == 7
