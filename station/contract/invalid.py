"""One message about the first mistake that pydantic found in a request."""

import re
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from messages.catalogue import entries
from messages.errors import BadInputError
from messages.message import Message, Value

Checked = TypeVar("Checked")

ALTERNATIVES = re.compile(r", | or ")

OTHER_KIND = frozenset(
    ("string_type", "int_type", "literal_error", "none_required", "model_type", "list_type")
)
"""Validation errors that only name another possible type of the value."""


def checked(adapter: TypeAdapter[Checked], data: Any) -> Checked:
    """The data as the model of the adapter. Raises BadInputError that says what is wrong with it first."""
    try:
        return adapter.validate_python(data)
    except ValidationError as error:
        tagged = adapter.core_schema["type"] == "tagged-union"
        raise BadInputError(_invalid(error, data, tagged=tagged), code="request/invalid") from error


def _invalid(error: ValidationError, data: Any, *, tagged: bool) -> Message:
    """The first mistake in words. tagged: models are distinguished by a tag; every place begins with it."""
    found = [
        (_place(each, data, tagged=tagged), each["type"] not in OTHER_KIND, each)
        for each in error.errors(include_url=False)
    ]
    begins = found[0][0]
    # Where several kinds of value are possible, each has a mistake; the deepest one is the relevant one.
    among = [each for each in found if each[0][: len(begins)] == begins]
    place, _, first = max(among, key=lambda each: (len(each[0]), each[1]))
    where = ".".join(place)
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
            return Message(key, field=where, what=wanted(first))


def _place(mistake: ErrorDetails, data: Any, *, tagged: bool) -> tuple[str, ...]:
    """The path to the mistake in the request, without pydantic's names of the kinds of value."""
    place = []
    *way, last = mistake["loc"][1 if tagged else 0 :] or ("",)
    for part in (*way, last):
        known = _holds(data, part)
        if known:
            data = data[part]
        if known or (part == last and mistake["type"] == "missing"):
            place.append(str(part))
    return tuple(place)


def _holds(data: Any, part: str | int) -> bool:
    """Whether a list has an entry of that number, or an object a field of that name."""
    if isinstance(data, list | tuple):
        return isinstance(part, int) and part < len(data)
    return isinstance(data, dict) and part in data


def wanted(mistake: ErrorDetails) -> Message:
    """The expected value, in words; in pydantic's English where the catalogue lacks that kind."""
    key = f"request/wanted/{mistake['type']}"
    if key in entries("en"):
        values: dict[str, Value] = {name: str(value) for name, value in mistake.get("ctx", {}).items()}
        if "expected" in values:  # "'a', 'b' or 'c'": the "or" is pydantic's
            values["expected"] = tuple(ALTERNATIVES.split(str(values["expected"])))
        return Message(key, **values)
    return Message("text", text=mistake["msg"].removeprefix("Value error, ").removeprefix("Input should be "))
