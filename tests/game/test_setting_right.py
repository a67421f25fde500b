"""What people say about the dice on the tray before a roll counts."""

from dataclasses import replace

import pytest

from messages.errors import RefusalError
from station.contract.commands import AcceptRoll, CorrectDie, MissedDie, NotADie, ReadAgain, SetHeld
from station.game.dice.sights import NOTHING_FIXED, look, settled
from station.game.dice.tray import offer
from station.game.dice.tray_corrections import ASIDE_PX, NO_DIE, Fixes
from station.game.events import BoxScored, HeldSet, RollAccepted, Undone
from station.game.log.slots import Die, Seen
from station.game.setting_right import as_read, corrected, followed, learnt, missed
from station.game.situation import Situation
from tests.game.playing import moved, play, row, seeing, started, then


def said(state, sight, asked):
    """The sight once that is said of it."""
    return asked.sight_after(Situation.of(state, sight))


TWO = started("yacht-1938", "Ana", "Ben")
READY = seeing(TWO, 1, 2, 3, 4, 5)
CONFIRMED = play(TWO, AcceptRoll(), sight=READY)


def test_a_corrected_die_counts_as_people_say_until_dice_move():
    unsure = seeing(TWO, 1, 2, 3, 4, 5, status="unsure")
    fixed = corrected(unsure, offer(TWO, unsure).dice[1], 6)
    now = offer(TWO, fixed)
    assert (now.status, now.faces, now.corrected, now.fixed) == ("ready", (1, 3, 4, 5, 6), (2,), True)
    assert [die.seen for die in now.dice] == list(row(1, 2, 3, 4, 5))
    again = then(fixed, TWO, moved(row(1, 2, 3, 4, 5), 0, by=5), status="unsure")
    assert offer(TWO, again).faces == (1, 3, 4, 5, 6)
    assert offer(TWO, then(again, TWO, moved(row(1, 2, 3, 4, 5), 0), status="unsure")).fixed is False
    assert offer(TWO, as_read(fixed)) == offer(TWO, unsure)


def test_a_corrected_roll_stays_when_the_dice_are_taken_away_and_even_then_can_be_set_right():
    unsure = seeing(TWO, 1, 2, 3, 4, 5, status="unsure")
    fixed = corrected(unsure, offer(TWO, unsure).dice[1], 6)
    away = look(fixed, "empty", (), (), TWO.since)
    assert offer(TWO, away).faces == (1, 3, 4, 5, 6)
    twice = corrected(away, offer(TWO, away).dice[0], 4)
    assert offer(TWO, twice).faces == (3, 4, 4, 5, 6)
    assert offer(TWO, look(twice, "empty", (), (), TWO.since)).faces == (3, 4, 4, 5, 6)
    assert not offer(TWO, as_read(away)).ready, "of what the camera was not sure of nothing is left to read"
    assert not offer(TWO, look(as_read(fixed), "empty", (), (), TWO.since)).ready
    assert offer(TWO, as_read(corrected(READY, offer(TWO, READY).dice[0], 6))) == offer(TWO, READY)


def test_what_is_no_die_is_left_out_and_a_missed_one_added():
    six = seeing(TWO, 1, 2, 3, 4, 5, 6)
    now = offer(TWO, corrected(six, offer(TWO, six).listed[2], NO_DIE))
    assert (now.status, now.faces, now.fixed) == ("ready", (1, 2, 4, 5, 6), True)
    four = seeing(TWO, 1, 2, 3, 4, status="unsure")
    added = missed(four, 6)
    assert (offer(TWO, added).status, offer(TWO, added).faces) == ("ready", (1, 2, 3, 4, 6))
    assert offer(TWO, added).dice[4] == Die(5, 6)  # the camera saw nothing of it
    other = corrected(added, offer(TWO, added).dice[4], 5)
    assert offer(TWO, other).faces == (1, 2, 3, 4, 5)
    none = corrected(added, offer(TWO, added).dice[4], NO_DIE)
    assert (offer(TWO, none).faces, offer(TWO, none).fixed) == ((1, 2, 3, 4), False)
    # Both hold when the dice are taken away.
    away = look(added, "empty", (), (), TWO.since)
    assert offer(TWO, away).faces == (1, 2, 3, 4, 6)
    late = missed(look(seeing(TWO, 1, 2, 3, 4), "empty", (), (), TWO.since), 6)
    assert offer(TWO, late).faces == (1, 2, 3, 4, 6)


def test_what_was_said_of_a_confirmed_roll_ends_with_the_next_movement():
    fixed = corrected(READY, offer(TWO, READY).dice[0], 6)
    confirmed = play(TWO, AcceptRoll(), sight=fixed)
    after = settled(fixed)
    assert (after.fixes, after.fixes_end, after.stirred) == (fixed.fixes, True, False)
    rolling = look(after, "moving", (), (), confirmed.since)
    assert (rolling.fixes, rolling.fixes_end, rolling.stirred) == (NOTHING_FIXED, False, True)
    before = look(fixed, "moving", (), (), TWO.since)
    assert before.fixes == fixed.fixes  # not confirmed yet: people may have set it right too early
    # What is said after it was confirmed is of the next roll.
    for said in (corrected(after, offer(confirmed, after).dice[1], 6), missed(after, 6)):
        assert said.fixes_end is False
        assert look(said, "moving", (), (), confirmed.since).fixes == said.fixes


