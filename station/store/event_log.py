"""The port through which the table writes events down, and a log that forgets with the process."""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from messages.errors import RefusalError
from messages.message import Message
from station.game.log.event import Event
from station.game.log.state import State

VERSION_BLOCK = 100_000
"""Number of versions that may be used before the next block is reserved in the log."""


class EventLog(Protocol):
    """A log of events; `station.store` is the one on disk."""

    @property
    def restorable(self) -> "Restorable | None":
        """All games that are stored here, to be replaced by those of a copy; None where none are."""

    def events(self) -> Sequence[Event]:
        """The events to start from: those of the last game and the one before."""

    def next_game(self) -> int:
        """A number no game has had."""

    def last_event(self) -> int:
        """The number of the last event; 0 before the first."""

    def append(self, events: Sequence[Event], state: State) -> None:
        """Write events down for good; `state` is what follows from them.

        Raises StoreError; then nothing is written.
        """

    def note_last(self) -> None:
        """Note which event is the last, so that a log without it is noticed; before anybody is answered."""

    def reserve_version(self) -> int:
        """A version higher than any given before, the first of a block of VERSION_BLOCK."""


class Restorable(Protocol):
    """A log whose content can be put back from a copy while the station runs.

    trouble: why games are kept in memory only; None while they are stored.
    """

    trouble: Message | None

    def tried(self, source: Path, scratch: Path) -> Path:
        """A copy of a copy, in a folder of its own, that the station could live with.

        Raises BadInputError for what is not one; nothing else is touched.
        """

    def put_back(self, sound: Path, *, version: int) -> Path | None:
        """Replace everything with a tried copy; `version` and all below are in use already.

        Gives the file in which the present content is kept. When it cannot be done, all is as it was.
        """

    def reopen(self, *, version: int) -> None:
        """Try again what was in trouble. Raises StoreError while it still is."""


def restorable(log: EventLog, *, playing: bool) -> Restorable:
    """The log, where everything in it may be put back now. Raises RefusalError.

    playing: whether a game is. What is played while nothing can be stored comes along; any other has to end.
    """
    stored = log.restorable
    if playing and (stored is None or stored.trouble is None):
        raise RefusalError("game/running_restore", code="game/running")
    if stored is None:
        raise RefusalError("store/none")
    return stored


class MemoryLog:
    """Keeps events in memory: for tests and trials."""

    restorable = None

    def __init__(self, events: Sequence[Event] = ()) -> None:
        self.written = list(events)
        self._games = 0
        self._versions = 1

    def events(self) -> Sequence[Event]:
        """Everything so far."""
        return tuple(self.written)

    def next_game(self) -> int:
        """Count up."""
        self._games += 1
        return self._games

    def last_event(self) -> int:
        """The number of the last event."""
        return len(self.written)

    def append(self, events: Sequence[Event], state: State) -> None:
        """Remember."""
        del state
        self.written.extend(events)

    def note_last(self) -> None:
        """Do nothing: this log ends with the process."""

    def reserve_version(self) -> int:
        """Count up by blocks."""
        first = self._versions
        self._versions += VERSION_BLOCK
        return first
