"""Computer players: what plays a seat, as a game is begun with it and as screens see it."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, cast

from pydantic import Field

from messages.errors import RefusalError
from messages.message import Message
from station.contract.view import Text
from station.features.computer_players.computer_move import ComputerMove
from station.features.computer_players.deciding import ComputersAtTable, Move, decides, may_draw, throws
from station.features.computer_players.option import COMPUTER
from station.features.computer_players.settings import ComputerSettings
from station.features.computer_players.strengths import given_away
from station.game.dice.to_throw import to_throw
from station.game.feature import Feature, Start
from station.game.log.player import Player, Seat
from station.game.log.state import State
from station.rules.dice import dashed

if TYPE_CHECKING:
    from station.config import Config
    from station.features.computer_players.running import ComputerPlayers
    from station.game.situation import Situation
    from station.store.event_log import EventLog


@dataclass(frozen=True, slots=True)
class ComputerView:
    """What the active computer player has decided; `computer_move` carries it out."""

    keeps: Annotated[tuple[int, ...], Field(description="Slots of the dice it keeps to throw the others.")]
    box: Annotated[str | None, Field(description="The box it fills; null where it throws again.")]
    slots: Annotated[tuple[int, ...], Field(description="The five of ten dice that go there.")]
    why: Text


@dataclass(frozen=True, slots=True)
class TablePart:
    """Its part of the screens' view."""

    computer: Annotated[ComputerView | None, Field(description="What the computer player has decided.")]


@dataclass(frozen=True, slots=True)
class PlayerPart:
    """Its part of the view of a player."""

    computer: Annotated[
        str | None, Field(description='"perfect", "to-win" or a strength of 0 to 100; null for people.')
    ]


GivenAway = Annotated[
    Mapping[str, float], Field(description="Points that a computer of a strength gives away a game.")
]


class ComputerPlayersFeature(Feature):
    """The option of a seat, and what is decided there."""

    commands = (ComputerMove,)
    seat_options = (COMPUTER,)
    rules_fields = MappingProxyType({"given_away": (GivenAway, lambda rules: given_away(rules.id))})
    settings = ComputerSettings
    taken = MappingProxyType({"computer": ("dice", "by_itself", "pause_s")})
    table_view = TablePart
    player_view = PlayerPart
    at_table = ComputersAtTable

    def check(self, start: Start) -> None:
        """Raise RefusalError `computer/together` where all play at once, and for what only people can be."""
        if start.rules.simultaneous and start.anybody(COMPUTER):
            raise RefusalError("computer/together", title=start.rules.title)

    def run(self, config: "Config", store: "EventLog") -> "ComputerPlayers":
        """The part that decides for computer players."""
        del store
        from station.features.computer_players.running import ComputerPlayers  # noqa: PLC0415 - with table

        settings = cast("ComputerSettings", config).computer
        return ComputerPlayers(
            settings.pause_s if settings.by_itself else None, draws=settings.dice == "simulated"
        )

    def nobody(self, seat: Seat | Player) -> bool:
        """Whether it is a computer player."""
        return bool(COMPUTER.of(seat))

    def waits_for(self, now: "Situation") -> Message | None:
        """The sentence for what it waits for or has decided; None where people act as for themselves."""
        state, known = now.state, now.known(ComputersAtTable)
        if not state.running or not COMPUTER.of(state.player):
            return None
        if known.draws and may_draw(state, known.move):
            what = Message("waiting/computer/draw")
        elif not decides(state, now.offer):
            return None
        elif known.move is None:
            what = Message("waiting/computer/thinks")
        else:
            what = _decided(state, known.move)
        return Message("waiting/player", name=state.player.name, what=what)

    def of_table(self, now: "Situation") -> TablePart:
        """The view of its decision."""
        move = now.known(ComputersAtTable).move
        return TablePart(ComputerView(move.keeps, move.box, move.slots, move.why) if move else None)

    def of_player(self, state: State, player: Player) -> PlayerPart:
        """The view of the strength that plays the seat."""
        del state
        return PlayerPart(COMPUTER.of(player) or None)


def _decided(state: State, move: Move) -> Message:
    if throws(state, move):
        return Message("waiting/computer/throw", what=to_throw(state))
    if move.box is not None:
        return Message("waiting/computer/box", box=state.played.box(move.box).label)
    kept = tuple(die.face for die in state.dice if die.slot in move.keeps)
    return Message("waiting/computer/keep", dice=dashed(kept)) if kept else Message("waiting/computer/all")
