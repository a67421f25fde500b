"""What tables say, all of it from outside: nonsense is a sentence in health, and nothing counts twice."""

import json
import random
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from board.hall import Hall
from board.notices import Notices
from board.store import BoardLog, SqliteFile
from board.table_messages import TABLES_MAX, parse_message
from messages.catalogue import text
from messages.errors import StoreError
from messages.message import Message
from station.contract.view import as_json
from station.game.events import GameEnded
from station.game.evolve import evolve
from station.game.log.state import State
from station.integrations.happenings import table_events
from station.integrations.oddities import KINDS_MAX, ODD_S
from station.store.event_log import MemoryLog
from station.table.table import Table
from tests.asking import do
from tests.board.telling import AT, game_over, open_hall, state, undo

NOW = datetime.fromisoformat(AT).astimezone(UTC)


@pytest.fixture
def hall(tmp_path: Path):
    kept = BoardLog(SqliteFile(tmp_path))
    yield Hall(kept, now=lambda: NOW)
    kept.close()


def odd(hall: Hall) -> list[str]:
    return [text(each.message, "en") for each in hall.notices.checks()]


@pytest.mark.parametrize(
    ("topic", "payload", "told"),
    [
        ("yacht/2/attic/state", b"{}", "Table attic speaks version 2"),
        ("yacht/1/attic/state", b"{", "is malformed"),
        ("yacht/1/attic/state", b"[]", "is malformed"),
        ("yacht/1/attic/state", b'{"version": -1, "game": 0, "phase": "", "players": []}', "version: "),
        ("yacht/1/attic/event/game_over", b'{"event": 1}', "game: Field required"),
        ("yacht/1/attic/event/undo", b"\xff\xfe", "is malformed"),
        ("yacht/1/attic/availability", b"perhaps", "perhaps"),
        ("yacht", b"", "from no table"),
        (f"yacht/1/{'x' * 65}/state", b"", "from no table"),
    ],
)
def test_what_is_no_contract_is_told_and_passed_over(hall: Hall, topic: str, payload: bytes, told: str):
    hall.receive([(topic, payload)])
    assert told in " ".join(odd(hall))
    assert hall.tables() == ()


@settings(max_examples=30)
@given(st.text(max_size=40), st.binary(max_size=200))
def test_nothing_that_comes_is_an_error(topic: str, payload: bytes):
    for each in (
        topic,
        f"yacht/1/{topic}",
        f"yacht/1/attic/{topic}",
        "yacht/1/attic/state",
        "yacht/1/a/event/undo",
    ):
        parse_message("yacht", each, payload, 0)


def test_a_state_is_shown_and_stays_when_the_table_is_gone(hall: Hall):
    first = hall.news
    hall.receive(
        [("yacht/1/attic/availability", b"online"), state("attic", 4, {"Ana": 3, "Ben": 0}, announced=None)]
    )
    (table,) = hall.tables()
    assert (table.there, [each.total for each in table.players], table.filled, table.boxes) == (
        True,
        [3, 0],
        2,
        4,
    )
    assert hall.tables(hall.news.tables) == ()
    hall.receive([("yacht/1/attic/availability", b"offline")])
    assert [(each.there, len(each.players)) for each in hall.tables()] == [(False, 2)]
    before = hall.news
    hall.receive([("yacht/1/attic/availability", b"offline")])
    assert hall.news == before != first


def test_who_left_before_a_box_is_in_no_result():
    """Somebody was on the list of the table and is not there: the two others play the game of the board."""
    table = Table()
    for asked in (
        {"command": "start_game", "players": ["Ana", "Ben", "Cleo"], "rules": "yacht-1938"},
        {"command": "remove_player", "player": 2},
        {"command": "enter_roll", "faces": [1, 2, 3, 4, 5]},
        {"command": "score_box", "category": "choice"},
    ):
        do(table, asked)
    before = table.moment()[1]
    do(table, {"command": "end_game"})
    view, after = table.moment()
    shown = parse_message("yacht", "yacht/1/attic/state", json.dumps(as_json(view)).encode(), 0)
    told = table_events(5, "", GameEnded(), before, after, lambda _: "", "en")
    payload = json.dumps(told[-1].to_json(late=False)).encode()
    over = parse_message("yacht", "yacht/1/attic/event/game_over", payload, 0)
    for each in (shown, over):
        assert each.report is not None
        assert each.report.scores == (("Ana", 15), ("Ben", 0))


