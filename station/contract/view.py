"""The state as every screen sees it: made by the game; what pages, lamps, voice and API read.

Sentences are messages here; `as_json` puts them into a language. Design: docs/contract.md, HTTP.
"""

from collections.abc import Mapping
from dataclasses import Field as DataclassField
from dataclasses import dataclass, field, fields, is_dataclass, make_dataclass
from functools import cache
from typing import Annotated, Any, ClassVar, Literal, TypeVar, get_type_hints

from pydantic import Field, GetCoreSchemaHandler, WithJsonSchema
from pydantic_core import CoreSchema

from messages.catalogue import DEFAULT, text
from messages.message import Message
from station.contract.fields import OneOf

Text = Annotated[Message | str, WithJsonSchema({"type": "string"})]
"""A sentence or a label in the asker's language; a plain text is a name of people's own."""

StatusName = Literal["empty", "moving", "covered", "unsure", "ready"]
EndedBy = Literal["complete", "big_general", "early"]
TurnStage = Literal["none", "nothing_thrown", "rolling", "unconfirmed", "confirmed", "held", "choosing"]


def phases() -> tuple[str, ...]:
    """The names of all phases, those of features after the first."""
    from station.features.listed import FEATURES  # noqa: PLC0415 - features build on the view
    from station.game.log.state import Phase  # noqa: PLC0415 - as above

    first, *others = Phase
    of_features = (one for feature in FEATURES for one in feature.phases)
    return tuple(each.value for each in (first, *of_features, *others))


PhaseName = Annotated[str, OneOf(phases)]

WITHIN = "within"
"""Marks a field that is for the station itself, and in no JSON."""

Parts = Annotated[tuple[object, ...], WITHIN]
"""Parts that features add: dataclasses whose fields are in the JSON as if they were the view's own."""

P = TypeVar("P")


class WithParts:
    """A view to which features add fields: each a part of the kind that its attribute `added` says."""

    __slots__ = ()
    added: ClassVar[str]
    parts: tuple[object, ...]

    def part(self, kind: type[P]) -> P:
        """The part of that kind, added by its feature. Raises LookupError if there is none."""
        for part in self.parts:
            if isinstance(part, kind):
                return part
        raise LookupError(kind)

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Described as it is in JSON: flat."""
        return handler.generate_schema(_flat(source))


@dataclass(frozen=True, slots=True)
class DieView:
    """A die of the roll that was accepted."""

    slot: Annotated[int, Field(description="Its number in this turn, left to right at its first reading.")]
    face: Annotated[int, Field(ge=1, le=6)]
    colour: Annotated[str | None, Field(description="Of its body; null where the camera did not see it.")]
    held: Annotated[bool, Field(description="Kept out of the next throw.")]


@dataclass(frozen=True, slots=True)
class OfferedDieView(DieView):
    """A die that the camera shows, as it would count."""

    corrected: Annotated[bool, Field(description="Set by a person.")]
    unsure: Annotated[bool, Field(description="The camera is not sure of its face.")] = False


@dataclass(frozen=True, slots=True)
class ReadingView:
    """What the camera sees now."""

    status: StatusName
    faces: Annotated[tuple[int, ...], Field(description="Every die believed seen, ascending.")]
    reasons: Annotated[tuple[str, ...], Field(description="Why the reading is not ready.")]
    fresh: Annotated[bool, Field(description="Thrown since the last accepted roll.")]
    dice: tuple[OfferedDieView, ...]


@dataclass(frozen=True, slots=True)
class OfferView:
    """A sure throw that nobody has confirmed; a box confirms it, too (`score_box` with `roll`)."""

    faces: Annotated[tuple[int, ...], Field(description="Slot by slot.")]
    unmoved: Annotated[
        tuple[int, ...],
        Field(description="Slots that nobody holds, whose dice were not thrown."),
    ]
    potentials: Annotated[Mapping[str, int], Field(description="What the open boxes would score with it.")]


@dataclass(frozen=True, slots=True)
class RowView:
    """One row of the score sheet."""

    category: str
    label: Text
    section: Literal["upper", "lower"]
    row: Annotated[Text, Field(description="Its label without that of its column.")]


@dataclass(frozen=True, slots=True)
class PlayerView(WithParts):
    """One column of the score sheet."""

    added: ClassVar[str] = "player_view"

    name: str
    gone: Annotated[bool, Field(description="Removed from the game; the sheet stays in the record.")]
    boxes: Annotated[Mapping[str, int | None], Field(description="Points per category; null where open.")]
    potentials: Annotated[Mapping[str, int], Field(description="What the open boxes would score now.")]
    upper: int
    missing_for_bonus: int
    bonus: int
    bonus_to_come: Annotated[
        int, Field(description="Reached, but added only when its boxes are filled or at the game's end.")
    ]
    extra: Annotated[int, Field(description="Points on top for further yachts.")]
    total: int
    starts: Annotated[bool, Field(description="Who started.")]
    people: Annotated[tuple[str, ...], WITHIN] = ()
    """The names by which people sit there."""
    by_a_person: Annotated[bool, WITHIN] = True
    """Whether a person plays there."""
    parts: Parts = ()


@dataclass(frozen=True, slots=True)
class DeviceView:
    """The camera or the buttons: whether they work, and if not, what to do."""

    name: Text = ""
    ok: bool = True
    message: Text = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableView(WithParts):
    """Everything a screen shows."""

    added: ClassVar[str] = "table_view"

    version: Annotated[
        int, Field(description="Grows with every change; give it with a command to be safe.")
    ] = 0
    phase: PhaseName
    waiting_for: Annotated[Text, Field(description="In words: what the station waits for.")]
    problem: Annotated[Text | None, Field(description="In words: what is wrong on tray or camera.")]
    rules: str | None
    rules_title: Text | None
    starts: Text | None
    categories: tuple[RowView, ...]
    columns: Annotated[
        tuple[Text, ...], Field(description="Labels of the columns a player has, where there are several.")
    ]
    sums: Annotated[
        tuple[Text, ...],
        Field(
            description="What the page of the rules calls the rows of upper sum and bonus, if it prints them."
        ),
    ]
    rules_version: Annotated[
        str, Field(description="Another one when other rule sets can be chosen: `GET /api/v1/rules`.")
    ] = ""
    house_rules: Annotated[str | None, Field(description="The text of the house rules that are played.")]
    game: Annotated[int, Field(description="Its number; 0 before the first.")]
    active_player: Annotated[
        int | None,
        Field(description="Index into `players`; where all play at once, for whom the table's buttons act."),
    ]
    throws_done: int
    throws_allowed: int
    rolls_left: int
    dice_count: int
    dice: tuple[DieView, ...]
    reading: ReadingView
    offer: Annotated[
        OfferView | None, Field(description="The throw that waits to be confirmed; null where there is none.")
    ] = None
    players: tuple[PlayerView, ...]
    choice: Annotated[str | None, Field(description="The box marked by the buttons.")] = None
    undo: Annotated[Text | None, Field(description="In words: what `undo` would take back.")]
    announced: Annotated[
        Text | None,
        Field(
            description="In words: what was written last, as a scorekeeper announces it, until the next roll."
        ),
    ]
    needs: Annotated[
        Text | None,
        Field(description="In words: what is still needed beside the held dice, and how often it comes."),
    ]
    commands: Annotated[tuple[str, ...], Field(description="What is allowed now.")]
    simulated: Annotated[bool, Field(description="Whether the simulated tray can `throw`.")]
    winner: Annotated[tuple[str, ...], Field(description="Names of the winners.")]
    winners: Annotated[tuple[int, ...], Field(description="Indexes into `players`; nobody may have won.")]
    finished: bool
    ended_by: Annotated[EndedBy | None, Field(description="What ended the game; null while it goes on.")]
    ended_early: bool
    dice_drawn: Annotated[bool, Field(description="The roll is simulated: the station drew it.")]
    turn: Annotated[TurnStage, Field(description="How far the turn is, the throw under way included.")]
    asks_before_zero: Annotated[bool, Field(description="Whether a box worth 0 is asked about once.")] = True
    storage: Annotated[
        Text | None, Field(description="Why games are not being stored; null while they are.")
    ] = None
    camera: DeviceView
    buttons: DeviceView = DeviceView()
    in_turns: Annotated[bool, WITHIN] = True
    """Whether a throw is one player's."""
    at_hand: Annotated[tuple[DieView, ...], WITHIN] = ()
    """The dice that the buttons of the table hold."""
    awaits_player: Annotated[bool | None, WITHIN] = None
    """Whether the confirm button is for the player at the table alone, and that one is waited for."""
    parts: Parts = ()


