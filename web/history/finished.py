"""Finished games, as the archive keeps them and the API gives them."""

from datetime import datetime

from pydantic import BaseModel, TypeAdapter

from station.contract.view import EndedBy
from web.core.collaborators import Archive
from web.core.timestamps import moment


class FinishedPlayer(BaseModel):
    """One column of a finished sheet; `boxes` has null where a box stayed open."""

    name: str
    boxes: dict[str, int | None]
    upper: int
    bonus: int
    extra: int
    total: int
    won: bool


class FinishedGame(BaseModel):
    """A game that is over; times are ISO 8601, UTC."""

    game: int
    rules: str
    started_at: str
    finished_at: str
    ended_early: bool
    ended_by: EndedBy
    players: list[FinishedPlayer]

    @property
    def when(self) -> datetime:
        """When it ended."""
        return moment(self.finished_at)


class FinishedGames(BaseModel):
    """Finished games, the latest first."""

    games: list[FinishedGame]


_GAMES = TypeAdapter(list[FinishedGame])


def games(archive: Archive) -> list[FinishedGame]:
    """Those of the archive, the latest first."""
    return _GAMES.validate_python(archive.games())
