"""Games before whose first turn it is thrown for who starts."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Annotated, ClassVar

from pydantic import Field

from messages.errors import RefusalError
from messages.message import Message
from station.features.throw_off.standing import standing
from station.features.throw_off.starter_thrown import FOR_START, StarterThrown
from station.game.feature import Feature
from station.game.log.event import Leaves
from station.game.log.player import Player
from station.game.log.state import Phase, State, first_die, left, with_player
from station.game.situation import Situation
from station.game.way import WAY, Way


class Opening(StrEnum):
    """The phase of the throw-off."""

    STARTING = "starting"


@dataclass(frozen=True, slots=True)
class ThrowOff(Way):
    """One die is thrown; it fills no box. then: how the game is played."""

    then: Way = field(default_factory=Way)
    scores_in: ClassVar[tuple[Phase, ...]] = ()

    def thrown(self, now: Situation, faces: Sequence[int], *, typed: bool) -> tuple[StarterThrown]:
        """The die is nobody's roll from now on. Raises RefusalError `roll/count`."""
        if len(faces) != 1:
            raise RefusalError("starter/one_die", code="roll/count", name=now.state.player.name)
        return (StarterThrown(faces[0], typed, *now.left),)

    def followed(self, state: State) -> State:
        """The state with the next thrower; once the starter is known, the first turn."""
        if state.phase is not Opening.STARTING:
            return state
        faces = [None if player.gone else FOR_START.of(player) for player in state.players]
        seat, settled = standing(faces, first_die(state.played))
        if not settled:
            return replace(state, active=seat)
        begun = with_player(WAY.put(state, self.then), seat, starts=True)
        return replace(begun, phase=Phase.THROWING, dice_due=0, active=seat)

    def left_by(self, state: State, seat: int, event: Leaves) -> State:
        """Whoever is next throws."""
        return left(state, event) if seat == state.active else state

    def over(self, state: State) -> State:
        """Nobody throws for the start any more."""
        return WAY.put(replace(state, dice_due=0), self.then)

    def to_throw(self, state: State) -> Message:
        """One die, and what is best."""
        return Message(f"waiting/starting/{first_die(state.played)}")


@dataclass(frozen=True, slots=True)
class PlayerPart:
    """Its part of the view of a player."""

    for_start: Annotated[tuple[int, ...], Field(description="Faces thrown for who starts, one a round.")]


class ThrowOffFeature(Feature):
    """The start of a game that is requested by that word."""

    events = (StarterThrown,)
    phases = tuple(Opening)
    starter = "throw"
    player_view = PlayerPart

    def begun(self, state: State) -> State:
        """Nobody starts yet."""
        if state.starter != self.starter:
            return state
        return WAY.put(
            replace(with_player(state, state.active, starts=False), phase=Opening.STARTING, dice_due=1),
            ThrowOff(WAY.of(state)),
        )

    def of_player(self, state: State, player: Player) -> PlayerPart:
        """The throw."""
        return PlayerPart(FOR_START.of(player))
