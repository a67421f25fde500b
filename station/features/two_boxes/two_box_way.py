"""A turn fills several boxes: so many dice go into each of them, and the rest into the next."""

from dataclasses import dataclass, replace

from messages.errors import RefusalError
from messages.message import Message
from station.contract.answers import TwoBoxes
from station.features.two_boxes.splits import split
from station.game.log.feature_values import TurnValue
from station.game.log.slots import Die, slots_of
from station.game.log.state import Phase, State
from station.game.way import Second, Slots, Way
from station.rules import fill, potentials
from station.rules.dice import Dice
from station.rules.filling import groups

BOXES: TurnValue[int] = TurnValue("boxes", 0)
"""Number of boxes that the turn has filled."""


@dataclass(frozen=True, slots=True)
class SeveralBoxes(Way):
    """After a box the turn goes on with the dice that are left."""

    def may_roll(self, state: State) -> None:
        """Not between two boxes."""
        if BOXES.of(state):
            raise RefusalError("box/second", name=state.player.name)
        Way.may_roll(self, state)

    def filled_in_turn(self, state: State) -> int:
        """One, between two boxes."""
        return BOXES.of(state)

    def may_go_back(self, state: State) -> bool:
        """Not between two boxes."""
        return not BOXES.of(state) and Way.may_go_back(self, state)

    def dice_for(self, state: State, category: str, slots: tuple[int, ...] | None) -> tuple[int, ...]:
        """Five of ten."""
        group = state.played.group
        if len(state.dice) <= group:
            return ()
        if not slots:
            return best_five(state, category)
        wanted = tuple(sorted(set(slots)))
        if len(wanted) != group or not {die.slot for die in state.dice}.issuperset(wanted):
            raise RefusalError("box/pick_five", code="box/five_dice")
        return wanted

    def to_choose(self, state: State) -> Message:
        """The number of boxes a turn fills."""
        return Message("waiting/choose", count=state.played.boxes_per_turn)

    def divided(
        self, state: State, best: Second, category: str, second: str | None, slots: Slots | None
    ) -> TwoBoxes:
        """Five dice each."""
        return split(state, best, category, second, slots)

    def box_filled(self, state: State, rest: tuple[Die, ...]) -> State:
        """Another box is chosen for the rest, where one is due."""
        boxes = BOXES.of(state) + 1
        due = boxes < state.played.boxes_per_turn and rest
        if due and not state.player.sheet.is_full(state.played):
            return BOXES.put(replace(state, phase=Phase.CHOOSING, dice=rest, held=()), boxes)
        return Way.box_filled(self, state, rest)


def best_five(state: State, category: str) -> tuple[int, ...]:
    """Slots of the five dice that bring this box most; of equal ones those that leave the best rest.

    Raises RefusalError where the box is not open.
    """
    rules, sheet, throw = state.played, state.player.sheet, state.throws_done

    def worth(group: Dice) -> tuple[int, int]:
        filled = fill(rules, sheet, category, group)
        rest = list(state.faces)
        for face in group:
            rest.remove(face)
        after = potentials(rules, filled, rest, throw)
        return filled.entries[-1].points, max(after.values(), default=0)

    best = max(groups(state.faces, rules.group), key=worth)
    return slots_of(best, state.dice)
