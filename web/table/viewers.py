"""The live line to every screen: server-sent events, the latest state only, and a cap.

A viewer gets the full state on connect and after every change. One that is slow (a phone in a pocket)
never gets a backlog, only what is true when it listens again. Between changes a comment and a `beat`
event tell it that the line is alive: scripts cannot see comments, and a phone that changed its Wi-Fi
finds out by the missing beat.
"""

import json
from collections.abc import Callable, Iterator
from threading import Event, Lock
from typing import Any

from messages.errors import FailedError
from station.contract.view import TableView, as_json
from station.table import Table

LOOK_S = 1.0
"""Seconds between two looks at what is not the table's (the room) and at the closing of the house."""


def event(name: str, data: Any, identity: int | None = None) -> bytes:
    r"""One server-sent event.

    >>> event("beat", {"version": 3})
    b'event: beat\ndata: {"version":3}\n\n'
    >>> event("state", {}, 41)
    b'event: state\nid: 41\ndata: {}\n\n'
    """
    lines = [f"event: {name}"]
    if identity is not None:
        lines.append(f"id: {identity}")
    lines.append("data: " + json.dumps(data, separators=(",", ":"), ensure_ascii=False))
    return ("\n".join(lines) + "\n\n").encode()


class Viewers:
    """All screens that listen at the moment."""

    def __init__(
        self,
        table: Table,
        *,
        viewers_max: int,
        heartbeat_s: float,
        room: Callable[[], tuple[int, object]],
        clock: Callable[[], float],
    ) -> None:
        """Listen to `table` for as many as `viewers_max` screens.

        room: number and content of what is shared besides the game; a new number is told to everybody.
        clock: seconds, monotonic.
        """
        self._table = table
        self._viewers_max = viewers_max
        self._heartbeat_s = heartbeat_s
        self._room = room
        self._clock = clock
        self._lock = Lock()
        self._count = 0
        self._closing = Event()
        self._written: dict[str, tuple[TableView, bytes]] = {}

    @property
    def count(self) -> int:
        """How many listen."""
        return self._count

    def close(self) -> None:
        """Let every line end within `LOOK_S`; nobody new is taken."""
        self._closing.set()

    def listen(self, language: str) -> Iterator[bytes]:
        """The events for one more screen, in its language.

        Raises FailedError at once, not at the first event.
        """
        with self._lock:
            if self._count >= self._viewers_max or self._closing.is_set():
                raise FailedError("events/too_many_viewers", count=self._count)
            self._count += 1
        return _Line(self._events(language), self._leave)

    def _state(self, state: TableView, language: str) -> bytes:
        """The event of a state, written once a language for all who listen."""
        known, written = self._written.get(language, (None, b""))
        if known is not state:
            written = event("state", as_json(state, language), state.version)
            self._written[language] = (state, written)
        return written

    def _leave(self) -> None:
        with self._lock:
            self._count -= 1

    def _events(self, language: str) -> Iterator[bytes]:
        subscription = self._table.subscribe()
        try:
            state = self._table.snapshot()
            number, room = self._room()
            yield b"retry: 1000\n\n" + event("room", as_json(room)) + self._state(state, language)
            told, last_s = state, self._clock()
            while not self._closing.is_set():
                fresh = subscription.get(min(LOOK_S, self._heartbeat_s))
                out = b""
                if fresh is not None and fresh != told:
                    out += self._state(fresh, language)
                    told = fresh
                latest, room = self._room()
                if latest != number:
                    out += event("room", as_json(room))
                    number = latest
                now_s = self._clock()
                if not out and now_s - last_s >= self._heartbeat_s:
                    out = b": still here\n\n" + event("beat", {"version": told.version})
                if out:
                    last_s = now_s
                    yield out
        finally:
            subscription.close()


class _Line:
    """An iterator that gives its place back exactly once, also when it was never begun."""

    def __init__(self, events: Iterator[bytes], leave: Callable[[], None]) -> None:
        self._events = events
        self._leave: Callable[[], None] | None = leave

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        try:
            return next(self._events)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Called by the server when the screen has gone."""
        leave, self._leave = self._leave, None
        if leave is not None:
            close = getattr(self._events, "close", None)
            if close is not None:
                close()
            leave()
