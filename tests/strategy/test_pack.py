"""Values as bytes, and back."""

import pytest

from messages.errors import BadInputError
from station.rules import parse_rules
from station.strategy.model.model import Model
from station.strategy.values.pack import pack, unpack
from station.strategy.values.solver import solve
from tests.rules.house_files import FEW


def test_packed_values_are_exact_to_a_ten_millionth():
    solution = solve(parse_rules(FEW))
    assert (unpack(solution.model, pack(solution, exact=True)).values == solution.values).all()
    packed = unpack(solution.model, pack(solution, exact=False))
    assert abs(packed.values - solution.values).max() < 6e-8


def test_packed_values_of_another_game_or_cut_short_are_refused():
    solution = solve(parse_rules(FEW))
    other = Model(parse_rules(FEW.replace("50", "51")))
    data = pack(solution, exact=True)
    with pytest.raises(BadInputError, match="another game"):
        unpack(other, data)
    with pytest.raises(BadInputError, match="damaged"):
        unpack(solution.model, data[:-9])
    huge = solve(parse_rules(FEW.replace("50", "1000").replace("throws = 3", "throws = 10")))
    assert huge.start > 429
    with pytest.raises(BadInputError, match="too large"):
        pack(huge, exact=False)
