"""A correction while a box is picked or announced: nobody is left without a box to go to."""

import pytest

from station.advice.advisor import Advisor
from station.advice.luck import last_luck
from station.advice.table_hint import table_hint
from station.contract.commands import (
    AnnounceBox,
    CorrectBox,
    CorrectDie,
    EnterRoll,
    Ready,
    ScoreBox,
    StartGame,
    Undo,
)
from station.features.computer_players.mind import decided
from station.game.dice.sights import Sight
from station.game.evolve import evolve
from station.game.log.state import Phase, State
from tests.game.deciding import decide
from tests.game.playing import play, refusal, snapshot

FAMILY = """
id = "ours"
title = "Ours"
{head}
[further_yachts]
points = 100
joker = "forced"
[[box]]
category = "ones"
label = "Ones"
[[box]]
category = "twos"
label = "Twos"
[[box]]
category = "fives"
label = "Fives"
[[box]]
category = "choice"
label = "Choice"
{choice}
[[box]]
category = "yacht"
label = "Yacht"
points = 50
{yacht}
"""
FIVES = (5, 5, 5, 5, 5)
ANA, BEN = 0, 1


def begun(*, head: str, choice: str = "", yacht: str = "") -> State:
    state = State()
    house = FAMILY.format(head=head, choice=choice, yacht=yacht)
    for event in decide(state, StartGame(players=("Ana", "Ben"), rules="ours"), house=house):
        state = evolve(state, event)
    return state


def potentials(state: State, seat: int) -> dict[str, int]:
    return dict(snapshot(state, Sight()).players[seat].potentials)


def round_(state: State, faces: tuple[int, ...], *boxes: str) -> State:
    """A round of one throw; the last one who is ready is left out."""
    state = play(state, EnterRoll(faces=faces))
    for seat, box in enumerate(boxes):
        state = play(state, ScoreBox(category=box, player=seat), Ready(player=seat))
    return state


@pytest.fixture
def together() -> State:
    """Ana and Ben have a yacht each; of 5-5-5-5-1 she picked the ones and is ready, he picked the twos."""
    state = round_(begun(head="throws = 1\nsimultaneous = true"), FIVES, "yacht", "yacht")
    state = round_(state, (5, 5, 5, 5, 1), "ones")
    return play(state, ScoreBox(category="twos", player=BEN))


def test_a_pick_that_a_corrected_die_rules_out_is_open_again(together: State):
    state = play(together, CorrectDie(slot=5, face=5))
    assert [player.copy.chosen for player in state.players] == [None, None]
    assert snapshot(state, Sight()).waits_for == (ANA, BEN)
    for seat in (ANA, BEN):
        assert set(potentials(state, seat)) == {"fives"}
        state = play(state, ScoreBox(category="fives", player=seat), Ready(player=seat))
    assert [player.sheet.points("fives") for player in state.players] == [25, 25]


def test_a_pick_that_still_may_be_stays(together: State):
    state = play(together, CorrectDie(slot=5, face=2))
    assert [player.copy.chosen for player in state.players] == ["ones", "twos"]
    assert [player.copy.ready for player in state.players] == [True, False]


def test_a_pick_that_a_corrected_box_rules_out_is_open_again():
    state = round_(begun(head="throws = 1\nsimultaneous = true"), FIVES, "choice", "yacht")
    state = round_(state, FIVES, "ones")
    assert state.players[ANA].copy.chosen == "ones"  # her yacht box is open: it may go anywhere
    correction = CorrectBox(player=ANA, category="choice", faces=FIVES, to="yacht")
    state = play(state, correction)
    assert (state.players[ANA].copy.chosen, state.players[ANA].copy.ready) == (None, False)
    assert play(state, Undo()).players[ANA].copy.ready


ANNOUNCED = {"head": "throws = 3", "choice": "announced = true"}


def two_turns(box: str, faces: tuple[int, ...]) -> State:
    return play(
        begun(**ANNOUNCED),
        EnterRoll(faces=faces),
        ScoreBox(category=box),
        EnterRoll(faces=(2, 2, 3, 4, 6)),
        ScoreBox(category="twos"),
    )


def test_a_turn_is_free_again_when_a_correction_fills_the_box_it_was_announced_for():
    state = play(
        two_turns("ones", (6, 6, 6, 6, 4)),
        EnterRoll(faces=(5, 5, 5, 2, 1)),
        AnnounceBox(category="choice"),
        CorrectBox(player=ANA, category="ones", faces=(6, 6, 6, 6, 4), to="choice"),
    )
    assert state.called == ""
    assert potentials(state, ANA) == {"ones": 1, "twos": 2, "fives": 15, "yacht": 0}
    assert play(state, EnterRoll(faces=(5, 5, 5, 5, 1)), ScoreBox(category="fives")).active == BEN
    assert play(state, Undo()).called == "choice"


def test_a_turn_goes_on_when_a_correction_leaves_nothing_but_a_box_that_was_not_announced():
    state = begun(head="throws = 3", choice="announced = true", yacht="announced = true")
    for box in ("ones", "twos", "fives", "yacht"):
        for _ in (ANA, BEN):
            state = play(state, EnterRoll(faces=(6, 6, 6, 6, 4)), ScoreBox(category=box))
    state = play(
        state,
        EnterRoll(faces=(5, 5, 5, 2, 1)),
        AnnounceBox(category="choice"),
        EnterRoll(faces=(5, 5, 5, 5, 5)),
        CorrectBox(player=ANA, category="yacht", faces=(6, 6, 6, 6, 4), to="choice"),
    )
    assert state.called == ""
    assert potentials(state, ANA) == {"yacht": 50}
    advisor = Advisor(None)
    solution = advisor.solution_now(state.rules)
    assert table_hint(solution, state) is None
    assert decided(advisor, state).box == "yacht"
    after = play(state, EnterRoll(faces=(5, 5, 5, 5, 1)))
    assert last_luck(solution, after) is None
    assert decided(advisor, after).box == "yacht"
    assert play(state, ScoreBox(category="yacht")).active == BEN


def test_an_announced_turn_goes_there_also_with_a_further_yacht():
    state = play(
        two_turns("yacht", FIVES),
        EnterRoll(faces=(5, 5, 5, 5, 1)),
        AnnounceBox(category="choice"),
        EnterRoll(faces=FIVES),
    )
    assert potentials(state, ANA) == {"choice": 25}
    state = play(state, ScoreBox(category="choice"))
    assert state.players[ANA].sheet.entries[-1] == ("choice", 25, 100)


def test_a_further_yacht_that_nothing_was_announced_for_follows_the_joker():
    state = play(
        two_turns("yacht", FIVES), EnterRoll(faces=(5, 5, 5, 5, 1)), EnterRoll(faces=(2, 2, 2, 2, 2))
    )
    assert potentials(state, ANA) == {"twos": 10}
    assert refusal(state, ScoreBox(category="choice")) == "announce/not_announced"
    state = play(state, ScoreBox(category="twos"), EnterRoll(faces=FIVES), ScoreBox(category="ones"))
    state = play(state, EnterRoll(faces=(2, 2, 2, 2, 1)), EnterRoll(faces=(2, 2, 2, 2, 2)))
    assert potentials(state, ANA) == {"ones": 0, "fives": 0}
    assert state.phase is Phase.HOLDING
