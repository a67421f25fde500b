"""Computer players: what they decide, with the real values, and how the table carries it out."""

from collections.abc import Sequence

import pytest

from messages.errors import StoreError
from station.advice.advisor import Advisor
from station.advice.table_hint import table_hint
from station.camera.moments import Moments
from station.contract.commands import EnterRoll, StartGame
from station.features.computer_players import running
from station.features.computer_players.deciding import ComputersAtTable
from station.features.computer_players.feature import TablePart
from station.features.computer_players.mind import decided
from station.features.computer_players.running import ComputerPlayers
from station.game.evolve import evolve
from station.game.log.event import Event
from station.game.log.state import State
from station.game.steps.start_game import PlayerAsked
from station.running import FeatureParts
from station.store.event_log import MemoryLog
from station.table.table import Table
from tests.asking import do
from tests.game.deciding import decide
from tests.game.playing import play, snapshot
from tests.table.helpers import reading, refused
from tests.wording import in_words

START = {
    "command": "start_game",
    "players": [{"name": "Robo", "computer": "perfect"}, "Eva"],
    "rules": "yacht-1938",
}


@pytest.fixture(scope="module")
def advisor():
    advisor = Advisor(None)
    advisor.close()  # it works nothing out
    return advisor


def position(kind: str | int, *faces: int, throws: int = 1, rules: str = "yacht-1938") -> State:
    state = State()
    players = (PlayerAsked(name="Robo", computer=kind), "Eva")
    commands = [StartGame(players=players, rules=rules), *[EnterRoll(faces=faces)] * throws]
    for command in commands:
        for event in decide(state, command):
            state = evolve(state, event)
    return state


def test_the_perfect_one_does_what_the_hint_says(advisor: Advisor):
    for faces, throws in (
        ((4, 4, 1, 2, 6), 1),
        ((4, 4, 4, 4, 4), 1),
        ((1, 2, 3, 4, 6), 3),
        ((2, 2, 2, 5, 5), 2),
    ):
        state = position("perfect", *faces, throws=throws)
        solution = advisor.solution_now(state.rules)
        best = table_hint(solution, state)
        move = decided(advisor, state)
        if move.box is None:
            assert move.keeps == best.slots
        else:
            assert move.box == best.box
        assert str(move.why)


def test_a_strength_errs_the_same_way_each_time_and_weaker_ones_more(advisor: Advisor):
    faces = [
        (a, b, c, d, e)
        for a, b, c, d, e in ((1, 3, 4, 4, 6), (2, 2, 5, 5, 6), (1, 2, 3, 5, 6), (3, 3, 4, 5, 6))
    ]

    def given(strength: int) -> float:
        lost = 0.0
        for each in faces:
            state = position(strength, *each, throws=3)
            assert decided(advisor, state) == decided(advisor, state)
            hint = table_hint(advisor.solution_now(state.rules), state)
            lost += hint.given.get(decided(advisor, state).box, 0.0)
        return lost

    assert given(100) == 0.0
    assert given(0) > given(100)


def test_a_game_too_large_for_advice_is_played_by_what_brings_most(monkeypatch):
    monkeypatch.setattr("station.strategy.values.parts.PARTS_S", 0.0)
    too_large = Advisor(None)
    move = decided(too_large, position("perfect", 6, 6, 6, 2, 2))
    assert (move.box, move.keeps) == ("full-house", ())
    assert "no advice" in in_words(move.why)
    too_large.close()


def test_one_that_plays_to_win_says_so_or_why_not(advisor: Advisor):
    move = decided(advisor, position("to-win", 4, 4, 1, 2, 6, throws=3))
    assert move.box
    assert "win" in str(move.why)


@pytest.mark.needs_feature("two_boxes")
def test_ten_dice_go_to_two_boxes(advisor: Advisor):
    state = position("perfect", 6, 6, 6, 6, 6, 1, 2, 3, 4, 5, throws=3, rules="double-cameroon")
    move = decided(advisor, state)
    assert len(move.slots) == 5


@pytest.fixture
def table(advisor: Advisor):
    table = Table(at_table=[ComputersAtTable(lambda state: decided(advisor, state))])
    do(table, START)
    yield table
    table.close()


