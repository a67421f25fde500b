"""The settings of the camera's picture: those of the settings file, or what was chosen on the page since."""

import logging
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError

from messages.atomic_write import remove, write_whole
from messages.errors import FailedError
from messages.regular_file import read_regular
from station.config import Picture

if TYPE_CHECKING:
    from collections.abc import Callable

log = logging.getLogger(__name__)

PICTURE_NAME = "picture.json"
"""In the data folder; it stands above the settings file, which the station may not write."""


def read(text: bytes | str) -> Picture:
    """The settings that a file has. Raises ValueError."""
    return Picture.model_validate_json(text)


class PictureChoice:
    """The chosen settings of the picture; thread-safe.

    folder: of the data. given: by the settings file. use: has the camera take other settings; None where it
    has none, as the simulated tray and recordings. refused: what it cannot do of them, see `LiveCamera`.
    """

    def __init__(self, folder: Path, given: Picture) -> None:
        self._path = folder / PICTURE_NAME
        self._lock = threading.RLock()
        self.given = given
        self.use: Callable[[Picture], None] | None = None
        self.refused: Callable[[], tuple[str, ...]] = tuple
        self.now = given
        self.reload()

    @property
    def chosen(self) -> bool:
        """Whether the page has chosen."""
        return self._path.exists()

    def reload(self) -> None:
        """Read the file again; if it is unreadable, the settings file counts."""
        with self._lock:
            before, now = self.now, self.given
            try:
                if self.chosen:
                    now = read(read_regular(self._path))
            except (OSError, ValidationError) as error:
                log.warning(
                    "the picture is as the settings file says: %s cannot be read: %s", self._path, error
                )
            self.now = now
            if self.use is not None and now != before:
                self.use(now)

    def choose(self, picture: Picture) -> None:
        """From now on these. Raises FailedError where there are none to choose, or they cannot be kept."""
        self._check()
        with self._lock:
            write_whole(self._path, picture.model_dump_json(indent=1).encode(), "settings")
            self.reload()

    def forget(self) -> None:
        """From now on those of the settings file again. Raises FailedError as `choose`."""
        self._check()
        with self._lock:
            remove(self._path, "settings")
            self.reload()

    def _check(self) -> None:
        if self.use is None:
            raise FailedError("camera/no_settings")
