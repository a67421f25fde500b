"""The fields of events, each with its bounds.

The types are the one model of an event that comes from outside, whether in a database, a copy, a text or a
message of another home: all that any version could write passes, and nothing else.
"""

from functools import partial
from typing import Annotated

from pydantic import BeforeValidator, Field, StringConstraints

from station.contract.fields import Slot, Text
from station.game.log.slots import Die, SeenDie, by_field

HOUSE_MAX = 64 * 1024
"""Letters of house rules."""
SECRETS_MAX = 2

Index = Annotated[int, Field(strict=True, ge=0, lt=20)]
"""A seat; 0.1.0 and 0.2.0 had sheets of up to twenty columns."""
Category = Annotated[str, StringConstraints(max_length=80, pattern=r"^[A-Za-z0-9_-]*$")]
Named = Annotated[Text, Field(min_length=1)]
Players = Annotated[tuple[Named, ...], Field(max_length=20)]
House = Annotated[str, StringConstraints(max_length=HOUSE_MAX, pattern=r"^(\P{Cc}|[\t\n\r])*$")]
Slots = Annotated[tuple[Slot, ...], Field(max_length=10)]
RolledDie = Annotated[Die, BeforeValidator(partial(by_field, ("slot", "face", "seen")))]
Lying = Annotated[tuple[SeenDie, ...], Field(max_length=100)]
