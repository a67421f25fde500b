"""Computer players: what plays a seat, as a game is begun with it and as screens see it."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from messages.errors import RefusalError
from station.features.computer_players.option import COMPUTER
from station.game.feature import Feature, Start
from station.game.log.player import Player, Seat
from station.game.log.state import State


@dataclass(frozen=True, slots=True)
class PlayerPart:
    """What screens see of it."""

    computer: Annotated[
        str | None, Field(description='"perfect", "to-win" or a strength of 0 to 100; null for people.')
    ]


class ComputerPlayersFeature(Feature):
    """The option of a seat."""

    seat_options = (COMPUTER,)
    player_view = PlayerPart

    def check(self, start: Start) -> None:
        """Raise RefusalError `computer/together` where all play at once, and for what only people can be."""
        if start.rules.simultaneous and start.anybody(COMPUTER):
            raise RefusalError("computer/together", title=start.rules.title)

    def nobody(self, seat: Seat | Player) -> bool:
        """Whether it is a computer player."""
        return bool(COMPUTER.of(seat))

    def of_player(self, state: State, player: Player) -> PlayerPart:
        """What plays it."""
        del state
        return PlayerPart(COMPUTER.of(player) or None)
