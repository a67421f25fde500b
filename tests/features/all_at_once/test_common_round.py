"""A round in which all play at once, in the pure game: who may do what when, and what each copy becomes."""

from dataclasses import replace

import pytest

from messages.message import Message
from station.contract.commands import (
    AcceptRoll,
    AddPlayer,
    Choose,
    CorrectBox,
    EnterRoll,
    RemovePlayer,
    ScoreBox,
    SetHeld,
    Undo,
)
from station.features.all_at_once.copies import COPY
from station.features.all_at_once.copy_held import CopyHeld
from station.features.all_at_once.ready import Ready
from station.features.all_at_once.simultaneous_way import colour_note, waited_for
from station.features.all_at_once.unready import PlayerUnready, Unready
from station.game.dice.sights import Sight
from station.game.dice.tray import Offer, offer
from station.game.log.slots import Die, Seen
from station.game.log.state import Phase, State
from station.game.sentences import announced, undo_text
from station.game.way import WAY
from tests.game.deciding import decide
from tests.game.playing import moved, play, refusal, refused, row, seeing, started, then
from tests.wording import in_words

ROLL = EnterRoll(faces=(1, 2, 3, 4, 4))
ANA, BEN = 0, 1


def all_ready(state: State) -> State:
    for seat in range(len(state.players)):
        if COPY.of(state.players[seat]).dice and not state.players[seat].gone:
            state = play(state, Ready(player=seat))
    return state


def picked(state: State, *categories: str) -> State:
    for seat, category in enumerate(categories):
        state = play(state, ScoreBox(player=seat, category=category), Ready(player=seat))
    return state


@pytest.fixture
def before() -> State:
    return started("shared-roll", "Ana", "Ben")


@pytest.fixture
def thrown(before) -> State:
    return play(before, ROLL)


@pytest.fixture
def last(thrown) -> State:
    """After the last throw."""
    return play(all_ready(play(all_ready(thrown), ROLL)), ROLL)


# -- what may be done when ---------------------------------------------------------------------------


def test_each_step_of_a_round_has_its_time(before, thrown, last):
    ready = play(thrown, SetHeld(player=ANA, slots=(4, 5)), Ready(player=ANA))
    chosen = play(last, ScoreBox(player=ANA, category="fours"), Ready(player=ANA))
    held = SetHeld(player=ANA, slots=(1,))
    ones = ScoreBox(player=ANA, category="ones")
    for state, code, commands in (
        (before, "held/no_roll", (held,)),
        (before, "box/after_last_throw", (ones,)),
        (before, "ready/no_roll", (Ready(player=ANA), Unready(player=ANA))),
        (thrown, "player/unknown", (SetHeld(player=2, slots=(1,)), Ready(player=2), Unready(player=2))),
        (play(thrown, RemovePlayer(player=BEN)), "player/unknown", (Ready(player=BEN),)),
        (play(thrown, AddPlayer(name="Cleo")), "ready/next_round", (Ready(player=2),)),
        (thrown, "die/unknown", (SetHeld(player=ANA, slots=(6,)), SetHeld(player=ANA, slots=(1, 10)))),
        (thrown, "box/after_last_throw", (ones, Choose())),
        (thrown, "roll/not_all_ready", (ROLL,)),
        (all_ready(thrown), "ready/all_ready", (Ready(player=ANA), Unready(player=ANA), held)),
        (ready, "ready/already", (held,)),
        (last, "held/choosing", (held,)),
        (last, "box/unknown", (ScoreBox(player=ANA, category="joker"),)),
        (last, "ready/no_box", (Ready(player=BEN),)),
        (chosen, "ready/already", (ones,)),
        (chosen, "roll/none_left", (ROLL,)),
    ):
        for command in commands:
            assert refusal(state, command) == code
    assert [name in refused(ready, ROLL)[1] for name in ("Ana", "Ben")] == [False, True]


def test_what_is_said_again_changes_nothing(thrown, last):
    fours = ScoreBox(player=ANA, category="fours")
    assert decide(play(last, fours), fours) == ()
    ready = play(thrown, SetHeld(player=ANA, slots=(4, 5)), Ready(player=ANA))
    for command in (SetHeld(player=ANA, slots=(5, 4, 4)), Ready(player=ANA), Unready(player=BEN)):
        assert decide(ready, command) == ()
    assert decide(ready, Unready(player=ANA)) == (PlayerUnready(ANA),)
    assert decide(thrown, SetHeld(slots=(5, 1, 5))) == (CopyHeld(thrown.active, (1, 5)),)


