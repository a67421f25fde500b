"""The simulated hand and the dice keeper."""

from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from pydantic import Field

from messages.errors import RefusalError
from station.contract.command import Command, TableCommand, Whose
from station.contract.fields import Slot
from station.game.dice.simulated_throw import place_of
from station.game.log.state import Phase
from station.table.hand import Throw

if TYPE_CHECKING:
    from station.table.play import Play


class LayDie(TableCommand):
    """With the simulated tray: a hand lays a die of the confirmed roll into the dice keeper, or out of it."""

    whose: ClassVar[Whose] = Whose.TRAY
    follows: ClassVar[type[Command]] = Throw
    command: Literal["lay_die"] = "lay_die"
    slot: Slot
    kept: Annotated[bool, Field(strict=True, description="Into the keeper; false: out of it.")] = True

    def carry_out(self, play: "Play") -> None:
        """The hand lays it there; what follows the camera sees."""
        thrower, state = play.hand.thrower(), play.state
        if state.phase is not Phase.HOLDING:
            raise RefusalError("held/no_roll")
        if self.slot > state.dice_count:
            raise RefusalError("die/unknown", slot=self.slot)
        place, face = place_of(state, play.situation.offer, self.slot)
        thrower.lay(place, face, kept=self.kept)
