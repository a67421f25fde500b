"""The USB cameras that the kernel knows, and which of them is one that was known by another number."""

import re
from pathlib import Path
from typing import NamedTuple

SYSFS = Path("/sys/class/video4linux")
# Nodes of a Pi that are no cameras: codecs, image processors and the raw side of its own sensors.
_NO_CAMERA = re.compile(r"codec|-isp|pispbe|unicam|-cfe|hevc|rpivid|metadata|loopback dummy", re.IGNORECASE)


class UsbDevice(NamedTuple):
    """A USB camera. title: what it calls itself. socket: the kernel's path of where it is plugged in."""

    title: str
    socket: Path


def usb_devices(sysfs: Path = SYSFS) -> dict[int, UsbDevice]:
    """The USB cameras by their numbers, lowest first; other video nodes are left out."""
    found = {}
    for node in sysfs.glob("video*"):
        try:
            first = (node / "index").read_text().strip() == "0"
            title = (node / "name").read_text().strip()
        except OSError:
            continue
        if first and not _NO_CAMERA.search(title) and node.name[5:].isdigit():
            found[int(node.name[5:])] = UsbDevice(title, (node / "device").resolve())
    return dict(sorted(found.items()))


class UsbPlaces:
    """Where the cameras of numbers are now.

    The kernel numbers cameras as they come. One that was plugged in again, or whose hub was reset, gets
    another number while anybody still holds the old one, and two may change theirs.
    """

    def __init__(self, sysfs: Path = SYSFS) -> None:
        self._sysfs = sysfs
        self._met: dict[int, UsbDevice] = {}

    def now(self, number: int) -> int:
        """The number now of the camera that was met by that number.

        It is looked for in the same socket, then elsewhere, if only one has its title. The number itself
        where there is none, or none was met.
        """
        here, device = usb_devices(self._sysfs), self._met.get(number)
        if device is None or here.get(number) == device:
            return number
        same = [other for other, each in here.items() if each == device]
        alike = same or [other for other, each in here.items() if each.title == device.title]
        return alike[0] if len(alike) == 1 else number

    def met(self, number: int, now: int) -> None:
        """The camera of that number was opened by the number that it has now: look for this one again."""
        device = usb_devices(self._sysfs).get(now)
        if device is not None:
            self._met[number] = device
