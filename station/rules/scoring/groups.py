"""Two pairs, three pairs, four and two: groups of dice that are alike, each of another face."""

from dataclasses import dataclass
from typing import Any, ClassVar

from messages.message import Message
from station.rules.dice import FACES, Dice
from station.rules.scoring.base import Matched
from station.rules.toml_table import TomlTable


@dataclass(frozen=True, slots=True)
class Groups(Matched):
    """Groups of alike dice, such as `sizes = [2, 2, 2]` or `[4, 2]`, each of another face.

    With `different = false` they may be of one face. Two pairs are the sum of these four.

    >>> str(Groups((2, 2), matching_only=True).score((2, 2, 5, 5, 6), throw=3).why)
    '2-2-5-5 add up to 14'
    >>> Groups((2, 2), matching_only=True).score((5, 5, 5, 5, 6), throw=3).points
    0
    >>> Groups((2, 3), matching_only=True).score((3, 4, 4, 6, 6, 6), throw=3).points
    26
    >>> Groups((2, 2), matching_only=True).score((1, 1, 3, 3, 6, 6), throw=3).points
    18
    >>> Groups((2, 2), different=False, points=12).score((5, 5, 5, 5, 6), throw=3).points
    12
    """

    variants: ClassVar = {"two-pairs": ((2, 2),), "groups": ()}
    sample: ClassVar = {"sizes": [3, 2], "points": "matching"}
    keys: ClassVar = {
        "sizes": lambda table, key: tuple(sorted(table.numbers(key, 1, 10))),
        "different": lambda table, key: not table.has(key) or table.truth(key),
    }
    example = (2, 2, 5, 5, 6)

    sizes: Dice
    different: bool = True

    def matched(self, dice: Dice) -> Dice | None:
        """As Matched.matched."""
        counts = tuple(dice.count(face) for face in FACES)
        found = _best(counts, self.sizes[::-1], different=self.different)
        return None if found is None else tuple(sorted(found))

    def wanted(self) -> Message:
        """As Matched.wanted."""
        key = "pattern/groups/different" if self.different else "pattern/groups/any"
        return Message(key, sizes=self.sizes)

    @classmethod
    def read_paid(cls, table: TomlTable) -> dict[str, Any]:
        """`points`: `"sum"` of all dice, `"matching"` for that of these (so if left out), or a number."""
        return Matched.read_paid.__func__(cls, table) if table.has("points") else {"matching_only": True}  # type: ignore[attr-defined]


def _best(counts: Dice, sizes: Dice, *, different: bool) -> Dice | None:
    """The dice of the highest such groups, from how often each face is there; None where there are none."""
    if not sizes:
        return ()
    best: Dice | None = None
    for face, count in zip(FACES, counts, strict=True):
        if count < sizes[0]:
            continue
        left = 0 if different else count - sizes[0]
        more = _best((*counts[: face - 1], left, *counts[face:]), sizes[1:], different=different)
        if more is not None and (best is None or sum(more) + face * sizes[0] > sum(best)):
            best = (face,) * sizes[0] + more
    return best
