"""What can happen at the table, as values. The log of a game is a list of these and nothing else.

Each event says what happened, never what follows from it: points, totals and whose turn it is are worked
out by `station.game.log.evolve`. `to_json` and `from_json` are inverse; a field added later needs a default.

The types of the fields are the one model of an event that comes from outside, whether in a database, a copy,
a text or a message of another home: all that any version could write passes, and nothing else.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import partial
from typing import Annotated, Any, ClassVar, get_args

from pydantic import BeforeValidator, Field, StringConstraints, TypeAdapter, ValidationError

from messages.errors import BadInputError
from station.contract.fields import Amount, Count, Face, Flag, Number, Slot, Text
from station.game.log.slots import Die, SeenDie, by_field

HOUSE_MAX = 64 * 1024
"""Letters of house rules."""
SECRETS_MAX = 2
SHOWN = 200
"""Letters of a wrong event that its sentence repeats."""

Index = Annotated[int, Field(strict=True, ge=0, lt=20)]
"""A seat; 0.1.0 and 0.2.0 had sheets of up to twenty columns."""
Category = Annotated[str, StringConstraints(max_length=80, pattern=r"^[A-Za-z0-9_-]*$")]
Named = Annotated[Text, Field(min_length=1)]
Players = Annotated[tuple[Named, ...], Field(max_length=20)]
House = Annotated[str, StringConstraints(max_length=HOUSE_MAX, pattern=r"^(\P{Cc}|[\t\n\r])*$")]
Slots = Annotated[tuple[Slot, ...], Field(max_length=10)]
Agreed = tuple[()] | tuple[Amount, Amount, Annotated[Text, Field(max_length=4)]]


RolledDie = Annotated[Die, BeforeValidator(partial(by_field, ("slot", "face", "seen")))]
Lying = Annotated[tuple[SeenDie, ...], Field(max_length=100)]


@dataclass(frozen=True, slots=True)
class EventBase:
    """What all events have; `kind` is the name in the log.

    Events after which the dice in the tray are nobody's roll have `left`, the dice as they lay then, and
    `rolling`, whether dice were rolling or out of sight at that moment.
    """

    kind: ClassVar[str] = ""

    def to_json(self) -> dict[str, Any]:
        """The event with its kind, tuples as lists."""
        body: dict[str, Any] = {"kind": self.kind}
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name == "left":
                value = [die.to_json() for die in value]
            body[field.name] = _lists(value)
        return body


def _lists(value: Any) -> Any:
    return [_lists(each) for each in value] if isinstance(value, tuple) else value


@dataclass(frozen=True, slots=True)
class Seat:
    """One column of a game to come: name; what plays it, "" for people; members of a team; home; handicap.

    without_tray: in that home there is none, and both stations draw the dice together.
    """

    name: str
    computer: str = ""
    members: tuple[str, ...] = ()
    home: str = ""
    handicap: int = 0
    without_tray: bool = False


@dataclass(frozen=True, slots=True)
class GameStarted(EventBase):
    """A game began. game: its number in the store; previous: the number of the one before, 0 if none.

    house: the text of house rules (docs/house-rules.md), so that the log can be replayed when their file
    has changed or gone; empty for rules that come with the station. starter: how it was found out who starts,
    a word of `station.contract.new_game.Starter`, empty where people said it; first: the seat that does, from
    0, unless it is thrown for. stakes: what is played for (`station.game.players.stakes.checked`).
    simultaneous: all play at once; games from before there was such a thing were played in turns.
    computers, teams: for each player what plays it, "" for people, and the members; empty without any.
    homes: for each player the station before which they throw, "" for this one; empty without any.
    handicaps: the points each began with; empty without any.
    without_tray: for each player whether both stations draw the dice together; empty without any.
    """

    kind: ClassVar[str] = "game_started"
    game: Count
    previous: Count
    rules: Category
    players: Players
    house: House = ""
    left: Lying = ()
    rolling: Flag = False
    first: Index = 0
    starter: Category = ""
    stakes: Agreed = ()
    simultaneous: Flag = False
    computers: tuple[Category, ...] = ()
    teams: tuple[Players, ...] = ()
    homes: tuple[Category, ...] = ()
    handicaps: tuple[Number, ...] = ()
    without_tray: tuple[Flag, ...] = ()

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The columns that the game begins with."""
        columns = (getattr(self, name) or (usual,) * len(self.players) for name, usual in LISTS.values())
        return tuple(Seat(*each) for each in zip(self.players, *columns, strict=True))