def test_fixes_hold_as_long_as_the_dice_lie():
    lie = row(1, 2, 3, 4, 5)
    fixes = NOTHING_FIXED.with_face(lie, lie[0], 6)
    assert fixes == Fixes(lie, ((lie[0], 6),))
    assert NOTHING_FIXED.after(lie) == NOTHING_FIXED
    assert fixes.after(lie) == fixes
    assert fixes.after(lie[1:]) == fixes  # one is lost from sight
    found = (*lie, Seen(6, 900.0, 200.0, 60.0))
    assert fixes.after(found) == replace(fixes, lie=found)  # one more is found at last
    assert fixes.after(moved(lie, 4)) == NOTHING_FIXED  # one has been moved
    assert fixes.after(row(1, 2, 3, 4, 5, at=90)) == NOTHING_FIXED
    assert fixes.after(()) == NOTHING_FIXED


def test_the_last_word_on_a_die_counts():
    lie = row(1, 2, 3)
    fixes = NOTHING_FIXED.with_face(lie, lie[0], 6).with_face((), lie[1], 5).with_face(lie, lie[0], 4)
    assert fixes == Fixes(lie, ((lie[1], 5), (lie[0], 4)))
    assert [die.face for die in fixes.applied(lie, 3)] == [4, 5, 3]


def test_a_missed_die_counts_as_long_as_one_is_missing():
    lie = row(1, 2, 3)
    fixes = NOTHING_FIXED.with_missed(lie, 6).with_missed((), 5)
    assert fixes == Fixes(lie, (), (6, 5))
    assert fixes.applied(lie, 5) == (*lie, Seen(6, ASIDE_PX, 0.0, 0.0), Seen(5, ASIDE_PX + 1, 0.0, 0.0))
    assert fixes.applied(lie, 4) == (*lie, Seen(6, ASIDE_PX, 0.0, 0.0))
    assert fixes.applied(lie, 3) == fixes.applied(lie, 2) == lie
    assert fixes.with_missed_as(6, 4).added == (4, 5)
    assert fixes.with_missed_as(5, 4).added == (6, 4)
    assert fixes.with_missed_as(6, NO_DIE).added == (5,)
    assert fixes.with_missed(lie, 1).with_missed_as(6, NO_DIE).added == (5, 1)
    assert bool(fixes.with_missed_as(6, NO_DIE).with_missed_as(5, NO_DIE)) is False


# -- what a command makes of it ----------------------------------------------------------------------


def test_a_die_gets_its_face_while_it_waits_and_a_confirmed_one_by_an_event():
    unsure = seeing(TWO, 1, 2, 3, 4, 5, status="unsure")
    assert said(TWO, unsure, CorrectDie(slot=2, face=6)) == corrected(unsure, offer(TWO, unsure).dice[1], 6)
    assert said(TWO, unsure, CorrectDie(slot=6, face=6)) is None
    assert said(CONFIRMED, settled(READY), CorrectDie(slot=2, face=6)) is None
    held = play(CONFIRMED, SetHeld(slots=(1,)))
    again = then(look(settled(READY), "moving", (), (), held.since), held, (*row(1), *row(6, 6, 6, 6, at=90)))
    assert said(held, again, CorrectDie(slot=1, face=2)) is None
    assert said(held, again, CorrectDie(slot=2, face=2)) is not None
    few = then(look(settled(READY), "moving", (), (), held.since), held, row(6, 6, 6, at=90))
    assert said(held, few, CorrectDie(slot=1, face=2)) is not None  # numbered: no slot is told


def test_what_is_said_needs_dice_that_wait_to_be_confirmed():
    def code(state, sight, asked):
        with pytest.raises(RefusalError) as refused:
            said(state, sight, asked)
        return refused.value.code

    six = seeing(TWO, 1, 2, 3, 4, 5, 6)
    assert code(CONFIRMED, settled(READY), NotADie(slot=1)) == "roll/none"
    assert code(CONFIRMED, settled(READY), MissedDie(face=1)) == "roll/none"
    assert code(TWO, seeing(TWO, status="moving"), MissedDie(face=1)) == "roll/none"
    assert code(TWO, six, NotADie(slot=7)) == "die/unknown"
    assert code(TWO, six, MissedDie(face=1)) == code(TWO, READY, MissedDie(face=1)) == "roll/count"
    assert said(TWO, six, NotADie(slot=3)) == corrected(six, offer(TWO, six).listed[2], NO_DIE)
    four = seeing(TWO, 1, 2, 3, 4)
    assert said(TWO, four, MissedDie(face=6)) == missed(four, 6)
    assert said(TWO, missed(four, 6), ReadAgain()) == replace(missed(four, 6), fixes=NOTHING_FIXED)


def test_after_what_happens_the_words_on_a_roll_that_counts_end_with_it():
    fixed = replace(corrected(READY, offer(TWO, READY).dice[0], 6), stirred=True)
    assert followed(fixed, RollAccepted(())) == settled(fixed)
    assert followed(fixed, BoxScored("ones")) == replace(fixed, fixes_end=True)
    assert followed(replace(READY, fixes_end=True), BoxScored("ones")) == replace(READY, fixes_end=False)
    assert followed(fixed, Undone()) == replace(fixed, stirred=False)
    assert followed(fixed, HeldSet((1,))) == fixed


def test_only_a_face_that_a_person_gave_is_learnt_from():
    six = seeing(TWO, 1, 2, 3, 4, 5, 6)
    listed = offer(TWO, six).listed
    fixed = corrected(corrected(six, listed[2], NO_DIE), listed[0], 4)
    assert list(learnt(missed(fixed, 6))) == [(listed[0].seen, 4)]
