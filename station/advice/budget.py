"""Limits of memory and disk for advice, and what is released when they are exceeded."""

import threading
from collections import OrderedDict
from dataclasses import dataclass
from typing import Generic, TypeVar

MB = 1_000_000
Key = TypeVar("Key")
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Budget:
    """The limits for advice.

    table_bytes: the largest table of chances, on the disk, from which pages are read as they are needed; what
    is larger is estimated. layer_bytes: of it, what has to be in memory at once while it is worked out.
    kept_bytes: all tables together that are kept at hand. disk_bytes: all that are kept on the disk. games:
    rule sets kept ready, and tables, each of which is an open file. processes: whether there is room for a
    process that works tables out; it takes 40 MB for itself.
    """

    table_bytes: int
    layer_bytes: int
    kept_bytes: int
    games: int
    disk_bytes: int = 600 * MB
    processes: bool = True


NORMAL = Budget(table_bytes=150 * MB, layer_bytes=36 * MB, kept_bytes=200 * MB, games=4)
SMALL = Budget(
    table_bytes=8 * MB, layer_bytes=3 * MB, kept_bytes=16 * MB, games=2, disk_bytes=60 * MB, processes=False
)


class LruCache(Generic[Key, Value]):
    """Keeps the entries used last: at most `pieces`, of altogether at most `most`; a larger one is not kept.

    An entry that was dropped can still be used by its holders. Safe to call from several threads.
    """

    def __init__(self, most: int, pieces: int | None = None) -> None:
        self._most, self._pieces = most, most if pieces is None else pieces
        self._lock = threading.Lock()
        self._entries: OrderedDict[Key, tuple[Value, int]] = OrderedDict()

    def get(self, key: Key) -> Value | None:
        """The value of that key, which counts as used now; None if there is none."""
        with self._lock:
            found = self._entries.get(key)
            if found is None:
                return None
            self._entries.move_to_end(key)
            return found[0]

    def put(self, key: Key, value: Value, size: int = 1) -> Value:
        """Keep something; what was used longest ago gives way. Returns the value."""
        with self._lock:
            self._entries.pop(key, None)
            if size <= self._most:
                self._entries[key] = value, size
            while self._sum() > self._most or len(self._entries) > self._pieces:
                self._entries.popitem(last=False)
        return value

    def _sum(self) -> int:
        return sum(size for _, size in self._entries.values())