# -- what becomes of the copies ----------------------------------------------------------------------


def test_nobody_who_has_gone_is_at_the_table(thrown):
    """Whoever was waited for last, at the table, leaves: all are ready, and the buttons act for another."""
    for state in (play(thrown, Ready(player=ANA)), play(thrown, Ready(player=ANA), AddPlayer(name="Cleo"))):
        assert state.active == BEN
        left = play(state, RemovePlayer(player=BEN))
        assert (left.phase, left.active) == (Phase.THROWING, ANA)


def test_the_boxes_are_written_when_all_are_ready(last):
    one = play(last, ScoreBox(player=ANA, category="fours"), Ready(player=ANA))
    assert [player.sheet.entries for player in one.players] == [(), ()]
    both = play(one, ScoreBox(player=BEN, category="choice"), Ready(player=BEN))
    assert [player.sheet.entries for player in both.players] == [(("fours", 8, 0),), (("choice", 14, 0),)]
    assert [player.fillings[0].throw for player in both.players] == [3, 3]
    assert [player.fillings[0].faces for player in both.players] == [(1, 2, 3, 4, 4)] * 2
    assert (both.phase, both.throws_done, both.dice) == (Phase.THROWING, 0, ())
    assert {COPY.of(player).dice for player in both.players} == {()}
    assert in_words(announced(both)) == "Ana: 4s, 8. Ben: Choice, 14."
    elsewhere = CorrectBox(player=ANA, category="fours", faces=(1, 2, 3, 4, 4), to="choice", force=True)
    assert in_words(announced(play(both, elsewhere))) == "Ben: Choice, 14."
    assert play(both, Undo()) == play(one, ScoreBox(player=BEN, category="choice"))


def test_a_picked_box_that_a_correction_fills_is_picked_again(last):
    state = play(picked(last, "ones", "twos"), ROLL)
    state = play(all_ready(play(all_ready(state), ROLL)), ROLL)
    state = play(state, ScoreBox(player=ANA, category="fours"), Ready(player=ANA))
    other = play(state, CorrectBox(player=ANA, category="ones", faces=(1, 1, 1, 2, 2)))
    assert (COPY.of(other.players[ANA]).chosen, COPY.of(other.players[ANA]).ready) == ("fours", True)
    moved = play(state, CorrectBox(player=ANA, category="ones", faces=(4, 4, 4, 2, 2), to="fours"))
    assert (COPY.of(moved.players[ANA]).chosen, COPY.of(moved.players[ANA]).ready) == (None, False)
    assert refused(moved, Ready(player=ANA))[0] == "ready/no_box"


def test_who_leaves_before_the_first_throw_takes_the_buttons_from_nobody():
    three = replace(started("shared-roll", "Ana", "Ben", "Cleo"), active=BEN)
    assert play(three, RemovePlayer(player=2)).active == BEN
    assert play(three, RemovePlayer(player=BEN)).active == 2


# -- the throw for everybody -------------------------------------------------------------------------


def test_it_is_thrown_too_early_when_most_dice_were_moved(before):
    sight = seeing(before, 1, 2, 3, 4, 4)
    holding = play(before, AcceptRoll(), sight=sight)
    lying = then(sight, holding, sight.seen)
    for many, early in ((2, None), (3, "roll/early")):
        stirred = then(lying, holding, moved(sight.seen, *range(many)))
        wrong = offer(holding, stirred).wrong
        assert (wrong.key if wrong else None) == early


def painted(sight: Sight, *colours: str) -> Sight:
    dice = tuple(replace(die, colour=colour) for die, colour in zip(sight.seen, colours, strict=True))
    owners = {die: sight.owners[plain] for die, plain in zip(dice, sight.seen, strict=True)}
    return replace(sight, seen=dice, rested=dice, owners=owners)


