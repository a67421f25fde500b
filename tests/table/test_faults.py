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


def test_a_roll_taken_away_unconfirmed_still_hides_the_older_one(confirmed):
    confirmed.offer(reading(status=Status.MOVING))
    confirmed.offer(reading(*Y, at=90))
    confirmed.offer(reading(status=Status.COVERED))
    confirmed.offer(empty())
    refused(confirmed, "roll/unconfirmed", command="score_box", category="choice")
    assert shown(confirmed)["waiting_for"] == "Ana: 1-5-1-1-6 – right?"


def test_of_equal_faces_another_die_may_be_kept_than_the_held_one(table):
    lying = reading(2, 4, 2, 3, 3).dice
    table.offer(empty())
    table.offer(Reading(Status.READY, lying))
    do(table, {"command": "accept_roll"})
    do(table, {"command": "set_held", "slots": [2, 3, 5]})
    table.offer(reading(status=Status.MOVING))
    six = reading(6, 6, at=200).dice
    table.offer(Reading(Status.READY, (lying[0], lying[1], lying[3], *six)))
    assert shown(table)["turn"] == "unconfirmed"
    assert sorted(die["face"] for die in do(table, {"command": "accept_roll"})["dice"]) == [2, 3, 4, 6, 6]


def test_a_twin_of_a_held_die_that_comes_to_rest_where_the_held_one_lay_is_thrown(table):
    table.offer(reading(3, 5, 2, 3, 5))
    do(table, {"command": "accept_roll"})
    do(table, {"command": "set_held", "slots": [1, 2, 3]})
    table.offer(reading(status=Status.MOVING))
    lay = reading(6, 5, 2, 3, 5).dice
    table.offer(Reading(Status.READY, (lay[0], reading(3, 3, at=90).dice[1], *lay[2:])))
    assert shown(table)["turn"] == "unconfirmed"
    assert sorted(die["face"] for die in do(table, {"command": "accept_roll"})["dice"]) == [2, 3, 3, 5, 6]


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


@pytest.mark.parametrize(("three", "thrown"), [((2, 3, 6), True), ((2, 4, 1), True), ((6, 4, 1), False)])
def test_dice_that_rest_where_others_lay_are_thrown_where_they_show_other_faces(confirmed, three, thrown):
    do(confirmed, {"command": "score_box", "category": "choice"})
    confirmed.offer(reading(status=Status.MOVING))
    confirmed.offer(Reading(Status.READY, (*reading(*three).dice, *reading(1, 1, 1, 2, 2, at=90).dice[3:])))
    if thrown:
        assert do(confirmed, {"command": "accept_roll"})["throws_done"] == 1
    else:
        nobodys(confirmed)


@pytest.mark.parametrize(("face", "thrown"), [(2, True), (4, False)])
def test_a_starting_die_that_rests_where_another_lay_counts_with_another_face(confirmed, face, thrown):
    do(confirmed, {"command": "end_game"})
    do(confirmed, {"command": "start_game", "players": ["Ana", "Ben"], "starter": "throw"})
    confirmed.offer(reading(status=Status.MOVING))
    confirmed.offer(Reading(Status.READY, reading(face, face, at=5).dice[1:]))
    assert (shown(confirmed)["turn"] == "unconfirmed") is thrown


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


@pytest.mark.parametrize("coming", [(Status.COVERED, Status.MOVING), (Status.MOVING,), ()])
def test_dice_thrown_in_the_dark_and_typed_are_not_the_next_players(confirmed, coming):
    """A lamp that goes off and on changes all of the picture, as a hand does; between, rolls are typed."""
    dark = reading(status=Status.UNSURE, reasons=(Reason.TOO_FEW, Reason.DARK))
    confirmed.offer(reading(status=Status.COVERED))
    confirmed.offer(dark)
    do(confirmed, {"command": "enter_roll", "faces": list(Y)})
    do(confirmed, {"command": "score_box", "category": "choice"})
    for status in coming:
        confirmed.offer(reading(status=status))
    confirmed.offer(reading(*Y, at=90))
    nobodys(confirmed)
    confirmed.offer(reading(status=Status.COVERED))
    confirmed.offer(reading(status=Status.MOVING))
    confirmed.offer(reading(2, 2, 3, 3, 4, at=180))
    assert shown(confirmed)["waiting_for"] == "Ben: 2-2-3-3-4 – right?"


@pytest.mark.parametrize("coming", [(Status.COVERED, Status.MOVING), (Status.MOVING,), ()])
def test_a_throw_in_the_dark_that_nobody_typed_is_offered_when_there_is_light(confirmed, coming):
    confirmed.offer(reading(status=Status.COVERED))
    confirmed.offer(reading(status=Status.UNSURE, reasons=(Reason.TOO_FEW, Reason.DARK)))
    for status in coming:
        confirmed.offer(reading(status=status))
    confirmed.offer(reading(*Y, at=90))
    assert shown(confirmed)["turn"] == "unconfirmed"


def test_an_undone_box_gives_the_next_players_throw_to_nobody(confirmed):
    do(confirmed, {"command": "score_box", "category": "choice"})
    confirmed.offer(reading(status=Status.MOVING))
    confirmed.offer(reading(*Y, at=90))
    state = do(confirmed, {"command": "undo"})
    assert (state["active_player"], state["turn"], ana(state)["potentials"]["choice"]) == (0, "confirmed", 17)
    refused(confirmed, "roll/not_thrown", command="accept_roll")


# -- the last game's roll in the next game -------------------------------------------------------------


@pytest.mark.parametrize("command", ["rematch", "start_game"])
@pytest.mark.parametrize("taken", [False, True])
def test_the_last_games_roll_is_not_the_next_games(confirmed, command, taken):
    confirmed.offer(reading(status=Status.MOVING))
    confirmed.offer(reading(*Y, at=90))
    if taken:
        confirmed.offer(empty())
    do(confirmed, {"command": "end_game"})
    state = do(confirmed, {"command": command})
    assert (state["turn"], state["waiting_for"]) == ("nothing_thrown", "Ana: roll all five dice")
    refused(confirmed, "roll/empty" if taken else "roll/not_thrown", command="accept_roll")


def test_dice_that_lie_there_when_the_first_game_starts_are_no_throw():
    table = Table()
    table.offer(reading(*X))
    do(table, {"command": "start_game", "players": ["Ana", "Ben"], "rules": "yacht-1938"})
    table.offer(reading(*X, at=1))
    refused(table, "roll/not_thrown", command="accept_roll")
    table.offer(reading(status=Status.MOVING))
    table.offer(reading(*Y, at=90))
    assert do(table, {"command": "accept_roll"})["throws_done"] == 1


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
