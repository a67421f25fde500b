"""Which steps are told as great, and that the next one takes it away."""

from station import games
from station.contract.view import as_json
from station.table.table import Table
from tests.asking import do


def game(rules: str, *players: str) -> Table:
    house = games.texts().get(rules)
    table = Table(house_rules=lambda: {rules: house} if house else {})
    do(table, {"command": "start_game", "players": list(players), "rules": rules})
    return table


def rolled(table: Table, *faces: int) -> tuple[str, str] | None:
    do(table, {"command": "enter_roll", "faces": list(faces)})
    return told(table)


def told(table: Table) -> tuple[str, str] | None:
    great = as_json(table.snapshot())["great"]
    return None if great is None else (great["kind"], great["words"])


def test_five_alike_are_told_once():
    table = game("yacht-1938", "Ana", "Ben")
    assert rolled(table, 4, 4, 4, 4, 1) is None
    do(table, {"command": "set_held", "slots": [1, 2, 3, 4]})
    assert rolled(table, 4, 4, 4, 4, 4) == ("yacht", "Ana: five 4s!")
    do(table, {"command": "set_held", "slots": [1, 2]})
    assert told(table) is None
    assert rolled(table, 4, 4, 4, 4, 4) is None  # they lay there already
    do(table, {"command": "undo"})
    assert told(table) is None


def test_six_alike_are_told_as_six():
    assert rolled(game("maxi-yatzy", "Ana"), 6, 6, 6, 6, 6, 6) == ("yacht", "Ana: six 6s!")
    assert rolled(game("maxi-yatzy", "Ana"), 6, 6, 6, 6, 6, 1) == ("yacht", "Ana: five 6s!")


def test_a_row_is_great_where_a_box_pays_for_it():
    for rules in ("yacht-1938", "general"):
        assert rolled(game(rules, "Ana"), 6, 2, 4, 3, 5) == ("straight", "Ana: 2 to 6 in a row!")
    assert rolled(game("yacht-1938", "Ana"), 1, 2, 4, 3, 6) is None
    assert rolled(game("yahtzee", "Ana"), 1, 2, 3, 4, 5) is not None
    assert rolled(game("double-cameroon", "Ana"), 1, 2, 3, 4, 5, 5, 5, 4, 4, 1) is None
    little = (
        'id = "h"\ntitle = "H"\nthrows = 3\n[[box]]\ncategory = "little-straight"\nlabel = "L"\npoints = 9\n'
    )
    table = Table(house_rules=lambda: {"h": little})
    do(table, {"command": "start_game", "players": ["Ana"], "rules": "h"})
    assert rolled(table, 2, 3, 4, 5, 6) is None


def last_box(*, bens: tuple[int, ...]) -> Table:
    """A game of two, but for Ben's last box, in which these dice lie: Ana has 25, Ben 0."""
    table = game("yacht-1938", "Ana", "Ben")
    boxes = [row.category for row in table.snapshot().categories if row.category != "choice"]
    for box in ("choice", *boxes):
        for name in ("Ana", "Ben"):
            last = name == "Ben" and box == boxes[-1]
            faces = bens if last else (5, 5, 5, 5, 5) if (name, box) == ("Ana", "choice") else (1, 1, 2, 2, 3)
            mine = box if name == "Ana" else [*boxes, "choice"][0] if box == "choice" else _next(table)
            do(table, {"command": "enter_roll", "faces": list(faces)})
            if last:
                return table
            do(table, {"command": "score_box", "category": mine, "force": True})
    raise AssertionError


def _next(table: Table) -> str:
    open_ = [box for box, points in table.snapshot().players[1].boxes.items() if points is None]
    return next((box for box in open_ if box != "yacht"), "yacht")


def test_the_box_that_turned_the_game():
    table = last_box(bens=(6, 6, 6, 6, 6))
    ana, ben = table.snapshot().players
    assert ben.total <= ana.total
    do(table, {"command": "score_box", "category": "yacht"})
    assert told(table) == ("won", "Ben wins it with the last box: 50 in Yacht!")


def test_who_led_before_the_last_box_has_not_turned_the_game():
    table = last_box(bens=(1, 2, 2, 3, 3))
    do(table, {"command": "score_box", "category": "yacht", "force": True})
    assert table.snapshot().finished
    assert told(table) is None


def test_who_left_is_no_rival_in_that():
    """Ben, who has left, had more: Ana led all who play before her last box, and has turned nothing."""
    table = game("yacht-1938", "Ben", "Ana", "Cleo")
    boxes = [row.category for row in table.snapshot().categories]
    for box in boxes[:-1]:
        for faces in ((6, 6, 6, 6, 6), (2, 2, 3, 3, 3), (1, 1, 1, 2, 4)):
            do(table, {"command": "enter_roll", "faces": list(faces)})
            do(table, {"command": "score_box", "category": box, "force": True})
    do(table, {"command": "remove_player", "player": 0})
    ben, ana, cleo = table.snapshot().players
    assert ben.total > ana.total > cleo.total
    for _ in range(2):
        if not table.snapshot().finished:
            do(table, {"command": "enter_roll", "faces": [1, 2, 2, 3, 3]})
            do(table, {"command": "score_box", "category": boxes[-1], "force": True})
    state = table.snapshot()
    assert [state.players[i].name for i in state.winners] == ["Ana"]
    assert told(table) is None
