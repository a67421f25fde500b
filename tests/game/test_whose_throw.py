"""Which dice on the tray are a throw, and whose it is."""

from dataclasses import replace

import pytest

from station.contract.commands import (
    AcceptRoll,
    ScoreBox,
    SetHeld,
    StartGame,
    Undo,
)
from station.game.dice.sights import Sight, as_left, first_sight, look, lost, settled, thrown
from station.game.dice.tray import offer, stage
from station.game.log.slots import Seen
from station.game.log.state import State
from station.game.setting_right import corrected
from tests.game.playing import (
    CONFIRMED,
    ROLLING,
    STILL,
    moved,
    play,
    row,
    seeing,
    then,
)


def test_at_the_beginning_of_a_turn_more_than_half_must_have_moved():
    """One or two may be nudged while people pass the tray on."""
    scored = play(CONFIRMED, ScoreBox(category="choice"), sight=STILL)
    for places, fresh in (((), False), ((0, 4), False), ((0, 2, 4), True), ((0, 1, 2, 3, 4), True)):
        sight = then(STILL, scored, moved(row(1, 2, 3, 4, 5), *places))
        assert offer(scored, sight).fresh is fresh, places
        rolled = then(look(STILL, "moving", (), (), scored.since), scored, moved(row(1, 2, 3, 4, 5), *places))
        assert offer(scored, rolled).fresh is fresh, places


def test_after_a_confirmed_roll_any_one_die_may_be_thrown_again():
    assert not offer(CONFIRMED, STILL).fresh
    assert not offer(CONFIRMED, then(STILL, CONFIRMED, moved(row(1, 2, 3, 4, 5), 4, by=5))).fresh
    for place in range(5):
        sight = then(STILL, CONFIRMED, moved(row(1, 2, 3, 4, 5), place))
        assert offer(CONFIRMED, sight).fresh
        assert stage(CONFIRMED, offer(CONFIRMED, sight)) == "unconfirmed"
    # It may come to lie where it lay, with another face.
    turned = then(ROLLING, CONFIRMED, row(1, 2, 3, 4, 6))
    assert offer(CONFIRMED, turned).fresh
    same = then(ROLLING, CONFIRMED, row(1, 2, 3, 4, 5))
    assert not offer(CONFIRMED, same).fresh


def test_held_dice_may_be_pushed_about():
    held = play(CONFIRMED, SetHeld(slots=(1, 2)))
    pushed = then(STILL, held, moved(row(1, 2, 3, 4, 5), 0, 1))
    assert not offer(held, pushed).fresh
    assert offer(held, then(STILL, held, moved(row(1, 2, 3, 4, 5), 0, 4))).fresh


def test_dice_that_moved_before_a_box_was_filled_are_nobodys():
    rolling = look(STILL, "moving", (), (), CONFIRMED.since)
    scored = play(CONFIRMED, ScoreBox(category="choice", force=True), sight=rolling)
    lying = then(rolling, scored, row(6, 6, 6, 6, 6, at=90))
    assert not offer(scored, lying).fresh
    assert offer(scored, then(look(lying, "moving", (), (), scored.since), scored, row(1, 1, 1, 1, 1))).fresh


def test_a_hand_over_dice_that_roll_is_of_their_throw():
    rolling = look(STILL, "moving", (), (), CONFIRMED.since)
    hidden = look(rolling, "covered", (), (), CONFIRMED.since)
    scored = play(CONFIRMED, ScoreBox(category="choice", force=True), sight=hidden)
    still_hidden = look(hidden, "covered", (), (), scored.since)
    assert not offer(scored, then(still_hidden, scored, row(6, 6, 6, 6, 6, at=90))).fresh
    written = play(CONFIRMED, ScoreBox(category="choice", force=True), sight=rolling)
    after = look(rolling, "covered", (), (), written.since)
    assert not offer(written, then(after, written, row(6, 6, 6, 6, 6, at=90))).fresh
    over_rest = look(STILL, "covered", (), (), scored.since)
    assert offer(scored, then(over_rest, scored, row(6, 6, 6, 6, 6, at=90))).fresh


def test_after_an_empty_tray_all_dice_are_a_throw_of_now():
    emptied = look(look(STILL, "moving", (), (), CONFIRMED.since), "empty", (), (), CONFIRMED.since)
    scored = play(CONFIRMED, ScoreBox(category="choice", force=True), sight=emptied)
    assert offer(scored, then(emptied, scored, row(1, 2, 3, 4, 5, at=90))).fresh


def test_a_die_that_is_lost_from_sight_for_a_moment_has_not_moved():
    four = then(STILL, CONFIRMED, row(1, 2, 3, 4), status="unsure")
    assert not offer(CONFIRMED, four).fresh
    assert not offer(CONFIRMED, then(four, CONFIRMED, row(1, 2, 3, 4, 5))).fresh
    # But where another lies in a new place, it is that one which moved.
    elsewhere = then(STILL, CONFIRMED, moved(row(1, 2, 3, 4, 5), 4), status="unsure")
    assert offer(CONFIRMED, elsewhere).fresh
    back = then(elsewhere, CONFIRMED, row(1, 2, 3, 4, 5))
    assert offer(CONFIRMED, back).dice[4].seen == row(1, 2, 3, 4, 5)[4]


