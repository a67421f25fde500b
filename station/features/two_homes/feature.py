"""One game in two homes: where each player throws, as a game is begun with it and as screens see it."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from messages.errors import RefusalError
from station.features.two_homes.option import HOME, WITHOUT_TRAY
from station.game.feature import Feature, Start
from station.game.log.player import Player
from station.game.log.state import State


@dataclass(frozen=True, slots=True)
class PlayerPart:
    """What screens see of it."""

    home: Annotated[
        str | None, Field(description="The other station, before which it throws; null for this one.")
    ] = None
    without_tray: Annotated[
        bool, Field(description="There is no tray in that home: both stations draw its dice together.")
    ] = False


class TwoHomesFeature(Feature):
    """The options of a seat."""

    seat_options = (HOME, WITHOUT_TRAY)
    player_view = PlayerPart

    def check(self, start: Start) -> None:
        """Raise RefusalError `homes/tray_here`, `homes/together`, `homes/starter`."""
        for seat in start.seats:
            if WITHOUT_TRAY.of(seat) and not HOME.of(seat):
                raise RefusalError("homes/tray_here", name=seat.name)
        if start.rules.simultaneous and start.anybody(HOME):
            raise RefusalError("homes/together", title=start.rules.title)
        if start.starter == "throw" and start.anybody(WITHOUT_TRAY):
            raise RefusalError("homes/starter")

    def of_player(self, state: State, player: Player) -> PlayerPart:
        """Where it throws, and whether there is a tray."""
        del state
        return PlayerPart(HOME.of(player) or None, WITHOUT_TRAY.of(player))
