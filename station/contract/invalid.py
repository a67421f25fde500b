"""What pydantic found wrong with a request, as one message about the first mistake."""

from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from messages.catalogue import entries
from messages.errors import BadInputError
from messages.message import Message

Checked = TypeVar("Checked")


def checked(adapter: TypeAdapter[Checked], data: Any) -> Checked:
    """The data as the model of the adapter. Raises BadInputError that says what is wrong with it first."""
    try:
        return adapter.validate_python(data)
    except ValidationError as error:
        tagged = adapter.core_schema["type"] == "tagged-union"
        raise BadInputError(_invalid(error, tagged=tagged), code="request/invalid") from error


def _invalid(error: ValidationError, *, tagged: bool) -> Message:
    """The first mistake in words. tagged: models were told apart by a tag; every place begins with it."""
    first = error.errors(include_url=False)[0]
    where = ".".join(str(part) for part in first["loc"][1 if tagged else 0 :])
    match first["type"]:
        case "union_tag_invalid":
            return Message("request/no_command", command=str(first["ctx"]["tag"])[:40])
        case "union_tag_not_found":
            return Message("request/field_missing", field="command")
        case "extra_forbidden":
            return Message("request/field_unknown", field=where)
        case "missing":
            return Message("request/field_missing", field=where)
        case _:
            key = "request/field_wrong" if where else "request/wrong"
            return Message(key, field=where, what=_wanted(first))


def _wanted(mistake: ErrorDetails) -> Message:
    """What should have stood there; in pydantic's English where the catalogue lacks that kind."""
    key = f"request/wanted/{mistake['type']}"
    if key in entries("en"):
        return Message(key, **{name: str(value) for name, value in mistake.get("ctx", {}).items()})
    return Message("text", text=mistake["msg"].removeprefix("Value error, ").removeprefix("Input should be "))
