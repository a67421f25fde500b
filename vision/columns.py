"""What is known of many places in a picture, as arrays side by side."""

from collections.abc import Callable, Sequence
from typing import Self

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
