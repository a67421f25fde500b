"""Who plays, under which name, and who has won."""

from station.table.table import Table
from tests.asking import do
from tests.table.helpers import refused


def names(state):
    return [player["name"] for player in state["players"]]


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
