"""What people may ask of the table, as values, and how a request becomes one.

Requests are the bodies of `POST /api/v1/commands` (docs/api.md). What is no valid request is a
BadInputError; what is valid but not possible now is refused by `decide`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from messages.errors import BadInputError

BUTTONS = ("hold-1", "hold-2", "hold-3", "hold-4", "hold-5", "confirm", "undo")
"""Buttons that can be pressed, on the station or on the page."""


@dataclass(frozen=True, slots=True)
class Command:
    """Root of all commands."""


@dataclass(frozen=True, slots=True)
class StartGame(Command):
    """Begin a game. players: None takes those who joined in the lobby; rules: None takes the last ones.

    house: the text of the house rules of that id; the table puts it there, no request can.
    """

    players: tuple[str, ...] | None = None
    rules: str | None = None
    house: str = ""


@dataclass(frozen=True, slots=True)
class AcceptRoll(Command):
    """Confirm what the camera reads. force: also if nothing seems to have moved or held dice changed."""

    force: bool = False


@dataclass(frozen=True, slots=True)
class EnterRoll(Command):
    """Type the whole roll, slot by slot."""

    faces: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CorrectDie(Command):
    """Say what one die shows: of the roll the camera offers, else of the accepted one."""

    slot: int
    face: int


@dataclass(frozen=True, slots=True)
class NotADie(Command):
    """What the camera offers in this slot is no die."""

    slot: int


@dataclass(frozen=True, slots=True)
class MissedDie(Command):
    """There is a die with this face on the tray that the camera does not see."""

    face: int


@dataclass(frozen=True, slots=True)
class ReadAgain(Command):
    """Forget what people said about the dice on the tray; what the camera says counts."""


@dataclass(frozen=True, slots=True)
class SetHeld(Command):
    """Hold these slots and no others."""

    slots: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ScoreBox(Command):
    """Fill a box. slots: the five dice for it, where a turn fills two boxes; empty takes the best five."""

    category: str
    slots: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class CorrectBox(Command):
    """Set a box of an earlier turn right. player: seat, from 0; to: the box the dice belong to instead."""

    player: int
    category: str
    faces: tuple[int, ...]
    to: str | None = None


@dataclass(frozen=True, slots=True)
class Choose(Command):
    """Throw no more, choose a box; category: where the mark of the buttons shall stand."""

    category: str | None = None


@dataclass(frozen=True, slots=True)
class Undo(Command):
    """Take back the last event."""


@dataclass(frozen=True, slots=True)
class AddPlayer(Command):
    """One more player, with an empty sheet."""

    name: str


@dataclass(frozen=True, slots=True)
class EndGame(Command):
    """Stop the game now; the highest total wins."""


@dataclass(frozen=True, slots=True)
class Rematch(Command):
    """Begin again with the same people and rules."""


@dataclass(frozen=True, slots=True)
class Throw(Command):
    """Let the simulated hand throw. faces: of the thrown dice in slot order, or of all; empty: by chance."""

    faces: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Press(Command):
    """Press a button of the station."""

    button: str
    long: bool = False


def parse(body: Mapping[str, Any]) -> Command:
    """The command of a request; `version` is looked at elsewhere.

    Raises BadInputError with a sentence for everything that is no command.

    >>> parse({"command": "correct_die", "slot": 2, "face": 6})
    CorrectDie(slot=2, face=6)
    """
    name = body.get("command")
    if not isinstance(name, str) or name not in READERS:
        raise BadInputError(
            f"There is no command {name!r}; there are {', '.join(READERS)}.", code="command/unknown"
        )
    return READERS[name](_Fields(name, body))


class _Fields:
    """The fields of one request, read by kind."""

    def __init__(self, name: str, body: Mapping[str, Any]) -> None:
        self.name = name
        self.body = body

    def _bad(self, field: str, wanted: str) -> BadInputError:
        given = f"not {self.body[field]!r}" if field in self.body else "and is missing"
        return BadInputError(f"{self.name}: '{field}' must be {wanted}, {given}.", code="command/bad_field")

    def only(self, *fields: str) -> None:
        """Refuse fields the command does not have."""
        for field in self.body:
            if field not in (*fields, "command", "version"):
                known = f"; it has {', '.join(fields)}" if fields else ""
                raise BadInputError(f"{self.name} has no field {field!r}{known}.", code="command/bad_field")

    def integer(self, field: str) -> int:
        value = self.body.get(field)
        if isinstance(value, bool) or not isinstance(value, int):
            raise self._bad(field, "a whole number")
        return value

    def integers(self, field: str, *, optional: bool = False) -> tuple[int, ...]:
        value = self.body.get(field)
        if optional and value is None:
            return ()
        if not isinstance(value, list | tuple) or any(
            isinstance(v, bool) or not isinstance(v, int) for v in value
        ):
            raise self._bad(field, "a list of whole numbers")
        return tuple(value)

    def face(self, field: str) -> int:
        value = self.integer(field)
        if not 1 <= value <= 6:  # noqa: PLR2004 - a die has six faces
            raise self._bad(field, "a face from 1 to 6")
        return value

    def faces(self, field: str, *, optional: bool = False) -> tuple[int, ...]:
        values = self.integers(field, optional=optional)
        if any(not 1 <= value <= 6 for value in values):  # noqa: PLR2004 - a die has six faces
            raise self._bad(field, "faces from 1 to 6")
        return values

    def text(self, field: str) -> str:
        value = self.body.get(field)
        if not isinstance(value, str):
            raise self._bad(field, "a text")
        return value

    def optional_text(self, field: str) -> str | None:
        return None if self.body.get(field) is None else self.text(field)

    def texts(self, field: str) -> tuple[str, ...] | None:
        value = self.body.get(field)
        if value is None:
            return None
        if not isinstance(value, list | tuple) or any(not isinstance(v, str) for v in value):
            raise self._bad(field, "a list of texts")
        return tuple(value)

    def flag(self, field: str) -> bool:
        value = self.body.get(field, False)
        if not isinstance(value, bool):
            raise self._bad(field, "true or false")
        return value


def _start(of: _Fields) -> Command:
    of.only("players", "rules")
    return StartGame(of.texts("players"), of.optional_text("rules"))


def _accept(of: _Fields) -> Command:
    of.only("force")
    return AcceptRoll(of.flag("force"))


def _enter(of: _Fields) -> Command:
    of.only("faces")
    return EnterRoll(of.faces("faces"))


def _correct(of: _Fields) -> Command:
    of.only("slot", "face")
    return CorrectDie(of.integer("slot"), of.face("face"))


def _not_a_die(of: _Fields) -> Command:
    of.only("slot")
    return NotADie(of.integer("slot"))


def _missed_die(of: _Fields) -> Command:
    of.only("face")
    return MissedDie(of.face("face"))


def _held(of: _Fields) -> Command:
    of.only("slots")
    return SetHeld(of.integers("slots"))


def _score(of: _Fields) -> Command:
    of.only("category", "slots")
    return ScoreBox(of.text("category"), of.integers("slots", optional=True))


def _correct_box(of: _Fields) -> Command:
    of.only("player", "category", "faces", "to")
    return CorrectBox(of.integer("player"), of.text("category"), of.faces("faces"), of.optional_text("to"))


def _choose(of: _Fields) -> Command:
    of.only("category")
    return Choose(of.optional_text("category"))


def _add(of: _Fields) -> Command:
    of.only("name")
    return AddPlayer(of.text("name"))


def _throw(of: _Fields) -> Command:
    of.only("faces")
    return Throw(of.faces("faces", optional=True))


def _press(of: _Fields) -> Command:
    of.only("button", "long")
    button = of.text("button")
    if button not in BUTTONS:
        raise BadInputError(
            f"There is no button {button!r}; there are {', '.join(BUTTONS)}.", code="button/unknown"
        )
    return Press(button, of.flag("long"))


def _bare(command: type[Command]) -> Callable[[_Fields], Command]:
    def read(of: _Fields) -> Command:
        of.only()
        return command()

    return read


READERS: Mapping[str, Callable[[_Fields], Command]] = {
    "start_game": _start,
    "accept_roll": _accept,
    "enter_roll": _enter,
    "correct_die": _correct,
    "not_a_die": _not_a_die,
    "missed_die": _missed_die,
    "read_again": _bare(ReadAgain),
    "set_held": _held,
    "choose": _choose,
    "score_box": _score,
    "correct_box": _correct_box,
    "undo": _bare(Undo),
    "add_player": _add,
    "end_game": _bare(EndGame),
    "rematch": _bare(Rematch),
    "throw": _throw,
    "press": _press,
}
"""Name of each command -> how its request is read."""
