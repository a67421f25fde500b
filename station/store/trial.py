"""Tries in a separate process, before anything changes, whether a station can run with a copy.

The process is `station.copy_trial`. Its memory and time are limited; if it needs more, or crashes, the copy
is refused and the running station is not affected.
"""

import json
import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from messages.errors import BadInputError, StoreError
from messages.message import Message, Value
from station.store.soundness import no_copy

MODULE = "station.copy_trial"
"""Above this package: a trial shows the pages, too."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """The limits of a trial. memory_bytes: of data; cpu_s: processor time; wall_s: elapsed time."""

    memory_bytes: int
    cpu_s: int
    wall_s: float


def bounds() -> Bounds:
    """On this machine: at most half of its memory. A thousand games take 10 s of a desk's computer."""
    there = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return Bounds(memory_bytes=min(512 << 20, there // 2), cpu_s=180, wall_s=600.0)


def tried(source: Path, scratch: Path, within: Bounds | None = None) -> Path:
    """The copy, migrated to this version in `scratch` and tried in every way a station would use it.

    Raises BadInputError with the reason if a station cannot run with it, and StoreError without room in
    scratch.
    """
    within = within or bounds()
    given = (source, scratch, within.memory_bytes, within.cpu_s)
    try:
        done = subprocess.run(  # noqa: S603 - this Python, and what is given are no options
            [sys.executable, "-P", "-m", MODULE, *map(str, given)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            timeout=within.wall_s,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise no_copy(source, "slow", str(within.cpu_s)) from error
    if done.returncode in {-signal.SIGXCPU, -signal.SIGKILL}:
        raise no_copy(source, "slow", str(within.cpu_s))
    match _parsed(done.stdout):
        case {"sound": str(name)} if done.returncode == 0:
            return scratch / name
        case {"refused": dict(message), "code": str(code), "of_store": bool(of_store)}:
            kind = StoreError if of_store else BadInputError
            raise kind(_from_json(message), code=code)
        case {"large": True}:
            raise no_copy(source, "large")
    raise no_copy(source, "broken-game", str(done.returncode))


def _parsed(answer: bytes) -> Any:
    try:
        return json.loads(answer)
    except (ValueError, RecursionError):
        return None


def to_json(value: Value) -> Any:
    """A message, or a value of one, as JSON."""
    if isinstance(value, Message):
        return {"key": value.key, "values": {name: to_json(each) for name, each in value.items}}
    if isinstance(value, tuple):
        return [to_json(each) for each in value]
    return value if isinstance(value, int | float) else str(value)


def _from_json(data: Any) -> Any:
    """The inverse of `to_json`."""
    match data:
        case {"key": str(key), "values": dict(values)}:
            return Message(key, **{name: _from_json(each) for name, each in values.items()})
        case list(parts):
            return tuple(map(_from_json, parts))
    return data
