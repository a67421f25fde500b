"""Options with which a game and each of its seats begin, beside names and rules.

An option is one value from the request over the log to the line of notation. It is defined in one place, with
the feature that brings it (`station/features/`); its value is `option.of(state)` or `option.of(player)`.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar, cast

from pydantic import BaseModel, create_model

from station.contract.fields import Body
from station.game.log.words import quoted, unquoted
from station.rules import RuleSet

T = TypeVar("T", bound=Hashable)
S = TypeVar("S", bound=Hashable)
Key = TypeVar("Key", bound="Option[Any]")
M = TypeVar("M", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Options:
    """The options of one game or of one seat that are not as usual, by name."""

    values: tuple[tuple[str, Hashable], ...] = ()


USUAL = Options()
"""Every option as usual."""


class HasOptions(Protocol):
    """A game or a seat."""

    @property
    def options(self) -> Options:
        """What it was begun with."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Option(Generic[T]):
    """Something that a game, or a seat, may be begun with.

    name: the field of a request, where it has one. usual: the default; the log
    leaves it out. field: type and default of the field of a request, as pydantic takes them; None where the
    rules say it. request: a value as a request has it. kept: the type of the field in the log. word: the word
    before it in a line of notation.
    """

    name: str
    usual: T
    field: tuple[Any, Any] | None
    request: Callable[[T], Any]
    kept: Any
    word: str

    def of(self, holder: HasOptions) -> T:
        """The value of this game or seat."""
        return cast("T", dict(holder.options.values).get(self.name, self.usual))

    def value_in(self, request: Body) -> Any:
        """The field of a request; of one that was made by `with_fields`."""
        return getattr(request, self.name) if self.field else None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GameOption(Option[T]):
    """An option of a game.

    keep: the value for the field of a request; raises RefusalError for what these rules do not allow. write,
    read: the value in a line of notation; `read` raises ValueError for a word that is none.
    """

    keep: Callable[[Any, RuleSet], T]
    write: Callable[[T], str]
    read: Callable[[str], T]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SeatOption(Option[T]):
    """An option of a seat.

    listed: the field of the log, which has the value of each seat, or nothing where all are as usual; `kept`
    is the type of one. keep: the values for the fields of all seats; raises RefusalError. write, read: all
    values in a line of notation; `read` raises ValueError. people_only: the code of the refusal where no
    person plays a seat for which this is not as usual; empty where that makes no difference.
    """

    listed: str
    keep: Callable[[Sequence[Any]], Sequence[T]]
    write: Callable[[Sequence[T]], str]
    read: Callable[[str], Sequence[T]]
    people_only: str = ""


def chosen(values: Mapping[Key, Any]) -> Options:
    """The options with these values."""
    return Options(tuple((option.name, value) for option, value in values.items() if value != option.usual))


def with_fields(options: Sequence[Option[Any]]) -> Callable[[type[M]], type[M]]:
    """Decorate the model of a request: it has a field for each option as well (`Option.value_in`)."""
    return with_these({option.name: option.field for option in options if option.field})


def with_these(fields: Mapping[str, Any]) -> Callable[[type[M]], type[M]]:
    """Decorate a model: it has these fields as well, their types and defaults as pydantic takes them."""

    def add(model: type[M]) -> type[M]:
        return create_model(
            model.__name__, __base__=model, __doc__=model.__doc__, __module__=model.__module__, **fields
        )

    return add


def read_listed(read: Callable[[str], S]) -> Callable[[str], Sequence[S]]:
    """A function that reads values written as one word with commas between them."""
    return lambda word: tuple(map(read, word.split(",")))


def write_listed(values: Sequence[object]) -> str:
    """These values in one word, with commas between them."""
    return ",".join(map(str, values))


def read_quoted(word: str) -> Sequence[str]:
    """Texts that stand in one quoted word, with commas between them."""
    return tuple(unquoted(word).split(","))


def write_quoted(values: Sequence[object]) -> str:
    """These texts in one quoted word, with commas between them."""
    return quoted(write_listed(values))
