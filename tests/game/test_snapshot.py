"""The state as screens are told it, phase by phase, and which commands it says may be given."""

from collections.abc import Iterable
from typing import Any

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
    NotADie,
    Rematch,
    RemovePlayer,
    RenamePlayer,
    SetHeld,
    StartGame,
    Undo,
)
from station.contract.view import (
    DeviceView,
    DieView,
    OfferedDieView,
    ReadingView,
    RowView,
    in_json,
)
from station.features.all_at_once.ready import Ready
from station.game.dice.sights import NOTHING_FIXED, Sight, settled
from station.game.dice.tray import offer
from station.game.evolve import evolve
from station.game.log.state import State
from station.game.setting_right import corrected
from station.game.situation import Situation
from station.rules import built_in
from tests.game import strategies
from tests.game.deciding import decide
from tests.game.playing import may, play, seeing, snapshot, started, turn
from tests.rules.house_files import GOOD
from tests.wording import in_words

ROLL = EnterRoll(faces=(1, 2, 3, 4, 4))
TWO = started("yacht-1938", "Ana", "Ben")
READY = seeing(TWO, 1, 2, 3, 4, 5)
CONFIRMED = play(TWO, AcceptRoll(), sight=READY)
STILL = settled(READY)
ROLLING = seeing(CONFIRMED, status="moving", before=STILL)
THROWN = seeing(CONFIRMED, 1, 2, 3, 4, 4, at=90, before=ROLLING)
FIXED = corrected(THROWN, offer(CONFIRMED, THROWN).dice[4], 6)
SHARED = started("shared-roll", "Ana", "Ben")

THROWN_COMMANDS = "enter_roll set_held undo end_game add_player accept_roll correct_die not_a_die keep_roll"
ALWAYS = "rename_player move_player remove_player press"


# -- which commands may be given ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("state", "sight", "commands"),
    [
        (State(), Sight(), "add_player start_game press"),
        (State(), READY, "add_player start_game press"),
        (play(State(), AddPlayer(name="Ana")), Sight(), f"undo add_player start_game {ALWAYS}"),
        (TWO, Sight(), f"enter_roll undo end_game add_player {ALWAYS}"),
        (started("lawn", "Ana"), Sight(),
         "enter_roll undo end_game add_player rename_player move_player press"),
        (play(TWO, RemovePlayer(player=1)), Sight(),
         "enter_roll undo end_game add_player rename_player move_player press"),
        (TWO, READY, f"enter_roll undo end_game add_player accept_roll correct_die not_a_die {ALWAYS}"),
        (TWO, seeing(TWO, 1, 2, 3, 4, 5, status="unsure"),
         f"enter_roll undo end_game add_player correct_die not_a_die {ALWAYS}"),
        (TWO, seeing(TWO, 1, 2, 3, 4, status="unsure"),
         f"enter_roll undo end_game add_player correct_die not_a_die missed_die {ALWAYS}"),
        (TWO, NotADie(slot=1).seen(Situation.of(TWO, seeing(TWO, 4, status="unsure"))),
         f"enter_roll undo end_game add_player missed_die read_again {ALWAYS}"),
        (TWO, seeing(TWO, 1, 2, 3, 4, 5, 6, status="unsure"),
         f"enter_roll undo end_game add_player correct_die not_a_die {ALWAYS}"),
        (TWO, seeing(TWO, status="moving"), f"enter_roll undo end_game add_player {ALWAYS}"),
        (CONFIRMED, STILL,
         f"enter_roll set_held undo end_game add_player choose correct_die score_box {ALWAYS}"),
        (CONFIRMED, ROLLING, f"enter_roll set_held undo end_game add_player correct_die keep_roll {ALWAYS}"),
        (CONFIRMED, THROWN,
         f"{THROWN_COMMANDS} {ALWAYS}"),
        (CONFIRMED, FIXED,
         f"{THROWN_COMMANDS} read_again {ALWAYS}"),
        (play(CONFIRMED, SetHeld(slots=(5,))), THROWN,
         f"enter_roll set_held undo end_game add_player correct_die not_a_die keep_roll {ALWAYS}"),
        (play(TWO, ROLL, SetHeld(slots=(1, 2, 3, 4, 5))), Sight(),
         f"set_held undo end_game add_player choose correct_die score_box {ALWAYS}"),
        (play(TWO, ROLL, Choose()), Sight(),
         f"undo end_game add_player choose correct_die score_box {ALWAYS}"),
        (play(TWO, ROLL, ROLL, ROLL), READY,
         f"undo end_game add_player choose correct_die score_box {ALWAYS}"),
        (play(TWO, *turn("ones")), Sight(), f"enter_roll undo end_game add_player {ALWAYS} correct_box"),
        (SHARED, Sight(), f"enter_roll undo end_game add_player choose_player {ALWAYS}"),
        (play(SHARED, ROLL), Sight(),
         f"set_held undo end_game add_player correct_die ready choose_player {ALWAYS}"),
        (play(SHARED, ROLL, Ready(player=1)), Sight(),
         f"set_held undo end_game add_player correct_die ready unready choose_player {ALWAYS}"),
        (play(TWO, *turn("ones"), EndGame()), Sight(), "undo rematch start_game correct_box press"),
        (play(TWO, EndGame()), Sight(), "undo rematch start_game press"),
    ],
)  # fmt: skip
def test_the_commands_that_may_be_given(state, sight, commands):
    shown = snapshot(state, sight)
    assert sorted(shown.commands) == sorted(commands.split())
    assert len(set(shown.commands)) == len(shown.commands)
    simulated = snapshot(state, sight, simulated=True)
    throw = {"throw"} if "enter_roll" in commands else set()
    assert set(simulated.commands) == set(shown.commands) | throw
    assert (shown.simulated, simulated.simulated) == (False, True)


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


