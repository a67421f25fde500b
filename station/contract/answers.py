"""Responses about the current game: hints, chances, reasons, the boxes for ten dice."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, ClassVar

from pydantic import Field

from station.contract.view import Parts, Text, WithParts

Version = Annotated[int, Field(description="The version of the state that was asked about.")]


@dataclass(frozen=True, slots=True)
class HintOption:
    """One thing to do now: dice to keep, or a box to fill; and how much worse it is than the best."""

    hold: Annotated[tuple[int, ...] | None, Field(description="Faces to keep; null for a box.")]
    box: Annotated[str | None, Field(description="The box to fill; two are `twos+fours`.")]
    less: Annotated[float, Field(description="Points given away by it.")]


@dataclass(frozen=True, slots=True)
class TableHint(WithParts):
    """What the active player had best do."""

    added: ClassVar[str] = "hint_view"

    slots: Annotated[
        tuple[int, ...] | None, Field(description="Dice to hold; null where only a box can be chosen.")
    ]
    box: Annotated[str | None, Field(description="The best box; null where throwing again is better.")]
    given: Annotated[Mapping[str, float], Field(description="Category -> points given away by it.")]
    value: Annotated[float, Field(description="Points still to come.")]
    reason: Text
    instead: Annotated[
        Text, Field(description="What the choice costs that looks better than the best; else empty.")
    ] = ""
    options: Annotated[tuple[HintOption, ...], Field(description="The best choices, best first.")] = ()
    version: Version = 0
    parts: Parts = ()


@dataclass(frozen=True, slots=True)
class NoHint:
    """There is nothing to decide."""

    version: Version


@dataclass(frozen=True, slots=True)
class SlotChance:
    """Dice to hold, their slots, and the chance to win when they are held."""

    hold: tuple[int, ...]
    slots: tuple[int, ...]
    chance: float


@dataclass(frozen=True, slots=True)
class BoxChance:
    """A box to fill now, and the chance to win then."""

    category: str
    chance: float


@dataclass(frozen=True, slots=True)
class TableOdds:
    """Who is likely to win as the table stands, and what to do for it, best first."""

    chances: Annotated[tuple[float, ...], Field(description="In the order of the players.")] = ()
    errors: Annotated[tuple[float, ...], Field(description="Standard errors, where estimated.")] = ()
    words: Annotated[Text, Field(description="How playing to win differs from playing for points.")] = ""
    message: Annotated[Text, Field(description="How far it is worked out.")] = ""
    exact: bool = False
    holds: tuple[SlotChance, ...] = ()
    boxes: tuple[BoxChance, ...] = ()
    expected: Annotated[
        tuple[float, ...],
        Field(description="Alone: the final score that best play expects after the last turn."),
    ] = ()
    par: Annotated[float, Field(description="Alone: what it expected at the start.")] = 0.0
    version: Version = 0


@dataclass(frozen=True, slots=True)
class LastLuck:
    """How lucky the last throw was."""

    luck: Annotated[
        float | None, Field(description="Points beyond what could be expected; null without a last throw.")
    ]
    words: Annotated[
        Text, Field(description="What is said of it where it is the luckiest so far; else empty.")
    ]
    version: Version = 0


@dataclass(frozen=True, slots=True)
class PlayerWhy:
    """One box of one player: its points, or those it would have, and why; null where that is not known."""

    name: str
    points: int | None
    open: bool
    why: Text | None
    faces: Annotated[tuple[int, ...], Field(description="The dice it was filled with.")] = ()
    elsewhere: Annotated[
        Mapping[str, int], Field(description="Open box -> what the same dice would score there instead.")
    ] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RowWhy:
    """Everything there is to say about one row of the sheet."""

    category: str
    label: Text
    pays: Text
    players: tuple[PlayerWhy, ...]


@dataclass(frozen=True, slots=True)
class SecondBox:
    """A box for the other five dice, and what they bring there."""

    category: str
    points: int


@dataclass(frozen=True, slots=True)
class TwoBoxes:
    """One way to give ten dice to two boxes: `slots` to `category`, the others to `second`.

    others: the open boxes for the other five in page order; `second` is one of them, null if none is open.
    """

    category: str
    points: int
    slots: tuple[int, ...]
    second: str | None
    others: tuple[SecondBox, ...]
    version: Version = 0


@dataclass(frozen=True, slots=True)
class Points:
    """Points of every category that was asked for."""

    scores: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class HoldAdvice:
    """One way to go on."""

    hold: Annotated[tuple[int, ...], Field(description="The faces kept.")]
    value: Annotated[float, Field(description="Expected points still to come, this turn included.")]


@dataclass(frozen=True, slots=True)
class BoxAdvice:
    """One box to choose."""

    category: str
    points: int
    value: Annotated[float, Field(description="Expected points still to come, these included.")]


@dataclass(frozen=True, slots=True)
class Decisions:
    """Holds and boxes, best first (station.strategy.values.hints works them out)."""

    holds: tuple[HoldAdvice, ...]
    boxes: tuple[BoxAdvice, ...]
