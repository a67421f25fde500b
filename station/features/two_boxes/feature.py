"""Two boxes a turn, as they are played; more dice than hold buttons, as these act for them."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from station.contract.command import HOLD_BUTTONS
from station.contract.view import TableView
from station.features.two_boxes.bank import Bank, ChangeBank
from station.game.feature import Feature
from station.game.situation import Situation


@dataclass(frozen=True, slots=True)
class TablePart:
    """What screens see of it."""

    bank: Annotated[int, Field(description="1 or 2: for which five dice the hold buttons act.")] = 1


class TwoBoxesFeature(Feature):
    """The bank."""

    commands = (ChangeBank,)
    table_view = TablePart
    at_table = Bank

    def of_table(self, now: Situation) -> TablePart:
        """The bank."""
        return TablePart(now.known(Bank).number)

    def buttons_from(self, view: TableView) -> int:
        """The first die of the bank."""
        return 1 + len(HOLD_BUTTONS) * (view.part(TablePart).bank - 1)
