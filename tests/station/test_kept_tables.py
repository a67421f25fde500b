"""Tables that are kept on the disk: believed only as they were written, and bounded together."""

import os
from dataclasses import replace

import numpy as np
import pytest

from station.advice.advisor import Advisor
from station.advice.budget import NORMAL, SMALL
from station.advice.sealed_file import DIGEST_BYTES
from station.advice.situation import AdviceSituation, Sheet
from station.advice.table_cache import TableCache
from station.rules import parse_rules
from station.strategy.forward.trials import Offset
from station.strategy.model.model import Model
from station.strategy.odds.spreads import spreads, spreads_table
from station.strategy.values.solver import solve
from tests.rules.house_files import FEW


def few(number=0):
    """Small rules, each with values of its own."""
    return parse_rules(FEW.replace("points = 50", f"points = {50 + number}"))


def flip(path, at):
    """One bit of a file, as a card may."""
    content = bytearray(path.read_bytes())
    content[at] ^= 1
    path.write_bytes(content)


@pytest.mark.parametrize("at", [0, 6, 40, -DIGEST_BYTES - 1, -1])
def test_values_of_which_a_bit_has_changed_are_worked_out_anew(tmp_path, caplog, at):
    right = np.array(Advisor(tmp_path).solution_now(few()).values)
    (kept,) = (tmp_path / "advice").glob("*.means")
    written = kept.read_bytes()
    flip(kept, at)
    assert TableCache(tmp_path / "advice").solution(Model(few())) is None
    assert "worked out anew: the file is damaged" in caplog.text
    assert np.array_equal(Advisor(tmp_path).solution_now(few()).values, right)
    assert kept.read_bytes() == written


def test_every_other_kind_is_believed_only_as_it_was_written(tmp_path, ready, caplog):
    advisor = Advisor(tmp_path, on_ready=ready)
    advisor.solution_now(few())
    advisor.odds(few(), AdviceSituation([Sheet(), Sheet()], 0))
    ready.wait()
    advisor.close()
    cache, solution, folder = TableCache(tmp_path / "advice"), solve(few()), tmp_path / "advice"
    model = solution.model
    cache.keep_offsets(model, [Offset(1.0, 2.0, 3.0)] * len(few().boxes))
    cache.keep_so_far(model, solution.values)
    cache.keep_spreads(spreads_table(solution, spreads(solution)))
    for kind, found in {
        "odds": cache.distributions,
        "offsets": cache.offsets,
        "sofar": cache.so_far,
        "variances": lambda _: cache.spreads(solution),
    }.items():
        (kept,) = folder.glob(f"*.{kind}")
        caplog.clear()
        found(model)
        assert caplog.text == "", "it is believed"
        flip(kept, 3)
        found(model)
        assert f"The {kind} kept for few are worked out anew" in caplog.text


def test_a_table_under_the_name_of_another_is_not_believed(tmp_path):
    for number in (0, 1):
        Advisor(tmp_path).solution_now(few(number))
    one, other = (tmp_path / "advice" / f"{Model(few(number)).fingerprint}.means" for number in (0, 1))
    assert one.stat().st_size == other.stat().st_size
    other.write_bytes(one.read_bytes())
    cache = TableCache(tmp_path / "advice")
    assert cache.solution(Model(few(0))) is not None
    assert cache.solution(Model(few(1))) is None


def kept(folder):
    """The tables that are kept of which of the small rules."""
    names = {Model(few(number)).fingerprint: number for number in range(6)}
    return sorted(names[path.stem] for path in folder.glob("*.means"))


def test_of_tables_beyond_their_share_those_used_longest_ago_go(tmp_path):
    solutions = [solve(few(number)) for number in range(6)]
    size = solutions[0].values.nbytes + DIGEST_BYTES
    for number, solution in enumerate(solutions[:4]):
        TableCache(tmp_path).keep_solution(solution)
        path = tmp_path / f"{solution.model.fingerprint}.means"
        os.utime(path, (number, number))  # each was used later than the one before
    assert kept(tmp_path) == [0, 1, 2, 3]
    bounded = TableCache(tmp_path, 3 * size)
    assert bounded.solution(solutions[1].model) is not None
    bounded.sweep()
    assert kept(tmp_path) == [1, 2, 3]
    in_use = bounded.keep_solution(solutions[4])
    assert kept(tmp_path) == [1, 3, 4]
    for path in tmp_path.glob("*.means"):
        os.utime(path, (9, 9))
    os.utime(tmp_path / f"{solutions[4].model.fingerprint}.means", (1, 1))
    bounded.keep_solution(solutions[5])
    assert kept(tmp_path)[-2:] == [4, 5], "what is in use stays"
    assert np.array_equal(in_use.values, solutions[4].values)


def test_the_newest_table_is_kept_though_it_is_larger_than_the_share(tmp_path):
    cache = TableCache(tmp_path, 1)
    for number in range(3):
        cache.keep_solution(solve(few(number)))
        assert kept(tmp_path) == [number]


def test_what_is_no_table_is_left_alone(tmp_path):
    own = tmp_path / "notes.txt"
    own.write_text("mine")
    TableCache(tmp_path, 1).keep_solution(solve(few()))
    assert own.exists()


def test_an_advisor_keeps_to_the_budget_of_the_board(tmp_path):
    budget = replace(SMALL, disk_bytes=1)
    for number in range(3):
        Advisor(tmp_path, budget=budget).solution_now(few(number))
    assert kept(tmp_path / "advice") == [2]
    assert SMALL.disk_bytes < NORMAL.disk_bytes
