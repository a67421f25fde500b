"""What the game says: what it waits for, what is wrong on the tray, who won, what undo would take back."""

from dataclasses import replace

import pytest

from station import games
from station.contract.commands import (
    AddPlayer,
    Choose,
    Command,
    CorrectBox,
    CorrectDie,
    EndGame,
    EnterRoll,
    MovePlayer,
    RemovePlayer,
    ScoreBox,
    SetHeld,
    StartGame,
)
from station.game import evolve as evolving
from station.game.dice.tray import Offer
from station.game.events import ChoosingBegun
from station.game.evolve import evolve
from station.game.log.slots import Die
from station.game.log.state import State
from station.game.sentences import (
    announced,
    held_changed,
    needed,
    not_ready,
    problem_on_tray,
    result,
    undo_text,
    waiting_for,
)
from station.rules import Entry, Sheet, built_in
from tests.game.deciding import decide
from tests.game.playing import play, started, turn
from tests.wording import in_words

ROLL = EnterRoll(faces=(1, 2, 3, 4, 4))
DICE = tuple(Die(slot, face) for slot, face in enumerate((1, 2, 3, 4, 4), start=1))
LOST = Offer("ready", dice=DICE, missing=(4, 4), fresh=True)


def waiting(state: State, now: Offer | None = None) -> str:
    return in_words(waiting_for(state, now or Offer("empty")))


@pytest.fixture
def before() -> State:
    return started("yacht-1938", "Ana", "Ben")


@pytest.fixture
def holding(before) -> State:
    return play(before, ROLL)


# -- what the station waits for ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("now", "what"),
    [
        (Offer("moving"), "wait for the dice to stop"),
        (Offer("covered"), "take your hand off the tray"),
        (Offer("unsure", ("cocked", "glare"), fresh=True),
         "the camera is not sure: a die is leaning and the light glares. Nudge the dice, or tap one"),
        (Offer("unsure", fresh=True), "the camera is not sure. Nudge the dice, or tap one"),
        (Offer("ready", dice=DICE, fresh=True), "1-2-3-4-4 – right?"),
        (LOST, "put the kept dice back, or set them right"),
        (Offer("ready", dice=DICE), "roll all five dice"),
        (Offer("unsure", ("cocked",)), "roll all five dice"),
        (Offer("empty", fresh=True), "roll all five dice"),
    ],
)  # fmt: skip
def test_what_to_do_about_the_dice_on_the_tray(before, now, what):
    assert waiting(before, now) == f"Ana: {what}"


# -- who won -----------------------------------------------------------------------------------------


def test_who_won_is_told():
    alone = started("yacht-1938", "Ana")
    assert in_words(result(play(alone, *turn("ones"), EndGame()))) == "Ana has 1 point."
    assert in_words(result(play(alone, EndGame()))) == "The game is over."
    three = started("yacht-1938", "Ana", "Ben", "Cleo")
    shared = play(three, *turn("ones"), *turn("ones"), *turn("sixes"), EndGame(winners=(0, 1)))
    assert in_words(result(shared)) == "Ana and Ben share the win! 1 point."
    named = play(three, *turn("ones"), *turn("choice"), *turn("sixes"), EndGame(winners=(0, 1)))
    assert in_words(result(named)) == "Ana and Ben share the win!"
    won = play(three, *turn("ones"), *turn("choice"), *turn("twos"), EndGame(winners=(1,)))
    assert in_words(result(won)) == "Ben wins! 14 points."
    general = play(started("general", "Ana", "Ben"), *turn("ones"), EnterRoll(faces=(3,) * 5))
    assert in_words(result(general)) == "Ben rolled the big general and wins at once!"


def test_the_points_of_who_won_are_told_though_somebody_who_left_had_more():
    three = started("yacht-1938", "Ben", "Cleo", "Ana")
    rolls = (*turn("choice", 6, 6, 6, 6, 6), *turn("ones"), *turn("twos"))
    over = play(three, *rolls, RemovePlayer(player=0), EndGame(winners=(2,)))
    assert [player.gone for player in over.players] == [True, False, False]
    assert in_words(result(over)) == "Ana wins! 2 points."


# -- what is wrong on the tray -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("now", "sentence"),
    [
        (Offer("moving"), "The dice are still moving."),
        (Offer("covered"), "Something covers the tray: take your hand away."),
        (Offer("unsure", ("cocked",)),
         "The camera is not sure: a die is leaning. Nudge the dice, or tap one."),
        (Offer("unsure"), "The camera is not sure. Nudge the dice, or tap one."),
        (Offer("empty"), "The camera sees no dice. Roll them into the tray, or enter them by hand."),
    ],
)  # fmt: skip
def test_why_a_reading_cannot_be_confirmed(now, sentence):
    assert in_words(not_ready(now, blind=False)) == sentence


