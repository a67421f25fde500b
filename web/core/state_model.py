"""The shapes that go out, for the description of the API; the table fills them (design.md, section 5).

Each allows more fields than it names: a newer table may say more, and no screen breaks by it.
"""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


class Shape(BaseModel):
    """Open for more."""

    model_config = ConfigDict(extra="allow")


class DieView(Shape):
    """A die of the roll that was accepted."""

    slot: int = Field(description="Its number in this turn, left to right at its first reading.")
    face: int = Field(ge=1, le=6)
    colour: str | None = Field(description="Of its body; null where the camera did not see it.")
    held: bool = Field(description="Kept out of the next throw.")


class OfferedDieView(DieView):
    """A die that the camera shows, as it would count."""

    corrected: bool = Field(description="Set by a person.")


class ReadingView(Shape):
    """What the camera sees now."""

    status: Literal["empty", "moving", "covered", "unsure", "ready"]
    faces: list[int] = Field(description="Every die believed seen, ascending.")
    reasons: list[str] = Field(description="Why the reading is not ready.")
    fresh: bool = Field(description="Thrown since the last accepted roll.")
    dice: list[OfferedDieView]


class PlayerView(Shape):
    """One column of the score sheet."""

    name: str
    boxes: dict[str, int | None] = Field(description="Points per category; null where the box is open.")
    potentials: dict[str, int] = Field(description="What the open boxes would score now.")
    upper: int
    missing_for_bonus: int
    bonus: int
    extra: int = Field(description="Points on top for further yachts.")
    total: int


class RowView(Shape):
    """One row of the score sheet."""

    category: str
    label: str
    section: Literal["upper", "lower"]


class RuleSetView(Shape):
    """A rule set that can be chosen."""

    id: str
    title: str


class DeviceView(Shape):
    """The camera or the buttons: whether they work, and if not, what to do."""

    name: str
    ok: bool
    message: str


class TableView(Shape):
    """Everything a screen shows."""

    version: int = Field(description="Grows with every change; give it with a command to be safe.")
    phase: Literal["lobby", "throwing", "holding", "choosing", "finished"]
    waiting_for: str = Field(description="In words: what the station waits for.")
    problem: str | None = Field(description="In words: what is wrong on tray or camera.")
    rules: str | None
    rules_title: str | None
    starts: str | None
    categories: list[RowView]
    rule_sets: list[RuleSetView] = Field(description="Those that can be chosen.")
    house_rules: str | None = Field(description="The text of the house rules that are played.")
    game: int = Field(description="Its number; 0 before the first.")
    active_player: int | None = Field(description="Index into `players`.")
    throws_done: int
    throws_allowed: int
    rolls_left: int
    dice_count: int
    boxes_per_turn: int
    dice: list[DieView]
    reading: ReadingView
    players: list[PlayerView]
    choice: str | None = Field(description="The box marked by the buttons.")
    undo: str | None = Field(description="In words: what `undo` would take back.")
    commands: list[str] = Field(description="What is allowed now.")
    simulated: bool = Field(description="Whether the simulated tray can `throw`.")
    winner: list[str] = Field(description="Names of the winners.")
    finished: bool
    ended_early: bool
    camera: DeviceView
    buttons: DeviceView


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
