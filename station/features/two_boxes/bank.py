"""More dice than hold buttons: these act for five of them, a bank. It is a finger, no fact of the game."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal, Self

from messages.errors import RefusalError
from station.contract.command import HOLD_BUTTONS, Command, TableCommand, Whose
from station.game.at_table import AtTable
from station.game.log.event import Event
from station.game.log.state import State
from station.game.situation import Situation
from station.table.hand import Throw

if TYPE_CHECKING:
    from station.table.play import Play


@dataclass(frozen=True, slots=True)
class Bank(AtTable):
    """The group of five dice, 1 or 2, for which the hold buttons act."""

    number: int = 1

    def followed(self, event: Event, before: State, after: State) -> Self:
        """The first, with each throw."""
        stays = len(after.dice) > len(HOLD_BUTTONS) and after.throws_done == before.throws_done
        return self if stays else type(self)()

    def recalled(self, state: State) -> Self:
        """The first."""
        return type(self)()


class ChangeBank(TableCommand):
    """Where ten dice are thrown: let the hold buttons act for the other five."""

    whose: ClassVar[Whose] = Whose.TABLE
    by_both: ClassVar[bool] = True
    precedes: ClassVar[type[Command]] = Throw
    command: Literal["change_bank"] = "change_bank"

    @classmethod
    def available(cls, now: Situation) -> bool:
        """While there are more dice than buttons."""
        return len(now.state.dice) > len(HOLD_BUTTONS)

    def carry_out(self, play: "Play") -> None:
        """The buttons act for the other five."""
        if len(play.state.dice) <= len(HOLD_BUTTONS):
            raise RefusalError("bank/one")
        play.know(Bank(3 - play.known(Bank).number))
        play.game_changed()
