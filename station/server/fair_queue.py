"""Requests wait in turn by address, so that one that asks a thousand times delays nobody else."""

from collections import deque
from collections.abc import Callable
from functools import partial
from threading import Condition
from typing import Protocol


class Task(Protocol):
    """A request that waits for a thread."""

    def service(self) -> None:
        """Answer it."""

    def cancel(self) -> None:
        """Forget it."""


class _Running:
    """A request that has a thread; gives its place back when it is answered."""

    def __init__(self, task: Task, done: Callable[[], None]) -> None:
        self._task, self._done = task, done

    def service(self) -> None:
        try:
            self._task.service()
        finally:
            self._done()

    def cancel(self) -> None:
        self._task.cancel()


class FairQueue:
    """What a pool of threads takes requests from: each address in turn, `each` at a time for one address.

    address_of: whose a request is; "" for one that is not counted (a live line has a limit of its own).
    changed: the condition of the threads, which guards this queue; all methods but `_done` are called with
    it. An address that has used up its share is as if it had not asked.
    """

    def __init__(self, changed: Condition, each: int, address_of: Callable[[Task], str]) -> None:
        self._changed = changed
        self._each = each
        self._address_of = address_of
        self._waiting: dict[str, deque[Task]] = {}
        self._running: dict[str, int] = {}

    def append(self, task: Task) -> None:
        """A request has come."""
        self._waiting.setdefault(self._address_of(task), deque()).append(task)

    def popleft(self) -> _Running:
        """The next request that may run. Raises IndexError when none may."""
        for address in self._waiting:
            if self._may_run(address):
                return _Running(self._take(address), partial(self._done, address))
        raise IndexError("nothing may run")

    def __len__(self) -> int:
        return sum(
            len(tasks) if not address else min(len(tasks), self._each - self._running.get(address, 0))
            for address, tasks in self._waiting.items()
        )

    def _may_run(self, address: str) -> bool:
        return not address or self._running.get(address, 0) < self._each

    def _take(self, address: str) -> Task:
        tasks = self._waiting.pop(address)
        task = tasks.popleft()
        if tasks:  # behind all others
            self._waiting[address] = tasks
        self._running[address] = self._running.get(address, 0) + 1
        return task

    def _done(self, address: str) -> None:
        with self._changed:
            self._running[address] -= 1
            if not self._running[address]:
                del self._running[address]
            self._changed.notify()
