"""The archive under the names shown now: who was renamed, and which names are one person's."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from station.game.log.event import Event
from station.store.archive import FinishedGame
from station.store.past_games import PastGame
from web.core.collaborators import GameArchive


class NamedArchive:
    """Another archive with players by the names that `shown` gives; events keep the names of the time."""

    def __init__(self, archive: GameArchive, name_now: Callable[[str], str]) -> None:
        self._archive, self._name_now = archive, name_now

    def games(self, limit: int | None = None) -> list[FinishedGame]:
        """Finished games, the latest first."""
        return [self._named(game) for game in self._archive.games(limit)]

    def transcript(self, game: int) -> tuple[Event, ...]:
        """All events of one game, with the names of the time."""
        return self._archive.transcript(game)

    def delete_game(self, game: int) -> bool:
        """Set a finished game aside for 30 days; False when there is none."""
        return self._archive.delete_game(game)

    def undelete_game(self, game: int) -> bool:
        """Put a game back that was set aside; False when it was not."""
        return self._archive.undelete_game(game)

    def games_aside(self) -> list[FinishedGame]:
        """Games that were deleted and can still be put back, the latest first."""
        return [self._named(game) for game in self._archive.games_aside()]

    def add_past(self, games: Sequence[PastGame]) -> int:
        """Add games from before there was a station, under the names of the time; how many are new."""
        return self._archive.add_past(games)

    def backup(self, target: Path) -> None:
        """Write a whole copy to a file, while the game goes on. Raises StoreError."""
        self._archive.backup(target)

    def _named(self, game: FinishedGame) -> FinishedGame:
        """Of two columns that would have one name, the second keeps the one it was written under."""
        if all(self._name_now(player.name) == player.name for player in game.players):
            return game
        taken = {player.name for player in game.players}
        players = []
        for player in game.players:
            name = self._name_now(player.name)
            if name != player.name and name not in taken:
                taken.add(name)
                player = replace(player, name=name)  # noqa: PLW2901 - the same column
            players.append(player)
        return replace(game, players=tuple(players))
