"""The screens that were here lately: from where, with which browser, how long ago. Not kept on the disk."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from typing import Annotated

from pydantic import Field

from station.screens.roles import Role

SESSIONS_MAX = 300
"""Screens remembered; who was not here for longest goes first."""

KINDS = ("iPhone", "iPad", "Android", "Windows", "Macintosh", "CrOS", "Linux")
"""Devices as browsers name them; the first that fits counts."""


@dataclass(frozen=True, slots=True)
class Session:
    """A screen, as its host sees it."""

    id: Annotated[str, Field(description="Names it; it is no token.")]
    seat: str | None
    role: Role
    you: Annotated[bool, Field(description="Whether it is the one that asks.")]
    address: Annotated[str | None, Field(description="From where it asked last; null before that.")]
    device: Annotated[str | None, Field(description="What its browser says it runs on.")]
    seen_s: Annotated[float | None, Field(description="Seconds since it asked last.")]


@dataclass(frozen=True, slots=True)
class _Seen:
    at_s: float
    address: str
    device: str | None


def device_of(agent: str) -> str | None:
    """The device in a browser's user agent.

    >>> device_of("Mozilla/5.0 (iPad; CPU OS 16_5 like Mac OS X) AppleWebKit/605.1.15")
    'iPad'
    """
    return next((kind for kind in KINDS if re.search(rf"\b{kind}\b", agent)), None)


class Sessions:
    """The screens that were here; thread-safe. clock: seconds, monotonic."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._lock = Lock()
        self._seen: dict[str, _Seen] = {}

    def saw(self, mark: str, address: str, agent: str) -> None:
        """A screen has sent a request."""
        with self._lock:
            self._seen.pop(mark, None)
            self._seen[mark] = _Seen(self._clock(), address, device_of(agent[:300]))
            if len(self._seen) > SESSIONS_MAX:
                self._seen.pop(next(iter(self._seen)))

    def marks(self) -> tuple[str, ...]:
        """All of them, the latest first."""
        with self._lock:
            return tuple(reversed(self._seen))

    def end(self, mark: str) -> None:
        """A screen is forgotten."""
        with self._lock:
            self._seen.pop(mark, None)

    @staticmethod
    def name(mark: str) -> str:
        """The name of a screen for the host."""
        return mark[:12]

    def describe(self, mark: str, *, role: Role, seat: str | None, you: bool) -> Session:
        """A screen for its host."""
        with self._lock:
            seen = self._seen.get(mark)
        if seen is None:
            return Session(self.name(mark), seat, role, you, None, None, None)
        ago_s = round(self._clock() - seen.at_s, 1)
        return Session(self.name(mark), seat, role, you, seen.address, seen.device, ago_s)
