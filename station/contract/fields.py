"""The fields of what comes from outside, each with its bounds, and the body of requests.

A request, a copy that is put back, a message of another home or of a table of the board: whatever way a text
or a number comes, it passes these. Pydantic itself refuses a text that cannot be written as UTF-8.
"""

import re
from collections.abc import Callable, Sequence
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, GetCoreSchemaHandler, StringConstraints
from pydantic_core import CoreSchema, core_schema

PLAYERS_MAX = 12
"""Columns that a sheet has room for."""

NAME_MAX = 20
"""Letters of a name that fit on the sheet."""

NUMBER_MAX = 999_999_999
"""The largest number for people to read: nine digits."""

EXACT_MAX = 2**53
"""Up to here every program that reads JSON has a whole number exactly."""

PLACE_MAX_PX = 2_000_000.0
"""No picture is so large; dice that nobody saw are noted beside it."""

TEXT_MAX = 400
LINE = r"^\P{Cc}*$"
"""A text without control characters."""

Face = Annotated[int, Field(strict=True, ge=1, le=6, description="Pips on top of a die.")]
Slot = Annotated[int, Field(strict=True, ge=1, le=10, description="Number of a die in this turn.")]
Seat = Annotated[int, Field(strict=True, ge=0, lt=PLAYERS_MAX, description="The seat, from 0.")]
Name = Annotated[
    str,
    StringConstraints(max_length=200),
    Field(description="What a player is called."),
]
Word = Annotated[str, StringConstraints(min_length=1, max_length=40, pattern=r"^[A-Za-z0-9_-]+$")]
Text = Annotated[str, StringConstraints(max_length=TEXT_MAX, pattern=LINE)]
Number = Annotated[int, Field(strict=True, ge=-NUMBER_MAX, le=NUMBER_MAX)]
Count = Annotated[int, Field(strict=True, ge=0, le=NUMBER_MAX)]
Exact = Annotated[int, Field(strict=True, ge=0, le=EXACT_MAX)]
Place = Annotated[float, Field(ge=-PLACE_MAX_PX, le=PLACE_MAX_PX, allow_inf_nan=False)]
Flag = Annotated[bool, Field(strict=True)]
AMOUNT = re.compile(r"[0-9]{1,6}(\.[0-9]{1,4})?")
"""An amount of money or matches, as a text."""
Amount = Annotated[str, StringConstraints(pattern=f"^{AMOUNT.pattern}$")]


class OneOf:
    """Marks a text that is one of some words, which are looked up late: features add to them."""

    def __init__(self, words: Callable[[], Sequence[str]]) -> None:
        self._words = words

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        del source, handler
        return core_schema.literal_schema(list(self._words()))


class Body(BaseModel):
    """Any request body: an unknown field is a mistake."""

    model_config = ConfigDict(extra="forbid", frozen=True)
