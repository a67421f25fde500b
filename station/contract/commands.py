"""What people may ask of the table: the one list that parsing, OpenAPI and docs/api.md are made from.

Requests are the bodies of `POST /api/v1/commands`. What is no valid request is a BadInputError; what is valid
but not possible now is refused by the game (`station.game.decide`).
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Literal, get_args

from pydantic import Field, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from station.contract.fields import PLAYERS_MAX, Body, Face, Name, Seat, Slot, Word
from station.contract.new_game import PlayerAsked, Stakes, Starter


class Button(StrEnum):
    """The buttons of the table, on its edge or on a page; the lamps beside them have the same names."""

    HOLD_1 = "hold-1"
    HOLD_2 = "hold-2"
    HOLD_3 = "hold-3"
    HOLD_4 = "hold-4"
    HOLD_5 = "hold-5"
    CONFIRM = "confirm"
    UNDO = "undo"


HOLD_BUTTONS = (Button.HOLD_1, Button.HOLD_2, Button.HOLD_3, Button.HOLD_4, Button.HOLD_5)
"""From left to right: each holds the die of its place, counted from 1, or releases it."""


Whose = Annotated[
    Seat | None,
    Field(description="Where all play at once: whose copy; left out, that of the player at the table."),
]


class CommandBase(Body):
    """What all commands carry."""

    version: Annotated[
        int | None,
        Field(strict=True, ge=0, description="The version this was decided on; a stale one is refused."),
    ] = None

    @classmethod
    def __get_pydantic_json_schema__(
        cls, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """In a request the name has to stand there; within the station the class says it."""
        described = handler.resolve_ref_schema(handler(schema))
        if "command" in described.get("properties", {}):
            described["required"] = ["command", *described.get("required", [])]
        return described


class StartGame(CommandBase):
    """Begin a game; left out, the players are those who joined, and the rules the last ones."""

    command: Literal["start_game"] = "start_game"
    players: Annotated[
        tuple[Name | PlayerAsked, ...] | None,
        Field(min_length=1, max_length=PLAYERS_MAX, description="In the order in which they throw."),
    ] = None
    rules: Annotated[Word | None, Field(description="The last rule set when left out.")] = None
    starter: Starter = None
    stakes: Annotated[Stakes | None, Field(description="Left out, nothing is played for.")] = None


class AcceptRoll(CommandBase):
    """Confirm what the camera reads; refused while the reading is not `ready`."""

    command: Literal["accept_roll"] = "accept_roll"
    force: Annotated[
        bool, Field(strict=True, description="Also if nothing seems to have moved or held dice changed.")
    ] = False


class EnterRoll(CommandBase):
    """Type the roll by hand, slot by slot; held dice keep their face."""

    command: Literal["enter_roll"] = "enter_roll"
    faces: Annotated[tuple[Face, ...], Field(min_length=1, max_length=10)]


class CorrectDie(CommandBase):
    """Say what a die really shows: of the roll on offer, else of the accepted one."""

    command: Literal["correct_die"] = "correct_die"
    slot: Slot
    face: Face


class NotADie(CommandBase):
    """What the camera offers in this slot is no die."""

    command: Literal["not_a_die"] = "not_a_die"
    slot: Slot


class MissedDie(CommandBase):
    """There is a die with this face on the tray that the camera does not see."""

    command: Literal["missed_die"] = "missed_die"
    face: Face


class ReadAgain(CommandBase):
    """Forget what people said about the dice on the tray; what the camera says counts."""

    command: Literal["read_again"] = "read_again"


class SetHeld(CommandBase):
    """Keep exactly these slots out of the next throw; where all play at once, on one player's copy."""

    command: Literal["set_held"] = "set_held"
    slots: Annotated[tuple[Slot, ...], Field(max_length=10)]
    player: Whose = None


class KeepRoll(CommandBase):
    """What lies in the tray now is no throw: the confirmed roll stays, until dice move again."""

    command: Literal["keep_roll"] = "keep_roll"


class ScoreBox(CommandBase):
    """Write the confirmed roll into a box of the active player; refused while a newer throw lies there.

    Where all play at once it picks the box that is written when all are ready.
    """

    command: Literal["score_box"] = "score_box"
    category: Word
    slots: Annotated[
        tuple[Slot, ...] | None,
        Field(max_length=10, description="The five dice for it, where a turn fills two boxes."),
    ] = None
    force: Annotated[
        bool, Field(strict=True, description="Also while a newer throw rolls or lies unconfirmed.")
    ] = False
    player: Whose = None


class AnnounceBox(CommandBase):
    """Name the box that the turn will go to, after the first throw, where the rules have such boxes."""

    command: Literal["announce_box"] = "announce_box"
    category: Word
    force: Annotated[
        bool, Field(strict=True, description="Also while a newer throw rolls or lies unconfirmed.")
    ] = False


class Ready(CommandBase):
    """Where all play at once: this player is ready; when the last one is, the round goes on."""

    command: Literal["ready"] = "ready"
    player: Whose = None


