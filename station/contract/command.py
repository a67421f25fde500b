"""What every request to the table is, and the buttons that stand for some of them."""

from abc import abstractmethod
from collections.abc import Callable
from enum import StrEnum, auto
from typing import TYPE_CHECKING, Annotated, ClassVar

from pydantic import Field, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from station.contract.fields import Body

if TYPE_CHECKING:
    from station.game.situation import Situation
    from station.table.play import Play


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


class Whose(StrEnum):
    """Who may ask for something, and where, as far as that follows from what it is."""

    TRAY = auto()
    """It says how dice lie in a tray: for whose turn it is, in the home where that player throws."""
    TURN = auto()
    """What else is done where the active player throws."""
    TABLE = auto()
    """For who plays, at any table of the game."""
    HOST_TABLE = auto()
    """For who plays, at the table that keeps the game."""
    ANYBODY = auto()
    """To begin a game while none is played."""
    NEWCOMER = auto()
    """For who takes the seat."""
    SEAT = auto()
    """For who sits there."""
    HOST = auto()
    """For the host, where there is one."""

    @property
    def of_turn(self) -> bool:
        """Whether it belongs to a turn; the rest is about the game and who is in it."""
        return self in OF_TURN

    @property
    def everywhere(self) -> bool:
        """Whether a table that plays along in another's game may send it."""
        return self in OF_TURN and self is not Whose.HOST_TABLE


OF_TURN = (Whose.TRAY, Whose.TURN, Whose.TABLE, Whose.HOST_TABLE)


class Command(Body):
    """What all commands carry.

    whose: who may ask for it. guarded: the sentence that says so where a PIN keeps it for the host; empty
    where it does not. own_dice: where nobody has a turn, it is about what the player at the table does with
    the own dice, not about the throw for everybody. by_confirm: the confirm button stands for it while it is
    on offer; by_both: two hold buttons pressed together, while dice are held. of_round: what single players
    do since makes it not stale. follows, precedes: of a feature's command the one of the game after or before
    which it is listed, at the end where there is none.
    """

    whose: ClassVar[Whose]
    guarded: ClassVar[str] = ""
    own_dice: ClassVar[bool] = False
    by_confirm: ClassVar[bool] = False
    of_round: ClassVar[bool] = False
    by_both: ClassVar[bool] = False
    follows: ClassVar["type[Command] | None"] = None
    precedes: ClassVar["type[Command] | None"] = None
    version: Annotated[
        int | None,
        Field(strict=True, ge=0, description="The version this was decided on; a stale one is refused."),
    ] = None

    @classmethod
    def available(cls, now: "Situation") -> bool:
        """Whether it is on offer: accepted now, with good fields. Some never are, or are listed elsewhere."""
        del now
        return False

    @classmethod
    def __get_pydantic_json_schema__(
        cls, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """In a request the name has to stand there; within the station the class says it."""
        described = handler.resolve_ref_schema(handler(schema))
        if "command" in described.get("properties", {}):
            described["required"] = ["command", *described.get("required", [])]
        return described


class TableCommand(Command):
    """What the buttons, a simulated hand or a feature does at the table, and is no step of the game."""

    @abstractmethod
    def carry_out(self, play: "Play") -> Callable[[], None] | None:
        """Do it; gives what is left to be done once nobody is kept waiting.

        Raises RefusalError; then nothing has changed.
        """
