"""While a step is being written, every page that shows the table comes, and so do live lines."""

from pathlib import Path

import pytest

from station.contract.check import Level
from station.health import checks
from station.screens.room import Room
from station.store.store import Store
from station.table.table import Table
from tests.slow_card import SlowCard, meanwhile
from tests.web.helpers import Stage, reading


@pytest.mark.parametrize("at", ["commit", "note"])
def test_pages_state_and_live_lines_come(tmp_path: Path, at: str) -> None:
    store = Store(tmp_path)

    def health() -> tuple[checks.Check, ...]:
        return (checks.writing(60 * bool(store.writes.going_on_s), store.writes.longest_s),)

    stage = Stage(table=Table(store), archive=store, room=Room(tmp_path), checks=health)
    stage.do("start_game", players=["Ana", "Ben"], rules="yacht-1938")
    stage.do("end_game")
    stage.do("rematch")
    stage.throw(6, 4, 1, 1, 5)
    card = SlowCard(store, at)
    writer = stage.app.test_client()

    def step() -> None:
        assert writer.post("/api/v1/commands", json={"command": "accept_roll"}).status_code == 200

    def line() -> bytes:
        return next(stage.app.test_client().get("/api/v1/events").iter_encoded())

    with card.writing(step):
        for path in (
            "/",
            "/tv",
            "/setup",
            "/health",
            "/api/v1/state",
            "/api/v1/room",
            "/api/v1/odds",
            "/api/v1/frame.jpg",
        ):
            assert meanwhile(lambda path=path: stage.app.test_client().get(path)).status_code == 200, path
        done = 0 if at == "commit" else 1
        assert meanwhile(lambda: stage.client.get("/api/v1/state")).get_json()["throws_done"] == done
        assert f'"throws_done":{done}'.encode() in meanwhile(line).replace(b": ", b":")
        assert "has been saving for 60 s" in meanwhile(lambda: stage.client.get("/health")).text
        meanwhile(lambda: (stage.table.offer(reading((1, 2, 3, 4, 5), shift=7)),))
    assert stage.client.get("/api/v1/state").get_json()["throws_done"] == 1
    store.close()


@pytest.mark.parametrize(
    ("now_s", "longest_s", "level"),
    [(0.0, 0.02, Level.OK), (1.9, 1.9, Level.OK), (0.0, 2.1, Level.WARNING), (2.1, 0.0, Level.PROBLEM)],
)
def test_a_slow_card_is_named(now_s: float, longest_s: float, level: Level) -> None:
    assert checks.writing(now_s, longest_s).status is level
