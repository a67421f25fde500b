"""Games by people: who may play, late guests, early ends, rule sets with turns of their own."""

import pytest

from messages.errors import BadInputError
from station.contract.commands import (
    AddPlayer,
    Choose,
    CorrectBox,
    CorrectDie,
    EndGame,
    EnterRoll,
    Rematch,
    RemovePlayer,
    ScoreBox,
    SetHeld,
    StartGame,
    Undo,
)
from station.game import notation
from station.game.dice.tray import Offer
from station.game.events import from_json
from station.game.evolve import evolve
from station.game.log.state import Phase, State
from station.game.sentences import result, undo_text, waiting_for
from tests.game.deciding import decide
from tests.game.playing import play, refusal, started, turn


def waiting(state: State) -> str:
    return str(waiting_for(state, Offer("empty")))


# -- who plays ---------------------------------------------------------------------------------------


def test_names_are_kept_as_people_write_them():
    state = started("yacht-1938", " Ána   Maria ", "Æsa", "王", "👩\u200d🚀")
    assert [player.name for player in state.players] == ["Ána Maria", "Æsa", "王", "👩\u200d🚀"]


def test_the_limits_of_a_rule_set_hold():
    three = StartGame(players=("Ana", "Ben", "Cleo"), rules="clubhouse-51")
    assert refusal(State(), three) == "player/too_many"
    assert refusal(State(), StartGame(players=("Ana",), rules="treasurehouse")) == "player/too_few"
    full = started("clubhouse-51", "Ana", "Ben")
    assert refusal(full, AddPlayer(name="Cleo")) == "player/too_many"
    with pytest.raises(BadInputError, match="There is no rule set 'poker'"):
        decide(State(), StartGame(players=("Ana",), rules="poker"))


def test_people_can_gather_in_the_lobby():
    state = play(State(), AddPlayer(name="Ana"), AddPlayer(name="Ben"), StartGame(rules="world-51"))
    assert [player.name for player in state.players] == ["Ana", "Ben"]
    assert refusal(play(State(), AddPlayer(name="Ana")), AddPlayer(name="ana")) == "player/twice"
    assert refusal(State(), StartGame()) == "player/too_few"


def test_a_late_guest_plays_the_missing_turns_at_the_end():
    state = started("yacht-1938", "Ana")
    boxes = list(state.rules.categories)
    state = play(state, *turn(boxes[0]), AddPlayer(name="Ben"))
    assert (state.player.name, waiting(state)) == ("Ana", "Ana: roll all five dice")
    for mine, his in zip(boxes[1:], boxes, strict=False):
        state = play(state, *turn(mine), *turn(his))
    assert (state.player.name, state.phase) == ("Ben", Phase.THROWING)
    state = play(state, *turn(boxes[-1]))
    assert state.phase is Phase.FINISHED


# -- ends --------------------------------------------------------------------------------------------


def test_a_game_ends_early_and_can_be_taken_up_again():
    state = play(
        started("yacht-1938", "Ana", "Ben"), *turn("choice", 6, 6, 6, 6, 6), EnterRoll(faces=(1, 1, 1, 1, 1))
    )
    ended = play(state, EndGame(winners=(0,)))
    assert (ended.phase, ended.winners, ended.ended_by) == (Phase.FINISHED, (0,), "early")
    assert str(result(ended)) == "Ana wins! 30 points."
    assert play(state, EndGame()).winners == ()
    assert str(undo_text(ended)) == "game ended"
    assert play(ended, Undo()) == state
    for command in (*turn("ones"), SetHeld(slots=(1,)), Choose(), EndGame(), AddPlayer(name="Cleo")):
        assert refusal(ended, command) == "game/finished"


def test_of_a_game_ended_early_those_who_play_say_who_has_won():
    state = play(started("yacht-1938", "Ana", "Ben", "Cleo"), *turn("ones"), *turn("ones"))
    assert str(result(play(state, EndGame()))) == "The game is over."
    shared = play(state, EndGame(winners=(1, 0, 1)))
    assert (shared.winners, str(result(shared))) == ((0, 1), "Ana and Ben share the win! 1 point.")
    state = play(state, RemovePlayer(player=2))
    assert refusal(state, EndGame(winners=(2,))) == "player/unknown"
    assert refusal(state, EndGame(winners=(3,))) == "player/unknown"


