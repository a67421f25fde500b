"""Luck and skill of games as they were played at the table: the sums hold for every game whatever."""

import random
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from messages.errors import RefusalError
from station.advice.advisor import Advisor
from station.advice.reviews import _seated, game_review, reviews, turns
from station.contract.commands import (
    AddPlayer,
    Command,
    CorrectBox,
    CorrectDie,
    EndGame,
    EnterRoll,
    ScoreBox,
    SetHeld,
    StartGame,
    Undo,
)
from station.contract.reviewed import Choice, GameReview
from station.game import notation
from station.game.events import Event, PlayerAdded
from station.game.evolve import evolve, replay
from station.game.log.player import Player
from station.game.log.state import Phase, State, totals
from station.rules import built_in, built_in_ids, legal_boxes
from station.strategy.review import Review, ReviewedThrow
from station.strategy.values.solver import solve
from tests.asking import parse
from tests.game.deciding import decide


@cache
def solution(rules_id: str):
    return Advisor().solution_now(built_in(rules_id))


class Played:
    """A game, command by command, and the events it left."""

    def __init__(self, rules_id: str, *names: str) -> None:
        self.rules = built_in(rules_id)
        self.state, self.events = State(), list[Event]()
        self.do(StartGame(players=names or ("Ana",), rules=rules_id))

    def do(self, *commands: Command) -> "Played":
        for command in commands:
            for event in decide(self.state, command):
                self.events.append(event)
                self.state = evolve(self.state, event)
        return self

    def roll(self, *faces: int) -> "Played":
        return self.do(EnterRoll(faces=faces))

    def reviews(self) -> tuple[Review | None, ...]:
        return reviews(solution(self.rules.id), self.events)

    def review(self) -> Review:
        (found,) = self.reviews()
        assert found is not None
        return found

    def check(self) -> None:
        """The sums hold for each player, and nothing was better than best."""
        found = self.reviews()
        assert len(found) == len(self.state.players)
        for player, each in zip(self.state.players, found, strict=True):
            assert each is not None
            assert each.score == totals(self.state, player).total
            assert adds_up(each)
            assert all(made.cost > -1e-6 for turn in each.turns for made in turn.decisions)
            if player.sheet.is_full(self.rules):
                assert each.still_to_come == 0


def adds_up(found: Review) -> bool:
    right = found.score + found.still_to_come - found.expected
    return found.luck - found.given_away == pytest.approx(right, abs=1e-6)


def at_random(game: Played, rng: random.Random) -> Command:
    """One of the things people do."""
    state, rules = game.state, game.rules
    what = rng.random()
    if what < 0.04:
        return Undo()
    if what < 0.05 and state.throws_done:
        return CorrectDie(slot=rng.choice(state.dice).slot, face=rng.randint(1, 6))
    if what < 0.07 and state.player.sheet.entries and not rules.extra_yacht:
        wrong = rng.choice(state.player.sheet.entries).category
        five = tuple(rng.choices((1, 2, 3, 5, 6), k=5))
        return CorrectBox(player=state.active, category=wrong, faces=five)
    if state.phase is Phase.THROWING or (state.phase is Phase.HOLDING and what < 0.5):
        held = {die.slot: die.face for die in state.dice if die.slot in state.held}
        same = rng.randint(1, 6) if what > 0.9 or what < 0.1 else 0
        slots = range(1, rules.dice + 1)
        return EnterRoll(faces=tuple(held.get(slot) or same or rng.randint(1, 6) for slot in slots))
    if state.phase is Phase.HOLDING and what < 0.8:
        return SetHeld(slots=tuple(rng.sample([die.slot for die in state.dice], rng.randrange(rules.dice))))
    slots = tuple(rng.sample([die.slot for die in state.dice], 5))
    dice = tuple(sorted(die.face for die in state.dice if die.slot in slots))
    boxes = legal_boxes(rules, state.player.sheet, dice)
    return ScoreBox(category=rng.choice(boxes), slots=slots if len(state.dice) > 5 else ())


@pytest.mark.thorough
@pytest.mark.parametrize("rules_id", built_in_ids())
@settings(max_examples=6, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 2**32), steps=st.sampled_from((5, 40, 120, 1000)))
def test_the_sums_hold_for_every_game(rules_id, seed, steps):
    """Any decisions, any splits, undo, corrections, ended early or not, big general or not."""
    rng = random.Random(seed)
    game = Played(rules_id, "Ana", "Ben")
    for _ in range(steps):
        if not game.state.running:
            break
        try:
            game.do(at_random(game, rng))
        except RefusalError:  # the box that was set right would be another's
            continue
    if game.state.running:
        game.do(EndGame())
    game.check()