PLAIN = frozenset({str, int, float, bool, type(None)})
"""Types that are JSON already: those of most values in a state."""


def _fields(kind: type) -> tuple[DataclassField[Any], ...]:
    """The fields of a dataclass that are in JSON."""
    hints = get_type_hints(kind, include_extras=True)
    return tuple(each for each in fields(kind) if WITHIN not in getattr(hints[each.name], "__metadata__", ()))


@cache
def _names(kind: type) -> tuple[tuple[str, str], ...]:
    """The fields of a dataclass, and the JSON name of each: slow to look up."""
    return tuple((field.name, field.name.rstrip("_")) for field in _fields(kind))


def in_json(view: Any) -> dict[str, Any]:
    """The fields of a view that are in its JSON, those that features add among them."""
    kind: type = type(view)
    found = {called: getattr(view, name) for name, called in _names(kind)}
    for part in view.parts if isinstance(view, WithParts) else ():
        found |= in_json(part)
    return found


@cache
def _flat(kind: Any) -> type:
    """A dataclass with the fields of this view and of what every feature adds to it.

    A part that says more of fields of the view has that in `notes`, by their names.
    """
    from station.features.listed import FEATURES  # noqa: PLC0415 - features build on the view

    parts = [part for feature in FEATURES if (part := getattr(feature, kind.added)) is not None]
    notes = {name: note for part in parts for name, note in getattr(part, "notes", {}).items()}

    def described(each: DataclassField[Any]) -> Any:
        return Annotated[each.type, Field(description=notes[each.name])] if each.name in notes else each.type

    return make_dataclass(
        kind.__name__,
        [
            (each.name, described(each), field(default=each.default))
            for one in (kind, *parts)
            for each in _fields(one)
        ],
        namespace={"__doc__": kind.__doc__},
        kw_only=True,
    )


def as_json(value: Any, language: str = DEFAULT) -> Any:
    """A view as JSON, its messages in that language.

    >>> as_json(DeviceView("Pi camera 0"))
    {'name': 'Pi camera 0', 'ok': True, 'message': ''}

    A field that Python has no name for, such as `from`, has an underscore at the end.
    """
    kind = type(value)
    if kind in PLAIN:
        return value
    if kind is Message:
        return text(value, language)
    if is_dataclass(kind):
        return {name: as_json(each, language) for name, each in in_json(value).items()}
    if isinstance(value, Mapping):
        return {key: as_json(each, language) for key, each in value.items()}
    return [as_json(each, language) for each in value] if isinstance(value, tuple) else value
