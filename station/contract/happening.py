"""The kinds of happenings at a table that are published."""

from enum import StrEnum
from functools import cache
from typing import Annotated

from station.contract.fields import OneOf


class HappeningKind(StrEnum):
    """The kinds of happenings; also the last part of the topic at a broker."""

    ROLL = "roll"
    BOX = "box"
    TURN = "turn"
    GAME_OVER = "game_over"
    UNDO = "undo"


@cache
def kinds() -> tuple[str, ...]:
    """The kinds of the table, and those that features add."""
    from station.features.listed import FEATURES  # noqa: PLC0415 - features build on the contract

    return tuple(
        each.value for each in (*HappeningKind, *(kind for feature in FEATURES for kind in feature.kinds))
    )


AnyKind = Annotated[str, OneOf(kinds)]
"""The word for one of them."""
