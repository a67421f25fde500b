"""Keeps what people corrected: a crop of each die that was read wrongly, with the face it really shows.

Only where the settings allow it, and only in a folder of this machine; `yacht read --check` reads it again.
"""

import logging
from collections.abc import Callable
from pathlib import Path

from messages.errors import YachtError
from vision.corrections import save_correction
from vision.frame import Frame
from vision.reading import Reading

log = logging.getLogger(__name__)

FOLDER_NAME = "corrections"
"""Folder of the crops, in the data folder."""
KEPT_MAX = 2000
"""Crops kept at most, some 60 MB; then no more are, for nobody looks after them on a tablet."""


class CorrectionSaver:
    """Told of each corrected die when its roll is confirmed.

    look: the newest picture and its reading, None while there is none. folder: made when it is needed.
    """

    def __init__(self, look: Callable[[], tuple[Frame, Reading] | None], folder: Path) -> None:
        self._look = look
        self._folder = folder

    def __call__(self, x: float, y: float, face: int) -> None:
        """A person corrected the die at x, y (px) to `face`; kept if another one was read.

        A full disk is logged and costs the game nothing.
        """
        seen = self._look()
        die = None if seen is None else seen[1].die_at(x, y)
        if seen is None or die is None or die.face == face:
            return
        if self._folder.is_dir() and sum(1 for _ in self._folder.glob("*.png")) >= KEPT_MAX:
            return
        try:
            save_correction(self._folder, seen[0].image, die.center, die.size, face, die.face)
        except YachtError as error:
            log.warning("%s", error)
