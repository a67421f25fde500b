"""What once went wrong at the table, each named for what happened."""

from pathlib import Path
from typing import Any

import pytest

from messages.errors import RefusalError
from station.store import Store
from station.table import Table
from tests.asking import do, shown
from tests.table.helpers import reading, refused
from vision.reading import Reason, Status

FIRST, SECOND = (6, 4, 1, 1, 5), (1, 5, 1, 1, 6)


def begun(*names: str, rules: str = "yacht-1938", log: Any = None) -> Table:
    table = Table(log)
    do(table, {"command": "start_game", "players": list(names), "rules": rules})
    return table


def thrown(table: Table, *faces: int, at: float) -> dict[str, Any]:
    table.offer(reading(status=Status.MOVING))
    table.offer(reading(*faces, at=at))
    return shown(table)


@pytest.fixture
def older() -> Table:
    """Ana has confirmed a roll, and has thrown again without confirming."""
    table = begun("Ana", "Ben")
    thrown(table, *FIRST, at=0)
    do(table, {"command": "accept_roll"})
    thrown(table, *SECOND, at=300)
    return table


def test_a_box_took_an_older_roll(older: Table):
    state = shown(older)
    assert (state["turn"], state["players"][0]["potentials"]) == ("unconfirmed", {})
    sentence = refused(older, "roll/unconfirmed", command="score_box", category="choice")
    assert sentence == "Ana: dice were thrown after 6-4-1-1-5; confirm them first, or keep 6-4-1-1-5."
    assert do(older, {"command": "accept_roll"})["players"][0]["potentials"]["choice"] == sum(SECOND)


@pytest.mark.parametrize("status", [Status.MOVING, Status.COVERED])
def test_a_box_took_an_older_roll_while_dice_were_rolling(status: Status):
    table = begun("Ana")
    thrown(table, *FIRST, at=0)
    assert do(table, {"command": "accept_roll"})["players"][0]["potentials"]["choice"] == sum(FIRST)
    table.offer(reading(status=status))
    assert shown(table)["players"][0]["potentials"] == {}
    refused(table, "roll/unconfirmed", command="score_box", category="choice")


def test_a_box_took_an_older_roll_while_the_camera_was_unsure(older: Table):
    older.offer(reading(*SECOND, at=300, status=Status.UNSURE, reasons=(Reason.LOW_CONFIDENCE,)))
    refused(older, "roll/unconfirmed", command="score_box", category="choice")


def test_a_box_took_an_older_roll_after_the_dice_were_taken_away(older: Table):
    older.offer(reading(status=Status.EMPTY))
    refused(older, "roll/unconfirmed", command="score_box", category="choice")
    assert "accept_roll" in shown(older)["commands"]


@pytest.mark.parametrize("way", [{"command": "choose"}, {"command": "choose", "category": "choice"}])
def test_an_older_roll_was_reached_by_choosing(older: Table, way: dict[str, Any]):
    refused(older, "roll/unconfirmed", **way)
    refused(older, "roll/unconfirmed", command="press", button="confirm", long=True)


def test_by_force_the_confirmed_roll_is_written(older: Table):
    state = do(older, {"command": "score_box", "category": "choice", "force": True})
    assert state["players"][0]["boxes"]["choice"] == sum(FIRST)


def test_dice_touched_by_accident_leave_the_confirmed_roll(older: Table):
    before = older.moment()[1]
    state = do(older, {"command": "keep_roll"})
    assert (state["turn"], state["players"][0]["potentials"]["choice"]) == ("confirmed", sum(FIRST))
    assert state["undo"] == "keeping the roll 6-4-1-1-5"
    assert thrown(older, 2, 2, 3, 3, 4, at=600)["turn"] == "unconfirmed"
    do(older, {"command": "undo"})
    assert older.moment()[1].dice == before.dice


