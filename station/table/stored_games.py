"""All games that are stored, while a table keeps them: a copy takes their place, or they are opened again."""

import tempfile
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

from station.store.event_log import Restorable, restorable
from station.table.play import Play


class StoredGames:
    """Operations on all stored games at once."""

    def __init__(self, play: Play) -> None:
        self._play, self._lock = play, play.lock
        self.exchanging: Callable[[], AbstractContextManager[None]] = nullcontext
        """Entered while games and files of a copy take the place of those there are."""

    def restore(self, copy: Path) -> Path | None:
        """Replace all games with a backup, and continue from there; for the setup page.

        Gives the file in which the games so far are kept. Raises RefusalError while a game is being played,
        BadInputError for what is no sound backup, StoreError; then nothing has changed.
        """
        return self.put_back(lambda scratch: self._restorable().tried(copy, scratch))

    def put_back(self, make: Callable[[Path], Path]) -> Path | None:
        """The same with a sound database that `make` writes into a folder it is given."""
        with self._lock:
            self._restorable()
        with tempfile.TemporaryDirectory() as scratch:
            sound = make(Path(scratch))  # takes a while, and nobody has to wait for it
            with self._lock:
                stored = self._restorable()
                with self.exchanging():
                    kept = stored.put_back(sound, version=self._play.versions.given)
                self._play.recall()
                return kept

    def reopen(self) -> None:
        """Try again to store games, where that was in trouble. Raises StoreError while it still is."""
        with self._lock:
            self._restorable().reopen(version=self._play.versions.given)
            self._play.recall()

    def _restorable(self) -> Restorable:
        """The log, where everything in it may be put back now. Raises RefusalError."""
        return restorable(self._play.log, playing=self._play.state.running)
