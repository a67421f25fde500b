"""The luck of the last throw, as the review of the game has it."""

import pytest

from station.advice.advisor import Advisor
from station.advice.luck import Luckiest, last_luck
from station.advice.reviews import turns
from station.rules import built_in
from station.strategy.review import review
from station.table.table import Table
from tests.asking import do


@pytest.fixture(scope="module")
def solution():
    return Advisor().solution_now(built_in("yacht-1938"))


def test_it_is_what_the_review_says(solution):
    table = Table()
    do(table, {"command": "start_game", "players": ["Ana", "Ben"], "rules": "yacht-1938"})
    assert last_luck(solution, table.moment()[1]) is None
    seen = []
    for faces, slots in (((5, 5, 2, 3, 6), (1, 2)), ((5, 5, 5, 1, 1), (1, 2, 3)), ((5, 5, 5, 5, 5), ())):
        do(table, {"command": "enter_roll", "faces": list(faces)})
        seen.append(last_luck(solution, table.moment()[1]))
        if slots:
            do(table, {"command": "set_held", "slots": list(slots)})
            assert last_luck(solution, table.moment()[1]) is None
    ana = review(solution, turns(table.moment()[1].past)[0])
    assert seen == pytest.approx([throw.luck for throw in ana.turns[0].throws])
    assert seen[2] > 20


class Watched:
    """A table of two, and whether its last throw is the luckiest."""

    def __init__(self, solution):
        self.table, self.solution = Table(), solution
        self.do("start_game", players=["Ana", "Ben"], rules="yacht-1938")

    def do(self, command, **fields):
        do(self.table, {"command": command, **fields})

    def is_it(self, who):
        state = self.table.moment()[1]
        return who.is_it(self.solution, state.past, last_luck(self.solution, state))


def test_who_comes_late_is_told_of_the_same_luckiest_throw(solution):
    watched, there = Watched(solution), Luckiest()
    for faces, category, told in (
        ((6, 6, 6, 6, 6), "yacht", True),
        ((5, 5, 5, 5, 1), "fives", False),  # lucky, but Ana's was luckier
        ((1, 2, 2, 4, 6), "ones", False),
    ):
        watched.do("enter_roll", faces=faces)
        assert watched.is_it(there) is told
        assert watched.is_it(there) is told  # asked by another screen
        assert watched.is_it(Luckiest()) is told
        watched.do("score_box", category=category)


def test_a_throw_that_was_taken_back_put_right_or_of_another_game_is_not_the_luckiest(solution):
    watched, there = Watched(solution), Luckiest()
    watched.do("enter_roll", faces=(6, 6, 6, 6, 6))
    assert watched.is_it(there)
    watched.do("undo")
    watched.do("enter_roll", faces=(5, 5, 5, 5, 1))
    assert watched.is_it(there)
    for slot, face in ((1, 2), (2, 3)):
        watched.do("correct_die", slot=slot, face=face)
    watched.do("score_box", category="choice")
    watched.do("enter_roll", faces=(6, 6, 6, 6, 1))
    assert watched.is_it(there)
    watched.do("end_game")
    watched.do("rematch")
    watched.do("enter_roll", faces=(4, 4, 4, 4, 1))
    assert watched.is_it(there)