def test_held_dice_that_are_not_found(holding):
    held = play(holding, SetHeld(slots=(2, 4, 5)))
    sentence = (
        "Ana keeps 2, 4 and 4, but the camera does not see 4 and 4 among the dice. Put back what moved, "
        "or set the dice right."
    )
    assert in_words(held_changed(held, LOST)) == sentence
    assert in_words(problem_on_tray(held, LOST) or "") == sentence
    for now in (
        Offer("ready", dice=DICE, missing=(4,)),
        Offer("ready", dice=DICE, fresh=True),
        Offer("moving", dice=DICE, missing=(4,), fresh=True),
    ):
        assert problem_on_tray(held, now) is None
    assert problem_on_tray(play(held, Choose()), LOST) is None


# -- what is needed beside the held dice -------------------------------------------------------------


@pytest.mark.parametrize(
    ("faces", "held", "sentence"),
    [
        ((5, 5, 5, 5, 1), (1, 2, 3, 4), "Ana needs a 5: 31%"),
        ((2, 3, 4, 5, 5), (1, 2, 3, 4), "Ana needs a 1 or a 6: 56%"),
        ((1, 1, 4, 6, 6), (1, 2), None),
        ((3, 3, 3, 1, 6), (1, 2, 3), "Ana needs two 3s: 9%"),
    ],
)
def test_what_is_needed_is_one_of_some_faces_or_all_of_them(faces, held, sentence):
    state = play(started("yacht-1938", "Ana", "Ben"), EnterRoll(faces=faces), SetHeld(slots=held))
    assert (found := needed(state)) == sentence or in_words(found) == sentence


def test_both_faces_are_needed_where_one_box_alone_is_open():
    rules = built_in("yacht-1938")
    filled = Sheet(tuple(Entry(each, 0) for each in rules.categories if each != "big-straight"))
    state = started("yacht-1938", "Ana", "Ben")
    state = replace(state, players=(replace(state.player, sheet=filled), *state.players[1:]))
    state = play(state, EnterRoll(faces=(2, 3, 4, 1, 1)), SetHeld(slots=(1, 2, 3)))
    assert in_words(needed(state)).startswith("Ana needs a 5 and a 6: ")


# -- what undo would take back -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("commands", "sentence"),
    [
        ((), "game started with Ana and Ben"),
        ((AddPlayer(name="Cleo"),), "Cleo joined"),
        ((ROLL,), "Ana rolled 1-2-3-4-4"),
        ((ROLL, CorrectDie(slot=2, face=6)), "die 2 set to 6"),
        ((ROLL, SetHeld(slots=(2,))), "die 2 kept"),
        ((ROLL, SetHeld(slots=(2, 4, 5))), "dice 2, 4 and 5 kept"),
        ((ROLL, SetHeld(slots=(2,)), SetHeld(slots=())), "all dice released"),
        ((ROLL, Choose()), "Ana stopped rolling"),
        ((ROLL, ScoreBox(category="fours")), "Ana scored 8 points in Fours"),
        ((ROLL, ScoreBox(category="sixes")), "Ana scored 0 points in Sixes"),
        ((*turn("ones"), *turn("twos")), "Ben scored 2 points in Twos"),
        ((*turn("ones"), CorrectBox(player=0, category="ones", faces=(1, 1, 2, 2, 2))),
         "Ana's Ones was corrected"),
        ((*turn("ones"), *turn("twos"), CorrectBox(player=1, category="twos", faces=(2,) * 5, to="ones")),
         "Ben's Twos was corrected"),
        ((EndGame(),), "game ended"),
    ],
)  # fmt: skip
def test_what_undo_would_take_back(before, commands: tuple[Command, ...], sentence):
    assert in_words(undo_text(play(before, *commands)) or "") == sentence


def test_whose_step_undo_takes_back_is_known_without_a_replay(before, monkeypatch):
    filled = play(before, *turn("ones"))
    monkeypatch.setattr(evolving, "evolve", lambda *_: pytest.fail("the game was played again"))
    assert filled.last_mover == "Ana"
    assert undo_text(filled).values["name"] == "Ana"
    assert before.last_mover is None


# -- the log of the process --------------------------------------------------------------------------