class Unready(CommandBase):
    """Where all play at once: this player is not ready after all; refused once all are."""

    command: Literal["unready"] = "unready"
    player: Whose = None


class ChangeBank(CommandBase):
    """Where ten dice are thrown: let the hold buttons act for the other five."""

    command: Literal["change_bank"] = "change_bank"


class ChoosePlayer(CommandBase):
    """Where all play at once: let the table's buttons act for this player."""

    command: Literal["choose_player"] = "choose_player"
    player: Seat


class CorrectBox(CommandBase):
    """Set a box of an earlier turn right; what came after it is scored anew."""

    command: Literal["correct_box"] = "correct_box"
    player: Seat
    category: Word
    faces: Annotated[
        tuple[Face, ...], Field(min_length=1, max_length=10, description="What really lay there.")
    ]
    to: Annotated[Word | None, Field(description="The box the dice belong to instead.")] = None
    force: Annotated[
        bool, Field(strict=True, description="Also if later boxes change, or nobody announced `to`.")
    ] = False


class Choose(CommandBase):
    """Throw no more and choose a box; `category` puts the mark of the table's buttons there."""

    command: Literal["choose"] = "choose"
    category: Word | None = None


class Undo(CommandBase):
    """Take back the last step, whatever it was."""

    command: Literal["undo"] = "undo"


class AddPlayer(CommandBase):
    """A late guest joins the game, with an empty sheet."""

    command: Literal["add_player"] = "add_player"
    name: Name


class RenamePlayer(CommandBase):
    """Call a player otherwise."""

    command: Literal["rename_player"] = "rename_player"
    player: Seat
    name: Name


class RemovePlayer(CommandBase):
    """Let a player go: the turn goes on without them, their sheet stays in the record."""

    command: Literal["remove_player"] = "remove_player"
    player: Seat


class MovePlayer(CommandBase):
    """Let a player sit elsewhere in the order."""

    command: Literal["move_player"] = "move_player"
    player: Seat
    to: Seat


class EndGame(CommandBase):
    """End the game as it stands."""

    command: Literal["end_game"] = "end_game"


class Rematch(CommandBase):
    """The same people and rules once more; who starts is found out as before, unless it is said."""

    command: Literal["rematch"] = "rematch"
    order: Annotated[
        Literal["keep", "shuffle", "rotate"],
        Field(description="How they sit: as before, by lot, or each one further."),
    ] = "keep"
    starter: Starter = None


class ComputerMove(CommandBase):
    """Carry out what the computer player has decided, or draw its dice where the settings say so."""

    command: Literal["computer_move"] = "computer_move"


class Throw(CommandBase):
    """With the simulated tray: a hand throws the dice that are not held."""

    command: Literal["throw"] = "throw"
    faces: Annotated[
        tuple[Face, ...] | None,
        Field(min_length=1, max_length=10, description="Fixes what falls, for a test."),
    ] = None


class DrawRoll(CommandBase):
    """For a player without a tray: both stations draw the dice that are not held; nobody can choose them."""

    command: Literal["draw_roll"] = "draw_roll"


class QuestionDie(CommandBase):
    """Ask the home that threw last whether a die of it shows another face; the game does not wait for it."""

    command: Literal["question_die"] = "question_die"
    home: Annotated[
        Word | None, Field(description="The station there; left out: the one that keeps the game.")
    ] = None
    slot: Slot
    face: Face


class LetStand(CommandBase):
    """Answer what another home asks: the die was looked at again, and shows what it was read as."""

    command: Literal["let_stand"] = "let_stand"


class LayDie(CommandBase):
    """With the simulated tray: a hand lays a die of the confirmed roll into the dice keeper, or out of it."""

    command: Literal["lay_die"] = "lay_die"
    slot: Slot
    kept: Annotated[bool, Field(strict=True, description="Into the keeper; false: out of it.")] = True


class Press(CommandBase):
    """A button of the table, pressed on a screen."""

    command: Literal["press"] = "press"
    button: Button
    long: Annotated[bool, Field(strict=True, description="A long press.")] = False


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
)
"""What the game itself decides; each becomes events."""

CopyCommand = SetHeld | ScoreBox | Ready | Unready
"""What a player does with the own copy, where all play at once."""

TurnCommand = (
    AcceptRoll
    | EnterRoll
    | CorrectDie
    | NotADie
    | MissedDie
    | ReadAgain
    | KeepRoll
    | AnnounceBox
    | Choose
    | ChangeBank
    | ChoosePlayer
    | ComputerMove
    | Throw
    | DrawRoll
    | QuestionDie
    | LetStand
    | LayDie
    | Press
    | Undo
    | CopyCommand
)
"""What belongs to a turn, and is for who plays; the rest is about the game and who is in it."""

STANDS_FOR: Mapping[Button, GameCommand] = {Button.UNDO: Undo()}
"""Buttons that mean the same in every phase; what the others mean, `station.game.buttons` knows."""

Command = (
    GameCommand
    | ComputerMove
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
