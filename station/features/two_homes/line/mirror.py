"""A table that follows another station's game: the log it writes to, and what the line needs of it."""

from collections.abc import Callable, Sequence
from typing import Any

from messages.errors import RefusalError, StoreError
from station.features.two_homes.fair_throw import FairThrow, Secrets
from station.features.two_homes.last_throws import Question
from station.game.log.event import Event
from station.game.log.state import State
from station.store.event_log import EventLog, Restorable


class MirrorLog:
    """The log of a station that plays along: what is appended is on the host's disk, or not at all.

    store: of this station's own games.
    """

    def __init__(self, store: EventLog) -> None:
        self._store = store
        self._number = 0
        self._stand: Sequence[Event] = ()
        self.session = ""
        """The host's name of its log since it started; numbers of another log are not comparable."""
        self._past: set[str] = set()
        self.ask: Callable[[int, Sequence[Event]], int] = no_line
        self.throw: Callable[[int, FairThrow], tuple[Secrets, int]] = no_line
        self.tell: Callable[[Question], None] = no_line
        self._written: tuple[str, int] | None = None

    def events(self) -> Sequence[Event]:
        """The events received from the host; none before."""
        return self._stand

    def next_game(self) -> int:
        """Games begin at the host."""
        raise RefusalError("homes/host_only")

    def last_event(self) -> int:
        """The host's number of the last event known here."""
        return self._number

    def append(self, events: Sequence[Event], state: State) -> None:
        """Have the host write them down. Raises StoreError without a line, RefusalError where it will not."""
        written, self._written = self._written, None
        session, number = written or ("", 0)
        known = session == self.session and number > self._number  # numbers jump where a copy was put back
        self._number = number if known else self.ask(self._number, events)
        self._stand = state.past

    def note_last(self) -> None:
        """The host does."""

    def draw(self, throw: FairThrow) -> Secrets:
        """Have the host draw a throw together with this station and write it down: `append` need not.

        Without the table's lock: what the host tells meanwhile may have brought the throw here already.
        """
        session = self.session
        both, number = self.throw(self._number, throw)
        self._written = session, number
        return both

    def question(self, question: Question) -> None:
        """Send a question about a throw to the host, which publishes it. Raises StoreError without a line."""
        self.tell(question)

    def reserve_version(self) -> int:
        """The next version, from the own store: screens here know its versions."""
        return self._store.reserve_version()

    @property
    def restorable(self) -> Restorable | None:
        """The own games; the host's game stays."""
        return self._store.restorable

    def newer(self, session: str, number: int, events: Sequence[Event]) -> bool:
        """Whether the host has more than is known here; it is known from now on.

        events: those that stand.

        After a restart of the host its log may be another one; messages of an earlier one come too late.
        """
        if session in self._past or (session == self.session and number <= self._number):
            return False
        if session != self.session:
            self._past.add(self.session)
        self.session, self._number, self._stand = session, number, events
        return True


def no_line(*_arguments: object) -> Any:
    """Refuse events, throws and questions while there is no line. Raises StoreError."""
    raise StoreError("homes/line")
