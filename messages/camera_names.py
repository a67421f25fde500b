"""What cameras are called in sentences: their names are those of devices, the same in every language."""

import re

from messages.message import Message

NAMES = (
    (re.compile(r"simulated tray"), "camera/name/simulated"),
    (re.compile(r"USB camera (?P<number>\d+)"), "camera/name/usb"),
    (re.compile(r"Pi camera (?P<number>\d+)"), "camera/name/pi"),
    (re.compile(r"phone"), "camera/name/phone"),
    (re.compile(r"camera at (?P<place>.+)"), "camera/name/stream"),
    (re.compile(r"folder (?P<name>.+)"), "camera/name/folder"),
    (re.compile(r"picture (?P<name>.+)"), "camera/name/picture"),
    (re.compile(r"video (?P<name>.+)"), "camera/name/video"),
)


def camera_label(name: str) -> Message | str:
    """The name of a camera for a sentence; of an unknown kind, the name as it is.

    >>> str(camera_label("USB camera 0")), camera_label("http://yard.local:8080/video")
    ('USB camera 0', 'http://yard.local:8080/video')
    """
    for pattern, key in NAMES:
        found = pattern.fullmatch(name)
        if found:
            return Message(key, **found.groupdict())
    return name