def test_other_colours_matter_where_dice_are_thrown_alone(before):
    known = painted(seeing(before, 1, 2, 3, 4, 4), "red", "white", "blue", "black", "green")
    holding = play(before, AcceptRoll(), sight=known)
    throwing = all_ready(holding)
    other = painted(seeing(throwing, 6, 5, 3, 2, 1), "red", "red", "blue", "black", "green")
    assert (holding.phase, throwing.phase) == (Phase.HOLDING, Phase.THROWING)
    wrong = offer(throwing, other).wrong
    assert wrong is not None
    assert (wrong.key, wrong.values["slots"]) == ("roll/other_colours", (1, 2))
    assert offer(holding, other).wrong is None


def test_a_die_that_fell_where_another_lay_must_be_thrown_too(before):
    first = painted(seeing(before, 1, 2, 3, 4, 4), "red", "white", "blue", "black", "green")
    holding = play(before, AcceptRoll(), sight=first)
    red, white, blue, black, green = first.seen
    fallen = (replace(blue, x=red.x, y=red.y), *moved((red, white, black, green), 0, 1, 2, 3))
    early = then(then(first, holding, (), "moving"), holding, fallen)
    throwing = play(holding, Ready(player=ANA), Ready(player=BEN), sight=early)
    assert throwing.phase is Phase.THROWING
    thrown = moved(fallen, 1, 2, 3, 4)
    now = offer(throwing, then(then(early, throwing, (), "moving"), throwing, thrown))
    assert [die.seen.colour for die in now.dice if die.slot in now.untouched and die.seen] == ["blue"]
    assert now.wrong is not None
    assert (now.wrong.key, now.wrong.values["count"]) == ("roll/all_are_thrown", 1)


def coloured(*colours: str) -> tuple[Die, ...]:
    return tuple(
        Die(slot, 1, Seen(1, 100.0 * slot, 0.0, 60.0, colour)) for slot, colour in enumerate(colours, start=1)
    )


def test_dice_that_colours_do_not_tell_apart_are_told_of_in_the_first_round(before, last):
    def told(state: State, *colours: str) -> str | None:
        found = colour_note(state, Offer("ready", dice=coloured(*colours)))
        return found and found.key

    assert told(before, "red", "green", "blue", "white", "black") is None
    assert told(before, *["white"] * 5) == "together/one_colour"
    assert told(before, "red", "green", "blue", "white", "white") == "together/colour_twice"
    two = colour_note(before, Offer("ready", dice=coloured("red", "red", "blue", "white", "white")))
    assert in_words(two).startswith("These colours are there more than once: red, white.")
    assert told(before, "white", "white", "white", "white") is None
    assert told(State(), *["white"] * 5) is None
    assert told(picked(last, "ones", "ones"), *["white"] * 5) is None
    twice = colour_note(before, Offer("ready", dice=coloured("red", "red", "blue", "blue", "white")))
    assert twice is not None
    assert in_words(twice.values["colours"]) == "red blue"


def test_typed_dice_lie_where_the_same_dice_are_seen(before):
    seen = row(6, 6, 6, 6, 6)
    assert WAY.of(before).typed(before, (1, 2, 3, 4, 5), seen) == tuple(
        Die(slot, slot, Seen(0, 100.0 * slot, 200.0, 60.0, "white")) for slot in range(1, 6)
    )
    assert WAY.of(before).typed(before, (1, 2, 3, 4, 5), seen[1:]) == tuple(
        Die(slot, slot) for slot in range(1, 6)
    )


# -- what is told ------------------------------------------------------------------------------------


def test_of_many_who_are_waited_for_only_the_number_is_said():
    many = play(started("shared-roll", *(f"Player {name}" for name in "ABCDEFGH")), ROLL)
    assert waited_for(many, Offer("empty")) == Message("together/keep_many", count=8)


def test_what_undo_would_take_back_of_a_round(thrown, last):
    def told(state: State) -> str:
        return in_words(undo_text(state) or "")

    for state, command in (
        (thrown, SetHeld(player=BEN, slots=(1, 2))),
        (thrown, Ready(player=BEN)),
        (play(thrown, Ready(player=BEN)), Unready(player=BEN)),
        (last, ScoreBox(player=BEN, category="fours")),
    ):
        assert "Ben" in told(play(state, command))
    assert "4s" in told(play(last, ScoreBox(player=BEN, category="fours")))
