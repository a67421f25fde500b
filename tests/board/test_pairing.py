"""Who meets whom: the tables of the books, and a small model that knows nothing of how pairings are found."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from board import pairing
from board.pairing import bracket, round_robin, rounds_of, seatings, swiss, wishes

# FIDE Handbook C.05, annex 1: the Berger tables, 3 or 4 and 5 or 6 players.
BERGER_4 = ("1-4 2-3", "4-3 1-2", "2-4 3-1")
BERGER_6 = ("1-6 2-5 3-4", "6-4 5-3 1-2", "2-6 3-1 4-5", "6-5 1-4 2-3", "3-6 4-2 5-1")


@pytest.mark.parametrize("table", [BERGER_4, BERGER_6])
def test_a_round_robin_is_the_table_of_the_book(table: tuple[str, ...]):
    count = len(table) + 1
    found = [
        " ".join(f"{a + 1}-{b + 1}" for a, b in round_robin(count, number)[0]) for number in range(count - 1)
    ]
    assert found == list(table)


@given(st.integers(2, 30), st.integers(1, 3))
def test_in_a_round_robin_everybody_meets_everybody_as_often(count: int, meetings: int):
    met: Counter[frozenset[int]] = Counter()
    rested: Counter[int] = Counter()
    for number in range(rounds_of(count, meetings)):
        pairs, resting = round_robin(count, number)
        assert sorted([each for pair in pairs for each in pair] + list(resting)) == list(range(count))
        met.update(map(frozenset, pairs))
        rested.update(resting)
    assert dict(met) == {frozenset(pair): meetings for pair in combinations(range(count), 2)}
    assert dict(rested) == (dict.fromkeys(range(count), meetings) if count % 2 else {})


def test_the_highest_seeds_meet_last_in_a_knockout():
    assert bracket(8) == (0, 7, 3, 4, 1, 6, 2, 5)
    assert bracket(6) == (0, None, 3, 4, 1, None, 2, 5)


def matchings(there: list[int]) -> Iterator[list[tuple[int, int]]]:
    """Every way to pair them."""
    if not there:
        yield []
        return
    top, others = there[0], there[1:]
    for partner in others:
        for rest in matchings([each for each in others if each != partner]):
            yield [(top, partner), *rest]


def order_of(pairs: list[tuple[int, int]], ranking: list[int], score: dict[int, float]) -> list[int]:
    """How far down the wishes of each, the highest-ranked first, a pairing is."""
    left, found = list(ranking), []
    for top, partner in pairs:
        others = [each for each in left if each != top]
        found.append(list(wishes(top, others, score.__getitem__)).index(partner))
        left = [each for each in others if each != partner]
    return found


@settings(max_examples=60)
@given(
    st.lists(st.sampled_from([0.0, 1.0, 2.0]), min_size=2, max_size=7),
    st.sets(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=14),
    st.sets(st.integers(0, 6), max_size=3),
)
def test_of_all_pairings_the_swiss_system_takes_the_first_by_rank(
    scores: list[float], past: set[tuple[int, int]], byes: set[int]
):
    score = dict(enumerate(scores))
    ranking = sorted(score, key=lambda each: (-score[each], each))
    met = {frozenset(pair) for pair in past if pair[0] != pair[1]}

    def twice(pairs: list[tuple[int, int]]) -> int:
        return max((frozenset(pair) in met for pair in pairs), default=0)

    pairs, resting = swiss(
        ranking, score.__getitem__, lambda a, b: int(frozenset((a, b)) in met), lambda each: int(each in byes)
    )
    candidates = []
    for bye in reversed(ranking) if len(ranking) % 2 else [None]:
        there = [each for each in ranking if each != bye]
        for every in matchings(there):
            again = bye in byes and not byes >= set(ranking)
            place = 0 if bye is None else ranking[::-1].index(bye)
            candidates.append(((twice(every), again, place, order_of(every, there, score)), every, bye))
    best = min(candidates, key=lambda each: each[0])
    assert (list(pairs), resting) == (best[1], () if best[2] is None else (best[2],))


def test_a_swiss_system_of_two_hundred_goes_on_for_eleven_rounds():
    met: Counter[frozenset[int]] = Counter()
    score = dict.fromkeys(range(201), 0.0)
    rested: Counter[int] = Counter()
    for _ in range(11):
        ranking = sorted(score, key=lambda each: (-score[each], each))
        pairs, resting = swiss(
            ranking, score.__getitem__, lambda a, b: met[frozenset((a, b))], rested.__getitem__
        )
        met.update(map(frozenset, pairs))
        rested.update(resting)
        for one, other in pairs:
            score[min(one, other)] += 1.0
        score[resting[0]] += 1.0
    assert set(met.values()) == {1}
    assert set(rested.values()) == {1}


def test_where_the_first_takes_too_long_another_is_found(monkeypatch: pytest.MonkeyPatch):
    met = {frozenset(pair) for pair in combinations(range(9), 2)} - {
        frozenset((8, each)) for each in range(9)
    }
    allowed = [(each, each + 9) for each in range(9)]
    met |= {frozenset((a, b)) for a in range(9) for b in range(9, 18)} - set(map(frozenset, allowed))
    arguments = (range(18), lambda _: 0.0, lambda a, b: int(frozenset((a, b)) in met), lambda _: 0)
    straight = swiss(*arguments)
    monkeypatch.setattr(pairing, "TRIES_MAX", 12)
    assert swiss(*arguments)[1] == straight[1] == ()
    assert not met & {frozenset(pair) for pair in swiss(*arguments)[0]}


def test_sixteen_at_four_tables_sit_with_somebody_new_for_some_rounds():
    met: Counter[frozenset[int]] = Counter()
    for _ in range(3):
        tables = seatings(range(16), 4, lambda a, b: met[frozenset((a, b))])
        assert sorted(each for table in tables for each in table) == list(range(16))
        assert [len(table) for table in tables] == [4, 4, 4, 4]
        met.update(frozenset(pair) for table in tables for pair in combinations(table, 2))
    assert max(met.values()) <= 2
    assert sum(count > 1 for count in met.values()) <= 6
