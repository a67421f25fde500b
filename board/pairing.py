"""Pairings of the next round. Pure; the sources of each system are at its function.

Everywhere an entrant is its number in the order of entry, which is the order of seeds too.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import combinations

Pair = tuple[int, int]

TRIES_MAX = 20_000
"""Steps of the search for a pairing after which people may meet again."""


def round_robin(count: int, number: int) -> tuple[tuple[Pair, ...], tuple[int, ...]]:
    """Round `number` (from 0) of a round robin of `count`, and who rests.

    The circle method, which gives the Berger tables (FIDE Handbook C.05, annex 1): the last one stays, the
    others move on by half the circle. Rounds beyond the first cycle repeat it with places exchanged.

    >>> round_robin(4, 0), round_robin(4, 1), round_robin(3, 0)
    ((((0, 3), (1, 2)), ()), (((3, 2), (0, 1)), ()), (((1, 2),), (0,)))
    """
    even = count + count % 2
    cycle, turn = divmod(number, even - 1)
    moved = turn * (even // 2) % (even - 1)
    circle = [(each + moved) % (even - 1) for each in range(even - 1)]
    first = (circle[0], even - 1)
    pairs = [first if turn % 2 == 0 else first[::-1]]
    pairs += [(circle[i], circle[-i]) for i in range(1, even // 2)]
    if cycle % 2:
        pairs = [pair[::-1] for pair in pairs]
    resting = tuple(each for pair in pairs if count in pair for each in pair if each != count)
    return tuple(pair for pair in pairs if count not in pair), resting if count % 2 else ()


def rounds_of(count: int, meetings: int) -> int:
    """Rounds of a round robin.

    >>> rounds_of(4, 1), rounds_of(5, 1), rounds_of(4, 2), rounds_of(0, 1)
    (3, 5, 6, 0)
    """
    return max(count + count % 2 - 1, 0) * meetings


def swiss(
    ranking: Sequence[int],
    score: Callable[[int], float],
    met: Callable[[int, int], int],
    rested: Callable[[int], int],
) -> tuple[tuple[Pair, ...], tuple[int, ...]]:
    """The next round of a Swiss system, and who rests.

    ranking: those who are there, by score, then seed. met: how often two have met. rested: how often somebody
    had nobody to play.

    After FIDE's Dutch system (Handbook C.04.3), as far as dice have it, which know no colours: equal scores
    form a bracket, whose upper half S1 meets its lower half S2 in order; where two have met before, S2 is
    transposed, then S1 and S2 exchange, then somebody floats to the next bracket. The highest-ranked is
    served first, then the next: of all pairings that are allowed it is the first in the order of `wishes`.
    Nobody meets twice and nobody rests twice while there is another way; the bye goes to the lowest-ranked
    that leaves the others a pairing.
    """
    byes: list[int] | list[None] = [None]
    if len(ranking) % 2:
        fewest = min(rested(each) for each in ranking)
        lowest = list(reversed(ranking))
        byes = [each for each in lowest if rested(each) == fewest]
        byes = [*byes, *(each for each in lowest if rested(each) > fewest)]
    most = max((met(a, b) for a, b in combinations(ranking, 2)), default=0)
    for again in range(most + 1):
        for bye in byes:
            there = [each for each in ranking if each != bye]
            found = _first(there, score, partial(_fewer, met, again))
            if found is not None:
                return found, () if bye is None else (bye,)
    return (), tuple(ranking)  # one alone


def _fewer(met: Callable[[int, int], int], most: int, one: int, other: int) -> bool:
    return met(one, other) <= most


def _first(
    ranking: Sequence[int], score: Callable[[int], float], allowed: Callable[[int, int], bool]
) -> tuple[Pair, ...] | None:
    """The first pairing in the order of wishes; None where there is none."""
    left = [TRIES_MAX]

    def search(there: list[int]) -> list[Pair] | None:
        if not there:
            return []
        top, others = there[0], there[1:]
        for partner in wishes(top, others, score):
            if not allowed(top, partner):
                continue
            left[0] -= 1
            if left[0] < 0:
                return None
            rest = search([each for each in others if each != partner])
            if rest is not None:
                return [(top, partner), *rest]
        return None

    found = search(list(ranking))
    if found is None and left[0] < 0:
        found = _tightest(list(ranking), allowed)
    return None if found is None else tuple(found)


def wishes(top: int, others: Sequence[int], score: Callable[[int], float]) -> Iterator[int]:
    """Whom the highest-ranked of those left would meet, best first: S2 from its place on, S1, then floaters.

    >>> list(wishes(0, [1, 2, 3, 4, 5], lambda each: 1.0 if each < 4 else 0.0))
    [2, 3, 1, 4, 5]
    """
    bracket = [each for each in others if score(each) == score(top)]
    half = len(bracket) // 2
    yield from bracket[half:]
    yield from reversed(bracket[:half])
    yield from others[len(bracket) :]


def _tightest(there: list[int], allowed: Callable[[int, int], bool]) -> list[Pair] | None:
    """Some pairing, where the first in order takes too long to find: the fewest choices go first."""
    left = TRIES_MAX
    free = {each: [other for other in there if other != each and allowed(each, other)] for each in there}

    def search(pairs: list[Pair], gone: set[int]) -> list[Pair] | None:
        nonlocal left
        left -= 1
        waiting = [each for each in there if each not in gone]
        if not waiting or left < 0:
            return pairs if not waiting else None
        choices = {each: [other for other in free[each] if other not in gone] for each in waiting}
        tight = min(waiting, key=lambda each: len(choices[each]))
        for other in choices[tight]:
            pair = (tight, other) if there.index(tight) < there.index(other) else (other, tight)
            found = search([*pairs, pair], gone | {tight, other})
            if found is not None:
                return found
        return None

    found = search([], set())
    return None if found is None else sorted(found, key=lambda pair: there.index(pair[0]))


def bracket(count: int) -> tuple[int | None, ...]:
    """The seeds of a knockout in the order of its lines; None where the other one goes on without a game.

    The usual seeding: the first and the second seed can only meet in the final, and the highest seeds have
    the byes.

    >>> bracket(4), bracket(3)
    ((0, 3, 1, 2), (0, None, 1, 2))
    """
    order = [0]
    while len(order) < count:
        size = 2 * len(order)
        order = [each for seed in order for each in (seed, size - 1 - seed)]
    return tuple(seed if seed < count else None for seed in order)


def seatings(there: Sequence[int], size: int, met: Callable[[int, int], int]) -> tuple[tuple[int, ...], ...]:
    """Tables of at most `size`, as even as can be, where as few as possible sit together again.

    Those who have met least are seated first, then any two change places while that brings fewer meetings,
    a second meeting counting more than two first ones. Not always the fewest there could be.

    >>> seatings(range(5), 3, lambda a, b: 0)
    ((0, 2, 4), (1, 3))
    """
    count = -(-len(there) // size)
    tables: list[list[int]] = [[] for _ in range(count)]
    for place, each in enumerate(there):
        least = min(map(len, tables))
        open_ = [table for table in tables if len(table) == least]
        best = min(open_, key=lambda table: sum(met(each, other) for other in table))
        (best if place else tables[0]).append(each)
    _exchange(tables, met)
    return tuple(tuple(sorted(table, key=there.index)) for table in tables)


def _exchange(tables: list[list[int]], met: Callable[[int, int], int]) -> None:
    """Exchange two players as long as that reduces the meetings."""

    def cost(table: Sequence[int]) -> int:
        return sum((met(a, b) + 1) ** 2 for a, b in combinations(table, 2))

    def better() -> bool:
        for one, two in combinations(tables, 2):
            before = cost(one) + cost(two)
            for i in range(len(one)):
                for j in range(len(two)):
                    one[i], two[j] = two[j], one[i]
                    if cost(one) + cost(two) < before:
                        return True
                    one[i], two[j] = two[j], one[i]
        return False

    while better():
        pass
