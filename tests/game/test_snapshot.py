"""The state as screens are told it, phase by phase, and which commands it says may be given."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from messages.errors import RefusalError
from messages.message import Message
from station.contract.commands import (
    AcceptRoll,
    AddPlayer,
    Choose,
    EndGame,
    EnterRoll,
    KeepRoll,
    MovePlayer,
    Rematch,
    RemovePlayer,
    RenamePlayer,
    SetHeld,
    StartGame,
    Undo,
)
from station.contract.view import (
    DeviceView,
)
from station.game.dice.sights import settled
from station.game.evolve import evolve
from tests.game import strategies
from tests.game.deciding import decide
from tests.game.playing import may, play, seeing, snapshot, started, turn

TWO = started("yacht-1938", "Ana", "Ben")
READY = seeing(TWO, 1, 2, 3, 4, 5)
CONFIRMED = play(TWO, AcceptRoll(), sight=READY)
STILL = settled(READY)
ROLLING = seeing(CONFIRMED, status="moving", before=STILL)
THROWN = seeing(CONFIRMED, 1, 2, 3, 4, 4, at=90, before=ROLLING)


# -- which commands may be given ---------------------------------------------------------------------


@pytest.mark.thorough
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(strategies.RULES), st.lists(strategies.commands(), max_size=12), strategies.sights())
def test_a_command_is_told_just_when_it_would_be_carried_out(rules, commands, sight):
    state = started(rules, "Ana", "Ben")
    for command in commands:
        try:
            for event in decide(state, command, sight):
                state = evolve(state, event)
        except RefusalError:
            continue
    shown = snapshot(state, sight)
    held = {die.slot: die.face for die in state.dice if die.slot in state.held}
    seats = [i for i, player in enumerate(state.players) if not player.gone]
    trials = {
        "enter_roll": EnterRoll(faces=tuple(held.get(slot, 1) for slot in range(1, shown.dice_count + 1))),
        "accept_roll": AcceptRoll(),
        "set_held": SetHeld(slots=state.held),
        "undo": Undo(),
        "end_game": EndGame(),
        "rematch": Rematch(),
        "choose": Choose(),
        "keep_roll": KeepRoll(),
        "start_game": StartGame(players=("Ana", "Ben")),
        "add_player": AddPlayer(name="Somebody else"),
        **({"rename_player": RenamePlayer(player=seats[0], name="Somebody else")} if seats else {}),
        **({"move_player": MovePlayer(player=seats[0], to=0)} if seats else {}),
        **({"remove_player": RemovePlayer(player=seats[0])} if seats else {}),
    }
    for name, command in trials.items():
        assert may(state, command, sight) == (name in shown.commands), name


# -- everything a screen shows -----------------------------------------------------------------------


def test_a_bonus_that_is_reached_is_added_when_its_boxes_are_filled():
    upper = {"fours": 4, "fives": 5, "sixes": 6, "threes": 3}
    state = started("scorecard", "Ana")
    for category, face in upper.items():
        state = play(state, *turn(category, *[face] * 5))
    sums = ("upper", "missing_for_bonus", "bonus", "bonus_to_come", "total")
    (ana,) = snapshot(state, READY).players
    assert [getattr(ana, each) for each in sums] == [90, 0, 0, 35, 90]
    full = play(state, *turn("ones"), *turn("twos"))
    (ana,) = snapshot(full, READY).players
    assert [getattr(ana, each) for each in sums] == [93, 0, 35, 0, 128]
    (ana,) = snapshot(play(state, EndGame()), READY).players
    assert [getattr(ana, each) for each in sums] == [90, 0, 35, 0, 125]


def test_what_is_wrong_on_the_tray_goes_before_a_broken_camera():
    broken = DeviceView("Pi camera", ok=False, message="The camera is gone.")
    assert snapshot(CONFIRMED, STILL, camera=broken).problem == "The camera is gone."
    held = play(CONFIRMED, SetHeld(slots=(5,)))
    problem = snapshot(held, THROWN, camera=broken).problem
    assert problem == Message("roll/held_changed", name="Ana", held=(5,), missing=(5,))
