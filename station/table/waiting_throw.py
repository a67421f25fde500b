"""A sure throw that waits to be confirmed, where the next throw confirms it (`Habits.next_confirms`)."""

from collections.abc import Callable
from typing import Any

from station.game.dice.sights import Sight
from station.game.log.state import State
from station.game.situation import Situation
from station.game.steps.accept_roll import AcceptRoll
from station.game.way import WAY

SHOWN_S = 1.0
"""A throw that people could see on their screens for so long may be confirmed by the next."""


class WaitingThrow:
    """The sure throw in the tray, and since when. Not thread-safe: the table's lock is held.

    confirms: whether the next throw confirms it now; else it waits for people. clock: monotonic seconds.
    """

    def __init__(self, clock: Callable[[], float], confirms: Callable[[], bool]) -> None:
        self._clock, self._confirms = clock, confirms
        self._roll: tuple[tuple[int, int], ...] = ()
        self._since_s = 0.0
        self._state: State | None = None
        self._sight = Sight()
        self.later: list[Any] | None = None
        """Calls from the camera while the throw is being confirmed, in order; None while it is not."""

    def note(self, now: Situation) -> None:
        """The tray is shown so to people from now on; a hand over the dice changes nothing."""
        if not WAY.of(now.state).in_turns or not AcceptRoll.available(now):
            return
        roll = tuple((die.slot, die.face) for die in now.offer.dice)
        if roll != self._roll or now.state is not self._state:
            self._since_s = self._clock()
        self._roll, self._state, self._sight = roll, now.state, now.sight

    def take(self, state: State) -> Sight | None:
        """The same, once: from then on nothing waits."""
        sight, self._state = self.of(state), None
        return sight

    def of(self, state: State) -> Sight | None:
        """The sight of the throw that waits in this state, once it was shown for long enough."""
        if self._state is not state or not self._confirms() or self._clock() - self._since_s < SHOWN_S:
            return None
        return self._sight
