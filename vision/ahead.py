"""What a look is going to ask for, begun on another core before it does."""

from collections.abc import Callable, Hashable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Generic, TypeVar

Asked = TypeVar("Asked", bound=Hashable)
Told = TypeVar("Told")


class Known(Generic[Asked, Told]):
    """What a function tells, worked out once for each it is asked.

    work: pure, and no method of who keeps this: both would wait for a search for rubbish. ahead: a thread
    that may begin it; without one it is worked out when it is asked for, and is the same.
    """

    def __init__(self, work: Callable[[Asked], Told], ahead: Executor | None = None) -> None:
        self._work, self._ahead = work, ahead
        self._begun: dict[Asked, Future[Told]] = {}
        self._told: dict[Asked, Told] = {}

    def begin(self, asked: Asked) -> None:
        """It will be asked for: begin, where there is somebody to."""
        if self._ahead is not None and asked not in self._told and asked not in self._begun:
            self._begun[asked] = self._ahead.submit(self._work, asked)

    def __getitem__(self, asked: Asked) -> Told:
        """What the function tells; raises what it raises."""
        if asked not in self._told:
            begun = self._begun.pop(asked, None)
            # where nobody has come to it yet, waiting would be no quicker
            alone = begun is None or begun.cancel()
            self._told[asked] = self._work(asked) if alone or begun is None else begun.result()
        return self._told[asked]


@contextmanager
def thread_ahead(*, wanted: bool) -> Iterator[Executor | None]:
    """Within: a thread for what can be begun, if that is wanted; it pays where another core is free."""
    if not wanted:
        yield None
        return
    with ThreadPoolExecutor(1, thread_name_prefix="ahead") as ahead:
        yield ahead
