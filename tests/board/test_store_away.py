"""The hall while its store is away: what `test_model.Gaps` does not do."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from board import steps
from board.hall import Hall
from board.steps import System
from board.store import BoardLog, SqliteFile
from messages.errors import RefusalError, StoreError
from tests.board.telling import game_over
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


@pytest.mark.parametrize("away_in", range(4))
def test_names_that_are_sent_together_are_kept_together(hall: Hall, line: Wavering, away_in: int):
    """Whoever gets no answer presses once more."""
    hall.take(steps.Open(title="Cup", system=System.SWISS))
    names = ["Cleo", "Dora", "Emil"]
    for where in (away_in, None):
        line.away_in = where
        with suppress(StoreError, RefusalError):
            hall.take(*(steps.Enter(name=each) for each in names))
    now = hall.evening.competition
    assert now is not None
    assert [each.name for each in now.entrants] == names
