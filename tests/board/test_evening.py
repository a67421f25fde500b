"""Results, standings and rounds: cases one can follow on paper."""

import json
from pathlib import Path

import pytest

from board import steps
from board.competition import ResultSource
from board.hall import UNCLAIMED_MAX, Hall
from board.reports import unclaimed
from board.standings import BREAKS, Break, standings
from board.steps import System
from messages.catalogue import text
from messages.errors import RefusalError
from station.contract import commands
from station.integrations.outbox import Outbox
from station.store import Store
from station.table.table import Table
from tests.board.telling import game_over, open_hall, state, undo


@pytest.fixture
def hall(tmp_path: Path):
    opened, kept = open_hall(tmp_path)
    yield opened
    kept.close()


def begin(hall: Hall, system: System, *names: str, **more: int) -> None:
    hall.take(steps.Open(title="Club", system=system, **more))
    for name in names:
        team, _, members = name.partition(":")
        hall.take(steps.Enter(name=team, members=tuple(filter(None, members.split(",")))))


def score(
    hall: Hall, round_: int, seating: int, *points: int, winners: tuple[int, ...] = (), game: int = 0
) -> None:
    hall.take(steps.SetResult(round=round_, seating=seating, game=game, points=points, winners=winners))


def names(hall: Hall, round_: int = -1) -> list[str]:
    competition = hall.evening.competition
    return [
        "-".join(competition.entrant(each).name for each in one.entrants)
        for one in competition.rounds[round_].seatings
    ]


def table(hall: Hall) -> list[tuple[int, str, float, dict[Break, float]]]:
    evening = hall.evening
    keys = (*((Break.BOARDS,) if evening.competition.teams else ()), *BREAKS[evening.competition.system])
    return [
        (
            row.place,
            evening.competition.entrant(row.entrant).name,
            row.score,
            dict(zip(keys, row.breaks, strict=True)),
        )
        for row in standings(evening.competition, evening.results)
    ]


def points(hall: Hall) -> list[tuple[int, ...] | None]:
    """Of every game that has a result."""
    return [each.points for each in hall.evening.results.values()]


def refused(hall: Hall, step: steps.Step) -> str:
    with pytest.raises(RefusalError) as refusal:
        hall.take(step)
    return refusal.value.code


def test_a_swiss_evening_on_paper(hall: Hall):
    begin(hall, System.SWISS, "Ana", "Ben", "Cleo", "Dora", "Emil", rounds=3)
    hall.draw()
    assert names(hall) == ["Ana-Cleo", "Ben-Dora"]
    assert refused(hall, steps.Enter(name=" ana "))
    with pytest.raises(RefusalError, match="a result"):
        hall.draw()
    score(hall, 0, 0, 200, 100)
    score(hall, 0, 1, 150, 150)
    hall.draw()
    # Cleo is the lowest who has not rested; Ana and Emil lead, but then Ben and Dora would meet again.
    assert names(hall) == ["Ana-Ben", "Emil-Dora"]
    score(hall, 1, 0, 100, 90)
    hall.take(steps.Attend(entrant=4, absent=True))
    hall.draw()  # Emil left: Dora has the point, for good
    hall.take(steps.Attend(entrant=4, absent=False))
    assert [each.how for each in hall.evening.results.values()].count(ResultSource.FORFEIT) == 1
    assert names(hall) == ["Ana-Dora", "Cleo-Ben"]
    rows = table(hall)
    assert [row[1:3] for row in rows] == [
        ("Ana", 2.0),
        ("Dora", 1.5),
        ("Cleo", 1.0),
        ("Emil", 1.0),
        ("Ben", 0.5),
    ]
    ana, dora, emil = (rows[each][3] for each in (0, 1, 3))
    assert (ana[Break.BUCHHOLZ], ana[Break.BUCHHOLZ_CUT], ana[Break.SONNEBORN]) == (1.5, 1.0, 1.5)
    assert ana[Break.POINTS] == 300
    assert emil[Break.BUCHHOLZ] == 3.0  # three rounds without a game: against the own score each
    assert emil[Break.SONNEBORN] == 1.0  # and one of them was won
    assert dora[Break.SONNEBORN] == 1.75  # half of Ben's score, and the own one for Emil's absence


@pytest.mark.parametrize("points", [(300,), None])
def test_who_sits_alone_at_tables_of_two_has_not_won(hall: Hall, points: tuple[int, ...] | None):
    begin(hall, System.SEATINGS, "Ana", "Ben", "Cleo", size=2)
    hall.draw()
    alone = names(hall).index("Ben")
    score(hall, 0, 1 - alone, 6, 6)
    hall.take(steps.SetResult(round=0, seating=alone, points=points, winners=(0,), size=1))
    assert {row[1]: row[3][Break.WINS] for row in table(hall)} == {"Ana": 0, "Ben": 0, "Cleo": 0}