def test_a_correction_that_changed_no_points_and_was_taken_back_leaves_the_game_over(hall: Hall):
    log = MemoryLog()
    table = Table(log)
    for asked in (
        {"command": "start_game", "players": ["Ana", "Ben"], "rules": "yacht-1938"},
        {"command": "enter_roll", "faces": [6, 6, 6, 1, 1]},
        {"command": "score_box", "category": "sixes"},
        {"command": "end_game"},
        {"command": "correct_box", "player": 0, "category": "sixes", "faces": [6, 6, 6, 1, 2]},
        {"command": "undo"},
    ):
        do(table, asked)
    after = State()
    for number, event in enumerate(log.written, start=1):
        before, after = after, evolve(after, event)
        for each in table_events(number, "", event, before, after, lambda _: "", "en"):
            if each.kind in {"game_over", "undo"}:
                hall.receive(
                    [(f"yacht/1/attic/event/{each.kind}", json.dumps(each.to_json(late=False)).encode())]
                )
    (report,) = hall._store.known([("attic", 1)])
    assert (report.over, report.scores) == (True, (("Ana", 18), ("Ben", 0)))


def test_what_comes_again_or_out_of_order_counts_once_and_is_told(hall: Hall):
    over = game_over("attic", 9, 1, {"Ana": 5, "Ben": 6})
    hall.receive([over, over])
    hall.receive([over, game_over("attic", 3, 1, {"Ana": 1, "Ben": 1})])
    assert odd(hall) == ["3 results came again and were counted once."]


def test_clocks_and_numbers_that_are_wrong_are_told(hall: Hall):
    scores = {"Ana": 5, "Ben": 6}
    hall.receive(
        [
            game_over("attic", 9, 1, scores, late=False),
            game_over("attic", 10, 2, scores, at="1999", late=True),
        ]
    )
    assert odd(hall) == []
    hall.receive([game_over("attic", 20, 3, scores, at="2020-01-01T00:00:00+00:00", late=False)])
    hall.receive([game_over("cellar", 1, 1, scores, at="2031-01-01T00:00:00", late=True)])
    assert [line.partition(" and of")[0] for line in odd(hall)] == [
        "The clocks of table cellar",
        "The clocks of table attic",
    ]
    hall.receive([game_over("attic", 2, 1, {"Ana": 1, "Ben": 2}, at="2026-01-06T20:30:00+00:00", late=True)])
    assert any("has started counting again" in line for line in odd(hall))
    assert [report.scores[0] for report in hall._store.known([("attic", 1)])] == [("Ana", 5)]


def test_a_table_that_the_broker_was_made_to_forget_is_nothing_odd(hall: Hall):
    hall.receive([state("attic", 3, {"Ana": 1}), ("yacht/1/attic/availability", b"")])
    hall.receive([("yacht/1/attic/state", b"")])
    (table,) = hall.tables()
    assert (table.there, table.players, odd(hall)) == (False, (), [])


def test_a_flood_of_names_and_of_nonsense_fills_no_memory(hall: Hall):
    hall.receive((f"yacht/1/t{i}/availability", b"online") for i in range(TABLES_MAX + 5))
    assert len(hall.tables()) == TABLES_MAX
    hall.receive((f"yacht/{i}/attic/state", b"") for i in range(2, 400))
    assert len(odd(hall)) == KINDS_MAX


def test_health_forgets_what_was_odd_long_ago():
    now = [0.0]
    notices = Notices(clock=lambda: now[0])
    notices.clocks("attic", "2020-01-01T00:00:00", NOW, late=False)
    notices.clocks("attic", "no time", NOW, late=False)
    assert len(notices.checks()) == 1
    now[0] = ODD_S + 1
    assert notices.checks() == ()


def test_the_log_says_once_what_is_odd_again_and_again_whatever_else_is():
    now = [0.0]
    notices = Notices(clock=lambda: now[0])
    kinds = [Message("homes/odd"), Message("homes/flood")]
    assert [notices.note(each) for each in kinds * 3] == [True] * 2 + [False] * 4
    now[0] = ODD_S
    assert notices.note(kinds[0])


