"""A written game played again: every step is asked of the rules, and a page of text is a whole game."""

import random

import pytest

from messages.errors import BadInputError
from station.contract.commands import (
    EnterRoll,
    ScoreBox,
    SetHeld,
    StartGame,
)
from station.features.all_at_once.ready import Ready
from station.game import notation
from station.game.events import GameStarted, Undone
from station.game.evolve import evolve, replay
from station.game.log.state import Phase, State, totals
from station.game.replaying import steps
from station.game.way import WAY
from station.rules import built_in, built_in_ids
from tests.game.deciding import decide


def again(text: str) -> State:
    return list(steps(notation.numbered(text)))[-1][2]


def whole_game(rules_id: str, seed: int = 3) -> State:
    """A game of every rule set, its open boxes filled in order, dice held by chance."""
    rng, rules = random.Random(seed), built_in(rules_id)
    state = State()

    def play(*commands) -> None:
        nonlocal state
        for command in commands:
            for event in decide(state, command):
                state = evolve(state, event)

    starter = None if rules.simultaneous else "throw"
    play(StartGame(players=("Ana", "Ben"), rules=rules_id, starter=starter))
    while state.running:
        held = {die.slot: die.face for die in state.dice if die.slot in state.held}
        faces = [held.get(slot) or rng.randint(1, 6) for slot in range(1, state.dice_count + 1)]
        if state.phase not in {Phase.HOLDING, Phase.CHOOSING}:
            play(EnterRoll(faces=tuple(faces)))
        elif not WAY.of(state).in_turns:
            for seat in (0, 1):
                if state.phase is Phase.CHOOSING:
                    play(ScoreBox(category=state.players[seat].sheet.open(rules)[0], player=seat))
                play(Ready(player=seat))
        elif state.phase is Phase.HOLDING and not state.held and rng.random() < 0.6:
            play(
                SetHeld(slots=(1, 3)),
                EnterRoll(
                    faces=tuple(state.faces[i] if i in (0, 2) else 1 + i % 6 for i in range(state.dice_count))
                ),
            )
        else:
            play(ScoreBox(category=state.player.sheet.open(rules)[0]))
    return state


@pytest.mark.needs_feature("throw_off", "two_boxes")
@pytest.mark.parametrize("rules_id", built_in_ids())
def test_a_page_is_a_whole_game_of_every_rule_set(rules_id: str):
    state = whole_game(rules_id)
    text = notation.page(state.past)
    assert replay(notation.read(text)).players == replay(notation.read(notation.write(state.past))).players
    end = again(text)
    assert [totals(end, player) for player in end.players] == [
        totals(state, player) for player in state.players
    ]
    assert (end.winners, end.ended_by) == (state.winners, state.ended_by)
    lines = text.splitlines()
    turns = 2 * len(built_in(rules_id).boxes) // built_in(rules_id).boxes_per_turn
    assert len(lines) <= 3 * turns + 10
    assert max(map(len, lines)) < 200


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("roll 1 2 3 4 5", "Line 1: a text is one game; it begins with 'start', and only once."),
        ('start 1 0 lawn "Ana"\nstart 2 1 lawn "Ana"', "Line 2: a text is one game"),
        ('start 1 0 lawn "Ana"\nroll 1 2 3 4', "Line 2: the rules do not allow that"),
        ('start 1 0 lawn "Ana"\nroll 1 2 3 4 5; box sixes\nroll 1 2 3 4 5; box sixes', "Line 3: the rules"),
        ('start 1 0 lawn "Ana"\nroll 1 2 3 4 5; hold 1\nroll 2 2 3 4 5', "Line 3: the rules"),
        ('start 1 0 clubhouse-51 "Ana" "Ben" "Cleo"', "At most 2 can play"),
        ('start 1 0 lawn "Ana"\nroll 1 2 3 4 5; jump', "Line 2 is no event of a game"),
        ('start 1 0 lawn "Ana"\nroll 1 2 3 4 5; hold 1; hold 1', "Line 2 changes nothing."),
    ],
)  # fmt: skip
def test_the_line_that_will_not_do_is_named(text: str, told: str):
    with pytest.raises(BadInputError) as caught:
        again(text)
    assert told in str(caught.value)


def test_undo_takes_a_start_back_to_the_game_before_and_no_further():
    state = State()
    for game in (1, 2, 3):
        state = evolve(state, GameStarted(game, game - 1, "yacht-1938", ("Ana",)))
    assert (before := evolve(state, Undone())).game == 2
    assert evolve(before, Undone()) == State()
