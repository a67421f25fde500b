"""Whatever happens at the table, the store gives back what stands, and only that."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from messages.errors import RefusalError
from station.contract.commands import EndGame, EnterRoll, Rematch, ScoreBox, StartGame, Undo
from station.game.evolve import evolve, replay
from station.game.log.state import Phase, State
from station.store import Store
from tests.game import strategies
from tests.game.deciding import decide

pytestmark = pytest.mark.thorough


class Stored(RuleBasedStateMachine):
    """Games with many undos, starts and ends; the process is restarted now and then."""

    @initialize()
    def begin(self):
        self.folder = tempfile.TemporaryDirectory()
        self.store = Store(Path(self.folder.name))
        self.state = State()
        self.numbers: set[int] = set()

    def play(self, command):
        game = self.store.next_game()
        try:
            events = decide(self.state, command, game=game)
        except RefusalError:
            return
        after = self.state
        for event in events:
            after = evolve(after, event)
        if events:
            self.store.append(events, after)
            self.state = after
        if isinstance(command, StartGame | Rematch):
            assert game not in self.numbers
            self.numbers.add(game)

    @rule(command=strategies.commands())
    def anything(self, command):
        self.play(command)

    @rule(count=st.integers(1, 6))
    def undo(self, count):
        for _ in range(count):
            self.play(Undo())

    @rule()
    def short_game(self):
        """Start, play one box, end: so that finishes and rematches come up often."""
        self.play(StartGame(players=("Ana", "Ben"), rules="yacht-1938"))
        self.play(EnterRoll(faces=(1, 2, 3, 4, 5)))
        self.play(ScoreBox(category="choice"))

    @rule(count=st.integers(0, 3))
    def next_game_and_back(self, count):
        self.play(EndGame())
        self.play(Rematch())
        self.undo(count)

    @rule()
    def restart(self):
        self.store.close()
        self.store = Store(Path(self.folder.name))

    @invariant()
    def what_stands_is_what_is_stored(self):
        events = tuple(self.store.events())
        assert events == self.state.past
        assert replay(events) == self.state

    @invariant()
    def the_record_of_a_game_tells_that_game_and_no_other(self):
        if self.state.game:
            told = replay(self.store.transcript(self.state.game))
            assert (told.phase, told.players, told.dice) == (
                self.state.phase,
                self.state.players,
                self.state.dice,
            )

    @invariant()
    def finished_games_are_those_that_are_finished(self):
        kept = {game.game: game for game in self.store.games()}
        stopped = self.state.ended_by == "early" and not any(
            each.sheet.entries for each in self.state.players
        )
        assert (self.state.game in kept) == (self.state.phase is Phase.FINISHED and not stopped)
        if self.state.game in kept:
            players = kept[self.state.game].players
            boxes = [
                {box: p.sheet.points(box) for box in self.state.rules.categories} for p in self.state.players
            ]
            assert [player.boxes for player in players] == boxes

    def teardown(self):
        if hasattr(self, "store"):
            self.store.close()
            self.folder.cleanup()


TestStored = Stored.TestCase
TestStored.settings = settings(max_examples=12, stateful_step_count=25, deadline=None)
