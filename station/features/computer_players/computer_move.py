"""Carrying out the decision of a computer player: it becomes the same events as a person's."""

from typing import ClassVar, Literal

from messages.errors import RefusalError
from station.contract.command import Command, Whose
from station.features.computer_players.deciding import ComputersAtTable, Move, binding, may_draw, throws
from station.features.computer_players.option import COMPUTER
from station.game.log.event import Event
from station.game.log.slots import Die
from station.game.log.state import State
from station.game.players.starting import Draw
from station.game.setting_right import NotADie
from station.game.situation import GameCommand, Situation
from station.game.steps.accept_roll import RollAccepted
from station.game.steps.hold import SetHeld
from station.game.steps.score_box import ScoreBox
from station.rules.dice import FACES


class ComputerMove(GameCommand):
    """Carry out what the computer player has decided, or draw its dice where the settings say so."""

    whose: ClassVar[Whose] = Whose.HOST_TABLE
    by_confirm: ClassVar[bool] = True
    precedes: ClassVar[type[Command]] = NotADie
    command: Literal["computer_move"] = "computer_move"

    @classmethod
    def available(cls, now: Situation) -> bool:
        """Once it has decided on more than to throw, or while the station may draw its dice."""
        known, state = now.known(ComputersAtTable), now.state
        decided = known.move is not None and not throws(state, known.move)
        return decided or (known.draws and may_draw(state, known.move))

    def decide(self, now: Situation) -> tuple[Event, ...]:
        """Its throw, or what its decision comes to."""
        state, known = now.state, now.known(ComputersAtTable)
        move = known.move
        if known.draws and may_draw(state, move):
            return (drawn(state, now.draw),)
        if not state.running or not COMPUTER.of(state.player):
            raise RefusalError("computer/none")
        if move is None:
            raise RefusalError("computer/not_yet", name=state.player.name)
        if throws(state, move):
            raise RefusalError("computer/throws", name=state.player.name)
        return command_of(state, move).decide(now)


def command_of(state: State, move: Move) -> GameCommand:
    """The command by which its decision is carried out."""
    if move.box is not None:
        return ScoreBox(category=move.box, slots=move.slots or None, force=state.drawn)
    binds = binding(state, move)
    return SetHeld(slots=move.keeps) if binds is None else binds


def drawn(state: State, draw: Draw) -> RollAccepted:
    """A throw of dice that there are not: the held ones stay, the others show what is drawn."""
    held = {die.slot: die for die in state.held_dice}
    dice = (held.get(slot) or Die(slot, FACES[draw(len(FACES))]) for slot in range(1, state.dice_count + 1))
    return RollAccepted(tuple(dice), typed=True, drawn=True)