LISTS: Mapping[str, tuple[str, Any]] = {
    "computer": ("computers", ""),
    "members": ("teams", ()),
    "home": ("homes", ""),
    "handicap": ("handicaps", 0),
    "without_tray": ("without_tray", False),
}
"""What a seat has besides its name -> the list of it in `GameStarted`, and what it mostly is."""


def lists_of(seats: Sequence[Seat]) -> dict[str, tuple[Any, ...]]:
    """The lists of these seats, each empty where none of them has any."""
    told = {name: tuple(getattr(each, of) for each in seats) for of, (name, _) in LISTS.items()}
    return {name: each if any(each) else () for name, each in told.items()}


@dataclass(frozen=True, slots=True)
class StarterThrown(EventBase):
    """A player threw one die for who starts. typed: by a person, not read by the camera."""

    kind: ClassVar[str] = "starter_thrown"
    face: Face
    typed: Flag = False
    left: Lying = ()
    rolling: Flag = False


@dataclass(frozen=True, slots=True)
class PlayerAdded(EventBase):
    """A player took a seat, in the lobby or late in a running game."""

    kind: ClassVar[str] = "player_added"
    name: Named


@dataclass(frozen=True, slots=True)
class PlayerRenamed(EventBase):
    """A player has another name. seat: from 0."""

    kind: ClassVar[str] = "player_renamed"
    seat: Index
    name: Named


@dataclass(frozen=True, slots=True)
class PlayerRemoved(EventBase):
    """A player has gone; of a running game the sheet stays. seat: from 0."""

    kind: ClassVar[str] = "player_removed"
    seat: Index
    left: Lying = ()
    rolling: Flag = False


@dataclass(frozen=True, slots=True)
class PlayerMoved(EventBase):
    """A player sits elsewhere in the order. seat, to: from 0, before and after."""

    kind: ClassVar[str] = "player_moved"
    seat: Index
    to: Index


@dataclass(frozen=True, slots=True)
class RollKept(EventBase):
    """The dice in the tray were touched, not thrown: the confirmed roll stays."""

    kind: ClassVar[str] = "roll_kept"
    left: Lying = ()
    rolling: Flag = False


@dataclass(frozen=True, slots=True)
class RollAccepted(EventBase):
    """The faces on the tray count as a throw of the active player. dice: all of them, by slot.

    typed: by a person. drawn: by the station, for a computer player or one without a tray; such dice lie
    nowhere. secrets: of the latter, those of the host and the guest in hex
    (`station.game.two_homes.fair_throw`).
    """

    kind: ClassVar[str] = "roll_accepted"
    dice: Annotated[tuple[RolledDie, ...], Field(max_length=10)]
    typed: Flag = False
    drawn: Flag = False
    secrets: Annotated[tuple[Text, ...], Field(max_length=SECRETS_MAX)] = ()

    def to_json(self) -> dict[str, Any]:
        """The dice as [slot, face, seen]."""
        dice = [[die.slot, die.face, die.seen.to_json() if die.seen else None] for die in self.dice]
        more: dict[str, Any] = {"drawn": True} if self.drawn else {}
        more |= {"secrets": list(self.secrets)} if self.secrets else {}
        return {"kind": self.kind, "dice": dice, "typed": self.typed} | more


@dataclass(frozen=True, slots=True)
class DieCorrected(EventBase):
    """A person said what the die of a slot really shows."""

    kind: ClassVar[str] = "die_corrected"
    slot: Slot
    face: Face


@dataclass(frozen=True, slots=True)
class HeldSet(EventBase):
    """These slots, and no others, stay out of the next throw."""

    kind: ClassVar[str] = "held_set"
    slots: Slots


@dataclass(frozen=True, slots=True)
class BoxAnnounced(EventBase):
    """After the first throw the player named the box that the turn will go to."""

    kind: ClassVar[str] = "box_announced"
    category: Category


@dataclass(frozen=True, slots=True)
class ChoosingBegun(EventBase):
    """The active player throws no more and chooses a box, though throws are left."""

    kind: ClassVar[str] = "choosing_begun"


