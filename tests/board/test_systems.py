"""Knockout, teams and seatings, played to the end by chance, against a few lines of their own."""

import random
from collections import Counter
from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from board import steps
from board.competition import Competition, Outcome, Spot, competitions
from board.drawing import next_round, rounds_planned
from board.hall import Evening
from board.pages.shown import shown
from board.reports import results
from board.standings import Break, breaks_of, standings
from board.steps import System


class Log:
    """A competition by its steps alone."""

    def __init__(self, system: System, teams: list[tuple[str, ...]], **more: int) -> None:
        self.steps: list[tuple[int, steps.Step]] = []
        self.add(steps.Open(title="Club", system=system, **more))
        for i, members in enumerate(teams):
            self.add(steps.Enter(name=f"p{i}", members=members))

    def add(self, step: steps.Step) -> None:
        self.steps.append((len(self.steps) + 1, step))

    @property
    def now(self) -> Competition:
        return competitions(self.steps)[-1]

    def draw(self) -> None:
        self.add(next_round(self.now, results(self.now, ()), ()))

    def score(self, spot: Spot, *points: int) -> None:
        self.add(steps.Score(round=spot.round, seating=spot.seating, game=spot.game, points=points))


@settings(max_examples=40, deadline=None)
@given(count=st.integers(2, 19), seed=st.integers(0, 10**6), absent=st.integers(0, 3))
def test_a_knockout_goes_as_its_lines_say(count: int, seed: int, absent: int):
    """Whoever wins of line k and its opposite, the k-th from the end, has line k in the next round."""
    chance = random.Random(seed)
    log = Log(System.KNOCKOUT, [()] * count)
    size = 1 << (count - 1).bit_length()
    lines: list[int | None] = [each if each < count else None for each in range(size)]
    gone: set[int] = set()
    assert rounds_planned(log.now) == size.bit_length() - 1
    while len(lines) > 1:
        log.draw()
        if len(gone) < min(absent, count - 2):  # after the draw: who is there now has the round
            gone.add(leaves := chance.choice([each for each in range(count) if each not in gone]))
            log.add(steps.Attend(entrant=leaves, absent=True))
        drawn, number = log.now.rounds[-1], len(log.now.rounds) - 1
        pairs = [(lines[k], lines[-1 - k]) for k in range(len(lines) // 2)]
        met = {frozenset(pair) for pair in pairs if None not in pair}
        assert {frozenset(each.entrants) for each in drawn.seatings} == met
        assert set(drawn.resting) == {
            next(each for each in pair if each is not None)
            for pair in pairs
            if (pair[0] is None) != (pair[1] is None)
        }
        won: dict[frozenset[int], int | None] = {}
        for place, seating in enumerate(drawn.seatings):
            there = [each for each in seating.entrants if each not in gone]
            if len(there) == 2:
                first = chance.random() < 0.5
                log.score(Spot(number, place), *((2, 1) if first else (1, 2)))
                won[frozenset(seating.entrants)] = seating.entrants[0 if first else 1]
            else:
                won[frozenset(seating.entrants)] = there[0] if there else None
        lines = [
            won[frozenset(pair)] if None not in pair else pair[0] if pair[1] is None else pair[1]
            for pair in pairs
        ]
    if lines[0] is not None:
        best = standings(log.now, results(log.now, ()))[0]
        assert (best.entrant, best.place) == (lines[0], 1)


@settings(max_examples=25, deadline=None)
@given(
    count=st.integers(2, 6), size=st.integers(2, 4), meetings=st.integers(1, 2), seed=st.integers(0, 10**6)
)
def test_teams_stand_by_their_matches_then_by_their_games(count: int, size: int, meetings: int, seed: int):
    chance = random.Random(seed)
    teams = [tuple(f"p{i} {member}" for member in range(size)) for i in range(count)]
    log = Log(System.ROUND_ROBIN, teams, meetings=meetings)
    matches, games = Counter[int](), Counter[int]()
    for _ in range(rounds_planned(log.now)):
        log.draw()
        number = len(log.now.rounds) - 1
        for place, seating in enumerate(log.now.rounds[-1].seatings):
            one, other = seating.entrants
            halves = Counter({one: 0, other: 0})
            for game in range(size):
                points = chance.choices((1, 2, 3), k=2)
                log.score(Spot(number, place, game), *points)
                halves[one] += (points[0] > points[1]) * 2 + (points[0] == points[1])
                halves[other] += (points[0] < points[1]) * 2 + (points[0] == points[1])
            games += halves
            matches[one] += (halves[one] > halves[other]) * 2 + (halves[one] == halves[other])
            matches[other] += (halves[one] < halves[other]) * 2 + (halves[one] == halves[other])
    rows = standings(log.now, results(log.now, ()))
    assert {row.entrant: (2 * row.score, 2 * row.breaks[0]) for row in rows} == {
        each: (matches[each], games[each]) for each in range(count)
    }
    order = [(row.score, *row.breaks) for row in rows]
    assert order == sorted(order, reverse=True)


@settings(max_examples=25, deadline=None)
@given(count=st.integers(2, 20), size=st.integers(2, 6), seed=st.integers(0, 10**6))
def test_seatings_are_even_and_everybody_behind_is_a_point(count: int, size: int, seed: int):
    chance = random.Random(seed)
    log = Log(System.SEATINGS, [()] * count, size=size, rounds=3)
    gone: set[int] = set()
    score = Counter[int]()
    for number in range(3):
        if count - len(gone) > 3 and chance.random() < 0.4:
            gone.add(leaves := chance.choice([each for each in range(count) if each not in gone]))
            log.add(steps.Attend(entrant=leaves, absent=True))
        log.draw()
        seatings = log.now.rounds[-1].seatings
        sizes = [len(each.entrants) for each in seatings]
        assert max(sizes) <= size
        assert max(sizes) - min(sizes) <= 1
        assert len(sizes) == -(-(count - len(gone)) // size)
        assert sorted(each for one in seatings for each in one.entrants) == sorted(set(range(count)) - gone)
        for place, seating in enumerate(seatings):
            points = chance.choices(range(1, 9), k=len(seating.entrants))
            log.score(Spot(number, place), *points)
            for one, other in combinations(range(len(points)), 2):
                for mine, theirs in ((one, other), (other, one)):
                    level = points[mine] == points[theirs]
                    score[seating.entrants[mine]] += 1 if level else 2 * (points[mine] > points[theirs])
    rows = standings(log.now, results(log.now, ()))
    assert {row.entrant: 2 * row.score for row in rows} == {each: score[each] for each in range(count)}
    assert all(each.how is Outcome.HAND for each in results(log.now, ()).values())


def played_out(
    log: Log, beats: dict[int, dict[int, list[tuple[int, int]]]]
) -> list[tuple[int, float, dict[Break, float]]]:
    """Who stands how after all rounds. beats: of two the points of the first and the other, at each table."""
    while len(log.now.rounds) < rounds_planned(log.now):
        log.draw()
    for spot, _ in log.now.games():
        one, other = log.now.rounds[spot.round].seatings[spot.seating].entrants
        first = other in beats.get(one, {})
        points = (beats[one][other] if first else beats[other][one])[spot.game]
        log.score(spot, *(points if first else points[::-1]))
    keys, rows = breaks_of(log.now), standings(log.now, results(log.now, ()))
    return [(row.entrant, row.score, dict(zip(keys, row.breaks, strict=True))) for row in rows]


def test_direct_encounter_is_applied_anew_to_those_it_leaves_level():
    """0, 1, 2 and 3 have three points each: of each other 0 and 1 have two, 2 and 3 have one.

    Wins and Sonneborn-Berger leave 0 and 1 level, and 2 and 3; who has lost their game has more points.
    """
    more = {1: 30, 3: 30}
    beats = {0: (1, 2, 5), 1: (2, 3, 5), 2: (3, 4, 5), 3: (0, 4, 5), 4: (0, 1), 5: (4,)}
    rows = played_out(
        log := Log(System.ROUND_ROBIN, [()] * 6),
        {
            one: {other: [(200 + more.get(one, 0), 100 + more.get(other, 0))] for other in others}
            for one, others in beats.items()
        },
    )
    assert [(each, score, row[Break.DIRECT], row[Break.AGAIN]) for each, score, row in rows] == [
        (0, 3.0, 2.0, 1.0), (1, 3.0, 2.0, 0.0), (2, 3.0, 1.0, 1.0), (3, 3.0, 1.0, 0.0),
        (4, 2.0, 0.0, 0.0), (5, 1.0, 0.0, 0.0),
    ]  # fmt: skip
    assert rows[0][2][Break.SONNEBORN] == rows[1][2][Break.SONNEBORN]
    evening = shown(Evening(log.now, results(log.now, ()), ()))
    assert evening.breaks == ("direct", "again", "wins", "sonneborn", "points")
    assert [row.breaks[:2] for row in evening.rows[:4]] == [(2.0, 1.0), (2.0, 0.0), (1.0, 1.0), (1.0, 0.0)]


def test_direct_encounter_is_of_those_whom_what_stands_before_it_leaves_level():
    """Three teams have won a match each. 2 has most games; of 0 and 1, who have as many, 0 has won."""
    win, level, loss = (200, 100), (150, 150), (100, 260)
    rows = played_out(
        log := Log(System.ROUND_ROBIN, [tuple(f"p{i} {member}" for member in range(4)) for i in range(3)]),
        {
            0: {1: [win, win, win, loss]},
            1: {2: [win, win, level, loss]},
            2: {0: [win, win, win, level]},
        },
    )
    assert [(each, score, row[Break.BOARDS], row[Break.DIRECT]) for each, score, row in rows] == [
        (2, 1.0, 5.0, 0.0), (0, 1.0, 3.5, 1.0), (1, 1.0, 3.5, 0.0),
    ]  # fmt: skip
    evening = shown(Evening(log.now, results(log.now, ()), ()))
    assert evening.breaks == ("boards", "direct", "wins", "sonneborn", "points"), "nothing was left to it"


def test_in_a_round_robin_a_game_lost_by_absence_is_one_against_who_was_to_be_met():
    log = Log(System.ROUND_ROBIN, [()] * 4)
    for _ in range(3):
        log.draw()
    stronger = {(3, 0), (3, 1), (0, 1), (1, 2), (2, 0)}  # 2 and 3 do not come to play theirs
    for spot, _ in log.now.games():
        one, other = log.now.rounds[spot.round].seatings[spot.seating].entrants
        if {one, other} != {2, 3}:
            log.score(spot, *((9, 5) if (one, other) in stronger else (5, 9)))
    log.add(steps.Attend(entrant=3, absent=True))
    first, second, *_ = standings(log.now, results(log.now, ()))
    found = [dict(zip(breaks_of(log.now), each.breaks, strict=True)) for each in (first, second)]
    assert [(each.entrant, each.score, each.played) for each in (first, second)] == [(2, 2.0, 2), (3, 2.0, 2)]
    assert [(each[Break.DIRECT], each[Break.SONNEBORN]) for each in found] == [(1.0, 3.0), (0.0, 2.0)]


def test_who_won_the_final_is_first_though_an_earlier_result_was_set_right():
    log = Log(System.KNOCKOUT, [()] * 4)
    log.draw()
    assert [each.entrants for each in log.now.rounds[0].seatings] == [(0, 3), (1, 2)]
    for place in (0, 1):
        log.score(Spot(0, place), 200, 190)
    log.draw()
    log.score(Spot(0, 0), 200, 490)  # too late: 0 plays the final
    log.score(Spot(1, 0), 200, 190)
    rows = standings(log.now, results(log.now, ()))
    assert [(row.entrant, row.score) for row in rows] == [(0, 2.0), (1, 1.0), (3, 0.0), (2, 0.0)]