def test_the_log_of_the_process_names_nobody(before):
    def line(*commands: Command) -> str:
        state = play(before, *commands)
        return state.past[-1].log_line(state)

    assert line() == "game started"
    assert line(ROLL) == "throw 1: 1-2-3-4-4"
    assert line(ROLL, ROLL) == "throw 2: 1-2-3-4-4"
    assert line(ROLL, Choose()) == ChoosingBegun.kind.replace("_", " ") == "choosing begun"
    assert line(*turn("fours")) == "fours filled (8)"
    assert line(*turn("fours"), *turn("fours", 4, 4, 4, 1, 1)) == "fours filled (12)"
    assert line(*turn("sixes")) == "sixes filled (0)"
    assert line(AddPlayer(name="Cleo")) == "player added"


# -- what a scorekeeper announces --------------------------------------------------------------------


def said(state: State) -> str | None:
    message = announced(state)
    return None if message is None else in_words(message)


def house_game(rules: str, text: str) -> State:
    (begun,) = decide(State(), StartGame(players=("Ana",), rules=rules), house=text)
    return evolve(State(), begun)


def test_each_score_is_announced_until_the_next_roll_counts():
    state = started("scorecard", "Ana", "Ben")
    assert said(state) is None
    state = play(state, *turn("choice"))
    assert said(state) == "Ana: Choice, 14."
    state = play(state, ROLL)
    assert said(state) is None
    state = play(state, ScoreBox(category="twos"))
    assert said(state) == "Ben: Deuces, 2."
    assert (
        said(play(state, CorrectBox(player=1, category="twos", faces=(2, 2, 2, 1, 1)))) == "Ben: Deuces, 6."
    )
    assert said(play(state, CorrectBox(player=1, category="twos", faces=(2, 2, 2, 1, 1), to="ones"))) is None
    assert said(play(state, MovePlayer(player=1, to=0))) == "Ben: Deuces, 2."


@pytest.mark.parametrize(
    ("sixes", "told"),
    [
        (3, "Ana: Sixes, 18. Upper section 63: a bonus of 35 for Ana."),
        (1, "Ana: Sixes, 6. Upper section 51: no bonus for Ana."),
    ],
)
def test_a_full_upper_section_is_announced_with_what_it_earned(sixes: int, told: str):
    state = started("scorecard", "Ana")
    for face, category in enumerate(("ones", "twos", "threes", "fours", "fives"), start=1):
        state = play(state, *turn(category, *(face,) * 3, 6, 6))
    others = (1, 2, 3, 4, 5)[: 5 - sixes]
    assert said(play(state, *turn("sixes", *(6,) * sixes, *others))) == told


def test_the_full_upper_section_of_one_column_is_announced():
    state = house_game("yams", games.texts()["yams"])
    faces = ("ones", "twos", "threes", "fours", "fives")
    for face, category in enumerate(faces, start=1):
        state = play(state, *turn(f"free-{category}", *(face,) * 4, 6))
    assert said(state) == "Ana: Fives, free, 20."
    assert said(play(state, *turn("free-sixes", 6, 6, 6, 6, 1))) == (
        "Ana: Sixes, free, 24. Upper section 84: a bonus of 35 for Ana."
    )


def test_a_bonus_for_other_boxes_is_not_said_to_be_that_of_the_upper_section():
    numbers = ("ones", "twos", "threes", "fours", "fives", "sixes")
    boxes = "".join(f'[[box]]\ncategory = "{each}"\nlabel = "{each}"\n' for each in numbers)
    house = f"""id = "ours"
title = "Ours"
throws = 3
[[bonus]]
threshold = 63
points = 35
[[bonus]]
boxes = ["yacht"]
complete = true
points = 30
{boxes}[[box]]
category = "yacht"
label = "Yacht"
points = 50
"""
    state = play(house_game("ours", house), *turn("yacht", 6, 6, 6, 6, 6))
    assert said(state) == "Ana: Yacht, 50."
    for category in numbers:
        state = play(state, *turn(category))
    assert said(state) == "Ana: sixes, 0. Upper section 14: no bonus for Ana."


@pytest.mark.needs_feature("two_boxes")
def test_both_boxes_of_a_turn_with_ten_dice_are_announced():
    state = play(started("double-cameroon", "Ana"), EnterRoll(faces=(6, 6, 6, 6, 6, 1, 2, 3, 4, 5)))
    state = play(state, ScoreBox(category="five-of-a-kind"))
    assert said(state) == "Ana: Five-of-a-kind, 50."
    assert said(play(state, ScoreBox(category="little-straight"))) == (
        "Ana: Five-of-a-kind, 50. Ana: Little Cameroon, 21."
    )