def test_dice_that_were_out_of_sight_in_bad_light_have_not_moved():
    """Of dice that lay there before the game one is taken for another elsewhere, as long as it is dim."""
    lobby = seeing(State(), 1, 2, 3, 4, 5)
    begun = play(State(), StartGame(players=("Ana",), rules="yacht-1938"), sight=lobby)
    dim = look(lobby, "covered", (), (), begun.since)
    for wrong in ((Seen(3, 350.0, 330.0, 60.0),), (*row(1, 2), Seen(3, 350.0, 330.0, 60.0))):
        dim = look(look(dim, "unsure", ("dark",), wrong, begun.since), "covered", (), (), begun.since)
    assert not offer(begun, then(dim, begun, row(1, 2, 3, 4, 5))).fresh
    thrown_ = look(dim, "moving", (), (), begun.since)
    assert offer(begun, then(thrown_, begun, moved(row(1, 2, 3, 4, 5), 0, 2, 4))).fresh


def test_where_dice_lay_before_a_confirmed_roll_the_next_may_fall():
    """No reading is sure, and a person sets one die right each time."""
    lying = ROLLING
    for count in (4, 5):
        lying = then(lying, CONFIRMED, row(6, 6, 6, 6, 5, at=90)[:count], status="unsure")
    fixed = corrected(lying, offer(CONFIRMED, lying).dice[4], 4)
    held = play(CONFIRMED, AcceptRoll(), SetHeld(slots=(1, 2, 3, 4)), sight=fixed)
    rolling = look(settled(fixed), "moving", (), (), held.since)
    assert offer(held, then(rolling, held, (*row(6, 6, 6, 6, at=90), row(1, 2, 3)[2]), "unsure")).fresh


@pytest.mark.parametrize("reason", ["dark", "overexposed"])
def test_dice_that_come_to_light_in_a_game_were_not_thrown_in_it(reason):
    """The station is started without light, and so is the game."""
    unlit = look(first_sight(State(), aside=False), "unsure", ("too_few", reason), (), None)
    assert as_left(unlit) == ((), True)
    begun = play(State(), StartGame(players=("Ana",), rules="yacht-1938"), sight=unlit)
    for seen in (("covered",), ("moving",), ("unsure",), ("covered", "moving")):
        lit = unlit
        for status in seen:
            lit = look(lit, status, (), (), begun.since)
        lying = then(lit, begun, row(1, 2, 3, 4, 5))
        assert not offer(begun, lying).fresh
        thrown_ = look(lying, "moving", (), (), begun.since)
        assert offer(begun, then(thrown_, begun, row(1, 2, 3, 4, 5, at=90))).fresh
    coins = look(first_sight(State(), aside=False), "unsure", ("too_few",), (), None)
    assert offer(begun, then(look(coins, "moving", (), (), begun.since), begun, row(1, 2, 3, 4, 5))).fresh


# -- a camera that goes away, a process that starts again --------------------------------------------


def test_dice_that_move_while_the_camera_is_away_are_a_throw_since_it_went():
    away = lost(STILL, CONFIRMED.since)
    assert (away.status, away.seen, away.blind) == ("empty", (), True)
    assert not offer(CONFIRMED, then(away, CONFIRMED, row(1, 2, 3, 4, 5))).fresh
    assert offer(CONFIRMED, then(away, CONFIRMED, row(6, 6, 6, 6, 6, at=90))).fresh
    scored = play(CONFIRMED, ScoreBox(category="choice"), sight=away)
    assert not offer(scored, then(away, scored, row(6, 6, 6, 6, 6, at=90))).fresh
    twice = lost(away, scored.since)
    assert not offer(scored, then(twice, scored, row(6, 6, 6, 6, 6, at=90))).fresh
    reached = look(look(away, "covered", (), (), scored.since), "moving", (), (), scored.since)
    assert offer(scored, then(reached, scored, row(6, 6, 6, 6, 6, at=90))).fresh
    rolling = lost(look(STILL, "moving", (), (), CONFIRMED.since), scored.since)
    assert not offer(scored, then(rolling, scored, row(6, 6, 6, 6, 6, at=90))).fresh
    assert lost(replace(STILL, aside=True), None).aside
    waiting = thrown(STILL, CONFIRMED)
    assert lost(waiting, CONFIRMED.since).thrown_from == waiting.thrown_from


def test_a_single_die_that_hands_turned_where_it_lay_is_a_throw():
    held = play(CONFIRMED, SetHeld(slots=(1, 2, 3, 4)))
    assert offer(held, then(STILL, held, row(1, 2, 3, 4, 6))).fresh
    assert not offer(held, then(STILL, held, row(1, 2, 3, 4, 5))).fresh


def test_after_a_restart_the_dice_that_lay_there_are_known():
    sight = first_sight(CONFIRMED, aside=False)
    assert not offer(CONFIRMED, then(sight, CONFIRMED, row(1, 2, 3, 4, 5))).fresh
    assert offer(CONFIRMED, then(sight, CONFIRMED, moved(row(1, 2, 3, 4, 5), 4))).fresh
    assert offer(play(CONFIRMED, Undo()), then(sight, CONFIRMED, row(1, 2, 3, 4, 5))).fresh
    scored = play(CONFIRMED, ScoreBox(category="choice"), sight=STILL)
    sight = first_sight(scored, aside=False)
    assert not offer(scored, then(sight, scored, row(1, 2, 3, 4, 5))).fresh
    assert offer(scored, then(sight, scored, row(6, 6, 6, 6, 6, at=90))).fresh
    rolled = play(CONFIRMED, ScoreBox(category="choice", force=True), sight=ROLLING)
    sight = first_sight(rolled, aside=False)
    assert not offer(rolled, then(sight, rolled, row(6, 6, 6, 6, 6, at=90))).fresh
    for status in ("moving", "covered"):
        still_away = look(sight, status, (), (), rolled.since)
        assert not offer(rolled, then(still_away, rolled, row(6, 6, 6, 6, 6, at=90))).fresh
    assert first_sight(State(), aside=True) == Sight(aside=True)
    assert first_sight(CONFIRMED, aside=True).aside
