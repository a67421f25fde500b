"""Who plays, under which name, and who has won."""

import pytest

from station.table.table import Table
from tests.asking import do, shown
from tests.table.helpers import ana, nobodys, refused


def test_a_big_general_wins_and_the_state_says_so():
    table = Table()
    do(table, {"command": "start_game", "players": ["Ana", "Ben"], "rules": "general"})
    for _ in range(2):
        do(table, {"command": "enter_roll", "faces": [6, 6, 5, 5, 3]})
    do(table, {"command": "score_box", "category": "sixes"})
    state = do(table, {"command": "enter_roll", "faces": [2] * 5})
    assert (state["winners"], state["winner"], state["ended_by"]) == ([1], ["Ben"], "big_general")
    assert state["players"][0]["total"] > state["players"][1]["total"]
    state = do(table, {"command": "undo"})
    assert (state["winners"], state["ended_by"], state["active_player"]) == ([], None, 1)


def test_nobody_wins_a_game_that_was_broken_off_at_nothing(table):
    state = do(table, {"command": "end_game"})
    assert (state["winners"], state["winner"], state["ended_by"]) == ([], [], "early")


def test_nobody_wins_by_zeros_when_it_is_broken_off(table):
    for _ in range(2):
        do(table, {"command": "enter_roll", "faces": [1, 2, 3, 4, 6]})
        do(table, {"command": "score_box", "category": "yacht"})
    assert do(table, {"command": "end_game"})["winners"] == []


def names(state):
    return [player["name"] for player in state["players"]]


def test_a_player_is_renamed_and_renamed_back(table):
    before = shown(table)
    assert names(do(table, {"command": "rename_player", "player": 1, "name": "Bea"})) == ["Ana", "Bea"]
    state = do(table, {"command": "undo"})
    assert names(state) == names(before)


def test_the_active_player_goes_in_the_middle_of_a_turn(confirmed):
    do(confirmed, {"command": "add_player", "name": "Cleo"})
    state = do(confirmed, {"command": "remove_player", "player": 0})
    assert (state["active_player"], state["phase"], state["throws_done"]) == (1, "throwing", 0)
    assert [player["gone"] for player in state["players"]] == [True, False, False]
    nobodys(confirmed)
    state = do(confirmed, {"command": "undo"})
    assert (state["active_player"], state["turn"], ana(state)["potentials"]["choice"]) == (0, "confirmed", 17)


def test_who_went_stays_in_the_record_and_cannot_win(open_store):
    store = open_store()
    table = Table(store)
    do(table, {"command": "start_game", "players": ["Ana", "Ben"], "rules": "yacht-1938"})
    for faces, box in (((6, 6, 6, 6, 6), "yacht"), ((1, 2, 3, 4, 6), "choice")):
        do(table, {"command": "enter_roll", "faces": list(faces)})
        do(table, {"command": "score_box", "category": box})
    do(table, {"command": "remove_player", "player": 0})
    refused(table, "player/last", command="remove_player", player=1)
    refused(table, "player/unknown", command="end_game", winners=[0])
    state = do(table, {"command": "end_game", "winners": [1]})
    assert (state["winners"], state["winner"]) == ([1], ["Ben"])
    (game,) = store.games()
    assert [(past.name, past.won) for past in game.players] == [("Ana", False), ("Ben", True)]
    assert names(do(table, {"command": "rematch"})) == ["Ben"]


def test_players_change_places_and_the_turn_stays(confirmed):
    state = do(confirmed, {"command": "move_player", "player": 0, "to": 1})
    assert (names(state), state["active_player"], state["throws_done"]) == (["Ben", "Ana"], 1, 1)
    state = do(confirmed, {"command": "undo"})
    assert (names(state), state["active_player"]) == (["Ana", "Ben"], 0)


@pytest.mark.parametrize(
    "name", ["\u200d", "\u3164", "\u2800", "\u034f", "\u115f", "\ufeff", " ", "", "a" * 21]
)
@pytest.mark.parametrize("command", ["add_player", "rename_player"])
def test_a_name_that_cannot_be_seen_or_is_too_long_is_refused(table, name, command):
    seat = {"player": 1} if command == "rename_player" else {}
    refused(table, "player/name", command=command, name=name, **seat)


@pytest.mark.parametrize("name", ["Ana\u200d", "ana", "\u0410na", "An\u0430", "Ana\ufe0f", "\uff21na"])
@pytest.mark.parametrize("command", ["add_player", "rename_player"])
def test_names_that_eyes_cannot_tell_apart_are_refused(table, name, command):
    seat = {"player": 1} if command == "rename_player" else {}
    refused(table, "player/twice", command=command, name=name, **seat)


def test_a_name_is_kept_composed_and_trimmed(table):
    assert names(do(table, {"command": "add_player", "name": " Rene\u0301  M. "}))[-1] == "Ren\u00e9 M."
    assert names(do(table, {"command": "add_player", "name": "a" * 20}))[-1] == "a" * 20


def test_no_more_play_than_the_rules_are_for():
    refused(
        Table(), "player/too_many", command="start_game", players=["Ana", "Ben", "Cleo"], rules="clubhouse-51"
    )
