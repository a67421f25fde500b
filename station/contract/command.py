"""The base class of all requests to the table, and the buttons that stand for some of them."""

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
"""The hold buttons from left to right: each holds or releases the die of its place, counted from 1."""


class Whose(StrEnum):
    """Who may send a command, and where, as far as its kind decides."""

    TRAY = auto()
    """It reports dice in a tray: only for the active player, in the home where that player throws."""
    TURN = auto()
    """Any other step, in the home where the active player throws."""
    TABLE = auto()
    """For players, at any table of the game."""
    HOST_TABLE = auto()
    """For players, at the table that keeps the game."""
    ANYBODY = auto()
    """For anybody, to begin a game while none is played."""
    NEWCOMER = auto()
    """For the person who takes the seat."""
    SEAT = auto()
    """For the player of the seat."""
    HOST = auto()
    """For the host, if there is one."""

    @property
    def of_turn(self) -> bool:
        """Whether it belongs to a turn; the others are about the game and its players."""
        return self in OF_TURN

    @property
    def everywhere(self) -> bool:
        """Whether a table that plays along in another's game may send it."""
        return self in OF_TURN and self is not Whose.HOST_TABLE


OF_TURN = (Whose.TRAY, Whose.TURN, Whose.TABLE, Whose.HOST_TABLE)


class Command(Body):
    """The base class of commands.

    whose: who may send it. guarded: the sentence of the refusal where a PIN reserves it for the host; else
    empty. own_dice: where all play at once, it is about the player's own dice, not about the throw for
    everybody. by_confirm: the confirm button sends it while it is on offer; by_both: two hold buttons pressed
    together, while dice are held. of_round: later steps of single players do not make it stale. follows,
    precedes: the command of the game after or before which a feature's command is listed; without one, at
    the end.
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
        """Whether it is on offer: accepted now, with valid fields; some never are or are listed elsewhere."""
        del now
        return False

    @classmethod
    def __get_pydantic_json_schema__(
        cls, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """Require the command's name in a request; within the station it follows from the class."""
        described = handler.resolve_ref_schema(handler(schema))
        if "command" in described.get("properties", {}):
            described["required"] = ["command", *described.get("required", [])]
        return described


class TableCommand(Command):
    """A command of the buttons, a simulated hand or a feature that is no step of the game."""

    @abstractmethod
    def carry_out(self, play: "Play") -> Callable[[], None] | None:
        """Do it; gives what is left to be done once nobody is kept waiting.

        Raises RefusalError; then nothing has changed.
        """
