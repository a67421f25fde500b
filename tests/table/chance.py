"""Chance that falls the same way every time, with every version of Python."""

from collections.abc import Sequence
from random import Random
from typing import Any

CHEER = 12
"""One throw in so many shows the same face on all dice, and one a straight."""


class Chance:
    """What falls by chance. seed: the same one falls the same way."""

    def __init__(self, seed: str) -> None:
        self._random = Random(seed)

    def below(self, count: int) -> int:
        """A number from 0, by a method that no version of Python changes."""
        return int(self._random.random() * count)

    def once_in(self, count: int) -> bool:
        """True so often."""
        return self.below(count) == 0

    def one_of(self, which: Sequence[Any]) -> Any:
        """Any of them."""
        return which[self.below(len(which))]

    def some_of(self, which: Sequence[Any]) -> tuple[Any, ...]:
        """Each of them or not, in their order."""
        return tuple(each for each in which if self.once_in(2))

    def faces(self, count: int) -> tuple[int, ...]:
        """Faces of a throw."""
        first = 1 + self.below(6)
        if self.once_in(CHEER):
            return (first,) * count
        if self.once_in(CHEER):
            return tuple(1 + (first + i) % 6 for i in range(count))
        return tuple(1 + self.below(6) for _ in range(count))