def rows(rules_id: str) -> tuple[RowView, ...]:
    boxes = built_in(rules_id).boxes
    return tuple(
        RowView(box.category, box.label, "upper" if i < 6 else "lower", box.label)
        for i, box in enumerate(boxes)
    )


def fields(view: object, like: Iterable[str]) -> dict[str, Any]:
    """Those fields of a view."""
    found = in_json(view)
    return {name: found[name] for name in like}


def column(points: dict[str, int], rules_id: str = "yacht-1938", **others: Any) -> dict[str, Any]:
    """A column of the sheet; every sum that is not told is 0."""
    boxes = {category: points.get(category) for category in built_in(rules_id).categories}
    sums = {"upper": 0, "missing_for_bonus": 0, "bonus": 0, "extra": 0, "total": 0}
    return {"gone": False, "boxes": boxes, "potentials": {}} | sums | others


def test_an_empty_table_is_told():
    told = {
        "version": 0, "phase": "lobby", "waiting_for": Message("waiting/lobby"), "problem": None,
        "rules": None, "rules_title": None, "starts": None, "categories": (), "house_rules": None, "game": 0,
        "active_player": None, "throws_done": 0, "throws_allowed": 0, "rolls_left": 0, "dice_count": 5,
        "dice": (), "reading": ReadingView("empty", (), (), fresh=False, dice=()),
        "players": (), "choice": None, "undo": None, "simulated": False, "winner": (), "winners": (),
        "finished": False, "ended_by": None, "ended_early": False, "turn": "none", "asks_before_zero": True,
        "camera": DeviceView(), "buttons": DeviceView(),
    }  # fmt: skip
    assert fields(snapshot(State(), Sight()), told) == told


def test_a_turn_is_told():
    state = play(CONFIRMED, SetHeld(slots=(2, 4)))
    camera = DeviceView("Pi camera")
    shown = snapshot(state, FIXED, simulated=True, camera=camera)
    rules = built_in("yacht-1938")
    reading = tuple(
        OfferedDieView(slot, face, "white", held=slot in {2, 4}, corrected=slot == 5)
        for slot, face in enumerate((1, 2, 3, 4, 6), start=1)
    )
    told = {
        "phase": "throwing", "problem": None, "rules": "yacht-1938",
        "rules_title": rules.title, "starts": rules.starts, "categories": rows("yacht-1938"),
        "house_rules": None, "game": 1, "active_player": 0, "throws_done": 1, "throws_allowed": 3,
        "rolls_left": 2, "dice_count": 5, "simulated": True,
        "dice": tuple(DieView(slot, slot, "white", held=slot in {2, 4}) for slot in range(1, 6)),
        "reading": ReadingView("ready", (1, 2, 3, 4, 6), (), fresh=True, dice=reading),
        "undo": Message("undo/holding", count=2, slots=(2, 4)), "winner": (), "winners": (),
        "finished": False, "ended_by": None, "ended_early": False, "turn": "unconfirmed",
        "camera": camera,
    }  # fmt: skip
    assert fields(shown, told) == told
    assert in_words(shown.waiting_for) == "Ana: 1-2-3-4-6 – right?"
    assert [player.name for player in shown.players] == ["Ana", "Ben"]
    for player in shown.players:
        assert fields(player, column({})) == column({})


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


