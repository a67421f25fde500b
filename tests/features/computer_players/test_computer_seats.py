"""Computer players: how they are asked for, and what carries out what they decide."""

import pytest

from messages.message import Message
from station.contract.commands import EndGame, EnterRoll, Rematch, ScoreBox, SetHeld, StartGame
from station.features.computer_players.computer_move import command_of, drawn
from station.features.computer_players.deciding import ComputersAtTable, Move, decides, may_draw, throws
from station.features.computer_players.option import COMPUTER
from station.game import notation
from station.game.dice.sights import Sight
from station.game.dice.tray import Offer
from station.game.evolve import evolve
from station.game.log.state import State
from station.game.steps.start_game import PlayerAsked
from tests.game.playing import play, refusal, snapshot, started

ROBO = PlayerAsked(name="Robo", computer=50)


def waits(state: State, move: Move | None, **how: bool) -> Message | None:
    """What the table waits for when that is decided."""
    return snapshot(state, at_table=[ComputersAtTable(move=move, **how)]).waiting_for


@pytest.mark.parametrize(
    ("players", "rules", "code"),
    [
        (("Eva", ROBO), "shared-roll", "computer/together"),
        (("A", "B", "C"), "clubhouse-51", "player/too_many"),
    ],
)
def test_what_does_not_fit_is_refused_before_the_start(players, rules: str, code: str):
    assert refusal(State(), StartGame(players=players, rules=rules)) == code


def test_a_rematch_keeps_computers_and_may_change_the_order():
    state = play(started("yacht-1938", "Eva", ROBO, "Ana"), EndGame())
    same = play(state, Rematch())
    assert [(p.name, COMPUTER.of(p)) for p in same.players] == [("Eva", ""), ("Robo", "50"), ("Ana", "")]
    assert [p.name for p in play(state, Rematch(order="rotate")).players] == ["Robo", "Ana", "Eva"]
    last = play(state, Rematch(order="shuffle"), draw=lambda count: count - 1)
    assert [(p.name, COMPUTER.of(p)) for p in last.players] == [("Ana", ""), ("Robo", "50"), ("Eva", "")]


# -- what a computer player decides is carried out as a person's would be ------------------------------

WHY = Message("computer/to_win", chance=0.5)


def test_a_decision_becomes_a_hold_or_a_box():
    state = play(started("yacht-1938", ROBO, "Eva"), EnterRoll(faces=(4, 4, 1, 2, 6)))
    keep = Move((1, 2), None, WHY)
    assert command_of(state, keep) == SetHeld(slots=(1, 2))
    assert command_of(state, Move((), "fours", WHY)) == ScoreBox(category="fours")
    held = play(state, SetHeld(slots=(1, 2)))
    assert throws(held, keep), "people throw the others"
    assert str(snapshot(state).waiting_for) == "Robo: thinking…"
    assert str(waits(state, keep)) == "Robo: keeps 4-4 – OK?"
    assert "for it, roll the three dice" in str(waits(held, keep))
    nothing = waits(held, Move((), None, WHY))
    assert str(nothing) == "Robo: keeps nothing – OK?"


def test_only_dice_of_a_computer_player_are_decided_on():
    there = Offer("empty")
    assert not decides(State(), there)
    before = started("yacht-1938", ROBO, "Eva")
    assert not decides(before, there)
    rolled = play(before, EnterRoll(faces=(4, 4, 1, 2, 6)))
    assert decides(rolled, there)
    eva = play(rolled, ScoreBox(category="fours"), EnterRoll(faces=(4, 4, 1, 2, 6)))
    assert not decides(eva, there), "Eva plays herself"
    assert not decides(play(rolled, EndGame()), there)


def test_a_box_of_five_of_ten_dice_takes_those_and_drawn_dice_ask_the_tray_nothing():
    state = play(started("yacht-1938", ROBO, "Eva"), EnterRoll(faces=(4, 4, 1, 2, 6)))
    five = (2, 4, 6, 8, 10)
    meant = command_of(state, Move((), "fours", WHY, slots=five))
    assert meant == ScoreBox(category="fours", slots=five, force=False)
    by_chance = evolve(
        started("yacht-1938", ROBO, "Eva"), drawn(started("yacht-1938", ROBO, "Eva"), lambda _: 2)
    )
    assert command_of(by_chance, Move((), "threes", WHY)) == ScoreBox(category="threes", force=True)


def test_drawn_dice_are_marked_and_held_ones_stay():
    state = play(started("yacht-1938", ROBO, "Eva"), EnterRoll(faces=(4, 4, 1, 2, 6)), SetHeld(slots=(1, 2)))
    event = drawn(state, lambda _: 2)
    after = evolve(state, event)
    assert (after.faces, after.drawn) == ((4, 4, 3, 3, 3), True)
    assert (event.typed, event.drawn) == (True, True), "no camera saw them"
    assert snapshot(after, Sight()).dice_drawn
    assert notation.write([event]) == "drawn 4 4 3 3 3\n"
    assert may_draw(started("yacht-1938", ROBO, "Eva"), None), "the first throw needs no decision"
    assert may_draw(state, Move((1, 2), None, WHY))
    assert not may_draw(state, Move((1,), None, WHY)), "first it says what it keeps"
    written = play(after, ScoreBox(category="threes"))
    assert not written.drawn
    assert not may_draw(written, None), "Eva throws herself"
