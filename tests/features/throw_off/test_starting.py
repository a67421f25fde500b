"""Who starts: thrown for, drawn, named, in rotation, or who lost the last game."""

import pytest

from messages.errors import RefusalError
from station.contract.commands import (
    AcceptRoll,
    AddPlayer,
    Command,
    EndGame,
    EnterRoll,
    MovePlayer,
    Rematch,
    RemovePlayer,
    ScoreBox,
    StartGame,
    Undo,
)
from station.features.throw_off.feature import Opening
from station.features.throw_off.starter_thrown import FOR_START
from station.game import notation
from station.game.dice.sights import Sight
from station.game.dice.tray import Offer
from station.game.evolve import replay
from station.game.log.slots import Seen
from station.game.log.state import Phase, State
from station.game.sentences import undo_text, waiting_for
from tests.game.deciding import decide
from tests.game.playing import play, refusal, refused


def thrown_for(rules: str, *names: str) -> State:
    return play(State(), StartGame(players=names, rules=rules, starter="throw"))


def one(*faces: int) -> tuple[Command, ...]:
    return tuple(EnterRoll(faces=(face,)) for face in faces)


def name(state: State) -> str:
    return state.player.name


@pytest.mark.parametrize(("rules", "starts"), [("treasurehouse", "Cleo"), ("game-rules-guru", "Ben")])
def test_the_lowest_or_the_highest_die_starts_as_the_rule_set_says(rules: str, starts: str):
    state = thrown_for(rules, "Ana", "Ben", "Cleo")
    assert (state.phase, name(state), state.dice_count) == (Opening.STARTING, "Ana", 1)
    assert refusal(state, EnterRoll(faces=(1, 2, 3, 4, 5))) == "roll/count"
    state = play(state, *one(3, 6))
    assert name(state) == "Cleo"
    state = play(state, *one(2))
    assert (state.phase, name(state), state.dice_count) == (Phase.THROWING, starts, 5)
    assert [player.name for player in state.players if player.starts] == [starts]
    assert [FOR_START.of(player) for player in state.players] == [(3,), (6,), (2,)]


def test_equal_dice_throw_again_among_themselves():
    state = play(thrown_for("treasurehouse", "Ana", "Ben", "Cleo"), *one(2, 5, 2))
    assert (state.phase, name(state)) == (Opening.STARTING, "Ana")
    state = play(state, *one(4))
    assert name(state) == "Cleo", "Ben is out of it"
    state = play(state, *one(4))
    assert name(state) == "Ana", "equal once more"
    state = play(state, *one(6, 1))
    assert (state.phase, name(state)) == (Phase.THROWING, "Cleo")
    assert [FOR_START.of(player) for player in state.players] == [(2, 4, 6), (5,), (2, 4, 1)]


def test_the_others_follow_from_there_in_the_order_of_the_list():
    state = play(thrown_for("game-rules-guru", "Ana", "Ben", "Cleo"), *one(1, 5, 2))
    seen = []
    for _ in range(3):
        seen.append(name(state))
        category = next(iter(state.player.sheet.open(state.rules))) if state.rules else ""
        state = play(state, EnterRoll(faces=(1, 2, 3, 4, 6)), ScoreBox(category=category))
    assert seen == ["Ben", "Cleo", "Ana"]


def test_a_die_for_the_start_is_undone_and_is_told():
    state = play(thrown_for("treasurehouse", "Ana", "Ben"), *one(4, 2))
    assert (str(undo_text(state)), name(state)) == ("Ben rolled a 2 to start", "Ben")
    state = play(state, Undo())
    assert (state.phase, name(state)) == (Opening.STARTING, "Ben")
    assert str(waiting_for(state, Offer("empty"))) == "Ben: roll one die; the lowest starts"
    assert FOR_START.of(play(state, Undo()).players[0]) == ()


