"""Validates a copy in a process of its own, with limits, before anything changes.

What that process does is in `station.copy_validation`. Where it needs more memory or time than its limits, or
crashes, the copy is refused, and the station is not affected.
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

MODULE = "station.copy_validation"
"""Above this package: it renders the pages, too."""


@dataclass(frozen=True, slots=True)
class ProcessLimits:
    """What the process may use. memory_bytes: of data; cpu_s: of a core; wall_s: by the clock on the wall."""

    memory_bytes: int
    cpu_s: int
    wall_s: float


def process_limits() -> ProcessLimits:
    """On this machine: at most half of its memory. A thousand games take 10 s of a desk's computer."""
    there = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return ProcessLimits(memory_bytes=min(512 << 20, there // 2), cpu_s=180, wall_s=600.0)


def validate_copy(source: Path, scratch: Path, limits: ProcessLimits | None = None) -> Path:
    """A sound database in `scratch`, of this version, made of that copy.

    Raises BadInputError with what is wrong with it where a station cannot use it, and StoreError where there
    is no room in scratch.
    """
    limits = limits or process_limits()
    given = (source, scratch, limits.memory_bytes, limits.cpu_s)
    try:
        done = subprocess.run(  # noqa: S603 - this Python, and what is given are no options
            [sys.executable, "-P", "-m", MODULE, *map(str, given)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            timeout=limits.wall_s,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise no_copy(source, "slow", str(limits.cpu_s)) from error
    if done.returncode in {-signal.SIGXCPU, -signal.SIGKILL}:
        raise no_copy(source, "slow", str(limits.cpu_s))
    match _parsed(done.stdout):
        case {"sound": str(name)} if done.returncode == 0:
            return scratch / name
        case {"refused": dict(message), "code": str(code), "of_store": bool(of_store)}:
            kind = StoreError if of_store else BadInputError
            raise kind(_decoded(message), code=code)
        case {"large": True}:
            raise no_copy(source, "large")
    raise no_copy(source, "broken-game", str(done.returncode))


def _parsed(answer: bytes) -> Any:
    try:
        return json.loads(answer)
    except (ValueError, RecursionError):
        return None


def encoded(value: Value) -> Any:
    """A message, or a value of one, as JSON."""
    if isinstance(value, Message):
        return {"key": value.key, "values": {name: encoded(each) for name, each in value.items}}
    if isinstance(value, tuple):
        return [encoded(each) for each in value]
    return value if isinstance(value, int | float) else str(value)


def _decoded(value: Any) -> Any:
    """The inverse of `encoded`."""
    match value:
        case {"key": str(key), "values": dict(values)}:
            return Message(key, **{name: _decoded(each) for name, each in values.items()})
        case list(parts):
            return tuple(map(_decoded, parts))
    return value
