"""Following what hands do at the dice keeper: at once, and again a while after it could not be written."""

import logging
from collections.abc import Callable

from messages.errors import YachtError
from station.game.dice import keeper
from station.game.dice.sights import Sight
from station.game.log.state import State

log = logging.getLogger(__name__)

KEEPER_AGAIN_S = 2.0
"""So long after a hold by the dice keeper that could not be written it is tried again."""


class KeeperFollower:
    """Not thread-safe: the table's lock is held. clock: monotonic seconds."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock, self._waits_s = clock, 0.0
        self.follows = False
        """Whether a step that follows it is on its way."""

    def due(self, state: State, sight: Sight) -> tuple[Sight, tuple[int, ...]] | None:
        """The sight and the slots held once it is followed; None where nothing is to be followed now."""
        now = keeper.laid(state, sight)
        if now is None or now.dice == sight.laid or self._clock() < self._waits_s:
            return None
        return keeper.followed(state, sight, now)

    def failed(self, error: YachtError) -> None:
        """It could not be written: by the disk, or by the station that keeps the game."""
        log.warning("the dice keeper is not followed yet: %s", error)
        self._waits_s = self._clock() + KEEPER_AGAIN_S