@pytest.mark.needs_feature("two_boxes")
def test_ten_dice_split_otherwise_than_best_bring_what_the_sheet_has():
    """Cameroon's fault: the review took the best split, which nobody had played."""
    game = Played("double-cameroon")
    for first, second in zip(game.rules.categories[::2], game.rules.categories[1::2], strict=True):
        game.roll(1, 2, 3, 4, 5, 6, 6, 6, 6, 6)
        game.do(ScoreBox(category=first, slots=(1, 3, 5, 7, 9)), ScoreBox(category=second))
    game.check()
    total = totals(game.state, game.state.players[0]).total
    assert game.review().score == total
    assert game.review().given_away > 100
    assert [len(turn.decisions) for turn in game.review().turns] == [2] * 5


def test_a_game_ended_early_names_what_was_still_to_come():
    game = Played("yacht-1938", "Ana", "Ben").roll(6, 6, 6, 6, 6).do(ScoreBox(category="yacht"))
    game.roll(1, 2, 3, 4, 6).do(SetHeld(slots=(1, 2, 3, 4)))
    game.roll(1, 2, 3, 4, 5).do(EndGame())
    game.check()
    ana, ben = game.reviews()
    assert ana is not None
    assert ben is not None
    assert ana.still_to_come > 100
    assert [len(turn.throws) for turn in ben.turns] == [2]
    assert ben.luck > 10


def test_a_big_general_counts():
    """It was neither luck nor skill: the page left the throw out."""
    game = Played("general", "Ana", "Ben").roll(1, 2, 3, 5, 6).do(ScoreBox(category="straight"))
    game.roll(4, 4, 4, 4, 4)
    assert not game.state.running
    game.check()
    ana, ben = game.reviews()
    assert ana is not None
    assert ben is not None
    assert ben.luck == pytest.approx(ben.still_to_come - ben.expected)
    assert ben.luck > 20
    assert ana.still_to_come > 0


def test_a_box_set_right_and_moved_is_followed():
    game = Played("yacht-1938").roll(4, 4, 4, 2, 2).do(ScoreBox(category="full-house"))
    game.roll(1, 1, 2, 3, 6).do(ScoreBox(category="choice"))
    game.do(CorrectBox(player=0, category="full-house", faces=(4, 4, 4, 4, 2), to="fours"), EndGame())
    game.check()
    assert game.review().turns[0].decisions[0].done == Choice(None, ("fours",))
    assert game.review().turns[0].throws[0].dice == (2, 4, 4, 4, 4)


@pytest.mark.needs_feature("two_boxes")
def test_one_of_two_boxes_set_right_leaves_the_dice_of_the_other():
    game = Played("double-cameroon").roll(1, 2, 3, 4, 5, 6, 6, 6, 6, 6)
    game.do(ScoreBox(category="little-straight", slots=(1, 2, 3, 4, 5)), ScoreBox(category="five-of-a-kind"))
    game.do(CorrectBox(player=0, category="little-straight", faces=(1, 2, 3, 4, 4)), EndGame())
    game.check()
    assert game.review().turns[0].throws[0].dice == (1, 2, 3, 4, 4, 6, 6, 6, 6, 6)


def test_a_held_die_that_was_misread_was_so_when_it_was_held():
    game = Played("yacht-1938").roll(4, 1, 4, 2, 6).do(SetHeld(slots=(1, 3)))
    game.roll(4, 3, 4, 3, 3).do(CorrectDie(slot=1, face=5))
    ((turn,),) = turns(game.events)
    assert [throw.dice for throw in turn.throws] == [(1, 2, 4, 5, 6), (3, 3, 3, 4, 5)]
    assert turn.throws[0].held == (4, 5)


def test_players_are_followed_to_other_seats_and_names():
    ana, ben, cleo = [], [], []

    def seated(before: str, after: str) -> list[list]:
        old, new = ([Player(name) for name in names.split()] for names in (before, after))
        return _seated(old, new, [ana, ben, cleo][: len(old)])

    def same(found: Sequence[list], wanted: Sequence[list]) -> bool:
        return [id(each) for each in found] == [id(each) for each in wanted]

    assert same(seated("Ana Ben Cleo", "Ana Ben Cleo"), [ana, ben, cleo])
    assert same(seated("Ana Ben Cleo", "Ben Ana Cleo"), [ben, ana, cleo])
    assert same(seated("Ana Ben Cleo", "Ana Benno Cleo"), [ana, ben, cleo])
    assert same(seated("Ana Ben Cleo", "Ana Cleo"), [ana, cleo])
    assert same(seated("Ana Ben", "Ana Ben Cleo")[:2], [ana, ben])


def test_who_sat_down_before_the_start_and_who_came_late_are_followed():
    game = Played("yacht-1938", "Ana", "Ben")
    sat_down = [PlayerAdded("Ana"), PlayerAdded("Ben")]
    game.roll(1, 2, 3, 4, 6).do(ScoreBox(category="choice"), AddPlayer(name="Cleo"), EndGame())
    assert reviews(solution("yacht-1938"), [*sat_down, *game.events]) == game.reviews()
    game.check()