def test_people_throw_it_says_what_it_does_and_confirm_carries_it_out(table: Table):
    assert refused(table, "computer/not_yet", command="computer_move")
    table.offer(reading(4, 4, 1, 2, 6))
    view = table.snapshot()
    assert "accept_roll" in view.commands
    assert view.part(TablePart).computer is None
    do(table, {"command": "press", "button": "confirm"})
    view = table.snapshot()
    assert (view.part(TablePart).computer.keeps, view.part(TablePart).computer.box) == ((1, 2), None)
    assert "computer_move" in view.commands
    assert str(view.waiting_for) == "Robo: keeps 4-4 – OK?"
    do(table, {"command": "press", "button": "confirm"})
    view = table.snapshot()
    assert [die.slot for die in view.dice if die.held] == [1, 2]
    assert "computer_move" not in view.commands
    assert refused(table, "computer/throws", command="computer_move")
    table.offer(reading(4, 4, 4, 4, 4, at=100))
    assert table.snapshot().part(TablePart).computer is None, "another throw lies there"
    do(table, {"command": "press", "button": "confirm"})
    assert table.snapshot().part(TablePart).computer.box == "yacht"
    do(table, {"command": "computer_move"})
    view = table.snapshot()
    assert (view.players[0].boxes["yacht"], view.active_player) == (50, 1)
    assert refused(table, "computer/none", command="computer_move")


def test_with_simulated_dice_it_plays_a_whole_turn_and_never_of_itself(advisor: Advisor):
    mind = ComputersAtTable(lambda state: decided(advisor, state), draws=True)
    table = Table(draw=lambda _: 3, at_table=[mind])
    do(table, {**START, "players": [{"name": "Robo", "computer": 80}, "Eva"]})
    assert str(table.snapshot().waiting_for) == "Robo: tap to roll for it"
    do(table, {"command": "press", "button": "confirm"})
    view = table.snapshot()
    assert view.dice_drawn
    assert [die.face for die in view.dice] == [4] * 5
    assert view.part(TablePart).computer.box == "yacht"
    do(table, {"command": "press", "button": "confirm"})
    view = table.snapshot()
    assert (view.players[0].boxes["yacht"], view.active_player, view.dice_drawn) == (50, 1, False)
    assert refused(table, "computer/none", command="computer_move")
    table.close()


def at_a_table(
    advisor: Advisor, log: MemoryLog | None = None, by_itself_s: float | None = None
) -> tuple[Table, ComputerPlayers]:
    """A table with computer players, whose dice are drawn where they move by themselves."""
    players = ComputerPlayers(by_itself_s, draws=by_itself_s is not None)
    table = Table(log, at_table=[players.at_table])
    players.join(FeatureParts(table, advisor, Moments()))
    players.start()
    return table, players


def test_it_thinks_in_a_thread_and_tells_the_table(advisor: Advisor):
    table, players = at_a_table(advisor)
    subscription = table.subscribe()
    do(table, START)
    do(table, {"command": "enter_roll", "faces": [4, 4, 1, 2, 6]})
    view = table.snapshot()
    while view is not None and view.part(TablePart).computer is None:
        view = subscription.get(60.0)
    assert view is not None
    assert view.part(TablePart).computer.keeps == (1, 2)
    players.close()
    table.close()


@pytest.mark.thorough
def test_unasked_only_where_the_settings_say_so(advisor: Advisor):
    table, players = at_a_table(advisor, by_itself_s=0.0)
    subscription = table.subscribe()
    do(table, START)
    view = subscription.get(60.0)
    while view is not None and view.active_player == 0:
        view = subscription.get(60.0)
    assert view is not None
    assert sum(points is not None for points in view.players[0].boxes.values()) == 1
    players.close()
    table.close()


class FullOnce(MemoryLog):
    """A disk that has no room for one step of a game."""

    full = True

    def append(self, events: Sequence[Event], state: State) -> None:
        if self.written and self.full:
            self.full = False
            raise StoreError("store/step-lost", code="store/full", path="")
        super().append(events, state)


def test_unasked_it_tries_again_what_could_not_be_written(advisor: Advisor, monkeypatch: pytest.MonkeyPatch):
    """Nothing has changed then that subscribers would be sent."""
    monkeypatch.setattr(running, "AGAIN_S", 0.01)
    table, players = at_a_table(advisor, FullOnce(), by_itself_s=0.0)
    subscription = table.subscribe()
    do(table, START)
    view = subscription.get(60.0)
    while view is not None and view.active_player == 0:  # views between may be skipped
        view = subscription.get(60.0)
    assert view is not None
    players.close()
    table.close()


@pytest.mark.parametrize("draws", [True, False])
def test_a_computer_player_may_be_let_throw_where_the_station_draws(draws):
    state = play(State(), StartGame(players=(PlayerAsked(name="Robo", computer=50),), rules="yacht-1938"))
    commands = snapshot(state, at_table=[ComputersAtTable(draws=draws)]).commands
    assert ("computer_move" in commands) is draws
