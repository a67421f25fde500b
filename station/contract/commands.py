"""What people may ask of the table: the one list that parsing, OpenAPI and docs/api.md are made from.

Requests are the bodies of `POST /api/v1/commands`. What is no valid request is a BadInputError; what is valid
but not possible now is refused by the game (`station.game.steps`).
"""

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal, get_args

from pydantic import Field

from station.contract.command import HOLD_BUTTONS, Button, CommandBase, Whose
from station.contract.fields import Face, Seat, Slot, Word
from station.features.two_homes.option import WITHOUT_TRAY
from station.game.setting_right import MissedDie, NotADie, ReadAgain
from station.game.situation import Situation
from station.game.steps.accept_roll import AcceptRoll, EnterRoll
from station.game.steps.add_player import AddPlayer
from station.game.steps.announce_box import AnnounceBox
from station.game.steps.choose import Choose
from station.game.steps.computer_move import ComputerMove
from station.game.steps.correct_box import CorrectBox
from station.game.steps.correct_die import CorrectDie
from station.game.steps.end_game import EndGame
from station.game.steps.hold import SetHeld
from station.game.steps.keep_roll import KeepRoll
from station.game.steps.move_player import MovePlayer
from station.game.steps.ready import Ready
from station.game.steps.remove_player import RemovePlayer
from station.game.steps.rename_player import RenamePlayer
from station.game.steps.score_box import ScoreBox
from station.game.steps.start_game import Rematch, StartGame
from station.game.steps.undo import Undo
from station.game.steps.unready import Unready


class ChangeBank(CommandBase):
    """Where ten dice are thrown: let the hold buttons act for the other five."""

    whose: ClassVar[Whose] = Whose.TABLE
    command: Literal["change_bank"] = "change_bank"

    @classmethod
    def available(cls, now: Situation) -> bool:
        """While more dice lie there than there are buttons."""
        return len(now.state.dice) > len(HOLD_BUTTONS)


class ChoosePlayer(CommandBase):
    """Where all play at once: let the table's buttons act for this player."""

    whose: ClassVar[Whose] = Whose.HOST_TABLE
    command: Literal["choose_player"] = "choose_player"
    player: Seat

    @classmethod
    def available(cls, now: Situation) -> bool:
        """Where all play at once."""
        return now.state.simultaneous and now.state.running


class Throw(CommandBase):
    """With the simulated tray: a hand throws the dice that are not held."""

    whose: ClassVar[Whose] = Whose.TRAY
    command: Literal["throw"] = "throw"
    faces: Annotated[
        tuple[Face, ...] | None,
        Field(min_length=1, max_length=10, description="Fixes what falls, for a test."),
    ] = None

    @classmethod
    def available(cls, now: Situation) -> bool:
        """Where a simulated hand throws, while a throw is expected."""
        return now.simulated and now.expects_roll


class DrawRoll(CommandBase):
    """For a player without a tray: both stations draw the dice that are not held; nobody can choose them."""

    whose: ClassVar[Whose] = Whose.TURN
    command: Literal["draw_roll"] = "draw_roll"

    @classmethod
    def available(cls, now: Situation) -> bool:
        """While a player without a tray is to throw."""
        return now.expects_roll and WITHOUT_TRAY.of(now.state.player)


class QuestionDie(CommandBase):
    """Ask the home that threw last whether a die of it shows another face; the game does not wait for it."""

    whose: ClassVar[Whose] = Whose.TABLE
    command: Literal["question_die"] = "question_die"
    home: Annotated[
        Word | None, Field(description="The station there; left out: the one that keeps the game.")
    ] = None
    slot: Slot
    face: Face


class LetStand(CommandBase):
    """Answer what another home asks: the die was looked at again, and shows what it was read as."""

    whose: ClassVar[Whose] = Whose.TABLE
    command: Literal["let_stand"] = "let_stand"


class LayDie(CommandBase):
    """With the simulated tray: a hand lays a die of the confirmed roll into the dice keeper, or out of it."""

    whose: ClassVar[Whose] = Whose.TRAY
    command: Literal["lay_die"] = "lay_die"
    slot: Slot
    kept: Annotated[bool, Field(strict=True, description="Into the keeper; false: out of it.")] = True


class Press(CommandBase):
    """A button of the table, pressed on a screen."""

    own_dice: ClassVar[bool] = True
    whose: ClassVar[Whose] = Whose.TABLE
    command: Literal["press"] = "press"
    button: Button
    long: Annotated[bool, Field(strict=True, description="A long press.")] = False

    @classmethod
    def available(cls, now: Situation) -> bool:
        """Always."""
        del now
        return True


GameCommand = (
    StartGame
    | AcceptRoll
    | EnterRoll
    | CorrectDie
    | SetHeld
    | KeepRoll
    | AnnounceBox
    | ScoreBox
    | Ready
    | Unready
    | CorrectBox
    | Choose
    | Undo
    | AddPlayer
    | RenamePlayer
    | RemovePlayer
    | MovePlayer
    | EndGame
    | Rematch
    | ComputerMove
)
"""What the game itself decides; each becomes events."""

Command = (
    GameCommand
    | NotADie
    | MissedDie
    | ReadAgain
    | ChoosePlayer
    | ChangeBank
    | Throw
    | DrawRoll
    | QuestionDie
    | LetStand
    | LayDie
    | Press
)
"""All commands; the table carries the others out by itself."""

COMMANDS: Mapping[str, type[CommandBase]] = {
    kind.model_fields["command"].default: kind for kind in get_args(Command)
}
"""Name of each command -> its model."""

CommandBody = Annotated[
    Command,
    Field(
        discriminator="command",
        examples=[{"command": "start_game", "players": ["Ana", "Ben"], "rules": "yacht-1938"}],
    ),
]
"""The body of a request: one of them, told by its field `command`."""
