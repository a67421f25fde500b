"""Mistakes of earlier versions between two states of the table, each as it happened."""

from contextlib import ExitStack
from pathlib import Path

import pytest

from station.store.store import Store
from station.table.table import Table
from tests.asking import do, shown
from tests.table.helpers import X, Y, ana, empty, nobodys, reading, refused
from vision.reading import Reading, Reason, Status

NEWER = {
    "rolling": reading(status=Status.MOVING),
    "under a hand": reading(status=Status.COVERED),
    "unsure": reading(*Y, at=90, status=Status.UNSURE, reasons=(Reason.LOW_CONFIDENCE,)),
    "ready": reading(*Y, at=90),
    "one die of it": Reading(Status.READY, (*reading(*X).dice[:4], reading(*Y, at=90).dice[4])),
}


@pytest.fixture(params=NEWER, ids=lambda name: name.replace(" ", "-"))
def thrown_again(confirmed, request):
    """And then dice were thrown that nobody confirmed."""
    if "rolling" not in request.param and "hand" not in request.param:
        confirmed.offer(reading(status=Status.MOVING))
    confirmed.offer(NEWER[request.param])
    return confirmed


# -- a box took an older roll --------------------------------------------------------------------------


def test_a_box_takes_no_older_roll_unless_it_is_forced(thrown_again):
    state = shown(thrown_again)
    assert state["turn"] in {"rolling", "unconfirmed"}
    assert ana(state)["potentials"] == {}
    assert not {"score_box", "choose"} & set(state["commands"])
    assert "keep_roll" in state["commands"]
    sentence = refused(thrown_again, "roll/unconfirmed", command="score_box", category="choice")
    assert "6-4-1-1-5" in sentence
    refused(thrown_again, "roll/unconfirmed", command="choose")
    refused(thrown_again, "roll/unconfirmed", command="choose", category="choice")
    refused(thrown_again, "roll/unconfirmed", command="press", button="confirm", long=True)
    assert (shown(thrown_again)["throws_done"], ana(state)["boxes"]["choice"]) == (1, None)
    state = do(thrown_again, {"command": "score_box", "category": "choice", "force": True})
    assert (ana(state)["boxes"]["choice"], state["active_player"]) == (17, 1)
    assert state["turn"] == "nothing_thrown"
    assert "accept_roll" not in state["commands"]
    do(thrown_again, {"command": "undo"})
    refused(thrown_again, "roll/unconfirmed", command="choose")


# -- the next player was offered those dice ------------------------------------------------------------


def test_dice_on_the_tray_are_no_throw_after_a_restart_and_undo_to_a_typed_roll(open_store):
    store = open_store()
    table = Table(store)
    do(table, {"command": "start_game", "players": ["Ana"], "rules": "yacht-1938"})
    table.offer(reading(*X))
    table.offer(reading(status=Status.COVERED))
    do(table, {"command": "enter_roll", "faces": [1, 2, 3, 4, 6]})
    do(table, {"command": "score_box", "category": "choice"})
    table.offer(reading(status=Status.MOVING))
    table.offer(reading(*Y, at=90))
    do(table, {"command": "accept_roll"})
    store.close()
    again = Table(open_store())
    again.offer(reading(*Y, at=90))
    for _ in range(2):
        do(again, {"command": "undo"})
    assert shown(again)["turn"] == "confirmed"
    assert "accept_roll" not in shown(again)["commands"]


def test_dice_on_the_tray_are_not_the_next_players_nor_after_a_restart(open_store):
    store = open_store()
    table = Table(store)
    do(table, {"command": "start_game", "players": ["Ana", "Ben"], "rules": "yacht-1938"})
    table.offer(reading(*X))
    do(table, {"command": "accept_roll"})
    table.offer(reading(status=Status.MOVING))
    table.offer(reading(*Y, at=90))
    do(table, {"command": "score_box", "category": "choice", "force": True})
    nobodys(table)
    table.offer(reading(*Y, at=91))
    nobodys(table)
    store.close()
    again = Table(open_store())
    for at in (90, 91):
        again.offer(reading(*Y, at=at))
        nobodys(again)
    again.offer(reading(status=Status.MOVING))
    again.offer(reading(2, 2, 3, 3, 4, at=180))
    assert do(again, {"command": "accept_roll"})["throws_done"] == 1


# -- the game goes on in another database --------------------------------------------------------------


def empty_database(scratch: Path) -> Path:
    store = Store(scratch / "empty")
    store.close()
    return store.path


@pytest.fixture
def in_memory(tmp_path):
    """A table whose games are kept in memory only, since the database is damaged."""
    (tmp_path / "yacht.sqlite3").write_bytes(b"no database" * 1000)
    with ExitStack() as stack:
        store = Store(tmp_path, rescue=True)
        stack.callback(store.close)
        table = Table(store)
        do(table, {"command": "start_game", "players": ["Ana", "Ben"], "rules": "yacht-1938"})
        table.offer(empty())
        table.offer(reading(*X))
        do(table, {"command": "accept_roll"})
        yield table


@pytest.mark.parametrize("newer", NEWER)
def test_a_throw_under_way_is_still_one_in_another_database(in_memory, newer):
    in_memory.offer(reading(status=Status.MOVING))
    in_memory.offer(NEWER[newer])
    before = shown(in_memory)
    in_memory.stored.put_back(empty_database)
    after = shown(in_memory)
    assert (after["turn"], ana(after)["potentials"]) == (before["turn"], {})
    assert after["commands"] == before["commands"]


def test_dice_that_nobody_moved_are_no_throw_in_another_database(in_memory):
    in_memory.stored.put_back(empty_database)
    in_memory.offer(reading(*X))
    assert shown(in_memory)["turn"] == "confirmed"
