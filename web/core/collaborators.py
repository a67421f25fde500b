"""The archive of finished games as the web reads it: the store's, or one with other names over it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from station.game.log.event import Event
from station.store.archive import FinishedGame
from station.store.past_games import PastGame


class GameArchive(Protocol):
    """Finished games, as the web reads them (the store has them)."""

    def games(self, limit: int | None = None) -> list[FinishedGame]:
        """Finished games, the latest first."""

    def transcript(self, game: int) -> tuple[Event, ...]:
        """All events of one game in order, what was undone included."""

    def delete_game(self, game: int) -> bool:
        """Set a finished game aside for 30 days; False when there is none."""

    def undelete_game(self, game: int) -> bool:
        """Put a game back that was set aside; False when it was not."""

    def games_aside(self) -> list[FinishedGame]:
        """Games that were deleted and can still be put back, the latest first."""

    def add_past(self, games: Sequence[PastGame]) -> int:
        """Add games from before there was a station; how many are new. Raises StoreError."""

    def backup(self, target: Path) -> None:
        """Write a whole copy to a file, while the game goes on. Raises StoreError."""
