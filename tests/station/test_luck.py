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
    """A table, and what is said of its throws."""

    def __init__(self, solution):
        self.table, self.solution = Table(), solution
        self.begin()

    def begin(self):
        do(self.table, {"command": "start_game", "players": ["Ana", "Ben"], "rules": "yacht-1938"})

    def throw(self, *faces):
        do(self.table, {"command": "enter_roll", "faces": list(faces)})

    def write(self, category):
        do(self.table, {"command": "score_box", "category": category})

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
        watched.throw(*faces)
        assert watched.is_it(there) is told
        assert watched.is_it(there) is told  # asked by another screen
        assert watched.is_it(Luckiest()) is told
        watched.write(category)


def test_a_throw_that_was_taken_back_or_put_right_is_not_the_luckiest(solution):
    watched, there = Watched(solution), Luckiest()
    watched.throw(6, 6, 6, 6, 6)
    assert watched.is_it(there)
    do(watched.table, {"command": "undo"})
    watched.throw(5, 5, 5, 5, 1)
    assert watched.is_it(there)
    for slot, face in ((1, 2), (2, 3)):
        do(watched.table, {"command": "correct_die", "slot": slot, "face": face})
    watched.write("choice")
    watched.throw(4, 4, 4, 4, 1)
    assert watched.is_it(there)


def test_the_luckiest_throw_is_one_of_its_game(solution):
    watched, there = Watched(solution), Luckiest()
    watched.throw(6, 6, 6, 6, 6)
    assert watched.is_it(there)
    do(watched.table, {"command": "end_game"})
    watched.begin()
    watched.throw(5, 5, 5, 5, 1)
    assert watched.is_it(there)