def test_steps_that_cannot_be_are_refused_and_undo_takes_the_last_back(hall: Hall):
    assert refused(hall, steps.Enter(name="Ana")) == "board/none_open"
    assert refused(hall, steps.UndoStep()) == "board/nothing_to_undo"
    with pytest.raises(RefusalError) as nothing_open:
        hall.draw()
    assert nothing_open.value.code == "board/none_open"
    begin(hall, System.ROUND_ROBIN, "Ana", "Ben")
    assert refused(hall, steps.MoveGame(round=0, seating=0, table="x")) == "board/no_such_game"
    assert refused(hall, steps.Shuffle(order=(0, 0))) == "board/unknown_entrant"
    assert refused(hall, steps.Attend(entrant=7, absent=True)) == "board/unknown_entrant"
    hall.take(steps.Shuffle(order=(1, 0)))
    assert [each.name for each in hall.evening.competition.entrants] == ["Ben", "Ana"]
    hall.draw(["t1"])
    assert refused(hall, steps.Enter(name="Cleo")) == "board/begun"
    assert refused(hall, steps.TakeResult(round=0, seating=0, station="attic", number=9)) == "board/no_report"
    hall.take(steps.MoveGame(round=0, seating=0, table="garden"))
    assert hall.evening.competition.rounds[0].seatings[0].tables == ("garden",)
    for _ in range(6):
        hall.take(steps.UndoStep())
    assert hall.evening.competition is None
    begin(hall, System.SWISS, "Ana")
    begin(hall, System.KNOCKOUT, "Ben")
    assert [each.system for each in hall.evening.past] == [System.SWISS]
    assert unclaimed(hall.evening.competition, (), ()) == ()


def test_of_many_games_that_nobody_claims_the_latest_are_shown(hall: Hall):
    begin(hall, System.ROUND_ROBIN, "Ana", "Ben")
    for game in range(UNCLAIMED_MAX + 2):
        hall.receive([game_over("attic", game, game, {"Xenia": 1, "Yann": 2})])
    assert [each.number for each in hall.evening.unclaimed] == [*range(UNCLAIMED_MAX + 1, 1, -1)]


def test_a_correction_of_a_finished_game_that_is_taken_back_leaves_its_result(hall: Hall, tmp_path: Path):
    """From a real table, by what its outbox tells."""
    store = Store(tmp_path / "station")
    outbox = Outbox(store, "mqtt", "en")
    table = Table(store)
    table.execute(commands.StartGame.model_validate({"players": ["Ana", "Ben"], "rules": "yacht-1938"}))
    for row in table.snapshot().categories:
        for _ in range(2):
            table.execute(commands.EnterRoll(faces=(1, 2, 3, 4, 6)))
            table.execute(commands.ScoreBox(category=row.category))
    begin(hall, System.ROUND_ROBIN, "Ana", "Ben")
    hall.draw()

    def reported() -> list[tuple[int, ...] | None]:
        while steps_ := outbox.waiting():
            for step in steps_:
                outbox.delivered(step)
                found = [(each.kind, json.dumps(each.to_json(late=True))) for each in step.events]
                hall.receive((f"yacht/1/attic/event/{kind}", payload.encode()) for kind, payload in found)
        return points(hall)

    (before,) = reported()
    table.execute(commands.CorrectBox(player=0, category="yacht", faces=(6, 6, 6, 6, 6)))
    assert reported() == [(before[0] + 50, before[1])]
    table.execute(commands.Undo())
    assert reported() == [before]
    table.execute(commands.Undo())  # the last box
    assert reported() == []
    table.close()
    store.close()


@pytest.mark.parametrize("event", [5, 12])
def test_a_cloned_table_takes_no_result_away(hall: Hall, event: int):
    """Two stations from one copied card: same name, same numbers of games, and events that interleave."""
    begin(hall, System.ROUND_ROBIN, "Ana", "Ben", "Cleo", "Dan")
    hall.draw()
    first, second = (each.split("-") for each in names(hall))
    over = [
        game_over("attic", 9, 7, {first[0]: 5, first[1]: 6}),
        game_over("attic", event, 7, {second[0]: 8, second[1]: 7}),
    ]
    for _ in range(2):  # all of it comes twice
        hall.receive(over)
    assert sorted(points(hall)) == [(5, 6), (8, 7)]
    notices = [text(each.message, "en") for each in hall.notices.checks()]
    assert any("Two tables are called attic" in line for line in notices)
    hall.receive([undo("attic", 40, 7, {second[0]: 0, second[1]: 7})])
    assert points(hall) == [(5, 6)]
    hall.receive([game_over("attic", 41, 7, {second[0]: 9, second[1]: 7})])
    assert sorted(points(hall)) == [(5, 6), (9, 7)]


def test_tables_that_are_there_get_the_games_in_the_order_in_which_people_count(hall: Hall):
    begin(hall, System.ROUND_ROBIN, "Ana", "Ben", "Cleo", "Dan", "Eve", "Finn")
    there = [(f"yacht/1/{table}/availability", b"online") for table in ("kitchen", "hall-10", "hall-9")]
    hall.receive([*there, ("yacht/1/attic/availability", b"offline")])
    hall.draw()
    seatings = hall.evening.competition.rounds[0].seatings
    assert [each.tables for each in seatings] == [("hall-9",), ("hall-10",), ("kitchen",)]


def test_a_table_that_plays_at_another_home_gets_no_game(hall: Hall):
    begin(hall, System.ROUND_ROBIN, "Ana", "Ben", "Cleo", "Dan")
    online = [(f"yacht/1/{table}/availability", b"online") for table in ("attic", "cellar", "garden")]
    playing, over = {"Eve": 3, "Finn": 0}, {"finished": True, "phase": "finished"}
    hall.receive([*online, state("attic", 3, playing, game_id=""), state("cellar", 3, playing, game_id="b")])
    hall.receive([state("garden", 3, playing, game_id="", **over)])
    hall.draw()
    competition = hall.evening.competition
    assert competition is not None
    assert [each.tables for each in competition.rounds[0].seatings] == [("cellar",), ("garden",)]
