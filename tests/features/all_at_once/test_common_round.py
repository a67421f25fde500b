"""A round in which all play at once, in the pure game: who may do what when, and what each copy becomes."""

from dataclasses import replace

import pytest

from station.contract.commands import (
    AcceptRoll,
    AddPlayer,
    CorrectBox,
    CorrectDie,
    EnterRoll,
    RemovePlayer,
    ScoreBox,
    SetHeld,
    Undo,
)
from station.features.all_at_once.box_chosen import BoxChosen
from station.features.all_at_once.copies import COPY
from station.features.all_at_once.copy_held import CopyHeld
from station.features.all_at_once.ready import PlayerReady, Ready
from station.features.all_at_once.unready import PlayerUnready, Unready
from station.features.all_at_once.way import told_apart
from station.game.dice.sights import Sight
from station.game.dice.tray import Offer, offer
from station.game.log.slots import Die, Seen
from station.game.log.state import Phase, State
from station.game.sentences import announced, undo_text
from station.game.way import WAY
from tests.game.deciding import decide
from tests.game.playing import moved, play, refused, row, seeing, started, then
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


def faces(state: State, seat: int) -> tuple[int, ...]:
    return tuple(die.face for die in COPY.of(state.players[seat]).dice)


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


# -- refusals ----------------------------------------------------------------------------------------


def test_before_the_first_throw_there_is_nothing_to_do(before):
    held = refused(before, SetHeld(player=ANA, slots=(1,)))
    assert held == ("held/no_roll", "You can keep dice once a roll counts.")
    picked = refused(before, ScoreBox(player=ANA, category="ones"))
    assert picked == ("box/after_last_throw", "You pick boxes after the last roll.")
    for command in (Ready(player=ANA), Unready(player=ANA)):
        said = refused(before, command)
        assert said == ("ready/no_roll", "The roll for everybody comes first, then Ready.")


def test_there_must_be_such_a_player(thrown):
    for command in (SetHeld(player=2, slots=(1,)), Ready(player=2), Unready(player=2)):
        assert refused(thrown, command) == ("player/unknown", "The seats are numbered 0 to 1.")
    left = play(thrown, RemovePlayer(player=BEN))
    assert refused(left, Ready(player=BEN))[0] == "player/unknown"


def test_who_came_late_plays_from_the_next_round_on(thrown):
    late = play(thrown, AddPlayer(name="Cleo"))
    assert refused(late, Ready(player=2))[0] == "ready/next_round"
    assert refused(late, SetHeld(player=2, slots=(1,)))[1].startswith("Cleo")


def test_when_all_are_ready_nothing_is_changed_any_more(thrown):
    waiting = all_ready(thrown)
    assert waiting.phase is Phase.THROWING
    for command in (Ready(player=ANA), Unready(player=ANA), SetHeld(player=ANA, slots=(1,))):
        assert refused(waiting, command)[0] == "ready/all_ready"


def test_who_is_ready_changes_nothing_until_it_is_taken_back(thrown, last):
    ready = play(thrown, SetHeld(player=ANA, slots=(4, 5)), Ready(player=ANA))
    assert refused(ready, SetHeld(player=ANA, slots=(1,)))[0] == "ready/already"
    assert decide(ready, SetHeld(player=ANA, slots=(5, 4, 4))) == ()
    assert decide(ready, Ready(player=ANA)) == ()
    assert decide(ready, Unready(player=ANA)) == (PlayerUnready(ANA),)
    assert decide(ready, Unready(player=BEN)) == ()
    again = play(ready, Unready(player=ANA), SetHeld(player=ANA, slots=(1,)))
    assert COPY.of(again.players[ANA]).held == (1,)
    chosen = play(last, ScoreBox(player=ANA, category="fours"), Ready(player=ANA))
    assert refused(chosen, ScoreBox(player=ANA, category="ones"))[0] == "ready/already"
    assert decide(chosen, ScoreBox(player=ANA, category="fours")) == ()


def test_dice_are_held_by_their_numbers(thrown, last):
    assert decide(thrown, SetHeld(player=BEN, slots=(5, 1, 5))) == (CopyHeld(BEN, (1, 5)),)
    assert decide(thrown, SetHeld(slots=(1,))) == (CopyHeld(thrown.active, (1,)),)
    for slots in ((6,), (1, 10)):
        assert refused(thrown, SetHeld(player=ANA, slots=slots)) == (
            "die/unknown",
            "The dice are numbered 1 to 5.",
        )
    assert refused(last, SetHeld(player=ANA, slots=(1,)))[0] == "held/choosing"


