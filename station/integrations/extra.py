"""Extras: packages that follow the table, found by their entry point `yacht.extra`."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from station.config.group import Group
from station.contract.averages import Average
from station.contract.check import Check
from station.contract.command import Button
from station.contract.pairing import Pairing
from station.contract.view import TableView
from station.health.supervisor import Part
from station.screens.publisher import Subscription

if TYPE_CHECKING:
    from station.integrations.outbox import Outbox


class Integration(Part, Protocol):
    """Tells others of the table, in a thread of its own; nobody waits for it."""

    def start(self) -> None:
        """Begin."""

    def ask_to_stop(self) -> None:
        """Come to an end."""

    def stop(self, timeout_s: float) -> None:
        """Wait for it, at most that long."""

    def check(self) -> Check:
        """The check for health."""


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of the station that an extra may use.

    subscribe: to the states of the table. outbox: the events there that one receiver, by its name, has not
    got yet. press: a button of the table; raises YachtError. picture: the tray as a JPEG; None while
    there is none. station: its name for receivers; language: of words to them. data: for files.
    pair: shows screens who meets here next, as the board of a club says; None: nobody. averages: of all who
    played here, who played most first.
    """

    subscribe: Callable[[], Subscription[TableView]]
    outbox: "Callable[[str], Outbox]"
    press: Callable[[Button], object]
    picture: Callable[[], bytes | None]
    station: str
    language: str
    data: Path
    pair: Callable[[Pairing | None], object] = lambda _: None
    averages: Callable[[], Sequence[Average]] = tuple


Settings = TypeVar("Settings", bound=Group)


@dataclass(frozen=True, slots=True)
class Extra(Generic[Settings]):
    """The object of the entry point. Its words are beside it, in `words/`, one file a language.

    settings: a model whose fields are groups of the settings file. open: makes the part that publishes, not
    started yet; None where the settings ask for nothing. taken: by group, the settings that the file of
    another machine may bring.
    """

    settings: type[Settings]
    open: Callable[[Settings, Parts], Integration | None]
    taken: Mapping[str, Sequence[str]] = field(default_factory=dict)