@pytest.mark.parametrize("batch", [1, 7])
def test_everything_is_there_again_after_a_kill_and_the_cache_is_no_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, batch: int
):
    monkeypatch.setattr("board.hall.RECENT_MAX", 3)
    hall, kept = open_hall(tmp_path)
    every = [game_over("attic", 10 * game, game, {"Ana": game, "Ben": 0}) for game in range(1, 40)]
    back = [undo("attic", 10 * game + 1, game) for game in range(1, 40, 3)]
    mixed = every + back + every
    random.Random(3).shuffle(mixed)
    for start in range(0, len(mixed), batch):
        hall.receive(mixed[start : start + batch])
    kept.close()
    _, kept = open_hall(tmp_path)
    found = {each.number: each.over for each in kept.since(0)}
    kept.close()
    assert found == {game: game % 3 != 1 for game in range(1, 40)}


@pytest.mark.parametrize("name", ["\\u0000", '"', "\\", "'); --", "\u202eAna", "👩‍👩‍👧", "=1+1"])
def test_whatever_somebody_is_called_the_evening_is_there_again(tmp_path: Path, name: str):
    hall, kept = open_hall(tmp_path)
    hall.receive([game_over("attic", 1, 1, {name: 5, "Ben": 4})])
    kept.close()
    _, kept = open_hall(tmp_path)
    (found,) = kept.since(0)
    kept.close()
    assert found.scores == ((name, 5), ("Ben", 4))


@pytest.mark.parametrize("scores", [{"A\0b": 5, "Ben": 4}, {"\ud800": 5, "Ben": 4}, {"Ana": 10**9, "Ben": 4}])
def test_what_no_station_can_show_is_odd_and_kept_nowhere(tmp_path: Path, scores: dict[str, int]):
    hall, kept = open_hall(tmp_path)
    hall.receive([game_over("attic", 1, 1, scores), state("attic", 1, scores)])
    assert not list(kept.since(0))
    assert [each.version for each in hall.tables()] in ([], [-1])
    assert any("attic" in str(each.message) for each in hall.notices.checks())
    kept.close()


def test_a_report_that_cannot_be_kept_is_not_told_of(tmp_path: Path):
    hall, kept = open_hall(tmp_path)
    kept._database._db.execute("PRAGMA query_only = ON")
    before = hall.news
    with pytest.raises(StoreError):
        hall.receive([game_over("attic", 9, 1, {"Ana": 5, "Ben": 6}), state("cellar", 1, {"Cleo": 1})])
    assert hall.news.evening == before.evening
    assert [each.table for each in hall.tables()] == ["cellar"]  # what is shown only waits for no disk
    kept.close()


def test_a_file_of_something_else_is_left_alone(tmp_path: Path):
    open_hall(tmp_path)[1].close()
    with pytest.raises(StoreError, match="Another"):
        _ = (one := SqliteFile(tmp_path), SqliteFile(tmp_path))
    one.close()
    again = SqliteFile(tmp_path)
    again._db.execute("PRAGMA user_version = 9")
    again.close()
    with pytest.raises(StoreError, match="not this board"):
        SqliteFile(tmp_path)
    (tmp_path / "board.sqlite3").write_bytes(b"something else " * 1000)
    with pytest.raises(StoreError):
        SqliteFile(tmp_path)


def test_a_table_is_as_far_as_those_who_still_play(hall: Hall):
    topic, payload = state("attic", 4, {"Ana": 3, "Ben": 2})
    told = json.loads(payload)
    told["players"][0]["boxes"]["twos"] = 4
    told["players"][1]["gone"] = True
    hall.receive([(topic, json.dumps(told).encode())])
    (table,) = hall.tables()
    assert (table.filled, table.boxes, len(table.players)) == (2, 2, 2)


def test_a_state_of_tomorrow_is_read_like_todays(hall: Hall):
    topic, payload = state("attic", 4, {"Ana": 3})
    hall.receive([(topic, json.dumps({**json.loads(payload), "new": {"x": [1]}}).encode())])
    assert [each.table for each in hall.tables()] == ["attic"]
