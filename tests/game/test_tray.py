"""What the tray offers: a reading, held dice, a throw that is drawn, and how far the turn is."""

from dataclasses import replace

import pytest

from station.contract.commands import (
    AcceptRoll,
    Choose,
    CorrectDie,
    EnterRoll,
    ScoreBox,
    SetHeld,
)
from station.game.dice.sights import Sight, as_left, gone, look, lost, settled, thrown
from station.game.dice.tray import Offer, newer_throw, offer, stage, view_phase
from station.game.log.slots import Die
from station.game.log.state import Phase, State
from tests.game.deciding import decide
from tests.game.playing import (
    CONFIRMED,
    READY,
    ROLLING,
    STILL,
    TWO,
    moved,
    play,
    refusal,
    refused,
    row,
    seeing,
    started,
    then,
)

# -- a reading ---------------------------------------------------------------------------------------


def test_a_reading_is_kept_from_left_to_right_with_its_reasons():
    dice = row(1, 2, 3, 4, 5)
    sight = look(Sight(), "unsure", ["glare"], dice[::-1], TWO.since)
    assert (sight.status, sight.reasons, sight.seen) == ("unsure", ("glare",), dice)
    assert sight.rested == tuple(replace(die, face=0) for die in dice), "what they show is not sure"
    assert look(Sight(), "ready", [], dice, TWO.since).rested == dice
    now = offer(TWO, sight)
    assert (now.status, now.reasons, now.faces, now.fresh, now.ready) == (
        "unsure", ("glare",), (1, 2, 3, 4, 5), True, False,
    )  # fmt: skip


def test_a_ready_reading_is_offered_as_a_roll():
    now = offer(TWO, READY)
    assert now == Offer(
        "ready", (), (1, 2, 3, 4, 5),
        tuple(Die(slot, one.face, one) for slot, one in enumerate(row(1, 2, 3, 4, 5), start=1)),
        fresh=True, wanted=5,
    )  # fmt: skip
    assert now.ready
    assert now.listed == now.dice


@pytest.mark.parametrize(("faces", "reason"), [((1, 2, 3, 4), "too_few"), ((1, 2, 3, 4, 5, 6), "too_many")])
def test_a_reading_of_another_number_of_dice_is_no_roll(faces, reason):
    now = offer(TWO, seeing(TWO, *faces))
    assert (now.status, now.reasons, now.faces, now.dice, now.wanted) == ("unsure", (reason,), faces, (), 5)
    assert [(die.slot, die.face, die.seen) for die in now.listed] == [
        (slot, one.face, one) for slot, one in enumerate(row(*faces), start=1)
    ]
    told = offer(TWO, look(Sight(), "unsure", ("stacked",), row(*faces), TWO.since))
    assert told.reasons == ("stacked",)


def test_without_a_game_dice_are_shown_and_nothing_is_offered():
    now = offer(State(), seeing(State(), 1, 2, 3))
    assert (now.status, now.faces, now.fresh, now.wanted) == ("ready", (1, 2, 3), False, 3)


@pytest.mark.parametrize("status", ["empty", "moving", "covered"])
def test_where_no_dice_lie_none_are_offered(status):
    sight = look(READY, status, ("glare",), row(1, 2), TWO.since)
    now = offer(TWO, replace(sight, sure=()))
    assert (now.status, now.reasons, now.faces, now.dice) == (status, ("glare",), (), ())


def test_a_roll_taken_away_before_it_was_confirmed_is_still_on_offer():
    away = look(READY, "empty", (), (), TWO.since)
    assert offer(TWO, away) == replace(offer(TWO, READY), fixed=False)
    assert play(TWO, AcceptRoll(), sight=away).faces == (1, 2, 3, 4, 5)
    unsure = look(seeing(TWO, 1, 2, 3, 4, 5, status="unsure"), "empty", (), (), TWO.since)
    assert offer(TWO, unsure).status == "empty"
    confirmed = look(STILL, "empty", (), (), CONFIRMED.since)
    assert offer(CONFIRMED, confirmed).status == "empty"
    four = look(seeing(TWO, 1, 2, 3, 4), "empty", (), (), TWO.since)
    assert offer(TWO, four).status == "empty"


