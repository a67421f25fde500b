"""Values that features derive from past games, for pages and the API."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from messages.message import Message

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from station.store.archive import FinishedGame

Q = TypeVar("Q")
A = TypeVar("A")


@dataclass(frozen=True, slots=True)
class PastQuestion(Generic[Q, A]):
    """A question about past games, answered at `/api/v1/people/NAME`.

    summary: in the API's description. answer: from all games, the latest first, and the current name of a
    player in them.
    """

    name: str
    summary: str
    takes: type[Q]
    gives: type[A]
    answer: "Callable[[Sequence[FinishedGame], Callable[[str], str], Q], A]"


@dataclass(frozen=True, slots=True)
class PastTable:
    """A table below a past game: a row for each player, who stands first in it."""

    title: Message
    about: Message
    heads: tuple[Message, ...]
    rows: tuple[tuple[str, tuple[int, ...]], ...]