@dataclass(frozen=True, slots=True)
class BoxScored(EventBase):
    """The active player filled a box. slots: the dice used, where the rule set splits them; else empty."""

    kind: ClassVar[str] = "box_scored"
    category: Category
    slots: Slots = ()
    left: Lying = ()
    rolling: Flag = False


@dataclass(frozen=True, slots=True)
class BoxCorrected(EventBase):
    """A box filled earlier was filled wrongly. faces: what really lay there, five dice; throw: which throw.

    seat: whose box, from 0. to: the box the dice should have gone to; empty leaves them where they are.
    """

    kind: ClassVar[str] = "box_corrected"
    seat: Index
    category: Category
    faces: Annotated[tuple[Face, ...], Field(max_length=10)]
    throw: Count
    to: Category = ""


@dataclass(frozen=True, slots=True)
class CopyHeld(EventBase):
    """Where all play at once: of a player's copy these slots, and no others, stay. seat: from 0."""

    kind: ClassVar[str] = "copy_held"
    seat: Index
    slots: Slots


@dataclass(frozen=True, slots=True)
class BoxChosen(EventBase):
    """Where all play at once: a player picked the box that is written when all are ready. seat: from 0."""

    kind: ClassVar[str] = "box_chosen"
    seat: Index
    category: Category


@dataclass(frozen=True, slots=True)
class PlayerReady(EventBase):
    """A player is ready; when the last one is, the round goes on. seat: from 0."""

    kind: ClassVar[str] = "player_ready"
    seat: Index
    left: Lying = ()
    rolling: Flag = False


@dataclass(frozen=True, slots=True)
class PlayerUnready(EventBase):
    """A player is not ready after all. seat: from 0."""

    kind: ClassVar[str] = "player_unready"
    seat: Index


@dataclass(frozen=True, slots=True)
class GameEnded(EventBase):
    """The people stopped before every box was filled."""

    kind: ClassVar[str] = "game_ended"
    left: Lying = ()
    rolling: Flag = False


@dataclass(frozen=True, slots=True)
class Undone(EventBase):
    """The last event that still stood is taken back."""

    kind: ClassVar[str] = "undone"


Event = (
    GameStarted
    | StarterThrown
    | PlayerAdded
    | PlayerRenamed
    | PlayerRemoved
    | PlayerMoved
    | RollKept
    | RollAccepted
    | DieCorrected
    | HeldSet
    | BoxAnnounced
    | ChoosingBegun
    | BoxScored
    | BoxCorrected
    | CopyHeld
    | BoxChosen
    | PlayerReady
    | PlayerUnready
    | GameEnded
    | Undone
)
"""Everything that can happen. Whatever tells events apart ends in `assert_never`."""

KINDS: dict[str, type[Event]] = {each.kind: each for each in get_args(Event)}
"""By their names in the log."""

MODELS: Mapping[str, TypeAdapter[Event]] = {name: TypeAdapter(kind) for name, kind in KINDS.items()}


def from_json(body: Any) -> Event:
    """The event of that JSON, whatever it holds.

    Raises BadInputError when it is none this version knows.

    >>> from_json(HeldSet((1, 3)).to_json())
    HeldSet(slots=(1, 3))
    """
    kind = body.get("kind") if isinstance(body, dict) else None
    if not isinstance(kind, str) or kind not in KINDS:
        raise BadInputError("event/unknown", kind=ascii(kind)[:SHOWN].strip("'"))
    try:
        event = MODELS[kind].validate_python(body)
        if isinstance(event, GameStarted):
            _check_lists(event)
    except ValueError as error:
        raise BadInputError("event/bad", event=repr(body)[:SHOWN], why=_why(error)) from error
    return event


def _check_lists(event: GameStarted) -> None:
    """Raise ValueError unless each list has something of every player, or nothing at all."""
    count = len(event.players)
    lists = (getattr(event, name) for name, _ in LISTS.values())
    if not all(len(each) in {0, count} for each in lists) or event.first >= max(count, 1):
        raise ValueError(count)


def _why(error: ValueError) -> str:
    """The first mistake, in pydantic's English."""
    if not isinstance(error, ValidationError):
        return str(error)
    first = error.errors(include_url=False, include_input=False)[0]
    return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
