"""Which lamp burns in which state."""

from dataclasses import replace
from itertools import pairwise

import pytest

from station import games
from station.contract.view import DieView
from station.devices.lamp_patterns import Light, burns, lights
from station.game.dice.sights import Sight
from station.game.log.player import Player
from station.game.log.state import State
from station.rules import built_in, built_in_ids
from station.table.table import Table
from tests.asking import do
from tests.game.playing import snapshot


def state(*, dice=(), **fields):
    dice = tuple(DieView(slot, 6, None, held=held) for slot, held in dice)
    return replace(snapshot(State(), Sight()), at_hand=dice, **{"phase": "holding", "commands": (), **fields})


@pytest.mark.parametrize(
    ("fields", "troubled", "lamp", "light"),
    [
        ({}, False, "confirm", Light.OFF),
        ({"commands": ("accept_roll",)}, False, "confirm", Light.ON),
        ({"phase": "choosing", "choice": "ones"}, False, "confirm", Light.ON),
        ({"problem": "The held dice changed."}, False, "confirm", Light.BLINK),
        ({"problem": "The camera is gone.", "phase": "lobby"}, False, "confirm", Light.OFF),
        ({}, True, "confirm", Light.BLINK),
        ({"dice": [(4, True)]}, False, "hold-4", Light.ON),
        ({"dice": [(4, False)]}, False, "hold-4", Light.OFF),
        ({"hinted": [2]}, False, "hold-2", Light.PULSE),
        ({"hinted": [2], "dice": [(2, True)]}, False, "hold-2", Light.ON),
    ],
)
def test_lamps_follow_the_state(fields, troubled, lamp, light):
    fields = dict(fields)
    hinted = fields.pop("hinted", ())
    assert lights(state(**fields), hinted=hinted, troubled=troubled)[lamp] is light


@pytest.mark.parametrize(
    ("row", "lamp", "light"),
    [(1, 1, Light.ON), (5, 5, Light.ON), (6, 1, Light.PULSE), (10, 5, Light.PULSE), (12, 2, Light.BLINK)],
)
def test_the_lamps_count_out_the_marked_box(row, lamp, light):
    table = State(rules=built_in("yacht-1938"), players=(Player("Ana"),))
    rows = snapshot(table, Sight()).categories
    marked = state(
        phase="choosing", categories=rows, choice=rows[row - 1].category, dice=[(3, True), (4, True)]
    )
    found = lights(marked)
    assert found.pop("confirm") is Light.ON
    assert {name: each for name, each in found.items() if each is not Light.OFF} == {f"hold-{lamp}": light}


@pytest.mark.parametrize("rules", sorted({*built_in_ids(), *games.texts()}))
def test_no_two_boxes_of_a_sheet_are_counted_out_alike(rules):
    table = State(rules=games.rules_of(rules), players=(Player("Ana"),))
    rows = snapshot(table, Sight()).categories
    counted = [lights(state(phase="choosing", categories=rows, choice=row.category)) for row in rows]
    assert len({tuple(sorted(each.items())) for each in counted}) == len(rows)


def test_of_a_long_sheet_a_second_lamp_tells_the_fifteen():
    table = State(rules=games.rules_of("yamb"), players=(Player("Ana"),))
    rows = snapshot(table, Sight()).categories
    for row, burning in (
        (16, {"hold-1": Light.ON, "hold-2": Light.FLASH}),
        (25, {"hold-5": Light.PULSE, "hold-1": Light.FLASH}),
        (31, {"hold-1": Light.ON, "hold-3": Light.FLASH}),
    ):
        found = lights(state(phase="choosing", categories=rows, choice=rows[row - 1].category))
        del found["confirm"]
        assert {name: each for name, each in found.items() if each is not Light.OFF} == burning


def test_after_a_game_confirm_asks_for_another_one():
    over = state(phase="finished", finished=True, commands=("rematch",))
    assert lights(over)["confirm"] is Light.PULSE
    assert lights(replace(over, commands=()))["confirm"] is Light.OFF


def test_in_the_lobby_confirm_asks_for_the_game_once_somebody_has_joined():
    table = Table()
    assert lights(table.snapshot())["confirm"] is Light.OFF
    do(table, {"command": "add_player", "name": "Ana"})
    assert lights(table.snapshot())["confirm"] is Light.PULSE
    do(table, {"command": "press", "button": "confirm", "long": True})
    assert lights(table.snapshot())["confirm"] is Light.OFF
    assert table.snapshot().phase == "throwing"


def test_only_five_dice_have_a_lamp():
    dice = [(slot, True) for slot in range(1, 11)]
    assert set(lights(state(dice=dice), hinted=[7])) == {*(f"hold-{i}" for i in range(1, 6)), "confirm"}


def test_a_blink_is_faster_than_a_pulse():
    def changes(light):
        on = [burns(light, i / 100) for i in range(320)]
        return sum(a != b for a, b in pairwise(on))

    assert changes(Light.BLINK) > 4 * changes(Light.PULSE) > 0


@pytest.mark.needs_feature("all_at_once")
def test_where_all_play_at_once_the_lamps_are_those_of_the_player_at_the_table():
    table = Table()
    do(table, {"command": "start_game", "players": ["Ana", "Ben"], "rules": "shared-roll"})
    do(table, {"command": "enter_roll", "faces": [1, 2, 3, 4, 5]})
    do(table, {"command": "set_held", "player": 0, "slots": [2]})
    do(table, {"command": "set_held", "player": 1, "slots": [4]})
    for player, lit in ((0, {"hold-2", "confirm"}), (1, {"hold-4", "confirm"})):
        do(table, {"command": "choose_player", "player": player})
        assert {lamp for lamp, light in lights(table.snapshot()).items() if light is Light.ON} == lit
    do(table, {"command": "ready", "player": 0})
    do(table, {"command": "choose_player", "player": 0})
    assert lights(table.snapshot())["confirm"] is Light.OFF
