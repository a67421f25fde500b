"""Settings that may be taken over from another machine's file: how the table is played.

Paths, addresses, ports, names, password files and receivers of messages stay those of the machine.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from messages.errors import BadInputError
from station.config.extras import installed
from station.config.file import parse, values

TAKEN: Mapping[str, Sequence[str]] = {
    "": (
        "language", "viewers_max", "held_dice", "keep_corrections", "keep_pictures", "backups_kept",
        "ask_before_zero",
    ),
    "picture": ("rotation", "mirrored", "flicker_hz", "hdr", "exposure", "exposure_ms"),
    "limits": ("memory",),
    "game": ("held", "confirm"),
    "press": ("long_s",),
}  # fmt: skip
"""By group, "" for those that stand alone; features and extras name those of their own groups."""

_HEADER = re.compile(r"\s*\[\[?\s*([\w.-]+)\s*\]\]?")


@dataclass(frozen=True, slots=True)
class SettingChange:
    """A setting that would be another one. before: "" where the file does not name it."""

    group: str
    key: str
    value: bool | float | str
    before: str

    @property
    def line(self) -> str:
        """The setting as a line of the file."""
        return f"{self.key} = {json.dumps(self.value, ensure_ascii=False)}"

    def __str__(self) -> str:
        place = f"[{self.group}] " if self.group else ""
        return f"{place}{self.line}"


def changes(theirs: bytes, mine: bytes) -> tuple[SettingChange, ...]:
    """The settings to take over, in which their file differs from mine. Raises BadInputError."""
    name = Path("station.toml")
    copied, here = values(theirs, name), values(mine, name)
    parse(copied, name)
    found = []
    for group, keys in (*TAKEN.items(), *installed().taken.items()):
        there, own = (each.get(group, {}) if group else each for each in (copied, here))
        if not isinstance(there, Mapping) or not isinstance(own, Mapping):
            continue
        for key in keys:
            value, before = there.get(key), own.get(key)
            if isinstance(value, bool | int | float | str) and value != before:
                found.append(SettingChange(group, key, value, "" if before is None else json.dumps(before)))
    return tuple(found)


def merged(mine: bytes, taken: Sequence[SettingChange]) -> bytes:
    """My file with these settings, each in a line of its own. Raises BadInputError where that is not one."""
    text = mine.decode("utf-8-sig")
    for change in taken:
        text = _with(text, change)
    found = text.encode()
    name = Path("station.toml")
    parse(values(found, name), name)
    left = changes(found, mine)
    if [(each.group, each.key) for each in left] != [(each.group, each.key) for each in taken]:
        raise BadInputError("config/no-toml", code="config/bad", path=str(name), why=str(left[:1]))
    return found


def _with(text: str, change: SettingChange) -> str:
    lines = text.splitlines()
    begin = 0
    if change.group:
        headers = [i for i, line in enumerate(lines) if _group(line) == change.group]
        if not headers:
            return "\n".join([*lines, "", f"[{change.group}]", change.line, ""])
        begin = headers[0] + 1
    end = next((i for i in range(begin, len(lines)) if _group(lines[i])), len(lines))
    named = re.compile(rf"\s*{change.key}\s*=")
    place = next((i for i in range(begin, end) if named.match(lines[i])), None)
    if place is not None:
        lines[place] = change.line
    else:
        last = max((i + 1 for i in range(begin, end) if lines[i].strip()), default=begin)
        lines.insert(last, change.line)
    return "\n".join(lines) + "\n"


def _group(line: str) -> str:
    found = _HEADER.match(line)
    return found[1] if found else ""
