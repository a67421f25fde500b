"""One step at a time at the table; devices do not wait for it.

A step is decided, written down and shown under one lock, and a slow card may take a minute for the writing.
What a camera or a button says meanwhile is taken in, in order, when the step is done, by the thread that did
it: no camera hangs on a card. Where no step is being done it is taken in at once.
"""

import logging
from collections import deque
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from threading import Lock, RLock
from typing import NamedTuple

from messages.errors import StoreError

log = logging.getLogger(__name__)

TURN_S = 10.0
"""A step waits this long for those before it; then it is refused, and can be requested again."""
SAID_MAX = 200
"""So much of what devices say is kept while a step is written; of more, the oldest reading is dropped."""


class _Said(NamedTuple):
    """What a device says. like: where it says something alike right after, only the later one counts."""

    act: Callable[[], None]
    like: Hashable | None


class StepLock:
    """Reentrant. As a context manager it waits without end."""

    def __init__(self) -> None:
        self._lock = RLock()
        self._depth = 0
        self._mailbox = Lock()
        self._said: deque[_Said] = deque()

    def __enter__(self) -> None:
        self._lock.acquire()
        self._depth += 1

    def __exit__(self, *_: object) -> None:
        self._leave()

    @contextmanager
    def turn(self) -> Iterator[None]:
        """The same for a step that somebody waits for. Raises StoreError `store/slow` after TURN_S s."""
        if not self._lock.acquire(timeout=TURN_S):
            raise StoreError("store/slow")
        self._depth += 1
        try:
            yield
        finally:
            self._leave()

    def soon(self, act: Callable[[], None], *, like: Hashable | None = None) -> None:
        """Do what a device says: now where no step is being done, else at its end. Never waits for a step.

        like: of alike actions in a row only the last is done. None is like nothing.
        """
        with self._mailbox:
            if like is not None and self._said and self._said[-1].like == like:
                self._said.pop()
            self._said.append(_Said(act, like))
            if len(self._said) > SAID_MAX:
                oldest = next((each for each in self._said if each.like is not None), self._said[0])
                self._said.remove(oldest)
        self._take_in()

    def _leave(self) -> None:
        if self._depth == 1:
            _or_log(self._do_all)
        self._depth -= 1
        self._lock.release()
        if self._said:  # said since
            _or_log(self._take_in)

    def _take_in(self) -> None:
        """Do the waiting actions, unless a step is being done: these follow at its end."""
        while self._said and self._lock.acquire(blocking=False):
            try:
                if self._depth:  # of this very thread, else the lock could not be had
                    return
                self._depth = 1
                try:
                    self._do_all()
                finally:
                    self._depth = 0
            finally:
                self._lock.release()

    def _do_all(self) -> None:
        while (said := self._next()) is not None:
            said.act()

    def _next(self) -> _Said | None:
        with self._mailbox:
            return self._said.popleft() if self._said else None


def _or_log(take_in: Callable[[], None]) -> None:
    """A failing action of a device does not fail the step."""
    try:
        take_in()
    except Exception:
        log.exception("what a device says cannot be taken in")
