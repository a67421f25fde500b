"""The base class of events: values with a name in the log, which apply themselves to a state.

An event records what happened, never what follows from it: points, totals and whose turn it is are computed
when it is applied. Each kind is defined in a file of its own in `station.game.steps`.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar, cast

from pydantic import TypeAdapter

from messages.message import Message
from station.game.log.slots import Die, Seen
from station.game.log.words import number_of, quoted, unquoted

if TYPE_CHECKING:
    from station.game.log.state import State
    from station.game.situation import GameCommand

E = TypeVar("E")


@dataclass(frozen=True, slots=True)
class Event(ABC):
    """One event; `kind` is the name in the log, `word` the first word of a line of notation.

    plain: the fields that follow that word, in this order. in_turn: it is a step of a turn, and shares a
    line of a page with the others of it. is_roll: dice count as a throw. confirms: the dice in
    the tray count. begins_game: a game begins.
    begins_turn: the turn of a player may begin with it.
    takes_back: the last event that still stood no longer stands. corrects: somebody sets right a die of
    the roll, or a `box`.
    """

    kind: ClassVar[str]
    word: ClassVar[str]
    plain: ClassVar[tuple[str, ...]] = ()
    in_turn: ClassVar[bool] = False
    is_roll: ClassVar[bool] = False
    confirms: ClassVar[bool] = False
    begins_game: ClassVar[bool] = False
    begins_turn: ClassVar[bool] = False
    takes_back: ClassVar[bool] = False
    corrects: ClassVar[bool] = False

    @abstractmethod
    def apply(self, state: "State") -> "State":
        """The state after it. Checks nothing that was checked before it was written."""

    @abstractmethod
    def undo_words(self, after: "State", before: Callable[[], "State"]) -> Message:
        """The words after "Undo: " for taking this event back. after, before: the states around it."""

    @abstractmethod
    def command(self) -> "GameCommand | None":
        """The command that brings it about; None for what only a camera shows."""

    @property
    def box(self) -> tuple[int, str] | None:
        """Seat and category of a box that it sets right."""
        return None

    @property
    def single(self) -> Die | None:
        """A die that was thrown by itself, for no roll."""
        return None

    @property
    def with_next(self) -> bool:
        """Whether it is one step with the event that follows."""
        return False

    @property
    def with_previous(self) -> bool:
        """Whether it is one step with the event before."""
        return False

    def ends_line(self, following: "Event") -> bool:
        """Whether the line of a page ends with it, and the one that follows begins another."""
        del following
        return False

    def mover(self, after: "State") -> str | None:
        """The player whose step it was; None where it was no step of a turn. after: the state after it."""
        return after.player.name if self.in_turn else None

    def log_line(self, after: "State") -> str:
        """One line for the log, without names. after: the state it led to."""
        del after
        return self.kind.replace("_", " ")

    # -- as JSON -------------------------------------------------------------------------------------

    def to_json(self) -> dict[str, Any]:
        """The event with its kind, tuples as lists."""
        body: dict[str, Any] = {"kind": self.kind}
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name == "left":
                value = [die.to_json() for die in value]
            body[field.name] = lists(value)
        return body

    @classmethod
    def of_json(cls, body: Mapping[str, Any]) -> Self:
        """Read back what `to_json` wrote. Raises ValueError for a body that is no such event."""
        return cast("Self", _adapter(cls).validate_python(body))

    # -- as notation ---------------------------------------------------------------------------------

    def words(self) -> list[str]:
        """The words of its line."""
        return [self.word, *self._plain_words()]

    def _plain_words(self) -> Iterator[str]:
        """The plain fields as words; `of_words` is the way back."""
        for field in self.plain:
            value = getattr(self, field)
            if field == "slots":
                yield from map(str, value)
            else:
                yield quoted(value) if field == "name" else str(value)

    @classmethod
    def readers(cls) -> Mapping[str, Callable[[list[str]], Self]]:
        """The first words of its lines, and what reads the words that follow.

        They raise ValueError, IndexError or TypeError for words that are no such event.
        """
        return {cls.word: cls.of_words}

    @classmethod
    def of_words(cls, words: list[str]) -> Self:
        """The event with its plain fields from as many words; slots come last, as many as there are."""
        given: dict[str, Any] = {}
        for field in cls.plain:
            if field == "slots":
                given[field], words = tuple(map(number_of, words)), []
            else:
                word, *words = words
                given[field] = PLAIN_READERS.get(field, number_of)(word)
        if words:
            raise ValueError
        return cls(**given)


class Leaves(Event):
    """An event after which the dice in the tray are nobody's roll.

    left: the dice as they lay then. rolling: whether dice were rolling or out of sight at that moment.
    """

    __slots__ = ()
    left: tuple[Seen, ...]
    rolling: bool


class SeatEvent(Event):
    """An event of one player, independent of the others. seat: from 0."""

    __slots__ = ()
    seat: int

    def mover(self, after: "State") -> str | None:
        """The player of the event."""
        return after.players[self.seat].name


PLAIN_READERS: Mapping[str, Callable[[str], object]] = {"name": unquoted, "category": str}
"""Readers of the plain fields that are no numbers, by field."""


def lists(value: Any) -> Any:
    """The value as JSON has it."""
    return [lists(each) for each in value] if isinstance(value, tuple) else value


@cache
def _adapter(kind: type[E]) -> TypeAdapter[E]:
    return TypeAdapter(kind)
