"""One game in two homes: where each player throws, as a game is begun with it and as screens see it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from messages.errors import RefusalError
from messages.message import Message
from station.features.two_homes.commands import DrawRoll, LetStand, QuestionDie
from station.features.two_homes.fair_throw import THROWS_KEY
from station.features.two_homes.homes import Home
from station.features.two_homes.last_throws import TrayView
from station.features.two_homes.option import HOME, WITHOUT_TRAY
from station.features.two_homes.settings import HomesSettings
from station.game.feature import Feature, Start
from station.game.log.player import Player
from station.game.log.state import State
from station.game.situation import Situation

if TYPE_CHECKING:
    from station.config import Config
    from station.features.two_homes.running import OneHome
    from station.store.event_log import EventLog


@dataclass(frozen=True, slots=True)
class TablePart:
    """Its part of the screens' view."""

    trays: Annotated[
        tuple[TrayView, ...], Field(description="The last throw of each home, where two play one game.")
    ] = ()
    homes: Annotated[
        tuple[str, ...], Field(description="The other stations before which players may throw.")
    ] = ()


@dataclass(frozen=True, slots=True)
class PlayerPart:
    """Its part of the view of a player."""

    home: Annotated[
        str | None, Field(description="The other station, before which it throws; null for this one.")
    ] = None
    without_tray: Annotated[
        bool, Field(description="There is no tray in that home: both stations draw its dice together.")
    ] = False


class TwoHomesFeature(Feature):
    """The options of a seat, its commands and its views."""

    commands = (DrawRoll, QuestionDie, LetStand)
    seat_options = (HOME, WITHOUT_TRAY)
    settings = HomesSettings
    files = (THROWS_KEY,)
    table_view = TablePart
    player_view = PlayerPart
    at_table = Home

    def check(self, start: Start) -> None:
        """Raise RefusalError `homes/tray_here`, `homes/together`, `homes/starter`."""
        for seat in start.seats:
            if WITHOUT_TRAY.of(seat) and not HOME.of(seat):
                raise RefusalError("homes/tray_here", name=seat.name)
        if start.rules.simultaneous and start.anybody(HOME):
            raise RefusalError("homes/together", title=start.rules.title)
        if start.starter == "throw" and start.anybody(WITHOUT_TRAY):
            raise RefusalError("homes/starter")

    def run(self, config: "Config", store: "EventLog") -> "OneHome":
        """The line to the other home."""
        from station.features.two_homes.running import OneHome  # noqa: PLC0415 - with the table

        return OneHome(config, store)

    def waits_for(self, now: Situation) -> Message | None:
        """The other home, or the line to it."""
        return now.known(Home).waits_for(now.state)

    def of_table(self, now: Situation) -> TablePart:
        """The last throws, and who may play along."""
        home = now.known(Home)
        return TablePart(() if home.alone(now.state) else home.throws.views(home.name), home.guests)

    def of_player(self, state: State, player: Player) -> PlayerPart:
        """The home where the player throws, and whether there is a tray."""
        del state
        return PlayerPart(HOME.of(player) or None, WITHOUT_TRAY.of(player))