def test_the_next_player_was_offered_those_dice(older: Table):
    state = do(older, {"command": "score_box", "category": "choice", "force": True})
    assert (state["waiting_for"], state["turn"]) == ("Ben: throw all five dice", "nothing_thrown")
    refused(older, "roll/not_thrown", command="accept_roll")
    refused(older, "roll/not_thrown", command="press", button="confirm")
    older.offer(reading(1, 5, 1, 1, 6, at=300))
    assert "accept_roll" not in shown(older)["commands"]
    state = thrown(older, 2, 2, 3, 3, 4, at=600)
    assert state["waiting_for"] == "Ben: confirm the roll 2-2-3-3-4"


def test_the_next_player_was_offered_those_dice_after_a_restart(tmp_path: Path):
    store = Store(tmp_path)
    table = begun("Ana", "Ben", log=store)
    thrown(table, *FIRST, at=0)
    do(table, {"command": "accept_roll"})
    thrown(table, *SECOND, at=300)
    do(table, {"command": "score_box", "category": "choice", "force": True})
    store.close()
    again = Table(store := Store(tmp_path))
    again.offer(reading(*SECOND, at=300))
    assert "accept_roll" not in shown(again)["commands"]
    store.close()


def test_the_last_games_roll_was_offered_in_the_next_game(older: Table):
    do(older, {"command": "end_game"})
    state = do(older, {"command": "rematch"})
    assert (state["turn"], state["waiting_for"]) == ("nothing_thrown", "Ana: throw all five dice")
    older.offer(reading(status=Status.EMPTY))
    assert "accept_roll" not in shown(older)["commands"], "and not over an empty tray either"


def test_dice_lying_at_the_start_were_the_first_throw():
    table = Table()
    table.offer(reading(*FIRST, at=0))
    do(table, {"command": "start_game", "players": ["Ana"], "rules": "yacht-1938"})
    refused(table, "roll/not_thrown", command="accept_roll")
    assert thrown(table, *SECOND, at=300)["turn"] == "unconfirmed"


def played(table: Table, category: str, *faces: int) -> None:
    do(table, {"command": "enter_roll", "faces": list(faces)})
    do(table, {"command": "score_box", "category": category})


def test_a_corrected_yacht_left_the_hundred_of_the_next():
    table = begun("Ana", "Ben", rules="game-rules-guru")
    played(table, "yacht", 4, 4, 4, 4, 4)
    played(table, "ones", 1, 2, 3, 4, 6)
    played(table, "sixes", 6, 6, 6, 6, 6)
    before = shown(table)["players"][0]
    assert before["extra"] == 100
    correction = {"command": "correct_box", "player": 0, "category": "yacht", "faces": [4, 4, 4, 4, 3]}
    with pytest.raises(RefusalError) as caught:
        do(table, correction)
    assert caught.value.code == "box/changes_others"
    (change,) = caught.value.message.values["changes"]
    told = change.values
    assert (told["category"], told["player"], told["was"], told["now"]) == ("sixes", "Ana", 130, 30)
    assert shown(table)["players"][0] == before
    after = do(table, {**correction, "force": True})["players"][0]
    assert (after["boxes"]["yacht"], after["boxes"]["sixes"], after["extra"]) == (0, 30, 0)
    assert do(table, {"command": "undo"})["players"][0]["boxes"] == before["boxes"]


def test_a_moved_yacht_left_a_straight_of_sixes():
    table = begun("Ana", "Ben", rules="game-rules-guru")
    played(table, "yacht", 4, 4, 4, 4, 4)
    played(table, "ones", 1, 2, 3, 4, 6)
    played(table, "large-straight", 6, 6, 6, 6, 6)
    move = {"command": "correct_box", "player": 0, "category": "yacht", "faces": [4] * 5, "to": "fours"}
    refused(table, "box/changes_others", **move)
    boxes = do(table, {**move, "force": True})["players"][0]["boxes"]
    assert (boxes["yacht"], boxes["fours"], boxes["large-straight"]) == (None, 20, 0)


def test_after_a_big_general_the_loser_was_crowned():
    table = begun("Ana", "Ben", rules="general")
    played(table, "fives", 5, 5, 5, 5, 2)
    state = do(table, {"command": "enter_roll", "faces": [3, 3, 3, 3, 3]})
    assert (state["winners"], state["ended_by"], state["finished"]) == ([1], "big_general", True)


