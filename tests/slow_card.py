"""A store whose card takes its time: a write stays under way until the test lets it go on."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from station.store.store import Store

T = TypeVar("T")

DEADLINE_S = 30.0
"""What does not wait for the card is done long before."""


class SlowCard:
    """Once `slow`, the next write comes to a halt where the disk is waited for, all locks of the store held.

    at: the commit of the events, or the note of the last one.
    """

    def __init__(self, store: Store, at: str = "commit") -> None:
        self._halted, self._go_on = threading.Event(), threading.Event()
        self._slow = False
        if at == "commit":  # SQLite calls this before it does what the statement says
            store._db.set_trace_callback(lambda statement: statement == "COMMIT" and self._wait())
        else:
            write = store._last.write
            store._last.write = lambda mark: (self._wait(), write(mark))[1]  # type: ignore[method-assign]

    def _wait(self) -> None:
        if self._slow:
            self._slow = False
            self._halted.set()
            assert self._go_on.wait(2 * DEADLINE_S)

    @contextmanager
    def writing(self, step: Callable[[], Any]) -> Iterator[None]:
        """Within it the step is being written; after it, it is."""
        self._halted.clear()
        self._go_on.clear()
        self._slow = True
        writer = threading.Thread(target=step, daemon=True)
        writer.start()
        try:
            assert self._halted.wait(DEADLINE_S), "nothing was written"
            yield
        finally:
            self._go_on.set()
            writer.join(DEADLINE_S)
        assert not writer.is_alive()


def meanwhile(ask: Callable[[], T]) -> T:
    """What is answered while the card is slow; fails where that waits for the card."""
    found: list[T] = []
    asker = threading.Thread(target=lambda: found.append(ask()), daemon=True)
    asker.start()
    asker.join(DEADLINE_S)
    assert found, "it waits for the card, or failed"
    return found[0]
