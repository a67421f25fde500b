"""The steps of a competition: what the organiser does, checked, and as the log keeps it."""

from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter

NAME_MAX = 24
ENTRANTS_MAX = 400
POINTS_MAX = 100_000
SIZE_MAX = 12
NUMBER_MAX = 2**53
"""The highest number of a station's game: larger integers are not exact in JSON."""

Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=NAME_MAX)]
Title = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=80)]
Table = Annotated[str, StringConstraints(strip_whitespace=True, max_length=64)]
Index = Annotated[int, Field(ge=0, le=ENTRANTS_MAX)]
Points = Annotated[int, Field(ge=-POINTS_MAX, le=POINTS_MAX)]


class System(StrEnum):
    """The systems of pairing."""

    ROUND_ROBIN = "round-robin"
    SWISS = "swiss"
    KNOCKOUT = "knockout"
    SEATINGS = "seatings"


class _Step(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Open(_Step):
    """Begin a competition. rounds: of a Swiss system or of seatings; size: players at a table of seatings."""

    step: Literal["open"] = "open"
    title: Title
    system: System
    size: Annotated[int, Field(ge=2, le=SIZE_MAX)] = 2
    meetings: Annotated[int, Field(ge=1, le=4)] = 1
    rounds: Annotated[int, Field(ge=1, le=100)] = 5


class Enter(_Step):
    """Somebody takes part: a player, or a team with its members."""

    step: Literal["enter"] = "enter"
    name: Name
    members: Annotated[tuple[Name, ...], Field(max_length=SIZE_MAX)] = ()


class Shuffle(_Step):
    """The order by lot. order: the old numbers in their new order."""

    step: Literal["shuffle"] = "shuffle"
    order: tuple[Index, ...]


class Attend(_Step):
    """Somebody is absent from now on, or is there again."""

    step: Literal["attend"] = "attend"
    entrant: Index
    absent: bool


class AtSpot(_Step):
    """A step about one game."""

    round: Index
    seating: Index
    game: Index = 0


class MoveGame(AtSpot):
    """A game is played at that table."""

    step: Literal["move"] = "move"
    table: Table


class SetResult(AtSpot):
    """A result by hand. points: none where nobody played; winners: indexes, where points do not say it.

    size: how many sit there; one alone where an odd number meets at tables of two.
    """

    step: Literal["score"] = "score"
    points: Annotated[tuple[Points, ...] | None, Field(max_length=SIZE_MAX)]
    winners: tuple[Index, ...] = ()
    size: Annotated[int, Field(ge=1, le=SIZE_MAX)] = 2


class Clear(AtSpot):
    """Drop the result that was set by hand."""

    step: Literal["clear"] = "clear"


class TakeResult(AtSpot):
    """A station's game is this one, although its names differ."""

    step: Literal["take"] = "take"
    station: Annotated[str, Field(min_length=1, max_length=80)]
    number: Annotated[int, Field(ge=0, le=NUMBER_MAX)]


class Met(_Step):
    """One meeting: the entrants and their tables."""

    entrants: tuple[Index, ...]
    tables: tuple[Table, ...]


class Drawn(_Step):
    """A round, as it was drawn. forfeits: open games before it that nobody will play any more."""

    step: Literal["drawn"] = "drawn"
    seatings: tuple[Met, ...]
    resting: tuple[Index, ...] = ()
    forfeits: tuple[SetResult, ...] = ()


class UndoStep(_Step):
    """Take back the last step."""

    step: Literal["undo"] = "undo"


Step = Open | Enter | Shuffle | Attend | MoveGame | SetResult | Clear | TakeResult | Drawn | UndoStep

_ADAPTER: TypeAdapter[Step] = TypeAdapter(Annotated[Step, Field(discriminator="step")])


def written(step: Step) -> str:
    """A step as a line of the log.

    >>> read(written(Enter(name="Ana"))) == Enter(name="Ana")
    True
    """
    return step.model_dump_json(exclude_defaults=False)


def read(line: str) -> Step:
    """The step in a line. Raises ValueError where it is not one."""
    return _ADAPTER.validate_json(line)


def made(fields: dict[str, Any]) -> Step:
    """A step from what somebody typed. Raises BadInputError."""
    from station.contract.invalid import checked  # noqa: PLC0415 - the log needs no sentences

    return checked(_ADAPTER, fields)
