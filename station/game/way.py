"""The way of playing: one after the other, or that of a feature (`Feature.begun`)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from messages.errors import BadInputError, RefusalError
from messages.message import Message
from station.contract.answers import TwoBoxes
from station.contract.command import Command
from station.contract.view import DieView
from station.game.log.ending import with_big_general
from station.game.log.event import Event, Leaves
from station.game.log.feature_values import FeatureValue
from station.game.log.player import Player
from station.game.log.slots import Die, Seen, die_views, left_to_right, unclaimed, unread
from station.game.log.state import Phase, State
from station.game.log.turns import next_turn
from station.rules import RuleSet

if TYPE_CHECKING:
    from station.game.dice.sights import Sight
    from station.game.dice.tray import Offer
    from station.game.situation import Situation

Slots = tuple[int, ...]
Second = Callable[[State, str, Slots | None], str | None]
"""The box that is worth most beside another one, to which these dice go; None for any."""


@dataclass(frozen=True, slots=True)
class Way:
    """The players throw in turns; another way overrides what differs.

    in_turns: a throw is one player's, who holds dice of it and fills a box. scores_in: while what a box is
    filled. What gives None leaves it to the rules of a turn.
    """

    in_turns: ClassVar[bool] = True
    scores_in: ClassVar[tuple[Phase, ...]] = (Phase.HOLDING, Phase.CHOOSING)

    # -- what may be done ----------------------------------------------------------------------------

    def may_roll(self, state: State) -> None:
        """Raise the RefusalError that says why no throw is expected."""
        name = state.player.name
        if state.throws_done >= state.throws_allowed:
            raise RefusalError("roll/none_left", name=name)
        if state.phase is Phase.CHOOSING:
            raise RefusalError("roll/choosing", name=name)
        if len(state.held) >= state.dice_count:
            raise RefusalError("roll/all_held", name=name)

    def filled_in_turn(self, state: State) -> int:
        """Number of boxes that the current turn has filled already."""
        del state
        return 0

    def may_go_back(self, state: State) -> bool:
        """Whether the turn may go on with a throw, once no box is chosen any more."""
        return state.rolls_left > 0

    def hold(self, state: State, seat: int | None, slots: tuple[int, ...]) -> tuple[Event, ...] | None:
        """The events of holding these slots. seat: for whom. Raises RefusalError."""
        del state, seat, slots
        return None

    def score(self, state: State, seat: int | None, category: str) -> tuple[Event, ...] | None:
        """The events of scoring that box. seat: for whom. Raises RefusalError."""
        del state, seat, category
        return None

    def dice_for(self, state: State, category: str, slots: tuple[int, ...] | None) -> tuple[int, ...]:
        """The dice that go into that box, by slot; empty for all. slots: the requested ones.

        Raises RefusalError.
        """
        del state, category, slots
        return ()

    def confirm(self, state: State, mark: str | None, *, long: bool) -> Command | None:
        """The command of the confirm button, if this way of playing has its own. mark: the marked box."""
        del state, mark, long
        return None

    # -- what comes of it ----------------------------------------------------------------------------

    def thrown(self, now: "Situation", faces: Sequence[int], *, typed: bool) -> tuple[Event, ...] | None:
        """The events of dice that are no roll of a turn. Raises RefusalError."""
        del now, faces, typed
        return None

    def followed(self, state: State) -> State:
        """The state after any event."""
        return state

    def rolled(self, state: State) -> State:
        """A throw counts: `state` has it."""
        return with_big_general(state)

    def box_filled(self, state: State, rest: tuple[Die, ...]) -> State:
        """A box of the active player was filled: `state` has it. rest: the dice that did not go there."""
        del rest
        return next_turn(state, state.played)

    def die_corrected(self, state: State, slot: int, face: int) -> State:
        """A die of the throw shows another face: `state` has it."""
        del slot, face
        return with_big_general(state)

    def box_corrected(self, rules: RuleSet, player: Player) -> Player:
        """A box of that player was set right: the sheet has it."""
        del rules
        return player

    def left_by(self, state: State, seat: int, event: Leaves) -> State | None:
        """A player has gone by that event: `state` has it."""
        del state, seat, event
        return None

    def over(self, state: State) -> State:
        """The state after the game is ended early, without what was in progress."""
        return state

    # -- the dice in the tray -----------------------------------------------------------------------

    def throws_now(self, state: State) -> bool:
        """Whether dice that move may be a throw."""
        del state
        return True

    def offered(self, state: State, sight: "Sight", found: "Offer", dice: Sequence[Seen]) -> "Offer | None":
        """The offer for a complete throw in the tray, if this way has its own. found: the offer so far."""
        del state, sight, found, dice
        return None

    def typed(self, state: State, faces: Sequence[int], lying: Sequence[Seen]) -> tuple[Die, ...]:
        """The typed dice, each with the place of one on the tray, so that they are no new roll later on.

        Which typed face is which die on the tray is not known, so the places carry face 0.
        """
        held = {die.slot: die.seen for die in state.held_dice}
        there = list(left_to_right(unclaimed(state.held_dice, lying)))
        dice = []
        for slot, face in enumerate(faces, start=1):
            free = slot not in held and there
            dice.append(Die(slot, face, unread(there.pop(0)) if free else held.get(slot)))
        return tuple(dice)

    # -- views and sentences -------------------------------------------------------------------------

    def divided(
        self, state: State, best: Second, category: str, second: str | None, slots: Slots | None
    ) -> TwoBoxes:
        """The division of the dice between that box and another. best: finds the box that fits it best.

        Raises BadInputError, RefusalError.
        """
        del state, best, category, second, slots
        raise BadInputError("split/none")

    def to_choose(self, state: State) -> Message:
        """The choice at the end of a turn."""
        del state
        return Message("waiting/choose", count=1)

    def to_throw(self, state: State) -> Message | None:
        """The dice to throw next, in words."""
        del state
        return None

    def own(self, state: State, seat: int | None = None) -> State:
        """The same as a player has it. seat: whose; left out, the active one's."""
        del seat
        return state

    def picked(self, state: State) -> str | None:
        """The box that the active player has picked, and that is not written."""
        del state
        return None

    def dice_views(self, state: State) -> tuple[DieView, ...]:
        """The dice as they count, and as this player has them."""
        return die_views(state.dice, state.held)

    def awaits_player(self, state: State) -> bool | None:
        """Whether the player at the table is waited for."""
        del state
        return None

    def roll_words(self, state: State, faces: str) -> Message:
        """The throw and its player, for the words of undo."""
        return Message("undo/roll", name=state.player.name, faces=faces)


WAY: FeatureValue[Way] = FeatureValue("way", Way())
"""The way of playing of the current game."""


def own(state: State) -> State:
    """The game as the active player has it."""
    return WAY.of(state).own(state)
