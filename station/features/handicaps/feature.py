"""Players who begin with points, so that all begin level."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, ClassVar

from pydantic import Field

from messages.errors import RefusalError
from messages.message import Message
from station.contract.fields import Number
from station.features.handicaps import level
from station.features.handicaps.level import LEVEL
from station.game.feature import Feature, Start
from station.game.log.options import SeatOption, read_listed, write_listed
from station.game.log.player import Player
from station.game.log.state import State
from station.game.past import PastTable

if TYPE_CHECKING:
    from station.store.archive import FinishedGame

HANDICAP_MAX = 999
"""Points a player may begin with."""


def _points(word: str) -> int:
    points = int(word)
    if not 0 <= points <= HANDICAP_MAX:
        raise ValueError
    return points


HANDICAP: SeatOption[int] = SeatOption(
    name="handicap",
    usual=0,
    field=(
        Annotated[int, Field(strict=True, ge=0, le=HANDICAP_MAX, description="Points it begins with.")],
        0,
    ),
    request=int,
    listed="handicaps",
    kept=Number,
    word="handicaps",
    keep=tuple,
    write=write_listed,
    read=read_listed(_points),
)


@dataclass(frozen=True, slots=True)
class PlayerPart:
    """Its part of the screens' view."""

    notes: ClassVar[Mapping[str, str]] = MappingProxyType({"total": "With the handicap."})
    handicap: Annotated[int, Field(description="Points it began with.")] = 0


@dataclass(frozen=True, slots=True)
class ColumnPart:
    """Its part of the view of a player in a past game."""

    handicap: int = 0


class HandicapsFeature(Feature):
    """The points stand on the sheet, so every total, chance and winner has them."""

    seat_options = (HANDICAP,)
    player_view = PlayerPart
    column_view = ColumnPart
    ahead = Message("page/common/handicap")
    questions = (LEVEL,)

    def check(self, start: Start) -> None:
        """Raise RefusalError `handicap/bonus_only` where points of boxes do not count."""
        if start.rules.bonus_only and start.anybody(HANDICAP):
            raise RefusalError("handicap/bonus_only", title=start.rules.title)

    def seated(self, player: Player) -> Player:
        """The player with the points on the sheet."""
        return replace(player, sheet=replace(player.sheet, ahead=HANDICAP.of(player)))

    def of_player(self, state: State, player: Player) -> PlayerPart:
        """The points."""
        del state
        return PlayerPart(player.sheet.ahead)

    def of_column(self, ahead: int) -> ColumnPart:
        """The points."""
        return ColumnPart(ahead)

    def beside(self, game: "FinishedGame", before: "Sequence[FinishedGame]") -> PastTable | None:
        """The table of how the game would have ended without handicaps."""
        return level.table(game, before)