def test_the_end_of_a_game_is_told():
    state = play(started("yahtzee", "Ana", "Ben", "Cleo"), RemovePlayer(player=2), *turn("fours"))
    state = play(state, *turn("choice"), *turn("yacht", 6, 6, 6, 6, 6), *turn("threes"))
    state = play(state, *turn("sixes", 6, 6, 6, 6, 6), EndGame(winners=(0,)))
    shown = snapshot(state, READY)
    ana = {"fours": 8, "yacht": 50, "sixes": 30}
    columns = (
        column(ana, "yahtzee", upper=38, missing_for_bonus=25, extra=100, total=188),
        column({"choice": 14, "threes": 3}, "yahtzee", upper=3, missing_for_bonus=60, total=17),
    )
    for player, told in zip(shown.players, columns, strict=False):
        assert fields(player, told) == told
    assert [player.gone for player in shown.players] == [False, False, True]
    assert (shown.phase, shown.turn, shown.finished, shown.ended_by, shown.ended_early) == (
        "finished", "none", True, "early", True,
    )  # fmt: skip
    assert (shown.winner, shown.winners, shown.active_player, shown.rolls_left) == (("Ana",), (0,), None, 0)
    assert (shown.throws_done, shown.throws_allowed) == (0, 3)
    full = play(started("yahtzee", "Ana"), *turn("fours"))
    while full.running:
        full = play(full, *turn(full.player.sheet.open(built_in("yahtzee"))[0]))
    assert (snapshot(full, Sight()).ended_by, snapshot(full, Sight()).ended_early) == ("complete", False)


def test_potentials_are_those_of_the_active_player_and_of_the_confirmed_roll():
    shown = snapshot(CONFIRMED, STILL)
    assert shown.players[0].potentials["little-straight"] == 30
    assert shown.players[1].potentials == {}
    assert snapshot(CONFIRMED, ROLLING).players[0].potentials == {}
    assert snapshot(CONFIRMED, THROWN).players[0].potentials == {}
    assert snapshot(TWO, READY).players[0].potentials == {}
    general = play(started("general", "Ana"), EnterRoll(faces=(1, 2, 3, 4, 5)))
    assert snapshot(general, Sight()).players[0].potentials["straight"] == 25


def test_house_rules_are_told_with_their_text():
    (begun,) = decide(State(), StartGame(players=("Ana", "Ben"), rules="grandma"), house=GOOD)
    shown = snapshot(evolve(State(), begun), Sight())
    assert (shown.house_rules, shown.rules, shown.throws_allowed) == (GOOD, "grandma", 4)


def test_what_is_wrong_on_the_tray_goes_before_a_broken_camera():
    broken = DeviceView("Pi camera", ok=False, message="The camera is gone.")
    assert snapshot(CONFIRMED, STILL, camera=broken).problem == "The camera is gone."
    held = play(CONFIRMED, SetHeld(slots=(5,)))
    problem = snapshot(held, THROWN, camera=broken).problem
    assert problem == Message("roll/held_changed", name="Ana", held=(5,), missing=(5,))


def test_dice_that_are_no_whole_roll_are_told_as_they_lie():
    held = play(CONFIRMED, SetHeld(slots=(1, 2)))
    few = seeing(held, 1, 2, 6, at=90, status="unsure", before=ROLLING)
    shown = snapshot(held, few).reading
    assert shown == ReadingView("unsure", (1, 2, 6), ("too_few",), fresh=True, dice=tuple(
        OfferedDieView(slot, face, "white", held=False, corrected=False)
        for slot, face in enumerate((1, 2, 6), start=1)
    ))  # fmt: skip
    assert THROWN.fixes == NOTHING_FIXED
