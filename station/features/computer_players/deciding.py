"""Computer players: what they have decided, and what carrying it out means. People throw for them.

What they decide is worked out elsewhere (`mind`) and is no fact of the game: only
what is carried out becomes an event, the same as a person's.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Self

from messages.message import Message
from station.features.computer_players.option import COMPUTER
from station.game import boxes
from station.game.at_table import AtTable
from station.game.dice.tray import Offer, newer_throw
from station.game.log.state import Phase, State
from station.game.situation import GameCommand


@dataclass(frozen=True, slots=True)
class Move:
    """A decision: to keep the dice of these slots and throw the others, or to fill a box, and why.

    box: None where it throws again. slots: the five of ten dice that go there; empty for all. binds: the box
    to which it binds the turn before it throws again, if any.
    """

    keeps: tuple[int, ...]
    box: str | None
    why: Message
    slots: tuple[int, ...] = ()
    binds: str = ""


Mind = Callable[[State], Move | None]
"""The decision of the active computer player on the current dice; None while it thinks."""


def plays(state: State) -> bool:
    """Whether it is a computer player's turn."""
    turn = state.phase in {Phase.THROWING, Phase.HOLDING, Phase.CHOOSING}
    return state.running and turn and bool(COMPUTER.of(state.player))


def decides(state: State, now: Offer) -> bool:
    """Whether a computer player has to decide on the current dice.

    Dice that the station drew lie nowhere: what happens in the tray meanwhile does not concern them.
    """
    if not state.running or not COMPUTER.of(state.player) or not state.dice:
        return False
    return state.drawn or not newer_throw(state, now)


def binding(state: State, move: Move) -> GameCommand | None:
    """The command that announces the decided box; None if none is needed."""
    due = move.binds and move.binds != boxes.bound(state)
    return boxes.bind(state, move.binds, force=state.drawn) if due else None


def throws(state: State, move: Move) -> bool:
    """Whether there is nothing to do for that decision but to throw the dice."""
    holds = state.phase is Phase.HOLDING and move.keeps != state.held
    return move.box is None and binding(state, move) is None and not holds


def may_draw(state: State, move: Move | None) -> bool:
    """Whether a computer player throws next, were its dice drawn by the station."""
    if not state.running or not COMPUTER.of(state.player):
        return False
    if state.phase is Phase.THROWING:
        return True
    return state.phase is Phase.HOLDING and move is not None and move.box is None and move.keeps == state.held


@dataclass(frozen=True, slots=True)
class ComputersAtTable(AtTable):
    """The state of the computer players at a table.

    mind: None where nothing decides for them. draws: the station draws their dice, and nobody throws for
    them. move: what the one whose turn it is has decided.
    """

    mind: Mind | None = None
    draws: bool = False
    move: Move | None = None

    def unseen(self, state: State) -> bool:
        """While the station draws the dice."""
        return self.draws and plays(state)

    def seeing(self, state: State, offer: Offer) -> Self:
        """The decision on the current dice."""
        move = self.mind(state) if self.mind is not None and decides(state, offer) else None
        return self if move is self.move else replace(self, move=move)
