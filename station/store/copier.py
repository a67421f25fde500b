"""Copies that are made by themselves: at the end of every game, in the background."""

import logging
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from messages.errors import StoreError, YachtError
from messages.message import Message
from station.store.backups import FOLDER_NAME, backup_to
from station.store.data_files import DataFiles
from station.store.database_file import sentences

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Places:
    """The places for copies of a data folder, and the number of copies in each.

    files: what copies hold besides the games. second: a place of one's choice beside the folder's own; None
    for none.
    """

    data: Path
    files: DataFiles
    keep: int
    second: Path | None = None

    @property
    def all(self) -> tuple[Path, ...]:
        """The folder's own first."""
        own = self.data / FOLDER_NAME
        return (own,) if self.second is None else (own, self.second)

    def copy_to(self, place: Path, now: datetime) -> tuple[Path, tuple[Path, ...]]:
        """Make a copy in one of them; its path, and the older ones that went.

        Raises StoreError: also when the second place is not there, which may be a stick that was taken out.
        """
        with sentences(place):  # a network folder may fail where one asks whether it is there
            if place == self.second and not place.is_dir():
                raise StoreError("store/no-second-place", code="store/failed", path=str(place))
            return backup_to(self.data, place, self.files, now=now, keep=self.keep)


class Copier:
    """A thread that makes a copy in every place on request. `stop` ends it."""

    def __init__(self, places: Places, *, now: Callable[[], datetime]) -> None:
        self._places, self._now = places, now
        self._due = threading.Event()
        self._ends = False
        self._failed: tuple[Message, ...] = ()
        self._thread = threading.Thread(target=self._run, name="copies", daemon=True)

    @property
    def failed(self) -> Sequence[Message]:
        """The failures of the last copies; empty when all were made."""
        return self._failed

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def ask(self) -> None:
        """A game is over: make a copy soon."""
        self._due.set()

    def stop(self, timeout_s: float) -> None:
        """Make no more copies; the current one may be finished."""
        self._ends = True
        self._due.set()
        if self._thread.is_alive():
            self._thread.join(timeout_s)

    def _run(self) -> None:
        while self._due.wait() and not self._ends:
            self._due.clear()
            self._failed = tuple(filter(None, map(self._made, self._places.all)))

    def _made(self, place: Path) -> Message | None:
        """Make a copy in one place; what was wrong, if it could not be made."""
        try:
            path, _ = self._places.copy_to(place, self._now())
        except YachtError as error:
            log.warning("no copy: %s", error)
            return error.message
        log.info("copy of everything: %s", path)
        return None
