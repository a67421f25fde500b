"""Two boxes a turn, as they are played; more dice than hold buttons, as these act for them."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from messages.message import Message
from station.contract.command import HOLD_BUTTONS
from station.contract.view import TableView
from station.features.two_boxes.bank import Bank, ChangeBank
from station.features.two_boxes.two_box_way import BOXES, SeveralBoxes
from station.game.dice.to_throw import dice
from station.game.feature import Feature
from station.game.log.state import Phase, State
from station.game.situation import Situation
from station.game.way import WAY


@dataclass(frozen=True, slots=True)
class TablePart:
    """Its part of the screens' view."""

    boxes_per_turn: int
    bank: Annotated[int, Field(description="1 or 2: for which five dice the hold buttons act.")] = 1


class TwoBoxesFeature(Feature):
    """The way of playing, and the bank."""

    commands = (ChangeBank,)
    table_view = TablePart
    at_table = Bank

    def begun(self, state: State) -> State:
        """The state with this way of playing, if the rule set has it and no other is chosen."""
        several = state.played.boxes_per_turn > 1 and WAY.of(state) == WAY.default
        return WAY.put(state, SeveralBoxes()) if several else state

    def waits(self, state: State, what: Message) -> Message:
        """A box for the rest."""
        between = state.phase is Phase.CHOOSING and BOXES.of(state)
        return Message("waiting/choose_for_rest", dice=dice(len(state.dice))) if between else what

    def of_table(self, now: Situation) -> TablePart:
        """The bank."""
        rules = now.state.rules
        return TablePart(rules.boxes_per_turn if rules else 1, now.known(Bank).number)

    def buttons_from(self, view: TableView) -> int:
        """The first die of the bank."""
        return 1 + len(HOLD_BUTTONS) * (view.part(TablePart).bank - 1)
