"""The hall while its store is away: nothing is shown that is not so, and nothing is done twice."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from board import steps
from board.hall import Hall
from board.steps import System
from board.store import BoardLog, SqliteFile
from messages.errors import RefusalError, StoreError
from tests.board.telling import game_over, state
from tests.board.wavering import Wavering


@pytest.fixture
def line(tmp_path: Path) -> Iterator[Wavering]:
    opened = Wavering(SqliteFile(tmp_path))
    yield opened
    opened.close()


@pytest.fixture
def hall(line: Wavering) -> Hall:
    """Ana and Ben meet."""
    made = Hall(BoardLog(line))
    made.take(steps.Open(title="Club", system=System.ROUND_ROBIN))
    made.take(steps.Enter(name="Ana"), steps.Enter(name="Ben"))
    made.draw()
    return made


def test_who_reports_nothing_waits_for_no_store(hall: Hall, line: Wavering):
    """A listener would take it for a broken connection, and leave all tables alone for a while."""
    over = game_over("attic", 5, 1, {"Ana": 7, "Ben": 6})
    line.away_in = 1
    with pytest.raises(StoreError):
        hall.receive([over])
    hall.receive([state("cellar", 1, {"Cleo": 1}), ("yacht/1/cellar/availability", b"online")])
    assert [(each.table, each.there) for each in hall.tables()] == [("cellar", True)]
    line.away_in = None
    hall.receive([over])
    assert [each.points for each in hall.evening.results.values()] == [(7, 6)]


@pytest.mark.parametrize("answered", [1, 2])
def test_a_step_that_was_kept_in_a_gap_is_not_taken_again(hall: Hall, line: Wavering, answered: int):
    """Whoever presses once more sees the same page still, and so means the same step."""
    shown, last = hall.evening, hall.last_step
    line.away_in = answered
    with pytest.raises(StoreError):
        hall.take(steps.UndoStep(), after=last)
    assert hall.evening == shown
    line.away_in = None
    with pytest.raises(RefusalError) as again:
        hall.take(steps.UndoStep(), after=hall.last_step)
    assert again.value.code == "board/moved_on"
    competition = hall.evening.competition
    assert competition is not None
    assert (len(competition.rounds), len(competition.entrants)) == (0, 2)


@pytest.mark.parametrize(
    "step", [steps.Attend(entrant=0, absent=True), steps.SetResult(round=0, seating=0, points=(3, 2))]
)
def test_nor_is_one_after_which_all_have_their_places(hall: Hall, line: Wavering, step: steps.Step):
    """What others did beside it is no reason to refuse it; that it was done is."""
    last, line.away_in = hall.last_step, 1
    with pytest.raises(StoreError):
        hall.take(step, after=last)
    line.away_in = None
    with pytest.raises(RefusalError) as again:
        hall.take(step, after=last)
    assert again.value.code == "board/moved_on"
    hall.take(steps.Attend(entrant=1, absent=True), after=last)
    assert hall.last_step == last + 2


def test_what_is_read_anew_in_a_gap_is_not_half_of_it(hall: Hall, line: Wavering):
    shown, last = hall.evening, hall.last_step
    line.away_in = 2
    with pytest.raises(StoreError):
        hall.take(steps.UndoStep(), after=last)
    line.away_in = 1  # the steps are read, the games are not
    with pytest.raises(StoreError):
        hall.receive([game_over("attic", 5, 1, {"Ana": 7, "Ben": 6})])
    assert (hall.evening, hall.last_step) == (shown, last)


@pytest.mark.parametrize("asks", ["a report", "a step", "a page"])
def test_what_another_board_kept_in_a_gap_is_known(hall: Hall, line: Wavering, asks: str):
    """The database is let go of with the line to it: another board may have it until it is back."""
    over = game_over("attic", 5, 1, {"Xenia": 7, "Yann": 6})
    competition = hall.evening.competition
    assert competition is not None

    def does() -> None:
        if asks == "a report":
            hall.receive([over])
        elif asks == "a step":
            hall.take(steps.TakeResult(round=0, seating=0, station="attic", number=1))
        else:
            hall.past(competition.number)

    if asks == "a step":
        hall.receive([over])
    line.away_in = 0
    with pytest.raises(StoreError):
        does()
    Hall(BoardLog(line.database)).take(steps.Attend(entrant=1, absent=True))
    line.away_in = None
    hall.take(steps.MoveGame(round=0, seating=0, table="garden"))
    now = hall.evening.competition
    assert now is not None
    assert (now.entrant(1).absent, now.rounds[0].seatings[0].tables) == (True, ("garden",))


def test_a_next_competition_holds_what_its_log_says(hall: Hall, line: Wavering):
    """Games of the competition before stayed in memory until the store was read anew."""
    for number, players in enumerate((("Xenia", "Yann"), ("Ana", "Ben")), start=1):
        hall.receive([game_over("attic", number, number, dict.fromkeys(players, 1))])
    hall.take(steps.Open(title="Cup", system=System.SWISS), steps.Enter(name="Ana"), steps.Enter(name="Ben"))
    assert Hall(BoardLog(line.database)).evening == hall.evening
    over = game_over("cellar", 1, 1, {"Xenia": 5, "Yann": 6})
    line.away_in = 0
    with pytest.raises(StoreError):
        hall.receive([over])
    line.away_in = None
    hall.receive([over])
    assert Hall(BoardLog(line.database)).evening == hall.evening
