"""Settings from their file, and what is wrong with it in a sentence."""

import tomllib
from collections.abc import Mapping, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from messages.errors import BadInputError
from messages.message import Message
from station.config.extras import installed
from station.config.settings import Config
from station.contract.invalid import wanted

TEXT = "utf-8-sig"
"""The encoding of settings; it skips the byte order mark of some Windows editors."""


def load_settings(path: Path | None, **options: Any) -> Config:
    """The settings of a file with the options above them.

    path: None for no file. options: those that are None are left to the file.
    Raises BadInputError naming the key that is unknown or wrong, or why the file cannot be read.
    """
    data = {} if path is None else _read(path)
    return parse({**data, **{key: value for key, value in options.items() if value is not None}}, path)


def parse(data: Mapping[str, object], path: Path | None = None) -> Config:
    """Check settings; `path` is named in the sentence when they are wrong.

    Unknown ones are passed over where an extra cannot be loaded: they may be its own, and health says of it.
    """
    found = installed()
    try:
        return found.settings.model_validate(data)
    except ValidationError as error:
        wrong = error.errors(include_url=False)
        if found.failed and all(each["type"] == "extra_forbidden" for each in wrong):
            return found.settings.model_validate(_without(data, [each["loc"] for each in wrong]))
        what = _first(wrong[0])
        message = (
            Message("config/wrong-in", what=what, path=str(path))
            if path
            else Message("config/wrong", what=what)
        )
        raise BadInputError(message, code="config/bad") from error


def _without(data: Mapping[str, object], places: Sequence[Sequence[int | str]]) -> Mapping[str, object]:
    """The settings but those at these places."""
    left: Any = deepcopy(dict(data))
    for *way, key in places:
        group = left
        for part in way:
            group = group[part]
        del group[key]
    return dict(left)


def _first(first: ErrorDetails) -> Message:
    """The mistake, with its key."""
    key = ".".join(str(part) for part in first["loc"])
    if first["type"] == "extra_forbidden":
        found, alone = installed(), len(first["loc"]) == 1
        parent: Any = found.settings if alone else found.settings.model_fields[key.split(".")[0]].annotation
        known = tuple(getattr(parent, "model_fields", ()))
        if alone and isinstance(first["input"], Mapping | list):
            extras = tuple(found.extras) or "-"
            return Message("config/unknown-group", key=key, known=known, extras=extras)
        return Message("config/unknown-of" if known else "config/unknown", key=key, known=known)
    own = first.get("ctx", {}).get("error")
    why = own.message if isinstance(own, BadInputError) else Message("config/wanted", what=wanted(first))
    return Message("config/setting", key=key, why=why) if key else Message("text", text=why)


def _read(path: Path) -> Mapping[str, object]:
    try:
        return values(path.read_bytes(), path)
    except FileNotFoundError:
        raise BadInputError("config/missing", path=str(path)) from None
    except OSError as error:
        raise BadInputError("config/unreadable", code="config/bad", path=str(path), why=str(error)) from None


def values(content: bytes, path: Path) -> Mapping[str, object]:
    """The values of a settings file, unchecked; `path` is named in the error if it is no TOML."""
    try:
        return tomllib.loads(content.decode(TEXT))
    except UnicodeDecodeError as error:
        raise BadInputError("config/unreadable", code="config/bad", path=str(path), why=str(error)) from None
    except tomllib.TOMLDecodeError as error:
        raise BadInputError("config/no-toml", code="config/bad", path=str(path), why=str(error)) from None
    except (ValueError, RecursionError):
        raise BadInputError("config/too-long", code="config/bad", path=str(path)) from None
