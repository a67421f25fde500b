"""Who stands before whom where the score is level, in competitions played to the end by their steps alone."""

from board import steps
from board.competition import Competition, Spot, competitions
from board.drawing import next_round, rounds_planned
from board.hall import BoardEvening
from board.pages.evening_view import evening_view
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
        self.add(steps.SetResult(round=spot.round, seating=spot.seating, game=spot.game, points=points))


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
    evening = evening_view(BoardEvening(log.now, results(log.now, ()), ()))
    assert evening.breaks == ("direct", "again", "wins", "sonneborn", "points")
    assert [row.breaks[:2] for row in evening.rows[:4]] == [(2.0, 1.0), (2.0, 0.0), (1.0, 1.0), (1.0, 0.0)]


def test_direct_encounter_is_of_those_whom_what_stands_before_it_leaves_level():
    """Three teams have won a match each. 2 has most games; of 0 and 1, who have as many, 0 has won."""
    win, level, loss = (200, 100), (150, 150), (100, 260)
    rows = played_out(
        log := Log(System.ROUND_ROBIN, [tuple(f"p{i} {member}" for member in range(4)) for i in range(3)]),
        {0: {1: [win, win, win, loss]}, 1: {2: [win, win, level, loss]}, 2: {0: [win, win, win, level]}},
    )
    assert [(each, score, row[Break.BOARDS], row[Break.DIRECT]) for each, score, row in rows] == [
        (2, 1.0, 5.0, 0.0), (0, 1.0, 3.5, 1.0), (1, 1.0, 3.5, 0.0),
    ]  # fmt: skip
    evening = evening_view(BoardEvening(log.now, results(log.now, ()), ()))
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
