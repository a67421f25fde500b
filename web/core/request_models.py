"""The shapes that come in: they check every request and are what the API description is made from."""

from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

Face = Annotated[int, Field(strict=True, ge=1, le=6, description="Pips on top of a die.")]
Slot = Annotated[int, Field(strict=True, ge=1, le=10, description="Number of a die in this turn.")]
Name = Annotated[
    str,
    StringConstraints(min_length=1, max_length=60),
    Field(description="What a player is called."),
]
Word = Annotated[str, StringConstraints(min_length=1, max_length=40, pattern=r"^[A-Za-z0-9_-]+$")]


class Body(BaseModel):
    """Any request body: a field that nobody knows is a mistake, and said so."""

    model_config = ConfigDict(extra="forbid")


class Command(Body):
    """What all commands carry."""

    version: Annotated[
        int | None,
        Field(strict=True, ge=0, description="The version this was decided on; a stale one is refused."),
    ] = None

    def for_table(self) -> dict[str, Any]:
        """The command as the table takes it: without what was not said."""
        return self.model_dump(exclude_none=True)


class StartGame(Command):
    """Begin a game with these players, in this order."""

    command: Literal["start_game"]
    players: Annotated[
        list[Name] | None,
        Field(min_length=1, max_length=8, description="Those who joined in the lobby when left out."),
    ] = None
    rules: Annotated[Word | None, Field(description="The last rule set when left out.")] = None


class AcceptRoll(Command):
    """Confirm what the camera reads; refused while the reading is not `ready`."""

    command: Literal["accept_roll"]
    force: Annotated[
        bool, Field(strict=True, description="Also if nothing seems to have moved or held dice changed.")
    ] = False


class EnterRoll(Command):
    """Type the roll by hand, slot by slot."""

    command: Literal["enter_roll"]
    faces: Annotated[list[Face], Field(min_length=1, max_length=10)]


class CorrectDie(Command):
    """Say what a die really shows."""

    command: Literal["correct_die"]
    slot: Slot
    face: Face


class NotADie(Command):
    """What the camera offers in this slot is no die."""

    command: Literal["not_a_die"]
    slot: Slot


class MissedDie(Command):
    """There is a die with this face on the tray that the camera does not see."""

    command: Literal["missed_die"]
    face: Face


class ReadAgain(Command):
    """Forget what people said about the dice on the tray; what the camera says counts."""

    command: Literal["read_again"]


class SetHeld(Command):
    """Keep exactly these slots out of the next throw."""

    command: Literal["set_held"]
    slots: Annotated[list[Slot], Field(max_length=10)]


class ScoreBox(Command):
    """Write the roll into a box of the active player."""

    command: Literal["score_box"]
    category: Word
    slots: Annotated[
        list[Slot] | None,
        Field(max_length=10, description="The five dice for it, where a turn fills two boxes."),
    ] = None


class CorrectBox(Command):
    """Set a box of an earlier turn right; what came after it stays."""

    command: Literal["correct_box"]
    player: Annotated[int, Field(strict=True, ge=0, le=7, description="The seat, from 0.")]
    category: Word
    faces: Annotated[list[Face], Field(min_length=1, max_length=10, description="What really lay there.")]
    to: Annotated[Word | None, Field(description="The box the dice belong to instead.")] = None


class Choose(Command):
    """Throw no more and choose a box; `category` puts the mark of the table's buttons there."""

    command: Literal["choose"]
    category: Word | None = None


class Undo(Command):
    """Take back the last step, whatever it was."""

    command: Literal["undo"]


class AddPlayer(Command):
    """A late guest joins the game."""

    command: Literal["add_player"]
    name: Name


class EndGame(Command):
    """End the game as it stands."""

    command: Literal["end_game"]


class Rematch(Command):
    """The same people once more."""

    command: Literal["rematch"]


class Throw(Command):
    """With the simulated tray: a hand throws the dice that are not held."""

    command: Literal["throw"]
    faces: Annotated[
        list[Face] | None,
        Field(min_length=1, max_length=10, description="Fixes what falls, for a test."),
    ] = None


class Press(Command):
    """A button of the table, pressed on a screen."""

    command: Literal["press"]
    button: Literal["hold-1", "hold-2", "hold-3", "hold-4", "hold-5", "confirm", "undo"]
    long: Annotated[bool, Field(strict=True, description="A long press.")] = False


AnyCommand = Annotated[
    StartGame
    | AcceptRoll
    | EnterRoll
    | CorrectDie
    | NotADie
    | MissedDie
    | ReadAgain
    | SetHeld
    | ScoreBox
    | CorrectBox
    | Choose
    | Undo
    | AddPlayer
    | EndGame
    | Rematch
    | Throw
    | Press,
    Field(discriminator="command"),
]
COMMANDS: tuple[type[Command], ...] = (
    StartGame,
    AcceptRoll,
    EnterRoll,
    CorrectDie,
    NotADie,
    MissedDie,
    ReadAgain,
    SetHeld,
    ScoreBox,
    CorrectBox,
    Choose,
    Undo,
    AddPlayer,
    EndGame,
    Rematch,
    Throw,
    Press,
)


def name_of(model: type[Command]) -> str:
    """The command a model is for.

    >>> name_of(SetHeld)
    'set_held'
    """
    name: str = get_args(model.model_fields["command"].annotation)[0]
    return name


class ScoreRequest(Body):
    """What these dice would score in every category of a rule set."""

    rules: Word
    dice: Annotated[list[Face], Field(min_length=1, max_length=10)]
    category: Word | None = None
    roll: Annotated[int, Field(strict=True, ge=1, le=3, description="Which throw of the turn.")] = 3


class AdviceRequest(Body):
    """A position in the middle of a turn, to be advised on."""

    rules: Word
    dice: Annotated[list[Face], Field(min_length=1, max_length=10)]
    rolls_left: Annotated[int, Field(strict=True, ge=0, le=2)]
    open: Annotated[list[Word] | None, Field(max_length=20, description="Open boxes; all when left out.")] = (
        None
    )
    upper: Annotated[int, Field(strict=True, ge=0, le=140, description="Upper total so far.")] = 0
    yachts: Annotated[int, Field(strict=True, ge=0, le=20, description="Yachts scored so far.")] = 0


class ErrorDetail(BaseModel):
    """What went wrong."""

    code: str = Field(description="Stable, of the form room/what.")
    message: str = Field(description="A sentence for people.")


class ErrorShape(BaseModel):
    """Every error of this API."""

    error: ErrorDetail
