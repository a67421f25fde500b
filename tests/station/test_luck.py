"""The luck of the last throw, as the review of the game has it."""

import pytest

from station.advice.advisor import Advisor
from station.advice.luck import last_luck
from station.advice.reviews import turns
from station.rules import built_in
from station.strategy.review import review
from station.table import Table
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
