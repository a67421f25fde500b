"""Doing what features find due by what the camera sees: at once, and again a while after it failed."""

import logging
from collections.abc import Callable

from messages.errors import YachtError
from station.game.dice.sights import Sight
from station.game.feature import Feature, implementing
from station.game.log.state import State
from station.game.situation import GameCommand

log = logging.getLogger(__name__)

AGAIN_S = 2.0
"""Seconds after which a step that could not be written is tried again."""


class SightFollower:
    """Not thread-safe: the table's lock is held. clock: monotonic seconds."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock, self._waits_s = clock, 0.0
        self.follows = False
        """Whether a step that follows is on its way."""

    def due(self, state: State, sight: Sight) -> tuple[Sight, GameCommand | None] | None:
        """The sight and the command that follows from it; None where nothing follows now."""
        if self._clock() < self._waits_s:
            return None
        found = (feature.follow_sight(state, sight) for feature in implementing(Feature.follow_sight))
        return next((each for each in found if each is not None), None)

    def failed(self, error: YachtError) -> None:
        """Handle a step that could not be written, by the disk or by the station that keeps the game."""
        log.warning("what the camera sees is not followed yet: %s", error)
        self._waits_s = self._clock() + AGAIN_S
