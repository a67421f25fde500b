"""Boxes set right later on: what else changes, what cannot be, who has won then."""

from dataclasses import replace

import pytest

from messages.errors import RefusalError
from messages.message import Message
from station.contract.commands import CorrectBox, EndGame, EnterRoll, RemovePlayer, ScoreBox, StartGame, Undo
from station.game.events import BoxCorrected, BoxScored, GameStarted, PlayerAdded, RollAccepted
from station.game.evolve import evolve, replay
from station.game.log.player import Filling, Player
from station.game.log.slots import Die
from station.game.log.state import State, totals
from station.game.steps.correct_box import throw_of
from station.rules import Entry, Sheet
from tests.game.deciding import decide
from tests.game.playing import play, refusal, refused, started, turn
from tests.rules.house_files import GOOD
from tests.wording import in_words

FIVES, THREES = (5, 5, 5, 5, 5), (3, 3, 3, 3, 3)


def boxes(state: State, seat: int = 0) -> dict[str, int]:
    return {entry.category: entry.points + entry.extra for entry in state.players[seat].sheet.entries}


@pytest.fixture
def yachts() -> State:
    """Three yachts of Ana, the second and third with 100 on top; Ben has nothing."""
    state = started("game-rules-guru", "Ana", "Ben")
    for category, faces in (("yacht", FIVES), ("fives", FIVES), ("full-house", THREES)):
        state = play(
            state, *turn(category, *faces), *turn("ones", 2, 2, 3, 3, 4)[:1], ScoreBox(category=category)
        )
    return state


def test_other_boxes_that_change_are_named_with_their_reason(yachts):
    assert boxes(yachts) == {"yacht": 50, "fives": 125, "full-house": 125}
    command = CorrectBox(player=0, category="yacht", faces=(5, 5, 5, 5, 4))
    with pytest.raises(RefusalError) as caught:
        decide(yachts, command)
    assert caught.value.code == "box/changes_others"
    fives, house = caught.value.message.values["changes"]
    assert in_words(fives) == "5s of Ana from 125 to 25 (5s: 5-5-5-5-5 add up to 25.)"
    assert in_words(house) == (
        "Full house of Ana from 125 to 25 (Full house: a further yacht may stand for a full house, worth 25.)"
    )
    assert isinstance(house, Message)
    assert house.values["category"] == "full-house"
    after = play(yachts, command.model_copy(update={"force": True}))
    assert boxes(after) == {"yacht": 0, "fives": 25, "full-house": 25}
    assert play(after, Undo()) == yachts


def test_a_box_of_somebody_who_has_gone_is_set_right():
    state = play(started("yacht-1938", "Ana", "Ben"), *turn("choice"), RemovePlayer(player=0))
    assert boxes(play(state, CorrectBox(player=0, category="choice", faces=(1, 2, 3, 4, 6)))) == {
        "choice": 16
    }


def test_the_reason_knows_the_throw_of_a_box():
    (begun,) = decide(State(), StartGame(players=("Ana", "Ben"), rules="grandma"), house=GOOD)
    state = evolve(State(), begun)
    for category, faces in (("yacht", FIVES), ("small-straight", THREES)):
        state = play(
            state, *turn(category, *faces), *turn("sixes", 2, 2, 3, 3, 4)[:1], ScoreBox(category=category)
        )
    assert boxes(state) == {"yacht": 60, "small-straight": 40}
    told = refused(state, CorrectBox(player=0, category="yacht", faces=(1, 1, 1, 1, 2)))
    change = "Row of Ana from 40 to 20 (Row: a further yacht may stand for a straight, worth 20 in the first throw.)"  # noqa: E501
    assert told == ("box/changes_others", f"That would change other boxes, too: {change}")


def test_a_box_moved_elsewhere_asks_nothing_where_no_other_changes(yachts):
    right = CorrectBox(player=0, category="full-house", faces=THREES, to="threes")
    assert decide(yachts, right) == (BoxCorrected(0, "full-house", THREES, 1, "threes"),)
    assert boxes(play(yachts, right)) == {"yacht": 50, "fives": 125, "threes": 115}
    same = CorrectBox(player=0, category="full-house", faces=THREES)
    assert decide(yachts, same) == ()
    assert decide(yachts, same.model_copy(update={"to": "full-house"})) == ()


def test_the_box_of_the_second_of_three_is_set_right():
    state = play(started("lawn", "Ana", "Ben", "Cleo"), *turn("ones"), *turn("twos"), *turn("threes"))
    after = play(state, CorrectBox(player=1, category="twos", faces=(2, 2, 2, 1, 1)))
    assert [boxes(after, seat) for seat in range(3)] == [{"ones": 1}, {"twos": 6}, {"threes": 3}]
    assert after.players[1].fillings == (Filling("twos", (1, 1, 2, 2, 2), 1),)
    assert decide(state, CorrectBox(player=2, category="threes", faces=(3, 1, 3, 1, 3))) == (
        BoxCorrected(2, "threes", (1, 1, 3, 3, 3), 1),
    )


