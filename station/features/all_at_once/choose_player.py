"""The buttons of the table act for another player."""

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, Literal

from station.contract.command import Command, TableCommand, Whose
from station.contract.fields import Seat
from station.features.all_at_once.copies import check_together
from station.game.setting_right import ReadAgain
from station.game.situation import Situation, check_seat
from station.game.way import WAY

if TYPE_CHECKING:
    from station.table.play import Play


class ChoosePlayer(TableCommand):
    """Where all play at once: let the table's buttons act for this player."""

    whose: ClassVar[Whose] = Whose.HOST_TABLE
    follows: ClassVar[type[Command]] = ReadAgain
    of_round: ClassVar[bool] = True
    command: Literal["choose_player"] = "choose_player"
    player: Seat

    @classmethod
    def available(cls, now: Situation) -> bool:
        """Where all play at once."""
        return now.state.running and not WAY.of(now.state).in_turns

    def carry_out(self, play: "Play") -> None:
        """Let the table's buttons act for that player."""
        check_together(play.state)
        check_seat(play.state, self.player)
        play.state = replace(play.state, active=self.player)
        play.begin_anew()
        play.game_changed()