class TestDearest:
    @staticmethod
    def told(game: Played) -> GameReview:
        names = [player.name for player in game.state.players]
        return game_review(solution(game.rules.id), 7, names, game.events)

    def test_the_three_dearest_are_named(self):
        game = Played("yacht-1938", "Ana", "Ben").roll(6, 6, 6, 6, 6).do(SetHeld(slots=(1,)))
        game.roll(6, 1, 2, 3, 5).do(ScoreBox(category="yacht"))
        found = self.told(game.roll(1, 2, 3, 4, 5).do(ScoreBox(category="sixes"), EndGame())).dearest
        assert [(each.seat, each.turn, each.throw) for each in found] == [(0, 1, 1), (1, 1, 1), (0, 1, 2)]
        costs = [each.cost for each in found]
        assert costs == sorted(costs, reverse=True)
        assert str(found[0].words) == (
            f"Ana, turn 1, 6-6-6-6-6: “keep 6” cost {costs[0]:.1f} points; "
            "“score Yacht” would have been best."
        )

    def test_a_throw_that_brought_less_than_could_be_expected_is_no_lucky_one(self):
        unlucky = Played("yacht-1938", "Ana", "Ben").roll(1, 2, 2, 3, 4).do(EndGame())
        assert unlucky.reviews()[0].luck < 0
        assert self.told(unlucky).luckiest is None
        lucky = self.told(Played("yacht-1938", "Ana", "Ben").roll(6, 6, 6, 6, 6).do(EndGame())).luckiest
        assert lucky.dice == (6, 6, 6, 6, 6)

    @pytest.mark.needs_feature("two_boxes")
    def test_of_ten_dice_the_split_is_told(self):
        game = Played("double-cameroon")
        for _ in range(3):
            game.roll(2, 2, 2, 2, 2, 2, 5, 5, 5, 5)
        game.do(ScoreBox(category="five-of-a-kind", slots=(1, 2, 7, 8, 9)), EndGame())
        (told,) = (str(each.words) for each in self.told(game).dearest if each.throw == 3)
        assert "“score Five-of-a-kind with 2-2-5-5-5” cost" in told
        assert "Five-of-a-kind with 2-2-2-2-2" in told

    def test_best_play_has_none(self):
        game = Played("yacht-1938").roll(6, 6, 6, 6, 6).do(ScoreBox(category="yacht"), EndGame())
        assert self.told(game).dearest == ()


ANNOUNCED = """
id = "named"
title = "Named"
dice = 2
throws = 2
[[box]]
category = "choice"
label = "Choice"
[[box]]
category = "twos"
label = "Twos"
announced = true
[[box]]
category = "fives"
label = "Fives"
announced = true
factor = 2
"""


@pytest.mark.parametrize(
    ("announced", "done", "best"),
    [
        ("", "keep 5", "give this turn to Fives, keep 5"),
        ("twos", "give this turn to Twos, keep 5", "give this turn to Fives, keep 5"),
    ],
)
@pytest.mark.needs_feature("announced_boxes")
def test_what_was_or_should_have_been_announced_is_told(announced, done, best):
    """It said that "keep 5" gave points away, and that "keep 5" would have been best."""
    named = (parse({"command": "announce_box", "category": announced}),) if announced else ()
    roll = (EnterRoll(faces=(1, 5)), *named)
    box = ScoreBox(category=announced or "choice")
    asked = (StartGame(players=("Ana",), rules="named"), *roll, SetHeld(slots=(2,)))
    state, log = State(), list[Event]()
    for command in (*asked, EnterRoll(faces=(3, 5)), box, EndGame()):
        for event in decide(state, command, house=ANNOUNCED):
            log.append(event)
            state = evolve(state, event)
    told = game_review(solve(state.played), 7, ["Ana"], log).dearest[0]
    assert str(told.words) == (
        f"Ana, turn 1, 1-5: “{done}” cost {told.cost:.1f} points; “{best}” would have been best."
    )


@pytest.mark.thorough
def test_where_all_play_at_once_each_has_the_turns_of_the_own_copy():
    """A late guest in the third round, one who leaves in the ninth, a die set right."""
    text = (Path(__file__).parents[1] / "features" / "all_at_once" / "golden" / "together.txt").read_text(
        encoding="utf-8"
    )
    events = notation.read(text)
    played = turns(events)
    assert [len(mine) for mine in played] == [13, 13, 8, 13]
    assert [len(turn.throws) for mine in played for turn in mine] == [3] * 47
    assert played[0][0].throws == (  # two sixes kept of 6-4-4-6-1, three of what 1-3-6-4-3 made of it
        ReviewedThrow((1, 4, 4, 6, 6), (6, 6)),
        ReviewedThrow((3, 3, 6, 6, 6), (6, 6, 6)),
        ReviewedThrow((5, 5, 6, 6, 6), None),
    )
    state = replay(events)
    for seat, found in enumerate(reviews(solution("shared-roll"), events)):
        assert found is not None
        assert found.score == totals(state, state.players[seat]).total
        assert found.luck - found.given_away == pytest.approx(
            found.score + found.still_to_come - found.expected
        )
