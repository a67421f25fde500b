"""The home where a player throws, if not this one."""

from typing import Annotated

from pydantic import Field

from station.contract.fields import Flag, Word
from station.game.log.event_fields import Category
from station.game.log.options import SeatOption, read_listed, read_quoted, write_listed, write_quoted

HOME: SeatOption[str] = SeatOption(
    name="home",
    usual="",
    field=(
        Annotated[Word | None, Field(description="The station before which it throws; left out: this one.")],
        None,
    ),
    request=lambda home: home or None,
    listed="homes",
    kept=Category,
    word="homes",
    keep=lambda values: [each or "" for each in values],
    write=write_quoted,
    read=read_quoted,
    people_only="homes/computer",
)
"""The station there; "" for the one that keeps the game."""

WITHOUT_TRAY: SeatOption[bool] = SeatOption(
    name="without_tray",
    usual=False,
    field=(
        Annotated[
            bool,
            Field(strict=True, description="There is no tray in that home: both stations draw its dice."),
        ],
        False,
    ),
    request=bool,
    listed="without_tray",
    kept=Flag,
    word="drawn",
    keep=tuple,
    write=lambda values: write_listed([int(each) for each in values]),
    read=read_listed(lambda word: bool(int(word))),
)
