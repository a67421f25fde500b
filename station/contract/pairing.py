"""A game that the board of a club sends to a table: who meets there next."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from station.contract.fields import NAME_MAX, PLAYERS_MAX, Text

TITLE_MAX = 80

Name = Annotated[Text, Field(min_length=1, max_length=NAME_MAX)]


@dataclass(frozen=True, slots=True)
class Pairing:
    """As it comes by the broker, and as screens are told it."""

    title: Annotated[Text, Field(max_length=TITLE_MAX, description="What the competition is called.")]
    round: Annotated[int, Field(ge=1, le=1000)]
    players: Annotated[tuple[Name, ...], Field(min_length=1, max_length=PLAYERS_MAX, description="In order.")]
    board: Annotated[Text, Field(max_length=64, description="The name of the board that sends it.")] = ""