def test_corrections_that_cannot_be_are_refused():
    state = play(started("lawn", "Ana", "Ben"), *turn("fours"), *turn("ones"), *turn("twos"))
    six = replace(state, rules=replace(state.played, dice=6))
    ones = (1, 1, 1, 1, 1)
    for now, code, seat, box, faces, to in (
        (state, "box/open", 0, "ones", ones, None),
        (state, "player/unknown", 2, "ones", ones, None),
        (state, "box/five_dice", 0, "fours", (1, 1, 1, 1), None),
        (six, "box/five_dice", 0, "fours", ones, None),
        (state, "box/filled", 0, "fours", ones, "twos"),
        (state, "box/unknown", 0, "fours", ones, "joker"),
        (State(), "game/none", 0, "fours", ones, None),
    ):
        assert refusal(now, CorrectBox(player=seat, category=box, faces=faces, to=to)) == code


def test_a_later_box_that_could_not_have_been_filled_is_named():
    """Yahtzee's forced joker: with the yahtzee box filled, the next one goes to its face first."""
    state = started("yahtzee", "Ana")
    state = play(state, *turn("ones", 1, 1, 2, 3, 4), *turn("choice", *FIVES), *turn("twos"))
    told = refused(
        state, CorrectBox(player=0, category="ones", faces=(1, 1, 1, 1, 1), to="yacht", force=True)
    )
    assert told == (
        "box/impossible_after",
        "Then 5-5-5-5-5 could not stand in Chance any more; set that box right first.",
    )


def test_a_box_that_the_dice_may_not_go_to_is_refused_as_when_it_is_filled():
    state = play(started("yahtzee", "Ana"), *turn("yacht", *FIVES), *turn("choice"), *turn("twos"))
    told = refused(state, CorrectBox(player=0, category="choice", faces=THREES))
    assert told[0] == "box/not_allowed"
    assert "it goes to Threes" in told[1]


def test_after_which_throw_a_box_was_filled():
    player = Player("Ana", fillings=(Filling("ones", FIVES, 1), Filling("twos", FIVES, 2)))
    assert [throw_of(player, category, 3) for category in ("ones", "twos", "sixes")] == [1, 2, 3]


# -- who has won then --------------------------------------------------------------------------------


def test_a_correction_after_the_end_may_change_who_won():
    played = play(started("lawn", "Ana", "Ben"), *turn("fours", 4, 4, 1, 2, 3), *turn("choice"))
    state = play(played, EndGame(winners=(1,)))
    assert (state.winners, state.ended_by) == ((1,), "early")
    after = play(state, CorrectBox(player=0, category="fours", faces=(4, 4, 4, 4, 4)))
    assert (after.winners, after.ended_by) == ((0,), "early")
    shared = play(state, CorrectBox(player=1, category="choice", faces=(1, 1, 2, 2, 2)))
    assert (shared.winners, totals(shared, shared.players[1]).total) == ((0, 1), 8)
    for said in ((), (0,)):  # nobody, or somebody who had not most points: that was no matter of points
        state = play(played, EndGame(winners=said))
        assert play(state, CorrectBox(player=1, category="choice", faces=(6, 6, 6, 6, 6))).winners == said


def test_a_correction_takes_no_big_general_away():
    state = started("general", "Ana", "Ben")
    state = play(state, *turn("ones"), *turn("twos"), EnterRoll(faces=FIVES))
    assert (state.winners, state.ended_by) == ((0,), "big_general")
    after = play(state, CorrectBox(player=1, category="twos", faces=(2, 2, 2, 2, 1)))
    assert (after.winners, after.ended_by, boxes(after, 1)) == ((0,), "big_general", {"twos": 8})


# -- logs of version 0.1.0 ---------------------------------------------------------------------------


def test_a_log_that_corrected_a_box_against_later_ones_is_still_read():
    """Version 0.1.0 set a box right alone; the later ones stand as they were filled."""

    def thrown(*faces: int) -> RollAccepted:
        return RollAccepted(tuple(Die(slot, face) for slot, face in enumerate(faces, start=1)), typed=True)

    log = [
        GameStarted(1, 0, "yahtzee", ("Ana",)),
        PlayerAdded("Ben"),
        *(thrown(1, 1, 2, 3, 4), BoxScored("ones"), thrown(1, 2, 3, 4, 6), BoxScored("twos")),
        *(thrown(2, 2, 3, 3, 3), BoxScored("full-house"), thrown(1, 2, 3, 4, 6), BoxScored("ones")),
        *(thrown(*FIVES), BoxScored("choice"), thrown(1, 2, 3, 4, 6), BoxScored("sixes")),
        *(thrown(6, 6, 6, 6, 1), BoxScored("sixes"), thrown(1, 2, 3, 4, 6), BoxScored("threes")),
    ]
    state = replay([*log, BoxCorrected(0, "full-house", (1, 1, 1, 1, 1), 2, "yacht")])
    assert state.players[0].sheet == Sheet(
        (Entry("ones", 2), Entry("yacht", 50), Entry("choice", 25), Entry("sixes", 24))
    )
    assert state.players[0].fillings == (
        Filling("ones", (1, 1, 2, 3, 4), 1),
        Filling("yacht", (1, 1, 1, 1, 1), 2),
        Filling("choice", FIVES, 1),
        Filling("sixes", (1, 6, 6, 6, 6), 1),
    )
    assert state.players[1] == replay(log).players[1]
    stays = replay([*log, BoxCorrected(0, "ones", (1, 1, 1, 2, 2), 2)])
    assert boxes(stays) == {"ones": 3, "full-house": 25, "choice": 25, "sixes": 24}
