"""Whether a phone is the camera instead of the one of the settings: chosen on the page, and kept."""

import threading
from pathlib import Path
from typing import TYPE_CHECKING

from messages.atomic_write import remove, write_whole
from messages.errors import FailedError

if TYPE_CHECKING:
    from collections.abc import Callable

CHOICE_NAME = "phone-camera"
"""In the data folder while a phone is the camera. Copies do not hold it: it is about this machine."""


class CameraChoice:
    """Thread-safe. folder: of the data. phone: whether the settings name a phone already.

    named: whether somebody asks for the camera of the settings now. use: looks through what was chosen.
    """

    def __init__(self, folder: Path, *, phone: bool, named: bool) -> None:
        self._path, self._lock = folder / CHOICE_NAME, threading.Lock()
        self.switchable = not phone
        self.phone = phone or (self._path.exists() and not named)
        self.use: Callable[[], None] = lambda: None

    def choose(self, *, phone: bool) -> None:
        """From now on a phone, or the camera of the settings.

        Raises FailedError where the settings name a phone, or it cannot be kept.
        """
        if not self.switchable:
            raise FailedError("camera/phone_of_settings")
        with self._lock:
            if phone:
                write_whole(self._path, b"", "settings")
            else:
                remove(self._path, "settings")
            if phone != self.phone:
                self.phone = phone
                self.use()
