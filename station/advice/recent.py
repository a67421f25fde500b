"""What was used lately: a mapping that forgets the rest, for tables of many megabytes."""

from collections import OrderedDict
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Recent(Generic[K, V]):
    """Keeps the `most` that were used last. Not thread-safe by itself.

    >>> recent = Recent(2)
    >>> for key in "ab":
    ...     _ = recent.put(key, key.upper())
    >>> recent.get("a"), recent.put("c", "C"), recent.get("b")
    ('A', 'C', None)
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[K, V] = OrderedDict()

    def get(self, key: K) -> V | None:
        """What was kept by that name; None where it is forgotten or never was."""
        found = self._kept.get(key)
        if found is not None:
            self._kept.move_to_end(key)
        return found

    def put(self, key: K, value: V) -> V:
        """Keep it; gives it back."""
        self._kept[key] = value
        self._kept.move_to_end(key)
        while len(self._kept) > self._most:
            self._kept.popitem(last=False)
        return value
