"""The live line to every screen: server-sent events, the latest state only, and a cap.

A viewer gets the full state on connect and after every change. One that is slow (a phone in a pocket)
never gets a backlog, only what is true when it listens again. Between changes a comment and a `beat`
event tell it that the line is alive: scripts cannot see comments, and a phone that changed its Wi-Fi
finds out by the missing beat.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from threading import Event, Lock
from typing import Any

from messages.errors import FailedError
from station.contract.view import TableView, as_json
from station.screens.publisher import Subscription
from station.table import Table

LOOK_S = 1.0
"""Seconds between two looks at what is not the table's: the room, whether the screen is still there."""
LIVE = "/api/v1/events"
RESERVE = 8
"""Lines beyond the limit, for the host and for screens that have a seat."""
FAIR_EACH = 6
"""Lines that an address may keep while others wait for one."""


@dataclass(frozen=True, slots=True)
class Viewer:
    """A screen that wants to listen. seated: it has a seat or a role. gone: whether it hung up meanwhile."""

    address: str = ""
    seated: bool = False
    gone: Callable[[], bool] = bool


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
        room: Callable[[], tuple[object, object]],
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
        self._lines: dict[_Line, None] = {}
        self._closing = Event()
        self._written: dict[str, tuple[TableView, bytes]] = {}

    @property
    def count(self) -> int:
        """How many listen."""
        with self._lock:
            return len(self._lines)

    def close(self) -> None:
        """Let every line end within `LOOK_S`; nobody new is taken."""
        self._closing.set()

    def listen(self, language: str, viewer: Viewer | None = None) -> Iterator[bytes]:
        """The events for one more screen, in its language.

        When all places are taken, those who have gone give theirs up at once, and an address with many lines
        one of them to an address with fewer. Raises FailedError at once, not at the first event.
        """
        line = _Line(self._table.subscribe(), viewer or Viewer(), self._leave)
        with self._lock:
            ended = self._room_for(line)
            if self._closing.is_set() or ended is None:
                line.subscription.close()
                raise FailedError("events/too_many_viewers", count=len(self._lines))
            for each in ended:
                del self._lines[each]
            self._lines[line] = None
        for each in ended:
            each.end()
        line.begin(self._events(line, language))
        return line

    def _room_for(self, line: "_Line") -> list["_Line"] | None:
        """The lines that end so that this one may begin; None when it may not."""
        gone = [each for each in self._lines if each.viewer.gone()]
        places = self._viewers_max + (RESERVE if line.viewer.seated else 0)
        if len(self._lines) - len(gone) < places:
            return gone
        count = Counter(each.viewer.address for each in self._lines)
        strangers = [each for each in self._lines if not each.viewer.seated and each not in gone]
        oldest = max(strangers, key=lambda each: count[each.viewer.address], default=None)
        if oldest is None:
            return None
        many = count[oldest.viewer.address]
        fair = many > max(FAIR_EACH, count[line.viewer.address] + 1)
        return [*gone, oldest] if fair or line.viewer.seated else None

    def _state(self, state: TableView, language: str) -> bytes:
        """The event of a state, written once a language for all who listen."""
        known, written = self._written.get(language, (None, b""))
        if known is not state:
            written = event("state", as_json(state, language), state.version)
            self._written[language] = (state, written)
        return written

    def _leave(self, line: "_Line") -> None:
        with self._lock:
            self._lines.pop(line, None)

    def _events(self, line: "_Line", language: str) -> Iterator[bytes]:
        subscription = line.subscription
        try:
            state = self._table.snapshot()
            number, room = self._room()
            yield b"retry: 1000\n\n" + event("room", as_json(room)) + self._state(state, language)
            told, last_s = state, self._clock()
            while not (self._closing.is_set() or line.ended or line.viewer.gone()):
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
    """The events of one screen; gives its place back exactly once, also when it was never begun."""

    def __init__(
        self, subscription: Subscription[TableView], viewer: Viewer, leave: Callable[["_Line"], None]
    ) -> None:
        self.subscription, self.viewer, self._leave = subscription, viewer, leave
        self.ended = False
        self._events: Iterator[bytes] = iter(())

    def begin(self, events: Iterator[bytes]) -> None:
        """These are the events."""
        self._events = events

    def end(self) -> None:
        """Let it end now: another needs the place."""
        self.ended = True
        self.subscription.close()

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
        close = getattr(self._events, "close", None)
        if close is not None:
            close()
        self.subscription.close()
        self._leave(self)
