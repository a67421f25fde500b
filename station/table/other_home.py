"""What the home in which a guest plays has to say to the table that keeps the game."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from messages.errors import RefusalError
from messages.message import Message
from station.game.events import Event, Undone
from station.game.log.state import State
from station.game.two_homes import fair_throw, homes
from station.game.two_homes.fair_throw import Secrets, Throw
from station.game.two_homes.last_throws import LastThrows, Question
from station.table.play import Play


class OtherHome:
    """Writes down what was decided there, as long as nothing else happened here meanwhile.

    may_undo: raises where no step may be taken back from elsewhere.
    """

    def __init__(self, play: Play, may_undo: Callable[[], None]) -> None:
        self._play, self._lock, self._may_undo = play, play.lock, may_undo

    def line(self, trouble: Message | None) -> None:
        """Say how the line to the other home is: None while it stands."""
        with self._lock:
            self._play.show_home(replace(self._play.home, line=trouble))

    def pictured(self, home: str, throw: str, count: int, name: str, keep: Callable[[], None]) -> bool:
        """There are that many pictures of that throw, by that name; False where it is not the last one there.

        keep: called before any screen is told of them.
        """
        with self._lock:
            throws = self._play.home.throws.pictured(home, throw, count, name)
            if throws is not None:
                keep()
            return self._know(throws)

    def heard(self, home: str, said: Question) -> bool:
        """That home asks about a throw, or answers; False for what is not its to say, or comes too late."""
        with self._lock:
            return self._know(self._play.home.throws.heard(home, said))

    def questions(self) -> tuple[Question, ...]:
        """All that is asked about the last throws."""
        with self._lock:
            return tuple(self._play.home.throws.questions.values())

    def told(self, questions: Sequence[Question]) -> None:
        """What is asked, as the station says that keeps the game."""
        with self._lock:
            self._know(self._play.home.throws.told(questions))

    def _know(self, throws: LastThrows | None) -> bool:
        if throws is not None:
            self._play.show_home(replace(self._play.home, throws=throws))
        return throws is not None

    def numbered(self) -> tuple[int, Sequence[Event]]:
        """The number of the last event, and the events that stand."""
        with self._lock:
            return self._play.log.last_event(), self._play.state.past

    def take(self, after: int, home: str, told: Sequence[Event]) -> int:
        """Write down what was decided in that home after that event; the number of the last event then.

        Raises RefusalError where the game went on meanwhile, or for what is not theirs to say; StoreError.
        """
        with self._lock:
            self._check(after)
            homes.checked(self._play.state, home, told)
            if any(isinstance(event, Undone) for event in told):
                if len(told) > 1:  # one step is taken back at a time, and asked for
                    raise RefusalError("homes/not_theirs", kind=Undone.kind)
                self._may_undo()
            self._play.follow(told)
            return self._play.log.last_event()

    def due(self, after: int, home: str) -> Throw:
        """The throw that a home without a tray may ask for after that event. Raises RefusalError."""
        with self._lock:
            self._check(after)
            return fair_throw.due(self._play.state, home)

    def take_fair(self, after: int, home: str, secrets: Secrets) -> int:
        """Write down the throw that both secrets fix; the number of the last event then."""
        with self._lock:
            throw = self.due(after, home)
            self._play.follow((fair_throw.rolled(self._play.state, throw, secrets),))
            return self._play.log.last_event()

    def draw(self, state: State, fair: Callable[[Throw], Secrets]) -> None:
        """Draw a throw with that home, and keep nobody waiting: what else is asked for is refused meanwhile.

        The lock must not be held. state: as the game stood when it was asked for. fair: draws with that home.
        """
        try:
            throw = fair_throw.due(state, self._play.home.name)
            secrets = fair(throw)
            with self._lock:
                if self._play.state is state:  # else the host's log was here first, and tells it
                    self._play.follow((fair_throw.rolled(state, throw, secrets),))
        finally:
            with self._lock:
                self._play.show_home(replace(self._play.home, throwing=False))

    def _check(self, after: int) -> None:
        if self._play.log.last_event() != after:
            raise RefusalError("version/stale")
