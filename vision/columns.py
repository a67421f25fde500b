"""What is known of many places in a picture, as arrays side by side."""

from collections.abc import Callable, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray


class Columns:
    """Base of dataclasses, frozen and with slots, whose fields are arrays with an entry for each place."""

    __slots__: tuple[str, ...] = ()
    x: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.x)

    def take(self, chosen: NDArray[np.bool_] | NDArray[np.intp] | slice) -> Self:
        """Those of an index or mask, or of a slice, then without a copy."""
        made: Callable[..., Self] = type(self)
        return made(*(getattr(self, name)[chosen] for name in self.__slots__))

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """All of the parts, at least one, in order."""
        made: Callable[..., Self] = cls
        return made(*(np.concatenate([getattr(part, name) for part in parts]) for name in cls.__slots__))


def besides(
    places: NDArray[Any] | Sequence[NDArray[Any]],
    dice: NDArray[Any] | Sequence[NDArray[Any]],
    edges: float,
    of_both: np.ufunc | None = None,
) -> NDArray[np.bool_]:
    """(n,) which places mean none of the dice: their middles are more than that many edges from all of them.

    places, dice: x, y and edge of each, (n,) and (m,), px; what follows is of no interest. The die's own edge
    counts, and no place needs one; or of both that which np.maximum or np.minimum (of_both) gives.

    >>> at_0, at_50 = (np.array([x], np.float32) for x in (0.0, 50.0))
    >>> place, die = (at_50, at_0, np.array([100.0])), (at_0, at_0, np.array([60.0]))
    >>> [besides(place, die, 0.7, of_both).tolist() for of_both in (None, np.maximum)]
    [[True], [False]]
    """
    gap = np.hypot(places[0][:, None] - dice[0], places[1][:, None] - dice[1])
    edge = dice[2] if of_both is None else of_both(places[2][:, None], dice[2])
    clear: NDArray[np.bool_] = (gap > edges * edge).all(1)
    return clear
