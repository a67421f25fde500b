"""One step at a time at the table; devices do not wait for it.

A step is decided, written to the store and published under one lock, and a slow card may take a minute to
write. Actions of cameras and buttons during a step are queued and run in order at its end, by the thread of
the step, so that no camera waits for a card. Without a step they run at once.
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
WAITING_MAX = 200
"""The most queued actions during a step; of more, the oldest reading is dropped."""


class _Action(NamedTuple):
    """An action of a device. like: of equal ones in a row, only the last is run."""

    act: Callable[[], None]
    like: Hashable | None


class StepLock:
    """A reentrant lock. As a context manager it waits without a limit."""

    def __init__(self) -> None:
        self._lock = RLock()
        self._depth = 0
        self._mailbox = Lock()
        self._waiting: deque[_Action] = deque()

    def __enter__(self) -> None:
        self._lock.acquire()
        self._depth += 1

    def __exit__(self, *_: object) -> None:
        self._leave()

    @contextmanager
    def turn(self) -> Iterator[None]:
        """The lock for a step that a person waits for. Raises StoreError `store/slow` after TURN_S s."""
        if not self._lock.acquire(timeout=TURN_S):
            raise StoreError("store/slow")
        self._depth += 1
        try:
            yield
        finally:
            self._leave()

    def soon(self, act: Callable[[], None], *, like: Hashable | None = None) -> None:
        """Run the action of a device: at once, or at the end of the current step. Never waits for a step.

        like: of waiting actions in a row with an equal value only the last is run; None is never equal.
        """
        with self._mailbox:
            if like is not None and self._waiting and self._waiting[-1].like == like:
                self._waiting.pop()
            self._waiting.append(_Action(act, like))
            if len(self._waiting) > WAITING_MAX:
                oldest = next((each for each in self._waiting if each.like is not None), self._waiting[0])
                self._waiting.remove(oldest)
        self._take_in()

    def _leave(self) -> None:
        if self._depth == 1:
            _or_log(self._do_all)
        self._depth -= 1
        self._lock.release()
        if self._waiting:  # added since
            _or_log(self._take_in)

    def _take_in(self) -> None:
        """Run the waiting actions, unless a step is running: then they follow at its end."""
        while self._waiting and self._lock.acquire(blocking=False):
            try:
                if self._depth:  # of this thread, which holds the lock already
                    return
                self._depth = 1
                try:
                    self._do_all()
                finally:
                    self._depth = 0
            finally:
                self._lock.release()

    def _do_all(self) -> None:
        while (action := self._next()) is not None:
            action.act()

    def _next(self) -> _Action | None:
        with self._mailbox:
            return self._waiting.popleft() if self._waiting else None


def _or_log(take_in: Callable[[], None]) -> None:
    """Log an exception of a device's action: it must not fail the step."""
    try:
        take_in()
    except Exception:
        log.exception("what a device says cannot be taken in")
