"""How a walk is recorded: as JSON that a person can read and compare line by line."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import is_dataclass
from typing import Any

from pydantic import BaseModel

from messages.message import Message
from station.contract.view import in_json

EMPTY = (None, "", False, [], {})


def plain(value: Any) -> Any:
    """A value as JSON, what is empty left out; a sentence is its key with its values.

    >>> plain(Message("roll/none_left", name="Ana"))
    "roll/none_left(name='Ana')"
    """
    if isinstance(value, Message):
        return _sentence(value)
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", exclude_defaults=True) | {
            "command": getattr(value, "command", "")
        }
    if is_dataclass(value) and not isinstance(value, type):
        value = in_json(value)
    if isinstance(value, Mapping):
        found = {str(key): plain(each) for key, each in value.items()}
        return {
            key: each for key, each in found.items() if each not in EMPTY or (each == 0 and each is not False)
        }
    if isinstance(value, list | tuple | frozenset):
        return [plain(each) for each in (sorted(value) if isinstance(value, frozenset) else value)]
    return value if isinstance(value, str | int | float | None) else str(value)


def _sentence(value: Any) -> str:
    if isinstance(value, Message):
        values = ", ".join(f"{name}={_sentence(each)}" for name, each in value.items)
        return f"{value.key}({values})" if values else value.key
    return f"[{', '.join(map(_sentence, value))}]" if isinstance(value, tuple) else repr(value)


def changes(before: Any, after: Any) -> dict[str, Any]:
    """What changed, by its path; null where it is gone.

    >>> changes({"dice": [{"face": 1}], "turn": "held"}, {"dice": [{"face": 2}]})
    {'dice.0.face': 2, 'turn': None}
    """
    return dict(_changes(before, after, ""))


def _changes(before: Any, after: Any, path: str) -> Iterator[tuple[str, Any]]:
    if before == after and type(before) is type(after):
        return
    deeper = f"{path}." if path else ""
    if isinstance(before, dict) and isinstance(after, dict):
        for key in {**before, **after}:
            yield from _changes(before.get(key), after.get(key), deeper + key)
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for number, (was, now) in enumerate(zip(before, after, strict=True)):
            yield from _changes(was, now, f"{deeper}{number}")
    else:
        yield path, after


def written(record: Mapping[str, Any]) -> str:
    """A record as text: each event, each changed value, each line of a transcript on a line of its own.

    Names are sorted: the order of the fields of an event or a view means nothing.
    """
    parts = []
    for key, value in record.items():
        if isinstance(value, dict) and key == "shows":
            lines = [f"{_short(path)}: {_short(each)}" for path, each in sorted(value.items())]
            parts.append(f"{_short(key)}: {{\n  " + ",\n  ".join(lines) + "}")
        elif isinstance(value, list) and value:
            parts.append(f"{_short(key)}: [\n  " + ",\n  ".join(map(_short, value)) + "]")
        else:
            parts.append(f"{_short(key)}: {_short(value)}")
    return "{" + ",\n ".join(parts) + "}"


def _short(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
