"""Values that a game, or a player in it, keeps for features, each under a key that knows its type.

A value follows from the events, as everything in a state does, and is not logged itself.
"""

from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar, cast

T = TypeVar("T", bound=Hashable)
Holder = TypeVar("Holder", bound=Any)
Values = tuple[tuple[str, Hashable], ...]


@dataclass(frozen=True, slots=True, eq=False)
class FeatureValue(Generic[T]):
    """The key of one such value. default: what nobody has put there yet.

    >>> from station.game.log.state import State
    >>> WISHES: FeatureValue[tuple[str, ...]] = FeatureValue("wishes", ())
    >>> WISHES.of(State()), WISHES.of(WISHES.put(State(), ("a yacht",)))
    ((), ('a yacht',))
    >>> WISHES.put(WISHES.put(State(), ("a yacht",)), ()) == State()
    True
    """

    name: str
    default: T

    def of(self, holder: Any) -> T:
        """The value of this game or player."""
        for name, value in self._all(holder):
            if name == self.name:
                return cast("T", value)
        return self.default

    def put(self, holder: Holder, value: T) -> Holder:
        """The same game or player with this value."""
        others = tuple(each for each in self._all(holder) if each[0] != self.name)
        own = () if value == self.default else ((self.name, value),)
        return self._with(holder, tuple(sorted((*others, *own), key=lambda each: each[0])))

    @staticmethod
    def _all(holder: Any) -> Values:
        return cast("Values", holder.kept)

    @staticmethod
    def _with(holder: Holder, values: Values) -> Holder:
        return replace(holder, kept=values)


class TurnValue(FeatureValue[T]):
    """The key of a value that a game keeps until the turn is over."""

    __slots__ = ()

    @staticmethod
    def _all(holder: Any) -> Values:
        return cast("Values", holder.turn_values)

    @staticmethod
    def _with(holder: Holder, values: Values) -> Holder:
        return replace(holder, turn_values=values)
