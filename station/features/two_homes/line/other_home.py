"""Requests of a guest's home to the table that keeps the game."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from messages.errors import BadInputError, RefusalError
from messages.message import Message
from station.features.two_homes import fair_throw, homes
from station.features.two_homes.fair_throw import FairThrow, Secrets
from station.features.two_homes.homes import Home
from station.features.two_homes.last_throws import LastThrows, Question
from station.game.evolve import UNPLAYABLE
from station.game.log.event import Event
from station.game.steps.undo import Undo, Undone
from station.table.table import Table


class OtherHome:
    """Writes down what was decided there, as long as nothing else happened here meanwhile."""

    def __init__(self, table: Table) -> None:
        self._table, self._play, self._lock = table, table.play, table.play.lock

    def line(self, trouble: Message | None) -> None:
        """Say how the line to the other home is: None while it stands."""
        self._table.change(Home, lambda home: replace(home, line=trouble))

    def pictured(self, home: str, throw: str, count: int, name: str, keep: Callable[[], None]) -> bool:
        """There are that many pictures of that throw, by that name; False where it is not the last one there.

        keep: called before any screen shows them.
        """
        with self._lock:
            throws = self._throws.pictured(home, throw, count, name)
            if throws is not None:
                keep()
            return self._know(throws)

    def take_question(self, home: str, question: Question) -> bool:
        """Take a question or an answer about a throw; False if it is not that home's, or comes too late."""
        with self._lock:
            return self._know(self._throws.with_question(home, question))

    def questions(self) -> tuple[Question, ...]:
        """All questions about the last throws."""
        with self._lock:
            return tuple(self._throws.questions.values())

    def take_questions(self, questions: Sequence[Question]) -> None:
        """The questions, as the station that keeps the game has them."""
        with self._lock:
            self._know(self._throws.with_questions(questions))

    def _know(self, throws: LastThrows | None) -> bool:
        if throws is not None:
            self._play.know(replace(self._play.known(Home), throws=throws))
        return throws is not None

    def numbered(self) -> tuple[int, Sequence[Event]]:
        """The number of the last event, and the events that stand."""
        with self._lock:
            return self._play.log.last_event(), self._play.state.past

    def take(self, after: int, home: str, events: Sequence[Event]) -> int:
        """Write down what was decided in that home after that event; the number of the last event then.

        Raises RefusalError if the game went on meanwhile, or for events that are not theirs; StoreError.
        """
        with self._lock:
            self._check(after)
            homes.checked(self._play.state, home, events)
            if any(isinstance(event, Undone) for event in events):
                if len(events) > 1:  # one step is undone at a time
                    raise RefusalError("homes/not_theirs", kind=Undone.kind)
                self._table.from_outside(Undo(), self._play.shown)
            self._play.follow(events)
            return self._play.log.last_event()

    def due(self, after: int, home: str) -> FairThrow:
        """The throw that a home without a tray may request after that event. Raises RefusalError."""
        with self._lock:
            self._check(after)
            return fair_throw.due(self._play.state, home)

    def take_fair(self, after: int, home: str, secrets: Secrets) -> int:
        """Write down the throw that both secrets fix; the number of the last event then."""
        with self._lock:
            throw = self.due(after, home)
            self._play.follow((fair_throw.rolled(self._play.state, throw, secrets),))
            return self._play.log.last_event()

    def mirror(self, past: Sequence[Event], newer: Callable[[], bool]) -> None:
        """Go on from the events that stand at the station that keeps the game, where these are newer.

        newer: whether they are, called under the lock. Raises BadInputError for events that are no game, and
        changes nothing then.
        """
        with self._lock:
            state = homes.mirrored(self._play.state.past, past)
            if state is not None:
                try:
                    self._play.check_shown(state)
                except UNPLAYABLE as error:
                    raise BadInputError("homes/odd") from error
            if newer() and state is not None:
                self._play.go_on(state)

    @property
    def _throws(self) -> LastThrows:
        return self._play.known(Home).throws

    def _check(self, after: int) -> None:
        if self._play.log.last_event() != after:
            raise RefusalError("version/stale")