def test_a_game_ended_at_nothing_was_won_by_everybody(tmp_path: Path):
    store = Store(tmp_path)
    state = do(begun("Ana", "Ben", log=store), {"command": "end_game"})
    assert (state["winners"], state["winner"], state["ended_by"]) == ([], [], "early")
    assert [player.won for player in store.games()[0].players] == [False, False]
    store.close()


def test_a_player_is_renamed_moved_and_removed_and_each_is_undone():
    table = begun("Ana", "Ben", "Cleo")
    do(table, {"command": "enter_roll", "faces": [1, 2, 3, 4, 5]})
    before = shown(table)
    steps = (
        ({"command": "rename_player", "player": 1, "name": "Benno"}, ["Ana", "Benno", "Cleo"], "Ana"),
        ({"command": "move_player", "player": 0, "to": 2}, ["Ben", "Cleo", "Ana"], "Ana"),
        ({"command": "remove_player", "player": 0}, ["Ana", "Ben", "Cleo"], "Ben"),
    )
    for step, names, active in steps:
        state = do(table, step)
        assert [player["name"] for player in state["players"]] == names
        assert names[state["active_player"]] == active
        again = do(table, {"command": "undo"})
        assert (again["players"], again["dice"]) == (before["players"], before["dice"])


def test_who_has_gone_keeps_a_sheet_and_cannot_win(tmp_path: Path):
    store = Store(tmp_path)
    table = begun("Ana", "Ben", log=store)
    played(table, "choice", 6, 6, 6, 6, 6)
    state = do(table, {"command": "remove_player", "player": 0})
    assert (state["players"][0]["gone"], state["players"][0]["boxes"]["choice"]) == (True, 30)
    refused(table, "player/last", command="remove_player", player=1)
    played(table, "ones", 1, 2, 3, 4, 6)
    assert do(table, {"command": "end_game"})["winner"] == ["Ben"]
    assert [(player.name, player.total) for player in store.games()[0].players] == [("Ana", 30), ("Ben", 1)]
    store.close()


@pytest.mark.parametrize(
    "name", ["\u200d", "\u3164", "\u2800", "\u115f", "\u200d\u200c", "A\u202eb", "x" * 21]
)
def test_a_name_that_cannot_be_seen_or_told(name: str):
    refused(Table(), "player/name", command="add_player", name=name)


@pytest.mark.parametrize("twin", ["ana", "Ana\u200d", "\u0410na", "An\u0430", "A\u006e\u0061 ", "\uff21na"])
def test_two_names_that_look_the_same(twin: str):
    table = Table()
    do(table, {"command": "add_player", "name": "Ana"})
    refused(table, "player/twice", command="add_player", name=twin)


def test_a_box_worth_nothing_was_written_by_one_press():
    table = begun("Ana")
    do(table, {"command": "enter_roll", "faces": [1, 2, 3, 4, 6]})
    do(table, {"command": "choose", "category": "yacht"})
    sentence = refused(table, "box/zero", command="press", button="confirm")
    assert sentence == "Yacht would get 0; press once more to write it."
    assert do(table, {"command": "press", "button": "confirm"})["players"][0]["boxes"]["yacht"] == 0
    quick = Table(asks_before_zero=False)
    do(quick, {"command": "start_game", "players": ["Ana"], "rules": "yacht-1938"})
    do(quick, {"command": "enter_roll", "faces": [1, 2, 3, 4, 6]})
    do(quick, {"command": "choose", "category": "yacht"})
    assert do(quick, {"command": "press", "button": "confirm"})["players"][0]["boxes"]["yacht"] == 0


def test_the_lobby_knows_how_many_may_play():
    sets = {each["id"]: (each["players_min"], each["players_max"]) for each in shown(Table())["rule_sets"]}
    assert sets["clubhouse-51"][1] == 2
    assert sets["treasurehouse"][0] == 2