def test_people_come_go_and_move_while_it_is_thrown_for():
    state = play(thrown_for("game-rules-guru", "Ana", "Ben", "Cleo"), *one(6, 3))
    late = play(state, AddPlayer(name="Dana"), *one(2))
    assert name(late) == "Dana", "who comes late throws too"
    assert name(play(late, *one(5))) == "Ana"
    assert name(play(state, RemovePlayer(player=0), *one(1))) == "Ben", "whose die has gone does not start"
    assert name(play(state, MovePlayer(player=2, to=0), *one(4))) == "Ana"
    alone = play(thrown_for("game-rules-guru", "Ana", "Ben"), RemovePlayer(player=0))
    assert (alone.phase, name(alone)) == (Phase.THROWING, "Ben")


def test_the_camera_reads_one_die_and_only_one_that_was_thrown():
    first = Sight("ready", (), (Seen(4, 100, 100, 60),))
    state = thrown_for("treasurehouse", "Ana", "Ben")
    rolled = Sight("ready", (), first.seen, owners={first.seen[0]: state.since})
    state = play(state, AcceptRoll(), sight=rolled)
    assert FOR_START.of(state.players[0]) == (4,)
    assert refusal(state, AcceptRoll()) == "roll/empty"
    with pytest.raises(RefusalError, match="Roll first"):
        decide(state, AcceptRoll(), rolled)


def test_named_drawn_and_alone():
    names = ("Ana", "Ben", "Cleo")
    assert name(play(State(), StartGame(players=names, rules="yacht-1938"))) == "Ana"
    assert name(play(State(), StartGame(players=names, rules="yacht-1938", starter=2))) == "Cleo"
    assert (
        name(play(State(), StartGame(players=names, rules="yacht-1938", starter="random"), draw=lambda _: 1))
        == "Ben"
    )
    asked = StartGame(players=names, rules="yacht-1938", starter=3)
    assert refused(State(), asked) == ("player/unknown", "The seats are numbered 0 to 2.")
    alone = play(State(), StartGame(players=("Ana",), rules="yacht-1938", starter="throw"))
    assert alone.phase is Phase.THROWING


@pytest.mark.needs_feature("all_at_once")
def test_all_together_nobody_starts():
    command = StartGame(players=("Ana", "Ben"), rules="shared-roll", starter="throw")
    assert refusal(State(), command) == "starter/together"


def test_the_loser_starts_the_next_game():
    command = StartGame(players=("Ana", "Ben"), rules="yacht-1938", starter="loser")
    assert refusal(State(), command) == "starter/no_game"
    state = play(State(), StartGame(players=("Ana", "Ben"), rules="yacht-1938"))
    state = play(state, EnterRoll(faces=(6,) * 5), ScoreBox(category="yacht"), EndGame())
    assert name(play(state, Rematch(starter="loser"))) == "Ben"
    assert name(play(state, StartGame(players=("Cleo", "Ana"), starter="loser"))) == "Ana", (
        "of those who play"
    )


def test_a_rematch_finds_out_as_before_and_rotation_goes_on():
    state = play(State(), StartGame(players=("Ana", "Ben", "Cleo"), rules="yacht-1938", starter="rotate"))
    seen = []
    for _ in range(4):
        seen.append(name(state))
        state = play(state, EndGame(), Rematch())
    assert seen == ["Ana", "Ben", "Cleo", "Ana"]
    others = play(state, EndGame(), StartGame(players=("Dora", "Emil"), starter="rotate"))
    assert name(others) == "Dora", "who played before is not there"
    again = play(thrown_for("treasurehouse", "Ana", "Ben"), EndGame(), Rematch())
    assert again.phase is Opening.STARTING
    drawn = play(State(), StartGame(players=("Ana", "Ben"), rules="yacht-1938", starter=1))
    assert name(play(drawn, EndGame(), Rematch())) == "Ana", "who was named starts once"


def test_it_is_written_as_text_and_read_back():
    state = play(thrown_for("treasurehouse", "Ana", "Ben"), *one(4, 4, 2, 6))
    text = notation.write(state.past)
    assert text == (
        'start 1 0 treasurehouse "Ana" "Ben" by throw\n'
        "starter 4 typed\nstarter 4 typed\nstarter 2 typed\nstarter 6 typed\n"
    )
    assert replay(notation.read(text)) == state
    assert notation.read('start 1 0 yahtzee "by" first 0')[0].players == ("by",)  # type: ignore[attr-defined]
