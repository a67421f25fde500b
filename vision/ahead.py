"""Values computed ahead of their use on another core."""

from collections.abc import Callable, Hashable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Prefetched(Generic[Key, Value]):
    """The values of a function, computed once for each key.

    work: a pure function, and not a method of the owner of this object, since both would then wait for
    garbage collection. ahead: a thread that may start early; without one each value is computed on first use.
    """

    def __init__(self, work: Callable[[Key], Value], ahead: Executor | None = None) -> None:
        self._work, self._ahead = work, ahead
        self._begun: dict[Key, Future[Value]] = {}
        self._values: dict[Key, Value] = {}

    def begin(self, key: Key) -> None:
        """Start to compute the value, if there is a thread for it."""
        if self._ahead is not None and key not in self._values and key not in self._begun:
            self._begun[key] = self._ahead.submit(self._work, key)

    def __getitem__(self, key: Key) -> Value:
        """The value; raises what the function raises."""
        if key not in self._values:
            begun = self._begun.pop(key, None)
            # if the thread has not started yet, waiting would be no quicker
            alone = begun is None or begun.cancel()
            self._values[key] = self._work(key) if alone or begun is None else begun.result()
        return self._values[key]


@contextmanager
def thread_ahead(*, wanted: bool) -> Iterator[Executor | None]:
    """A thread for computing ahead, if wanted; it pays if another core is free."""
    if not wanted:
        yield None
        return
    with ThreadPoolExecutor(1, thread_name_prefix="ahead") as ahead:
        yield ahead
