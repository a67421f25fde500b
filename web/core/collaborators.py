"""What the web room needs from others, as protocols: tests and the composition root pass it in."""

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from station.game.log.events import Event
from station.rules import RuleSet
from station.store.archive import FinishedGame


class Archive(Protocol):
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

    def backup(self, target: Path) -> None:
        """Write a whole copy to a file, while the game goes on. Raises StoreError."""


class Pictures(Protocol):
    """Pictures of confirmed throws (station.camera.throw_pictures has them)."""

    def find(self, game: int, seat: int, turn: int, throw: int) -> bytes | None:
        """The tray after that throw, a JPEG; turn and throw from 1. None where none was kept."""

    def drop(self, game: int) -> None:
        """Forget those of a game."""


class HouseRules(Protocol):
    """House rules of the station, as texts."""

    def texts(self) -> Mapping[str, str]:
        """The text of each, by id."""

    def save(self, text: str) -> RuleSet:
        """Keep them. Raises BadInputError with line and reason, StoreError when it cannot be written."""

    def delete(self, rules_id: str) -> bool:
        """Forget them; False when there are none of that id."""
