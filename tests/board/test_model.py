"""A competition by random steps, results by hand and from stations, against a small model of its own.

The model knows nothing of logs, reports and steps: it has a list of games with who plays them, and what was
last said of each. The hall is closed and opened anew in between, and hears everything twice and in any order;
the table gets other names, counts its games anew, and players who were typed wrongly get the right names.
"""

import copy
import random
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from messages.errors import RefusalError
from station.board import steps
from station.board.competition import Spot
from station.board.hall import Hall
from station.board.standings import standings
from station.board.steps import System
from station.store.board_log import BoardLog
from tests.board.telling import game_over, open_hall, state, undo

pytestmark = pytest.mark.thorough

NAMES = ("Ana", "Ben", "Cleo", "Dora", "Emil", "Frida", "Gustav")


class Model:
    """Games in the order they were drawn: (spot, players, how many reports there were then)."""

    def __init__(self) -> None:
        self.absent: set[int] = set()
        self.games: list[tuple[Spot, tuple[int, int], int]] = []
        self.by_hand: dict[Spot, tuple[int, int] | int | None] = {}
        self.resting: list[int] = []
        self.rounds = 0


class Evening(RuleBasedStateMachine):
    @initialize(
        system=st.sampled_from([System.SWISS, System.ROUND_ROBIN]),
        count=st.integers(3, 7),
        seed=st.integers(0, 999),
    )
    def begin(self, system: System, count: int, seed: int) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.begun()
        self.hall, self.kept = self.opened()
        self.system, self.count, self.random = system, count, random.Random(seed)
        self.model, self.before = Model(), []
        self.told: list[dict[str, object]] = []
        self.event = self.number = 0
        self.station = "kitchen"
        self.hall.take(steps.Open(title="Club", system=system, meetings=2, rounds=9))
        self.hall.take(*(steps.Enter(name=name) for name in NAMES[:count]))

    def begun(self) -> None:
        """Nothing is kept yet."""

    def opened(self) -> tuple[Hall, BoardLog]:
        """A hall on what is kept."""
        return open_hall(self.folder)

    def teardown(self) -> None:
        self.kept.close()
        shutil.rmtree(self.folder)

    def stepped(self) -> None:
        self.before.append(copy.deepcopy(self.model))

    @rule(entrant=st.integers(0, 6))
    def comes_or_goes(self, entrant: int) -> None:
        entrant %= self.count
        self.stepped()
        self.model.absent ^= {entrant}
        self.hall.take(steps.Attend(entrant=entrant, absent=entrant in self.model.absent))

    @rule()
    def draw(self) -> None:
        open_ = [game for game in self.model.games if self.result(game) is None]
        before = len(self.hall.evening.competition.rounds)
        try:
            self.hall.draw()
        except RefusalError as refusal:
            expected = {
                "board/too_few": self.count - len(self.model.absent) < 2,
                "board/round_open": bool(open_) and self.system is System.SWISS,
                "board/all_drawn": True,
            }
            if not expected[refusal.code]:
                raise
            return
        self.stepped()
        if self.system is System.SWISS:  # what nobody played stays so
            for spot, players, _ in self.model.games:
                if self.result((spot, players, 0)) in (players[0], players[1], -1):
                    self.model.by_hand.setdefault(spot, self.result((spot, players, 0)))
        drawn = self.hall.evening.competition.rounds[before]
        for place, seating in enumerate(drawn.seatings):
            self.model.games.append((Spot(before, place), seating.entrants, len(self.told)))
        self.model.resting += drawn.resting
        self.model.rounds += 1
        there = [each for seating in drawn.seatings for each in seating.entrants] + list(drawn.resting)
        absent = self.model.absent if self.system is System.SWISS else set()
        assert sorted(there) == sorted(set(range(self.count)) - absent)

    @precondition(lambda self: self.model.games)
    @rule(which=st.integers(0, 99), one=st.integers(0, 9), other=st.integers(0, 9))
    def typed(self, which: int, one: int, other: int) -> None:
        spot, _, _ = self.model.games[which % len(self.model.games)]
        self.stepped()
        self.model.by_hand[spot] = (one, other)
        self.hall.take(steps.Score(round=spot.round, seating=spot.seating, points=(one, other)))

    @precondition(lambda self: self.model.by_hand)
    @rule(which=st.integers(0, 99))
    def cleared(self, which: int) -> None:
        spot = sorted(self.model.by_hand, key=str)[which % len(self.model.by_hand)]
        self.stepped()
        del self.model.by_hand[spot]
        self.hall.take(steps.Clear(round=spot.round, seating=spot.seating))

    @precondition(lambda self: self.before)
    @rule()
    def taken_back(self) -> None:
        self.model = self.before.pop()
        self.hall.take(steps.Undo())

    @precondition(lambda self: self.model.games)
    @rule(which=st.integers(0, 99), one=st.integers(0, 9), other=st.integers(0, 9))
    def played(self, which: int, one: int, other: int) -> None:
        _, players, _ = self.model.games[which % len(self.model.games)]
        self.event += 1
        self.number += 1
        told = {"players": players, "points": (one, other), "over": True, "number": self.number}
        self.told.append(told)
        message = self.over(told, {NAMES[players[0]].upper(): one, NAMES[players[1]]: other})
        self.hall.hear([message, message])

    def over(self, told: dict[str, object], names: dict[str, int], event: int = -1) -> tuple[str, bytes]:
        number, event = told["number"], self.event if event < 0 else event
        return game_over(self.station, event, number, names, game_id=self.identity(told))

    def identity(self, told: dict[str, object]) -> str:
        return f"game-{next(i for i, each in enumerate(self.told) if each is told)}"

    @precondition(lambda self: self.told)
    @rule(which=st.integers(0, 99), other_name=st.booleans(), anew=st.booleans())
    def table_is_called_otherwise(self, which: int, *, other_name: bool, anew: bool) -> None:
        """It tells the end of its last game, which it still shows; its games may be numbered anew."""
        self.station = f"hall-{which}" if other_name else self.station
        self.number = 0 if anew else self.number
        told = self.told[-1]
        names = {NAMES[each]: points for each, points in zip(told["players"], told["points"], strict=True)}
        more = {"finished": True, "ended_by": "complete", "winners": [], "game": told["number"]}
        if told["over"]:
            self.hall.hear([state(self.station, 1, names, **more, game_id=self.identity(told))])

    @precondition(lambda self: self.told)
    @rule(
        which=st.integers(0, 99), one=st.integers(0, 9), other=st.integers(0, 9), again=st.booleans(),
        named=st.integers(0, 99),
    )  # fmt: skip
    def set_right(self, which: int, one: int, other: int, named: int, *, again: bool) -> None:
        """The table takes the end back, and ends the game anew or not; told in any order, with old things.

        named: now and then the players are called as those of another game.
        """
        told = self.told[which % len(self.told)]
        number, game_id = told["number"], self.identity(told)
        a, b = told["players"]
        old = {NAMES[a]: 999, NAMES[b]: 998}
        self.event += 2
        messages = [undo(self.station, self.event - 1, number, game_id=game_id)]
        told["over"] = again
        if again:
            if named % 3 == 0 and self.model.games:
                a, b = told["players"] = self.model.games[named % len(self.model.games)][1]
            told["points"] = (one, other)
            messages.append(self.over(told, {NAMES[b]: other, NAMES[a]: one}))
        messages += [
            undo(self.station, 0, number, game_id=game_id),
            self.over(told, old, 0),
        ]
        self.random.shuffle(messages)
        self.hall.hear(messages)

    @rule()
    def killed(self) -> None:
        self.kept.close()
        self.hall, self.kept = self.opened()

    def result(self, game: tuple[Spot, tuple[int, int], int]) -> tuple[int, int] | int | None:
        """Points, who was there (-1: nobody), or None while it is open."""
        spot, players, _ = game
        if spot in self.model.by_hand:
            return self.model.by_hand[spot]
        used: set[int] = set()
        for other, pair, drawn in self.model.games:
            for number, told in enumerate(self.told):
                mine = set(told["players"]) == set(pair) and told["over"] and number not in used
                if mine and number >= drawn:
                    used.add(number)
                    if other == spot:
                        points = told["points"]
                        return points if told["players"] == pair else points[::-1]
                    break
        there = [each for each in players if each not in self.model.absent]
        return None if len(there) == 2 else there[0] if there else -1

    @invariant()
    def it_is_what_the_store_tells(self) -> None:
        if hasattr(self, "hall"):
            kept, now = Hall(self.kept).evening, self.hall.evening
            assert (kept.competition, kept.results) == (now.competition, now.results)

    @invariant()
    def everybody_stands_as_the_model_says(self) -> None:  # noqa: C901 - a model told in one place
        if not hasattr(self, "hall"):
            return
        score, points, played = (dict.fromkeys(range(self.count), 0.0) for _ in range(3))
        results = {game[0]: (game[1], self.result(game)) for game in self.model.games}
        for (one, other), result in results.values():
            if isinstance(result, tuple):
                for each in (one, other):
                    played[each] += 1
        gone = {
            each for each in self.model.absent
            if self.system is System.ROUND_ROBIN and played[each] < self.count - 1
        }  # fmt: skip
        played = dict.fromkeys(played, 0.0)
        for (one, other), result in results.values():
            if result is None or {one, other} & gone:
                continue
            if isinstance(result, int):
                if result >= 0:
                    score[result] += 1
                continue
            for each, own, theirs in ((one, *result), (other, *result[::-1])):
                played[each] += 1
                points[each] += own
                score[each] += 1 if own > theirs else 0.5 if own == theirs else 0
        for each in self.model.resting if self.system is System.SWISS else ():
            score[each] += 1
        rows = standings(self.hall.evening.competition, self.hall.evening.results)
        assert {row.entrant: (row.score, row.breaks[-1], row.played) for row in rows} == {
            each: (score[each], points[each], played[each]) for each in score
        }
        assert [row.score for row in rows] == sorted(score.values(), reverse=True)


TestEvening = Evening.TestCase
TestEvening.settings = settings(max_examples=12, stateful_step_count=20, deadline=None)
