"""All games that are stored, while a table keeps them: a copy takes their place, or they are opened again."""

import tempfile
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

from station.game.log.state import State
from station.store.event_log import EventLog, Restorable, restorable
from station.table.step_lock import StepLock
from station.table.versions import Versions


class StoredGames:
    """What may be done to all games at once.

    lock: the table's. log: where events go. state: as the game stands. versions: what screens may still ask
    for. begin_anew: go on from what the log says then.
    """

    def __init__(
        self,
        lock: StepLock,
        log: EventLog,
        state: Callable[[], State],
        versions: Versions,
        begin_anew: Callable[[], None],
    ) -> None:
        self._lock, self._log, self._state = lock, log, state
        self._versions, self._begin_anew = versions, begin_anew
        self.exchanging: Callable[[], AbstractContextManager[None]] = nullcontext
        """Entered while games and files of a copy take the place of those there are."""

    def restore(self, copy: Path) -> Path | None:
        """Put a backup in the place of all games, and go on from there; for the setup page.

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
                    kept = stored.put_back(sound, version=self._versions.given)
                self._begin_anew()
                return kept

    def reopen(self) -> None:
        """Try again to store games, where that was in trouble. Raises StoreError while it still is."""
        with self._lock:
            self._restorable().reopen(version=self._versions.given)
            self._begin_anew()

    def _restorable(self) -> Restorable:
        """The log, where everything in it may be put back now. Raises RefusalError."""
        return restorable(self._log, playing=self._state().running)
