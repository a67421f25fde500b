"""Where computer players meet other parts: pictures of throws, dice of people meanwhile, other rules."""

import pytest

from messages.message import Message
from station.advice.advisor import Advisor
from station.camera.throw_pictures import ThrowPictures
from station.features.computer_players.deciding import ComputersAtTable, Move
from station.features.computer_players.feature import TablePart
from station.features.computer_players.mind import decided
from station.table.play import Listeners
from station.table.table import Table
from tests.asking import do, shown
from tests.station.test_advice_where_rules_meet import ANNOUNCED, SAVED, Playing, advisor, boxes
from tests.table.helpers import empty, reading
from vision.reading import Status

__all__ = ["advisor"]


def test_dice_that_roll_while_the_station_draws_are_no_picture_of_that_throw():
    """Somebody plays with the dice while a computer player has its turn."""
    unseen = []
    pictures = ThrowPictures(lambda: b"somebody's dice")
    table = Table(
        listeners=Listeners(confirmed=pictures, unseen=unseen.append), at_table=[ComputersAtTable(draws=True)]
    )
    players = [{"name": "Robo", "computer": 50}, "Ana"]
    game = do(table, {"command": "start_game", "players": players, "rules": "yacht-1938"})["game"]
    do(table, {"command": "computer_move"})
    assert pictures.find(game, 0, 1, 1) is None
    assert [state.throws_done for state in unseen] == [1]


def test_what_lies_in_the_tray_is_no_throw_of_a_computer_player_whose_dice_are_drawn():
    """Ben throws already: confirm lets the computer player throw, and takes none of Ben's dice for that."""

    def mind(state):
        del state
        return Move((1, 2), None, Message("computer/without_advice"))

    table = Table(draw=lambda _: 2, at_table=[ComputersAtTable(mind, draws=True)])
    players = ["Ana", {"name": "Robo", "computer": "perfect"}, "Ben"]
    do(table, {"command": "start_game", "players": players, "rules": "yacht-1938"})
    table.offer(empty())
    table.offer(reading(6, 4, 1, 1, 5))
    do(table, {"command": "accept_roll"})
    do(table, {"command": "score_box", "category": "ones"})
    table.offer(empty())
    table.offer(reading(status=Status.MOVING))
    table.offer(reading(5, 5, 5, 5, 2, at=120))
    assert "accept_roll" not in shown(table)["commands"]
    do(table, {"command": "press", "button": "confirm"})
    state = shown(table)
    assert (state["dice_drawn"], [die["face"] for die in state["dice"]]) == (True, [3, 3, 3, 3, 3])
    table.offer(reading(5, 5, 5, 5, 1, at=160))
    assert "accept_roll" not in shown(table)["commands"], "left-over dice were nudged"


def test_a_computer_that_plays_to_win_plays_with_saved_throws(advisor: Advisor):
    robo = {"name": "Robo", "computer": "to-win"}
    stage = Playing(advisor, SAVED + boxes(), robo, "Ben")
    for _ in range(2):
        stage.turn("sixes", 6, 3)
    stage.do("enter_roll", faces=[1, 4])
    stage.table.change(ComputersAtTable, lambda _: ComputersAtTable(lambda state: decided(advisor, state)))
    assert stage.table.snapshot().part(TablePart).computer is not None
    assert decided(advisor, stage.game).box in {None, "ones", "choice"}


@pytest.mark.needs_feature("announced_boxes")
def test_a_computer_that_plays_to_win_announces(advisor: Advisor):
    only = dict.fromkeys(("ones", "sixes", "choice"), "announced = true")
    robo = {"name": "Robo", "computer": "to-win"}
    text = ANNOUNCED + boxes(**only, yacht="points = 30\nannounced = true")
    stage = Playing(advisor, text, robo, "Ben")
    stage.do("enter_roll", faces=[1, 4])
    stage.table.change(ComputersAtTable, lambda _: ComputersAtTable(lambda state: decided(advisor, state)))
    state = stage.do("computer_move")
    assert state["announced_box"], "without one nobody may throw again"
    while not state["players"][0]["boxes"][state["announced_box"] or "yacht"] and state["active_player"] == 0:
        held = {die["slot"]: die["face"] for die in state["dice"] if die["held"]}
        if "computer_move" in state["commands"]:
            state = stage.do("computer_move")
        else:
            state = stage.do("enter_roll", faces=[held.get(slot, 6) for slot in (1, 2)])
    assert state["active_player"] == 1
