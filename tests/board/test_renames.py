"""Tables and players that get other names in mid-evening: each game counts once, as what it is."""

import json
from contextlib import closing
from pathlib import Path

import pytest

from board import steps
from board.hall import Hall
from board.steps import System
from station.contract import commands
from station.contract.view import as_json
from station.integrations.outbox import Outbox
from station.store import Store
from station.table.table import Table
from tests.board.telling import game_over, open_hall, state
from tests.trials import copies_tried_here

__all__ = ["copies_tried_here"]

Points = list[tuple[int, ...] | None]


@pytest.fixture
def hall(tmp_path: Path):
    """Ana and Ben, who meet twice; the first round is drawn."""
    opened, kept = open_hall(tmp_path)
    opened.take(steps.Open(title="Club", system=System.ROUND_ROBIN, meetings=2))
    opened.take(steps.Enter(name="Ana"), steps.Enter(name="Ben"))
    opened.draw()
    yield opened
    kept.close()


def points(hall: Hall) -> Points:
    """In the order of the rounds; None for a game that is open."""
    found = hall.evening.results
    return [found[spot].points if spot in found else None for spot, _ in hall.evening.competition.games()]


def points_after(hall: Hall, outbox: Outbox, table: Table, name: str) -> Points:
    """The points on the board when it has heard what waits of a table of that name, and its state."""
    while waiting := outbox.waiting():
        for step in waiting:
            outbox.delivered(step)
            events = [(each.kind, each.to_json(late=False)) for each in step.events]
            hall.receive((f"yacht/1/{name}/event/{kind}", json.dumps(each).encode()) for kind, each in events)
    view = table.snapshot()
    state = as_json(view) | {"game_id": outbox.game_id(view.game)}
    hall.receive([(f"yacht/1/{name}/state", json.dumps(state).encode())])
    return points(hall)


def play(table: Table, *names: str) -> int:
    """A whole game; gives the points of the first."""
    players = {"players": names or ("Ana", "Ben"), "rules": "yacht-1938"}
    table.execute(commands.StartGame.model_validate(players))
    for row in table.snapshot().categories:
        for face in (6, 5):
            table.execute(commands.EnterRoll(faces=(1, 2, 3, 4, face)))
            table.execute(commands.ScoreBox(category=row.category, force=True))
    return table.snapshot().players[0].total


def test_a_table_with_another_name_tells_no_old_game_as_a_new_one(hall: Hall, tmp_path: Path):
    """From a real table, by its events and by the state that the broker keeps."""
    store = Store(tmp_path / "station")
    outbox, table = Outbox(store, "mqtt", "en"), Table(store)

    def tell(name: str) -> Points:
        return points_after(hall, outbox, table, name)

    first = play(table)
    assert tell("attic")[0][0] == first
    hall.draw()
    assert tell("cellar") == [points(hall)[0], None]
    table.execute(commands.CorrectBox(player=0, category="yacht", faces=(6, 6, 6, 6, 6)))
    assert tell("cellar")[0][0] == first + 50  # that game, under the new name
    assert points(hall)[1] is None
    play(table)
    assert tell("garden")[1] is not None
    table.close()
    store.close()


def test_a_game_that_ends_while_games_are_not_stored_counts_once_they_are(hall: Hall, tmp_path: Path):
    """It gets another number there, for one was played before, and so another id."""
    with closing(Store(tmp_path / "other")) as other:
        play(Table(other), "Cleo", "Dan")
        other.backup(tmp_path / "copy.sqlite3")
    (tmp_path / "station").mkdir()
    (tmp_path / "station" / "yacht.sqlite3").write_bytes(b"no database at all")
    hall.draw()
    with closing(Store(tmp_path / "station", rescue=True)) as store:
        outbox, table = Outbox(store, "mqtt", "en"), Table(store)
        total = play(table)
        assert points_after(hall, outbox, table, "attic") == [None, None]
        table.stored.restore(tmp_path / "copy.sqlite3")
        assert points_after(hall, outbox, table, "attic")[0][0] == total
        table.execute(commands.CorrectBox(player=0, category="yacht", faces=(6, 6, 6, 6, 6)))
        assert points_after(hall, outbox, table, "attic")[0][0] == total + 50
        assert points(hall)[1] is None
        table.close()


def test_a_game_of_two_homes_counts_where_it_is_kept(hall: Hall):
    """A station that plays along shows it, too; who says nothing of ids is an older one."""
    over = {"finished": True, "ended_by": "complete", "winners": [1]}
    played = {"Ana": 5, "Ben": 6}
    hall.receive([game_over("attic", 9, 1, played, game_id="a1")])
    hall.draw()
    hall.receive([state("berlin", 4, played, **over, game_id="")])
    assert (points(hall), hall.evening.unclaimed) == ([(5, 6), None], ())
    hall.receive([state("cellar", 4, played, **over)])
    assert sorted(points(hall)) == [(5, 6), (6, 5)]
