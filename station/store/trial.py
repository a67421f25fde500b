"""Whether a station could live with a copy, found out in a process of its own before anything changes.

What that process does with it, `station.copy_trial` says. It has so much memory and so much time; where it
needs more, or falls over, the copy is refused, and the station has noticed nothing.
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
    """What a trial may take. memory_bytes: of data; cpu_s: of a core; wall_s: by the clock on the wall."""

    memory_bytes: int
    cpu_s: int
    wall_s: float


def bounds() -> Bounds:
    """On this machine: at most half of its memory. A thousand games take 10 s of a desk's computer."""
    there = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return Bounds(memory_bytes=min(512 << 20, there // 2), cpu_s=180, wall_s=600.0)


def tried(source: Path, scratch: Path, within: Bounds | None = None) -> Path:
    """A copy of the copy in `scratch`, of this version and tried in every way a station would.

    Raises BadInputError, saying what is wrong with it, when a station could not live with it, and StoreError
    where there is no room in scratch.
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
    match _said(done.stdout):
        case {"sound": str(name)} if done.returncode == 0:
            return scratch / name
        case {"refused": dict(told), "code": str(code), "of_store": bool(of_store)}:
            kind = StoreError if of_store else BadInputError
            raise kind(_meant(told), code=code)
        case {"large": True}:
            raise no_copy(source, "large")
    raise no_copy(source, "broken-game", str(done.returncode))


def _said(answer: bytes) -> Any:
    try:
        return json.loads(answer)
    except (ValueError, RecursionError):
        return None


def told(value: Value) -> Any:
    """A message, or a value of one, as JSON."""
    if isinstance(value, Message):
        return {"key": value.key, "values": {name: told(each) for name, each in value.items}}
    if isinstance(value, tuple):
        return [told(each) for each in value]
    return value if isinstance(value, int | float) else str(value)


def _meant(said: Any) -> Any:
    """The way back of `told`."""
    match said:
        case {"key": str(key), "values": dict(values)}:
            return Message(key, **{name: _meant(each) for name, each in values.items()})
        case list(parts):
            return tuple(map(_meant, parts))
    return said
