"""A correction while a box is announced: nobody is left without a box to go to."""

from station.advice.advisor import Advisor
from station.advice.luck import last_luck
from station.advice.table_hint import table_hint
from station.contract.commands import CorrectBox, EnterRoll, ScoreBox, Undo
from station.features.announced_boxes.announce_box import AnnounceBox
from station.features.announced_boxes.announcing import CALLED
from station.features.computer_players.mind import decided
from station.game.log.state import Phase, State
from tests.game.playing import play, refusal
from tests.game.test_corrected_meanwhile import ANA, BEN, FIVES, begun, potentials

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
    assert CALLED.of(state) == ""
    assert potentials(state, ANA) == {"ones": 1, "twos": 2, "fives": 15, "yacht": 0}
    assert play(state, EnterRoll(faces=(5, 5, 5, 5, 1)), ScoreBox(category="fives")).active == BEN
    assert CALLED.of(play(state, Undo())) == "choice"


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
    assert CALLED.of(state) == ""
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