def test_typed_dice_that_lie_there_are_no_new_roll():
    unsure = seeing(TWO, 1, 2, 3, 4, 5, status="unsure")
    typed = play(TWO, EnterRoll(faces=(1, 2, 3, 4, 6)), sight=unsure)
    assert [die.seen and die.seen.face for die in typed.dice] == [0] * 5
    assert not offer(typed, then(settled(unsure), typed, row(1, 2, 3, 4, 5))).fresh
    unseen = play(TWO, EnterRoll(faces=(1, 2, 3, 4, 6)))
    assert [die.seen for die in unseen.dice] == [None] * 5
    # Where typed dice lay is not known: the same faces in a tray that was still are no throw, others are.
    assert not offer(unseen, then(Sight(), unseen, row(6, 1, 2, 4, 3))).fresh
    assert offer(unseen, then(Sight(), unseen, row(6, 1, 2, 4, 4))).fresh
    stirred = look(Sight(), "moving", (), (), unseen.since)
    assert offer(unseen, then(stirred, unseen, row(6, 1, 2, 4, 3))).fresh


def test_typed_dice_lie_where_free_dice_do_and_held_ones_where_they_lay():
    tracked = tuple(replace(die, track=10 + i) for i, die in enumerate(row(1, 2, 3, 4, 5)))
    held = play(CONFIRMED, SetHeld(slots=(2, 4)))
    again = then(ROLLING, held, moved(tracked, 0, 2, 4))
    typed = play(held, EnterRoll(faces=(6, 2, 6, 4, 6)), sight=again)
    assert typed.past[-1].typed
    where = {die.slot: die.seen for die in typed.dice}
    assert {slot: where[slot] for slot in (2, 4)} == {2: row(1, 2, 3, 4, 5)[1], 4: row(1, 2, 3, 4, 5)[3]}
    free = [replace(again.seen[i], face=0) for i in (0, 2, 4)]
    assert [where[slot] for slot in (1, 3, 5)] == free
    rolling = then(again, held, again.seen, "moving")
    unseen = play(held, EnterRoll(faces=(6, 2, 6, 4, 6)), sight=rolling)
    assert [die.seen for die in unseen.dice if die.slot not in held.held] == [None] * 3


def test_typed_dice_of_a_common_throw_lie_where_dice_rest():
    common = started("shared-roll", "Ana", "Ben")
    sight = seeing(common, 1, 2, 3, 4, 5)
    resting = play(common, EnterRoll(faces=(1, 2, 3, 4, 6)), sight=sight)
    assert [die.seen for die in resting.dice] == [replace(die, face=0) for die in sight.seen]
    rolling = play(common, EnterRoll(faces=(1, 2, 3, 4, 6)), sight=then(sight, common, sight.seen, "moving"))
    assert [die.seen for die in rolling.dice] == [None] * 5


def test_a_typed_roll_that_changes_a_held_die_names_both_faces():
    held = play(CONFIRMED, SetHeld(slots=(2,)))
    code, sentence = refused(held, EnterRoll(faces=(6, 5, 4, 3, 1)))
    assert code == "roll/held_changed"
    assert {"2", "5"} <= set(sentence.replace(",", " ").replace(".", " ").split()), sentence
    assert not {"6", "4", "3"} & set(sentence.replace(",", " ").replace(".", " ").split()), sentence


@pytest.mark.parametrize("status", ["moving", "covered", "unsure", "empty"])
def test_a_roll_that_cannot_be_confirmed_is_refused_by_what_the_tray_shows(status):
    dice = () if status == "empty" else (1, 2, 3, 4, 5)
    assert refusal(TWO, AcceptRoll(), seeing(TWO, *dice, status=status)) == f"roll/{status}"


def test_too_few_dice_are_no_sure_roll():
    assert refusal(TWO, AcceptRoll(), seeing(TWO, 1, 2, 3, 4)) == "roll/unsure"


