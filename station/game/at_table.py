"""What a feature knows at one table beside the game (`station/features/`)."""

from typing import Self, TypeVar

from station.game.dice.tray import Offer
from station.game.log.state import State


class AtTable:
    """A value, which says nothing where it was made without arguments; what changes gives another one."""

    __slots__ = ()

    def unseen(self, state: State) -> bool:
        """Whether the dice of this turn are none that the camera here sees."""
        del state
        return False

    def seeing(self, state: State, offer: Offer) -> Self:
        """The same with what it has to say to the dice that lie there."""
        del state, offer
        return self


K = TypeVar("K", bound=AtTable)
