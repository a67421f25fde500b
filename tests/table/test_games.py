"""Games that come as files, at the table: other numbers of dice, saved throws, columns, on paper."""

import random

import pytest

from station import games
from station.advice.table_hint import table_hint
from station.strategy.values.parts import InParts
from station.strategy.values.solver import solve
from station.table.table import Table
from tests.asking import do, shown
from tests.web.pdf import written
from web.history.paper import score_sheet


def begun(name, *players):
    table = Table(house_rules=games.texts)
    do(table, {"command": "start_game", "players": list(players), "rules": name})
    return table


@pytest.mark.thorough
@pytest.mark.parametrize("name", games.texts())
def test_a_whole_game_is_played(name):
    """Any box that is allowed, now and then at once, until the sheet is full."""
    rng = random.Random(16)
    table = begun(name, "Ana")
    rules = games.rules_of(name)
    while not shown(table)["finished"]:
        state = shown(table)
        held = {die["slot"]: die["face"] for die in state["dice"] if die["held"]}
        faces = [held.get(slot, rng.randint(1, 6)) for slot in range(1, rules.dice + 1)]
        state = do(table, {"command": "enter_roll", "faces": faces})
        if state["finished"]:  # a big general
            break
        only = {*state["players"][0]["potentials"]} == {*state["may_announce"]}
        if state["rolls_left"] and (state["announced_box"] or not only) and rng.random() < 0.5:
            do(table, {"command": "set_held", "slots": [1, rules.dice]})
            continue
        worth = state["players"][0]["potentials"]
        if state["may_announce"] and rng.random() < 0.5:
            do(table, {"command": "announce_box", "category": rng.choice(state["may_announce"])})
            continue
        do(table, {"command": "score_box", "category": rng.choice(sorted(worth))})
    state = shown(table)
    assert state["ended_by"] in {"complete", "big_general"}
    filled = state["players"][0]["boxes"]
    assert state["ended_by"] == "big_general" or None not in filled.values()
    assert state["dice_count"] == rules.dice


@pytest.mark.thorough
def test_a_hint_of_parts_says_that_it_is_about():
    rules = games.rules_of("crag")
    table = begun("crag", "Ana")
    do(table, {"command": "enter_roll", "faces": [1, 6, 6]})
    exact = table_hint(solve(rules), table.play.state)
    assert not str(exact.reason).startswith("about")
    about = table_hint(InParts(rules, [solve(rules)]), table.play.state)
    assert str(about.reason) == f"an estimate: {exact.reason}"
    assert about.box == exact.box == "crag"


def test_columns_stand_side_by_side():
    state = shown(begun("yams", "Ana"))
    assert len(state["columns"]) == 3
    assert [row["row"] for row in state["categories"]][:2] == ["Ones", "Twos"]
    printed = written(score_sheet(games.rules_of("yams")))
    assert printed.count("Small straight") == 1
    assert printed.count("down") == 2  # two players on the empty sheet
