"""Any order of commands leaves a legal state, and undo is replay without the last event."""

import json

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from messages.errors import RefusalError
from station.contract.commands import Command, EnterRoll, ScoreBox, SetHeld, StartGame, Undo
from station.contract.fields import PLAYERS_MAX
from station.contract.view import as_json
from station.game import notation
from station.game.dice.sights import Sight
from station.game.events import GameStarted, Undone, from_json
from station.game.evolve import evolve, replay
from station.game.log.state import Phase, State, totals
from station.rules import built_in, built_in_ids
from tests.game import strategies
from tests.game.deciding import decide
from tests.game.playing import snapshot


class AnyOrder(RuleBasedStateMachine):
    """Throws commands at the game; those that are refused must change nothing (they return nothing)."""

    def __init__(self) -> None:
        super().__init__()
        self.state = State()
        self.sight = Sight()
        self.log: list = []
        self.refusals: list[RefusalError] = []
        self.games = 0

    @initialize(rules=st.sampled_from(strategies.RULES), count=st.integers(1, 4))
    def begin(self, rules, count):
        self.play(StartGame(players=strategies.NAMES[:count], rules=rules))

    def play(self, command: Command) -> bool:
        try:
            events = decide(self.state, command, self.sight, game=self.games + 1)
        except RefusalError as refusal:
            self.refusals.append(refusal)
            return False
        for event in events:
            assert from_json(json.loads(json.dumps(event.to_json()))) == event
            before, self.state = self.state, evolve(self.state, event)
            self.log.append(event)
            if isinstance(event, GameStarted):
                self.games += 1
            elif not isinstance(event, Undone):
                assert evolve(self.state, Undone()) == before
        return True

    @rule(command=strategies.commands())
    def anything(self, command):
        self.play(command)

    @rule(sight=strategies.sights())
    def look(self, sight):
        self.sight = sight

    @precondition(lambda self: self.state.phase in (Phase.THROWING, Phase.HOLDING))
    @rule(data=st.data())
    def throw(self, data):
        held = {die.slot: die.face for die in self.state.dice if die.slot in self.state.held}
        rules = self.state.rules
        assert rules is not None
        faces = [held.get(slot) or data.draw(strategies.face) for slot in range(1, rules.dice + 1)]
        done = self.play(EnterRoll(faces=tuple(faces)))
        assert done == (len(held) < rules.dice)

    @precondition(lambda self: self.state.phase is Phase.HOLDING)
    @rule(data=st.data())
    def hold(self, data):
        slots = [die.slot for die in self.state.dice]
        assert self.play(SetHeld(slots=tuple(data.draw(st.lists(st.sampled_from(slots), unique=True)))))

    @precondition(lambda self: self.state.phase in (Phase.HOLDING, Phase.CHOOSING))
    @rule(data=st.data())
    def score(self, data):
        shown = snapshot(self.state, self.sight)
        potentials = shown.players[self.state.active].potentials
        if not potentials:  # a newer throw lies there: nothing is written of the older one unasked
            assert not self.play(ScoreBox(category=shown.categories[0].category))
            self.sight = Sight()
            potentials = snapshot(self.state, self.sight).players[self.state.active].potentials
        category = data.draw(st.sampled_from(sorted(potentials)))
        seat, dice = self.state.active, self.state.dice
        assert self.play(ScoreBox(category=category))
        # What the box was said to be worth is what it then holds.
        assert self.state.players[seat].sheet.points(category) == potentials[category], dice

    @rule(count=st.integers(1, 4))
    def undo(self, count):
        for _ in range(count):
            before = self.state
            if self.play(Undo()):
                assert self.state == replay(before.past[:-1])
            else:
                assert before.past == ()

    @invariant()
    def the_log_says_it_all(self):
        assert self.state == replay(self.state.past)

    @invariant()
    def every_refusal_has_a_code_and_a_sentence(self):
        for refusal in self.refusals:
            assert refusal.code.count("/") == 1
            assert str(refusal).endswith(".")
        self.refusals.clear()

    @invariant()
    def the_state_is_legal(self):
        state, rules = self.state, self.state.rules
        assert (state.phase is Phase.LOBBY) == (rules is None)
        if rules is None:
            return
        assert 0 <= state.active < len(state.players) <= PLAYERS_MAX
        assert 0 <= state.throws_done <= rules.throws
        slots = [die.slot for die in state.dice]
        assert slots == sorted(set(slots))
        assert set(state.held) <= set(slots)
        assert (state.phase in {Phase.HOLDING, Phase.CHOOSING}) == (state.running and bool(state.dice))
        if state.phase is Phase.HOLDING:
            assert 0 < state.throws_done < rules.throws
            assert len(state.dice) == rules.dice
        full = all(player.gone or player.sheet.is_full(rules) for player in state.players)
        assert (state.phase is Phase.FINISHED) == (state.ended_by is not None)
        assert (state.ended_by == "complete") <= full
        assert state.running or state.ended_by is not None
        for player in state.players:
            total = totals(state, player)
            boxes = [player.sheet.points(category) for category in rules.categories]
            assert total.total == sum(points or 0 for points in boxes) + total.bonus + total.extra
        if state.ended_by == "complete":
            sums = {
                i: totals(state, player).total for i, player in enumerate(state.players) if not player.gone
            }
            best = max(sums.values())
            first = [i for i, total in sums.items() if total == best and state.players[i].sheet.entries]
            assert state.winners == tuple(first)
        if state.ended_by == "early":  # the commands name no winner
            assert state.winners == ()

    @invariant()
    def every_screen_can_be_told(self):
        shown = snapshot(self.state, self.sight)
        json.dumps(as_json(shown))
        assert str(shown.waiting_for)
        allowed = {"enter_roll", "accept_roll", "set_held", "score_box", "choose"} & set(shown.commands)
        assert bool(allowed) == (self.state.running)

    def teardown(self):
        text = notation.write(self.log)
        again = notation.read(text)
        assert notation.write(again) == text
        # Without the places of the dice on the tray the same game comes out.
        assert [p.sheet for p in replay(again).players] == [p.sheet for p in replay(self.log).players]


TestAnyOrder = pytest.mark.thorough(AnyOrder.TestCase)
TestAnyOrder.settings = settings(max_examples=25, stateful_step_count=40, deadline=None)


@pytest.mark.needs_feature("two_boxes")
def test_all_rule_sets_end():
    """The shortest game of every rule set ends with full sheets and a winner."""
    for rules_id in built_in_ids():
        rules = built_in(rules_id)
        names = strategies.NAMES[: max(rules.players[0], 1)]
        state = replay([GameStarted(1, 0, rules_id, names)])
        while state.running:
            if state.phase is Phase.THROWING:
                command: Command = EnterRoll(faces=(1, 2, 3, 4, 6, 1, 2, 3, 4, 6)[: rules.dice])
            else:
                command = ScoreBox(category=state.player.sheet.open(rules)[0])
            for event in decide(state, command):
                state = evolve(state, event)
        assert state.phase is Phase.FINISHED
        assert state.winners
