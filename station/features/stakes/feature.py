"""Games that are played for something."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from messages.message import Message
from station.contract.view import Text
from station.features.stakes.option import STAKES
from station.features.stakes.settlement import sentence, settlement
from station.game.feature import Feature
from station.game.log.state import State

if TYPE_CHECKING:
    from station.game.situation import Situation


@dataclass(frozen=True, slots=True)
class PaymentView:
    """What one player owes another at the end of a game that was played for stakes."""

    from_: Annotated[int, Field(alias="from", description="Index into `players`.")]
    to: int
    amount: Annotated[str, Field(description="An exact decimal.")]
    told: Annotated[Text, Field(description="The same in words, with names.")]


@dataclass(frozen=True, slots=True)
class StakesView:
    """What is played for: exact decimals."""

    per_point: str
    big_general: str
    currency: str


@dataclass(frozen=True, slots=True)
class TablePart:
    """Its part of the screens' view."""

    stakes: Annotated[StakesView | None, Field(description="What is played for, if anything.")]
    settlement: Annotated[tuple[PaymentView, ...], Field(description="Who owes whom, when it is over.")]


@dataclass(frozen=True, slots=True)
class PastPart:
    """Its part of a past game."""

    settlement: tuple[PaymentView, ...]


class StakesFeature(Feature):
    """The option and what it comes to."""

    game_options = (STAKES,)
    table_view = TablePart
    past_view = PastPart

    def of_table(self, now: "Situation") -> TablePart:
        """The stakes, and the settlement."""
        agreed = STAKES.of(state := now.state)
        return TablePart(StakesView(*agreed) if agreed else None, _settled(state))

    def of_past(self, end: State) -> PastPart:
        """The settlement."""
        return PastPart(_settled(end))

    def at_end(self, end: State) -> tuple[Message, ...]:
        """Who owes whom."""
        return tuple(sentence(end, each) for each in settlement(end))


def _settled(state: State) -> tuple[PaymentView, ...]:
    """The payments at the end."""
    return tuple(
        PaymentView(each.payer, each.payee, str(each.amount), sentence(state, each))
        for each in settlement(state)
    )
