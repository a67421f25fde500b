"""The fields of requests, each with its bounds, and the body they stand in."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

PLAYERS_MAX = 12
"""Columns that a sheet has room for."""

NAME_MAX = 20
"""Letters of a name that fit on the sheet."""

HANDICAP_MAX = 999
"""Points a player may begin with."""

Face = Annotated[int, Field(strict=True, ge=1, le=6, description="Pips on top of a die.")]
Slot = Annotated[int, Field(strict=True, ge=1, le=10, description="Number of a die in this turn.")]
Seat = Annotated[int, Field(strict=True, ge=0, lt=PLAYERS_MAX, description="The seat, from 0.")]
Name = Annotated[
    str,
    StringConstraints(max_length=200),
    Field(description="What a player is called."),
]
Word = Annotated[str, StringConstraints(min_length=1, max_length=40, pattern=r"^[A-Za-z0-9_-]+$")]


class Body(BaseModel):
    """Any request body: a field that nobody knows is a mistake, and said so."""

    model_config = ConfigDict(extra="forbid", frozen=True)
