"""The board's evening on a real PostgreSQL: as on SQLite, over its kill, and never by two at once."""

from pathlib import Path

import pytest

from messages.errors import StoreError
from station.board import steps
from station.board.hall import Hall
from station.board.steps import System
from station.config import parse
from station.store import postgresql
from station.store.board_log import BoardLog
from station.store.postgresql import PostgresqlServer
from tests.board.postgresql import Postgresql, needed
from tests.board.telling import game_over, undo

pytestmark = [needed, pytest.mark.slow]


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that is there is reached, however slow the machine is."""
    monkeypatch.setattr(postgresql, "CONNECT_S", 60)


def test_an_evening_is_kept_over_the_kill_of_the_server(tmp_path: Path):
    with Postgresql() as server:
        kept = BoardLog(PostgresqlServer(server.url, server.password_file))
        assert kept.fact("code", "1") == kept.fact("code", "2") == "1"
        hall = Hall(kept)
        hall.take(steps.Open(title="Läga ½", system=System.ROUND_ROBIN), steps.Enter(name="Ana"))
        hall.take(steps.Enter(name="Ben"))
        hall.draw(["attic"])
        hall.hear(
            [game_over("attic", 5, 1, {"Ana": 7, "Ben": 6}), game_over("attic", 5, 1, {"Ana": 7, "Ben": 6})]
        )
        with pytest.raises(StoreError) as second:
            PostgresqlServer(server.url, server.password_file)
        assert second.value.code == "store/in_use"
        server.kill()
        with pytest.raises(StoreError) as away:
            hall.hear([undo("attic", 6, 1)])
        assert away.value.message.key == "board/store/unreachable"
        assert [each.points for each in hall.evening.results.values()] == [(7, 6)]
        server.start()
        hall.hear([undo("attic", 6, 1), game_over("attic", 9, 1, {"Ana": 1, "Ben": 2})])
        hall.take(steps.Move(round=0, seating=0, table="garden"))
        kept.close()
        kept = BoardLog(PostgresqlServer(server.url, server.password_file))
        evening = Hall(kept).evening
        assert evening.competition == hall.evening.competition
        assert [each.points for each in evening.results.values()] == [(1, 2)]
        assert [each.key for each in kept.known([("attic", 1), ("attic", 2)])] == [("attic", 1)]
        kept.close()
        wrong = tmp_path / "wrong"
        wrong.write_text("wrong")
        with pytest.raises(StoreError, match="password authentication failed"):
            PostgresqlServer(server.url, wrong)
        with pytest.raises(StoreError, match="cannot be read"):
            PostgresqlServer(server.url, tmp_path / "none")


def test_an_address_with_a_password_in_it_is_none():
    with pytest.raises(ValueError, match="no address such as"):
        parse({"board": {"database": "postgresql://yacht:secret@league/yacht"}})
    assert parse({"board": {"database": "postgresql://yacht@league/yacht"}}).board.database
