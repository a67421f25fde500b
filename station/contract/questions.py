"""Requests without a game: points and advice for any dice of any rule set."""

from typing import Annotated

from pydantic import ConfigDict, Field, TypeAdapter

from station.contract.fields import Body, Face, Word


class ScoreRequest(Body):
    """What these dice would score in every category of a rule set."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"rules": "yacht-1938", "dice": [1, 2, 2, 4, 6]}]}
    )
    rules: Word
    dice: Annotated[tuple[Face, ...], Field(min_length=1, max_length=10)]
    category: Word | None = None
    roll: Annotated[
        int | None,
        Field(strict=True, ge=1, le=10, description="Which throw of the turn; the last if left out."),
    ] = None


class AdviceRequest(Body):
    """A position in the middle of a turn, to be advised on."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"rules": "yacht-1938", "dice": [2, 2, 3, 5, 6], "rolls_left": 1}]}
    )
    rules: Word
    dice: Annotated[tuple[Face, ...], Field(min_length=1, max_length=10)]
    rolls_left: Annotated[int, Field(strict=True, ge=0, le=200)]
    open: Annotated[
        tuple[Word, ...] | None, Field(max_length=60, description="Open boxes; all when left out.")
    ] = None
    upper: Annotated[int, Field(strict=True, ge=0, le=10_000, description="Upper total so far.")] = 0
    yachts: Annotated[int, Field(strict=True, ge=0, le=20, description="Yachts scored so far.")] = 0
    saved: Annotated[
        int,
        Field(strict=True, ge=0, le=200, description="Throws saved from earlier turns, where they are kept."),
    ] = 0
    announced: Annotated[
        Word | None, Field(description="The box announced for this turn, where the rules have such boxes.")
    ] = None


class PositionLine(Body):
    """A position as `yacht hint --batch` reads it: the sheet by its boxes, or by what is open and counts."""

    dice: Annotated[tuple[Face, ...], Field(min_length=1, max_length=10)]
    rolls_left: Annotated[int, Field(strict=True)]
    boxes: Annotated[dict[str, Annotated[int, Field(strict=True)]], Field(default_factory=dict)]
    open: tuple[str, ...] | None = None
    upper: Annotated[int, Field(strict=True)] = 0
    yachts: Annotated[int, Field(strict=True)] = 0
    saved: Annotated[int, Field(strict=True)] = 0
    announced: str = ""


POSITION_LINE: TypeAdapter[PositionLine] = TypeAdapter(PositionLine)
"""Checks a line's object."""
