"""All ways to hold dice, and how one more die leads from each to the next.

Dice are distinguished only by their faces, so a hold is a multiset. With five dice there are 462 of them,
252 of which are whole rolls; with the ten dice of Double Cameroon 8,008 and 3,003. Everything a turn needs
is done level by level, one die at a time, which takes 1,260 sums where a table of all holds by all rolls
would take 116,424.

Arrays of values have the shape (multisets of one size, columns), float64; a column is a score sheet.
"""

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement
from math import factorial

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Indices = npt.NDArray[np.intp]

SIDES = 6


@dataclass(frozen=True, slots=True, eq=False)
class Multisets:
    """The multisets of at most `dice` dice, by size.

    `held[s]` are those of size s as sorted tuples, in lexicographic order. `plus[s]` (6, count) says where
    the multiset of size s is among those of size s + 1 when a die of each face joins it. `minus[s]`
    (s, count) says where those of size s stand among size s - 1 when each of their dice leaves.
    `without[s]` (count, 6) says the same for a die of each face; -1 where there is none.
    `chance` (rolls,) is the probability of each whole roll.
    """

    dice: int
    held: tuple[tuple[tuple[int, ...], ...], ...]
    plus: tuple[Indices, ...]
    minus: tuple[Indices, ...]
    without: tuple[Indices, ...]
    chance: Floats

    @property
    def rolls(self) -> tuple[tuple[int, ...], ...]:
        """All whole rolls, sorted."""
        return self.held[self.dice]

    def expect(self, rolls: Floats) -> list[Floats]:
        """For every hold the expected value after the other dice are thrown.

        `rolls` (rolls, columns) are the values of whole rolls; the answer is a list by size of hold, the
        last of which is `rolls` itself.
        """
        levels = [rolls]
        for size in range(self.dice - 1, -1, -1):
            more = levels[-1]
            plus = self.plus[size]
            if more.shape[1] == 1:  # of one sheet alone, fewer and larger steps are quicker
                levels.append(more[plus, 0].sum(axis=0)[:, np.newaxis] * (1.0 / SIDES))
                continue
            total = more.take(plus[0], axis=0)
            for face in range(1, SIDES):
                total += more.take(plus[face], axis=0)
            total *= 1.0 / SIDES
            levels.append(total)
        return levels[::-1]

    def best(self, levels: list[Floats]) -> Floats:
        """For every whole roll the best value of all holds it contains, itself included.

        `levels` as `expect` gives them, with the value of stopping on top; they are overwritten.
        """
        below = levels[0]
        for size in range(1, self.dice + 1):
            here, minus = levels[size], self.minus[size]
            if here.shape[1] == 1:
                np.maximum(here, below[minus, 0].max(axis=0)[:, np.newaxis], out=here)
                below = here
                continue
            for die in range(size):
                np.maximum(here, below.take(minus[die], axis=0), out=here)
            below = here
        return below


@lru_cache(maxsize=4)
def multisets(dice: int) -> Multisets:
    """The multisets of at most that many dice, the same ones for every model.

    >>> five = multisets(5)
    >>> [len(held) for held in five.held], round(float(five.chance.sum()), 12)
    ([1, 6, 21, 56, 126, 252], 1.0)
    """
    held = tuple(tuple(combinations_with_replacement(range(1, SIDES + 1), size)) for size in range(dice + 1))
    place = [{hold: index for index, hold in enumerate(holds)} for holds in held]
    plus = tuple(
        np.array(
            [
                [place[size + 1][tuple(sorted((*hold, face)))] for hold in held[size]]
                for face in range(1, SIDES + 1)
            ],
            dtype=np.intp,
        )
        for size in range(dice)
    )
    minus = tuple(
        np.array(
            [[place[size - 1][hold[:die] + hold[die + 1 :]] for hold in held[size]] for die in range(size)],
            dtype=np.intp,
        ).reshape(size, len(held[size]))
        for size in range(dice + 1)
    )
    without = tuple(np.full((len(holds), SIDES), -1, dtype=np.intp) for holds in held)
    for size in range(1, dice + 1):
        for face in range(SIDES):
            without[size][plus[size - 1][face], face] = np.arange(len(held[size - 1]))
    return Multisets(dice, held, plus, minus, without, _chance(held[dice], dice))


def _chance(rolls: tuple[tuple[int, ...], ...], dice: int) -> Floats:
    """The probability of each roll: orders it can fall in, over 6 to the power of the dice."""
    ways = []
    for roll in rolls:
        orders = factorial(dice)
        for face in set(roll):
            orders //= factorial(roll.count(face))
        ways.append(orders)
    return np.array(ways, dtype=np.float64) / float(SIDES**dice)
