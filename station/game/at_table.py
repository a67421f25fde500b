"""A value that a feature keeps at one table beside the game (`station/features/`)."""

from collections.abc import Sequence
from typing import Self, TypeVar

from station.contract.command import Command
from station.game.dice.tray import Offer
from station.game.log.event import Event
from station.game.log.state import State


class AtTable:
    """A value, which says nothing where it was made without arguments; what changes gives another one."""

    __slots__ = ()

    def check(self, state: State, command: Command) -> None:
        """Raise RefusalError for what cannot be done here."""

    def offered(self, state: State, kinds: Sequence[type[Command]]) -> Sequence[type[Command]]:
        """The commands that can be carried out here, as far as their kind says."""
        del state
        return kinds

    def followed(self, event: Event, before: State, after: State) -> Self:
        """The same after one more event. before, after: the states around it."""
        del event, before, after
        return self

    def recalled(self, state: State) -> Self:
        """The same where the game stands so, whatever was before."""
        del state
        return self

    def tray_unknown(self, state: State) -> bool:
        """Whether the log that led there does not say on which tray dice lay."""
        del state
        return False

    def away(self, state: State) -> bool:
        """Whether this turn is played away from the tray here."""
        del state
        return False

    def unseen(self, state: State) -> bool:
        """Whether the dice of this turn are none that the camera here sees."""
        return self.away(state)

    def seeing(self, state: State, offer: Offer) -> Self:
        """The same with its reaction to the dice in the tray."""
        del state, offer
        return self


K = TypeVar("K", bound=AtTable)
