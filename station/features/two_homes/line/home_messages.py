"""The messages of two homes, each as a model; health reports any other."""

import json
from typing import Annotated, Any, Never, TypeVar

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from messages.errors import BadInputError
from station.contract.fields import Exact, Face, Flag, Slot, Text

EVENTS_MAX = 20_000
"""The most events: those of the two longest games."""
QUESTIONS_MAX = 64
DICE_MAX = 10

Id = Annotated[Text, Field(max_length=100)]
HomeName = Annotated[Text, Field(max_length=64)]
Events = Annotated[tuple[dict[str, Any], ...], Field(max_length=EVENTS_MAX)]


class _Message(BaseModel):
    """Fields of tomorrow pass."""

    model_config = ConfigDict(extra="ignore", frozen=True)


class LogMessage(_Message):
    """The game, as the host has it. events: those that stand."""

    session: Id
    number: Exact
    events: Events


class ThrowRequest(_Message):
    """A throw that both draw: first the hash of the guest's secret, then the secret."""

    commitment: Id | None = None
    secret: Id | None = None


class GuestRequest(_Message):
    """A request of a guest after a given event: to write its own events, or for a throw."""

    id: Id
    session: Id
    after: Exact
    language: Annotated[Text, Field(max_length=5)] = "en"
    events: Events = ()
    throw: ThrowRequest | None = None


class Refused(_Message):
    """Why the host did not do it, in the guest's language."""

    code: Id
    message: Text


class HostResponse(_Message):
    """The response of the host."""

    id: Id
    number: Exact | None = None
    commitment: Id | None = None
    secret: Id | None = None
    error: Refused | None = None


class DicePictures(_Message):
    """Pictures of the dice of a throw, in base64."""

    home: HomeName
    throw: HomeName
    dice: Annotated[tuple[str | None, ...], Field(min_length=1, max_length=DICE_MAX)]


class QuestionMessage(_Message):
    """Whether a die of a throw shows another face, or an answer to that."""

    home: HomeName
    throw: HomeName
    slot: Slot
    face: Face
    stands: Flag


Questions = TypeAdapter(Annotated[tuple[QuestionMessage, ...], Field(max_length=QUESTIONS_MAX)])

Model = TypeVar("Model")


def read(model: TypeAdapter[Model], message: Any, what: str = "homes/odd") -> Model:
    """A message as a model. Raises BadInputError `what`."""
    try:
        return model.validate_python(message)
    except ValidationError as error:
        raise BadInputError(what) from error


LOG, REQUEST, ANSWER = TypeAdapter(LogMessage), TypeAdapter(GuestRequest), TypeAdapter(HostResponse)
PICTURES, QUESTION = TypeAdapter(DicePictures), TypeAdapter(QuestionMessage)


def of_json(payload: bytes) -> Any:
    """Parse a message. Raises BadInputError."""
    try:
        return json.loads(payload, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise BadInputError("homes/odd") from error


def _no_number(word: str) -> Never:
    raise ValueError(word)