def test_before_a_roll_no_die_can_be_set_right():
    assert refusal(TWO, CorrectDie(slot=1, face=2)) == "roll/none"


# -- held dice ---------------------------------------------------------------------------------------


def test_a_held_die_that_is_not_found_is_missing():
    held = play(CONFIRMED, SetHeld(slots=(4, 5)))
    now = offer(held, then(ROLLING, held, row(1, 1, 2, 2, 5, at=90)))
    assert (now.missing, now.status, now.fresh) == ((4,), "ready", True)
    assert [(die.slot, die.face) for die in now.dice] == [(1, 1), (2, 1), (3, 2), (4, 4), (5, 5)]
    assert now.faces == (1, 1, 2, 2, 5)
    assert refusal(held, AcceptRoll(), then(ROLLING, held, row(1, 1, 2, 2, 5, at=90))) == "roll/held_changed"


def test_held_dice_beside_the_tray_are_taken_as_they_were():
    aside = look(Sight(aside=True), "ready", (), row(1, 2, 3, 4, 5), TWO.since)
    confirmed = play(TWO, AcceptRoll(), sight=aside)
    held = play(confirmed, SetHeld(slots=(2, 5)))
    rolling = look(settled(aside), "moving", (), (), held.since)
    now = offer(held, then(rolling, held, row(6, 6, 1, at=90)))
    assert (now.status, now.wanted, now.missing, now.faces) == ("ready", 3, (), (1, 2, 5, 6, 6))
    assert [(die.slot, die.face) for die in now.dice] == [(1, 6), (2, 2), (3, 6), (4, 1), (5, 5)]
    assert [die.seen is None for die in now.dice] == [False, True, False, False, True]
    left_in = offer(held, then(rolling, held, row(6, 6, 1, 2, at=90)))
    assert (left_in.status, left_in.reasons) == ("unsure", ("too_many",))
    assert offer(confirmed, then(rolling, confirmed, row(6, 6, 1, 2, 2, at=90))).wanted == 5


# -- simulated throws --------------------------------------------------------------------------------


def test_from_a_simulated_throw_on_the_old_dice_are_no_reading():
    thrown_now = thrown(STILL, CONFIRMED)
    assert (thrown_now.status, thrown_now.thrown_from, thrown_now.stirred) == (
        "moving", row(1, 2, 3, 4, 5), True,
    )  # fmt: skip
    waiting = then(thrown_now, CONFIRMED, row(1, 2, 3, 4, 5))
    assert offer(CONFIRMED, waiting) == Offer("moving")
    assert offer(CONFIRMED, look(waiting, "empty", (), (), CONFIRMED.since)).status == "moving"
    assert offer(CONFIRMED, look(waiting, "covered", (), (), CONFIRMED.since)).status == "covered"
    there = then(waiting, CONFIRMED, row(6, 6, 6, 6, 6, at=90))
    assert (offer(CONFIRMED, there).fresh, offer(CONFIRMED, there).ready) == (True, True)
    given_up = gone(waiting)
    assert offer(CONFIRMED, given_up).status == "ready"
    assert not offer(CONFIRMED, given_up).fresh


def test_a_simulated_throw_begins_from_the_dice_that_lie_there():
    unseen = thrown(Sight(), CONFIRMED)
    assert (unseen.thrown_from, unseen.rested) == (row(1, 2, 3, 4, 5), row(1, 2, 3, 4, 5))
    shifted = then(STILL, CONFIRMED, moved(row(1, 2, 3, 4, 5), 4))
    assert thrown(shifted, CONFIRMED).thrown_from == moved(row(1, 2, 3, 4, 5), 4)
    hidden = look(shifted, "covered", (), row(1), CONFIRMED.since)
    assert thrown(hidden, CONFIRMED).thrown_from == row(1, 2, 3, 4, 5)
    assert thrown(replace(shifted, aside=True), CONFIRMED).aside
    held = play(CONFIRMED, SetHeld(slots=(1, 2)))
    after = then(thrown(STILL, held), held, (*row(1, 2), *moved(row(1, 2, 6, 6, 6), 2, 3, 4)[2:]))
    assert [(die.slot, die.face) for die in offer(held, after).dice] == [
        (1, 1),
        (2, 2),
        (3, 6),
        (4, 6),
        (5, 6),
    ]
    assert offer(held, after).fresh


