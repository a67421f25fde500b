"""Games by people: who may play, late guests, early ends, rule sets with turns of their own."""

from station.contract.commands import (
    AddPlayer,
    Choose,
    CorrectDie,
    EndGame,
    EnterRoll,
    Rematch,
    RemovePlayer,
    SetHeld,
    StartGame,
    Undo,
)
from station.game.dice.tray import Offer
from station.game.events import from_json
from station.game.evolve import evolve
from station.game.log.state import Phase, State
from station.game.sentences import result, undo_text, waiting_for
from tests.game.playing import play, refusal, started, turn


def waiting(state: State) -> str:
    return str(waiting_for(state, Offer("empty")))


# -- who plays ---------------------------------------------------------------------------------------


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
    assert evolve(play(state, RemovePlayer(player=1)), told).winners == (0,), "who has left wins nothing"
    zeros = play(started("yacht-1938", "Ana", "Ben"), *turn("sixes"), *turn("sixes"))
    assert evolve(zeros, told).winners == (), "nobody wins by zeros"


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


# -- corrections of earlier turns --------------------------------------------------------------------