def test_boxes_are_picked_after_the_last_throw(thrown, last):
    assert refused(thrown, ScoreBox(player=ANA, category="ones"))[0] == "box/after_last_throw"
    assert decide(last, ScoreBox(player=BEN, category="ones")) == (BoxChosen(BEN, "ones"),)
    assert refused(last, ScoreBox(player=ANA, category="joker"))[0] == "box/unknown"
    assert refused(last, Ready(player=BEN))[0] == "ready/no_box"
    assert "Ben" in refused(last, Ready(player=BEN))[1]


def test_no_throw_is_expected_before_all_are_ready(thrown, last):
    assert refused(thrown, ROLL)[0] == "roll/not_all_ready"
    assert "Ana, Ben" in refused(thrown, ROLL)[1]
    one = play(thrown, Ready(player=ANA))
    assert "Ana" not in refused(one, ROLL)[1]
    code, sentence = refused(play(last, ScoreBox(player=ANA, category="ones"), Ready(player=ANA)), ROLL)
    assert code == "roll/none_left"
    assert "Ben" in sentence
    assert "Ana" not in sentence


# -- what becomes of the copies ----------------------------------------------------------------------


def test_nobody_who_has_gone_is_at_the_table(thrown):
    """Whoever was waited for last, at the table, leaves: all are ready, and the buttons act for another."""
    for state in (play(thrown, Ready(player=ANA)), play(thrown, Ready(player=ANA), AddPlayer(name="Cleo"))):
        assert state.active == BEN
        left = play(state, RemovePlayer(player=BEN))
        assert (left.phase, left.active) == (Phase.THROWING, ANA)


def test_kept_dice_stay_on_the_own_copy_and_the_others_become_the_throw(thrown):
    state = play(thrown, SetHeld(player=ANA, slots=(4, 5)), SetHeld(player=BEN, slots=(1,)))
    state = play(all_ready(state), EnterRoll(faces=(6, 6, 5, 5, 3)))
    assert (faces(state, ANA), faces(state, BEN)) == ((6, 6, 5, 4, 4), (1, 6, 5, 5, 3))
    assert [COPY.of(player).held for player in state.players] == [(4, 5), (1,)]
    assert [COPY.of(player).ready for player in state.players] == [False, False]
    right = play(state, CorrectDie(slot=5, face=2))
    assert (faces(right, ANA), faces(right, BEN)) == ((6, 6, 5, 4, 4), (1, 6, 5, 5, 2))
    assert play(right, Undo()) == state


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


def test_who_leaves_is_not_waited_for(last):
    one = play(last, ScoreBox(player=ANA, category="fours"), Ready(player=ANA))
    left = play(one, RemovePlayer(player=BEN))
    assert left.players[ANA].sheet.points("fours") == 8
    assert (left.phase, left.throws_done) == (Phase.THROWING, 0)


def test_who_leaves_before_the_first_throw_takes_the_buttons_from_nobody():
    three = replace(started("shared-roll", "Ana", "Ben", "Cleo"), active=BEN)
    assert play(three, RemovePlayer(player=2)).active == BEN
    assert play(three, RemovePlayer(player=BEN)).active == 2


def test_the_last_one_to_be_ready_leaves_the_dice_to_nobody(thrown):
    lying = seeing(thrown, 1, 2, 3, 4, 4)
    assert decide(thrown, Ready(player=ANA), lying) == (PlayerReady(ANA),)
    one = play(thrown, Ready(player=ANA), sight=lying)
    assert decide(one, Ready(player=BEN), lying) == (PlayerReady(BEN, row(0, 0, 0, 0, 0)),)


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
        found = told_apart(state, Offer("ready", dice=coloured(*colours)))
        return found and found.key

    assert told(before, "red", "green", "blue", "white", "black") is None
    assert told(before, *["white"] * 5) == "together/one_colour"
    assert told(before, "red", "green", "blue", "white", "white") == "together/colour_twice"
    two = told_apart(before, Offer("ready", dice=coloured("red", "red", "blue", "white", "white")))
    assert in_words(two).startswith("These colours are there more than once: red, white.")
    assert told(before, "white", "white", "white", "white") is None
    assert told(State(), *["white"] * 5) is None
    assert told(picked(last, "ones", "ones"), *["white"] * 5) is None
    twice = told_apart(before, Offer("ready", dice=coloured("red", "red", "blue", "blue", "white")))
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