# -- how far the turn is -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "command", [ScoreBox(category="ones"), ScoreBox(category="ones", force=True), Choose()]
)
def test_who_has_thrown_is_told_to_confirm_before_a_box(command):
    rolling = look(Sight(), "moving", (), (), TWO.since)
    for sight in (READY, rolling):
        assert refused(TWO, command, sight) == ("box/no_roll", "Say yes to this roll first, then pick a box.")
    assert refused(TWO, command, Sight()) == ("box/no_roll", "Roll first, then pick a box.")


def test_how_far_the_turn_is():
    def told(state: State, sight: Sight) -> tuple[str, bool, Phase]:
        now = offer(state, sight)
        return stage(state, now), newer_throw(state, now), view_phase(state, now)

    held = play(CONFIRMED, SetHeld(slots=(1,)))
    all_held = play(CONFIRMED, SetHeld(slots=(1, 2, 3, 4, 5)))
    choosing = play(CONFIRMED, EnterRoll(faces=(1,) * 5), EnterRoll(faces=(1,) * 5))
    thrown_again = then(ROLLING, CONFIRMED, row(6, 6, 6, 6, 6, at=90))
    assert told(State(), READY) == ("none", False, Phase.LOBBY)
    assert told(TWO, Sight()) == ("nothing_thrown", False, Phase.THROWING)
    assert told(TWO, look(Sight(), "moving", (), (), TWO.since)) == ("rolling", False, Phase.THROWING)
    assert told(TWO, look(Sight(), "covered", (), (), TWO.since)) == ("rolling", False, Phase.THROWING)
    assert told(TWO, READY) == ("unconfirmed", False, Phase.THROWING)
    assert told(CONFIRMED, STILL) == ("confirmed", False, Phase.HOLDING)
    assert told(held, STILL) == ("held", False, Phase.HOLDING)
    assert told(CONFIRMED, ROLLING) == ("rolling", True, Phase.THROWING)
    assert told(CONFIRMED, thrown_again) == ("unconfirmed", True, Phase.THROWING)
    assert told(all_held, ROLLING) == ("held", False, Phase.HOLDING)
    assert told(all_held, thrown_again) == ("held", False, Phase.HOLDING)
    assert told(choosing, thrown_again) == ("choosing", False, Phase.CHOOSING)
    # What rolled before the box was filled is no throw of this turn.
    scored = play(CONFIRMED, ScoreBox(category="choice", force=True), sight=ROLLING)
    assert told(scored, ROLLING) == ("nothing_thrown", False, Phase.THROWING)


# -- what is written into the log --------------------------------------------------------------------


def test_the_log_keeps_how_the_dice_lay_but_no_face():
    assert as_left(READY) == (row(0, 0, 0, 0, 0), False)
    assert as_left(ROLLING) == (row(0, 0, 0, 0, 0), True)
    assert as_left(look(READY, "covered", (), (), TWO.since)) == (row(0, 0, 0, 0, 0), True)
    assert as_left(look(READY, "empty", (), (), TWO.since)) == ((), False)
    assert as_left(thrown(STILL, CONFIRMED)) == (row(0, 0, 0, 0, 0), True)
    waiting = then(thrown(STILL, CONFIRMED), CONFIRMED, row(1, 2, 3, 4, 5))
    assert as_left(waiting) == (row(0, 0, 0, 0, 0), True)
    assert as_left(lost(READY, TWO.since)) == (row(0, 0, 0, 0, 0), True)
    (kept,) = decide(CONFIRMED, ScoreBox(category="choice"), STILL)
    assert (kept.left, kept.rolling) == (row(0, 0, 0, 0, 0), False)