def test_a_game_that_an_earlier_version_ended_early_goes_to_who_had_most():
    state = play(started("yacht-1938", "Ana", "Ben"), *turn("ones"), *turn("twos"))
    told = from_json({"kind": "game_ended", "left": [], "rolling": False})
    assert evolve(state, told).winners == (1,)


def test_a_rematch_keeps_people_and_rules_and_its_start_can_be_undone():
    ended = play(started("world-51", "Ana", "Ben"), *turn("choice"), EndGame())
    again = play(ended, Rematch())
    assert ([player.name for player in again.players], again.rules.id) == (["Ana", "Ben"], "world-51")
    assert again.active == 0
    assert all(not player.sheet.entries for player in again.players)
    assert play(again, Undo()) == ended
    assert refusal(again, Rematch()) == "game/not_finished"
    assert refusal(again, StartGame(players=("Cleo",), rules="world-51")) == "game/running"


# -- turns -------------------------------------------------------------------------------------------


def test_choosing_a_box_before_the_last_throw():
    state = play(started("yacht-1938", "Ana"), EnterRoll(faces=(1, 2, 3, 4, 5)), Choose())
    assert waiting(state) == "Ana: pick a box"
    assert refusal(state, EnterRoll(faces=(1, 2, 3, 4, 5))) == "roll/choosing"
    assert refusal(state, SetHeld(slots=(1,))) == "held/choosing"
    assert play(state, Undo()).phase is Phase.HOLDING
    assert refusal(started("yacht-1938", "Ana"), Choose()) == "box/no_roll"
    assert refusal(started("yacht-1938", "Ana"), ScoreBox(category="ones")) == "box/no_roll"


def test_holding_all_the_dice_leaves_only_boxes():
    state = play(
        started("yacht-1938", "Ana"), EnterRoll(faces=(1, 2, 3, 4, 5)), SetHeld(slots=(1, 2, 3, 4, 5))
    )
    assert waiting(state) == "Ana: you are keeping all the dice: pick a box, or let one go"
    assert refusal(state, EnterRoll(faces=(1, 2, 3, 4, 5))) == "roll/all_held"
    assert waiting(play(state, SetHeld(slots=(1, 2, 3, 4)))) == (
        "Ana: roll the die you are not keeping – or pick a box"
    )


def test_a_box_is_filled_once():
    state = play(started("yacht-1938", "Ana"), *turn("ones"), EnterRoll(faces=(1, 1, 1, 2, 2)))
    assert refusal(state, ScoreBox(category="ones")) == "box/filled"
    assert refusal(state, ScoreBox(category="joker")) == "box/unknown"
    assert refusal(State(), ScoreBox(category="ones")) == "game/none"


def test_what_undo_would_take_back_is_said():
    state = started("yacht-1938", "Ana", "Ben")
    said = [str(undo_text(state))]
    for command in (
        EnterRoll(faces=(1, 2, 3, 4, 4)),
        SetHeld(slots=(4, 5)),
        SetHeld(slots=()),
        Choose(),
        ScoreBox(category="fours"),
    ):
        state = play(state, command)
        said.append(str(undo_text(state)))
    assert said == [
        "game started with Ana and Ben",
        "Ana rolled 1-2-3-4-4",
        "dice 4 and 5 kept",
        "all dice released",
        "Ana stopped rolling",
        "Ana scored 8 points in Fours",
    ]


