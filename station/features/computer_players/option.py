"""The option of a seat that is played by a computer."""

import re
from typing import Annotated, Any, Literal

from pydantic import Field

from station.game.log.event_fields import Category
from station.game.log.options import SeatOption, read_listed, write_listed

STRENGTH = re.compile(r"perfect|to-win|100|[1-9]?[0-9]")
"""A computer player's strength as a text."""


def _request(plays: str) -> Any:
    return int(plays) if plays.isdigit() else plays or None


def _read(word: str) -> str:
    if word and not STRENGTH.fullmatch(word):
        raise ValueError
    return word


COMPUTER: SeatOption[str] = SeatOption(
    name="computer",
    usual="",
    field=(
        Annotated[
            Literal["perfect", "to-win"] | Annotated[int, Field(strict=True, ge=0, le=100)] | None,
            Field(description="How it plays: for points, to win, or with a strength of 0 to 100."),
        ],
        None,
    ),
    request=_request,
    listed="computers",
    kept=Category,
    word="computers",
    keep=lambda values: ["" if each is None else str(each) for each in values],
    write=write_listed,
    read=read_listed(_read),
)
"""The computer's strength: "perfect", "to-win" or a number; "" for people."""
