"""All together: any order of commands leaves a state that its log tells, and a snapshot that can be shown."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from messages.errors import RefusalError
from station.contract.commands import Command, EnterRoll, ScoreBox, SetHeld, StartGame
from station.contract.view import as_json
from station.features.all_at_once.copies import COPY, waited_for
from station.features.all_at_once.feature import PlayerPart, TablePart
from station.features.all_at_once.ready import Ready
from station.features.all_at_once.unready import Unready
from station.game import notation
from station.game.dice.sights import Sight
from station.game.events import Undone, from_json
from station.game.evolve import evolve, replay
from station.game.log.state import Phase, State, totals
from station.game.way import WAY
from tests.game import strategies
from tests.game.deciding import decide
from tests.game.playing import snapshot
from web.advice.explanations import scored

SEATS = st.none() | st.integers(0, 4)


class AnyOrderTogether(RuleBasedStateMachine):
    """Throws commands at a game in which all play at once."""

    def __init__(self) -> None:
        super().__init__()
        self.state = State()
        self.sight = Sight()

    @initialize(count=st.integers(1, 4))
    def begin(self, count):
        self.play(StartGame(players=strategies.NAMES[:count], rules="shared-roll"))

    def play(self, command: Command) -> bool:
        try:
            events = decide(self.state, command, self.sight, game=1)
        except RefusalError:
            return False
        for event in events:
            assert from_json(json.loads(json.dumps(event.to_json()))) == event
            before, self.state = self.state, evolve(self.state, event)
            if not isinstance(event, Undone) and event.kind != "game_started":
                assert evolve(self.state, Undone()) == before
        return True

    @rule(
        command=strategies.commands()
        | strategies.built(Ready, player=SEATS)
        | strategies.built(Unready, player=SEATS)
        | strategies.built(SetHeld, player=SEATS, slots=st.lists(st.integers(1, 5), max_size=5).map(tuple))
        | strategies.built(ScoreBox, player=SEATS, category=st.sampled_from(strategies.CATEGORIES))
    )
    def anything(self, command):
        self.play(command)

    @rule(sight=strategies.sights())
    def look(self, sight):
        self.sight = sight

    @precondition(lambda self: not WAY.of(self.state).in_turns and self.state.phase is Phase.THROWING)
    @rule(faces=st.lists(strategies.face, min_size=5, max_size=5))
    def throw(self, faces):
        assert self.play(EnterRoll(faces=tuple(faces)))

    @precondition(lambda self: not WAY.of(self.state).in_turns)
    @rule(data=st.data())
    def all_are_ready(self, data):
        state = self.state
        for seat in waited_for(state.players):
            if state.phase is Phase.CHOOSING:
                player = state.players[seat]
                assert state.rules is not None
                box = data.draw(st.sampled_from(player.sheet.open(state.rules)))
                assert self.play(ScoreBox(player=seat, category=box))
            assert self.play(Ready(player=seat))

    @invariant()
    def the_log_says_it_all(self):
        assert self.state == replay(self.state.past)
        told = replay(notation.read(notation.write(self.state.past)))
        assert (told.phase, told.throws_done) == (self.state.phase, self.state.throws_done)
        for read, player in zip(told.players, self.state.players, strict=True):
            assert (read.sheet, COPY.of(read).held, COPY.of(read).ready) == (
                player.sheet,
                COPY.of(player).held,
                COPY.of(player).ready,
            )
            assert [die.face for die in COPY.of(read).dice] == [die.face for die in COPY.of(player).dice]

    @invariant()
    def it_can_be_shown(self):
        view = snapshot(self.state, self.sight)
        json.dumps(as_json(view))
        if not WAY.of(self.state).in_turns and self.state.running:
            assert bool(view.part(TablePart).waits_for) == (self.state.phase is not Phase.THROWING)
            assert all(player.part(PlayerPart).dice for player in view.players if player.potentials)


TestAnyOrderTogether = pytest.mark.thorough(AnyOrderTogether.TestCase)
TestAnyOrderTogether.settings = settings(max_examples=20, stateful_step_count=25, deadline=None)


GOLDEN = Path(__file__).parent / "golden" / "together.txt"


def test_the_golden_transcript_ends_as_it_did():
    text = GOLDEN.read_text(encoding="utf-8")
    told = dict(re.findall(r"^# (\w+): (\d+)$", text, flags=re.MULTILINE))
    events = notation.read(text)
    assert notation.write(events) == "".join(
        f"{line}\n" for line in text.splitlines() if line and not line.startswith("#")
    )
    state = replay(events)
    assert {player.name: str(totals(state, player).total) for player in state.players} == told
    assert (state.phase, state.ended_by) == (Phase.FINISHED, "complete")
    assert [player.gone for player in state.players] == [False, False, True, False]


def test_every_box_that_was_written_can_be_explained():
    events = notation.read(GOLDEN.read_text(encoding="utf-8"))
    state = replay(events)
    assert state.rules is not None
    for player in state.players:
        assert list(scored(state.rules, player)) == [filling.category for filling in player.fillings]
    first = state.players[0]
    told = scored(state.rules, first)[first.fillings[0].category]
    assert str(told) == "Choice: 5-5-6-6-6 add up to 28."
