"""The shapes that go out, for the description of the API; the table fills them (docs/api.md).

Each allows more fields than it names: a newer table may say more, and no screen breaks by it.
"""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


class Shape(BaseModel):
    """Open for more."""

    model_config = ConfigDict(extra="allow")


class Die(Shape):
    """A die of the roll that was accepted."""

    slot: int = Field(description="Its number in this turn, left to right at its first reading.")
    face: int = Field(ge=1, le=6)
    held: bool = Field(description="Kept out of the next throw.")


class Reading(Shape):
    """What the camera sees now."""

    status: Literal["empty", "moving", "covered", "unsure", "ready"]
    faces: list[int] = Field(description="Every die believed seen, ascending.")
    reasons: list[str] = Field(description="Why the reading is not ready.")


class Player(Shape):
    """One column of the score sheet."""

    name: str
    boxes: dict[str, int | None] = Field(description="Points per category; null where the box is open.")
    potentials: dict[str, int] = Field(description="What the open boxes would score now.")
    upper: int
    bonus: int
    total: int


class Row(Shape):
    """One row of the score sheet."""

    category: str
    label: str
    section: Literal["upper", "lower"]


class State(Shape):
    """Everything a screen shows."""

    version: int = Field(description="Grows with every change; give it with a command to be safe.")
    phase: Literal["lobby", "throwing", "holding", "choosing", "finished"]
    waiting_for: str = Field(description="In words: what the station waits for.")
    rules: str | None
    active_player: int | None = Field(description="Index into `players`.")
    throws_done: int
    throws_allowed: int
    dice: list[Die]
    reading: Reading | None
    players: list[Player]
    finished: bool
    categories: list[Row] = []
    commands: list[str] = Field(default=[], description="What is allowed now.")
    undo: str | None = Field(default=None, description="In words: what `undo` would take back.")
    problem: str | None = None
    winner: list[str] = []


class Scores(Shape):
    """Answer of /score."""

    scores: dict[str, int]


class Hold(Shape):
    """One way to go on."""

    hold: list[int] = Field(description="The faces kept.")
    value: float = Field(description="Expected points still to come, this turn included, playing on best.")


class BoxAdvice(Shape):
    """One box to choose."""

    category: str
    points: int
    value: float


class Advice(Shape):
    """Answer of /advice; best first."""

    holds: list[Hold]
    boxes: list[BoxAdvice]