def test_the_big_general_wins_at_once():
    state = play(started("general", "Ana", "Ben"), *turn("ones"), EnterRoll(faces=(3, 3, 3, 3, 3)))
    assert (state.phase, state.winners) == (Phase.FINISHED, (1,))
    assert str(result(state)) == "Ben rolled the big general and wins at once!"
    assert waiting(state).startswith("Ben rolled the big general")
    assert play(state, Undo()).player.name == "Ben"
    later = play(
        started("general", "Ana"), EnterRoll(faces=(3, 3, 3, 3, 1)), EnterRoll(faces=(3, 3, 3, 3, 3))
    )
    assert later.phase is Phase.HOLDING
    misread = play(started("general", "Ana"), EnterRoll(faces=(3, 3, 3, 3, 1)))
    assert play(misread, CorrectDie(slot=5, face=3)).ended_by == "big_general"
    assert play(started("yacht-1938", "Ana"), EnterRoll(faces=(3, 3, 3, 3, 3))).ended_by is None


def test_a_transcript_plays_the_same_game_again():
    text = """
    # Ana and Ben, 1938 rules
    start 1 0 yacht-1938 "Ana" "Ben"
    roll 4 6 1 6 2
    hold 2 4
    typed 3 6 3 6 1
    correct 5 6
    choose
    undo
    box sixes
    join "Cleo \\"the shark\\""
    roll 5 5 5 2 2   # first throw
    box full-house
    end
    """
    events = notation.read(text)
    state = State()
    for event in events:
        state = evolve(state, event)
    boxes = {player.name: [entry[:2] for entry in player.sheet.entries] for player in state.players}
    assert boxes == {"Ana": [("sixes", 18)], "Ben": [("full-house", 19)], 'Cleo "the shark"': []}
    assert notation.read(notation.write(events)) == events


# -- corrections of earlier turns --------------------------------------------------------------------


def test_a_box_of_an_earlier_turn_is_set_right_without_undoing_what_came_after():
    state = play(
        started("yacht-1938", "Ana", "Ben"), *turn("fours", 4, 4, 1, 2, 3), *turn("ones"), *turn("twos")
    )
    state = play(state, CorrectBox(player=0, category="fours", faces=(4, 4, 4, 2, 3)))
    assert [entry[:2] for entry in state.players[0].sheet.entries] == [("fours", 12), ("twos", 2)]
    assert (state.player.name, str(undo_text(state))) == ("Ben", "Ana's Fours was corrected")
    assert play(state, Undo()).players[0].sheet.points("fours") == 8
    state = play(state, CorrectBox(player=0, category="fours", faces=(4, 4, 4, 4, 3), to="four-of-a-kind"))
    assert [entry[:2] for entry in state.players[0].sheet.entries] == [("four-of-a-kind", 16), ("twos", 2)]
    assert notation.read(notation.write(state.past)) != ()


def test_corrections_that_cannot_be():
    state = play(
        started("yacht-1938", "Ana", "Ben"), *turn("fours", 4, 4, 1, 2, 3), *turn("ones"), *turn("twos")
    )
    assert refusal(state, CorrectBox(player=0, category="ones", faces=(1, 1, 1, 1, 1))) == "box/open"
    assert refusal(state, CorrectBox(player=2, category="ones", faces=(1, 1, 1, 1, 1))) == "player/unknown"
    assert refusal(state, CorrectBox(player=0, category="fours", faces=(1, 1, 1))) == "box/five_dice"
    assert (
        refusal(state, CorrectBox(player=0, category="fours", faces=(1, 1, 1, 1, 1), to="twos"))
        == "box/filled"
    )
    assert (
        refusal(state, CorrectBox(player=0, category="fours", faces=(1, 1, 1, 1, 1), to="joker"))
        == "box/unknown"
    )
    assert refusal(State(), CorrectBox(player=0, category="fours", faces=(1, 1, 1, 1, 1))) == "game/none"
    assert decide(state, CorrectBox(player=0, category="fours", faces=(4, 4, 1, 2, 3))) == ()


def test_a_correction_may_change_who_won():
    state = play(
        started("yacht-1938", "Ana", "Ben"),
        *turn("fours", 4, 4, 1, 2, 3),
        *turn("choice"),
        EndGame(winners=(1,)),
    )
    assert state.winners == (1,)
    assert play(state, CorrectBox(player=0, category="fours", faces=(4, 4, 4, 4, 4))).winners == (0,)
