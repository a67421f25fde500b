"""Server-sent events: one of them written down, and the line of one screen that listens."""

import json
from collections.abc import Callable, Generator
from typing import Any, Self


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


def opening(pages: str) -> bytes:
    r"""What a line begins with. pages: the version that is served, for one that was open before an update.

    >>> opening("5f0c")
    b'retry: 1000\n\nevent: pages\ndata: "5f0c"\n\n'
    """
    return b"retry: 1000\n\n" + event("pages", pages)


class LiveLine:
    """The events of one screen; gives its place back exactly once, also when it was never begun."""

    def __init__(self, events: Generator[bytes, None, None], leave: Callable[[], None]) -> None:
        self._events, self._leave, self._open = events, leave, True

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> bytes:
        try:
            return next(self._events)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Called by the server when the screen has gone."""
        if self._open:
            self._open = False
            self._leave()
            self._events.close()
