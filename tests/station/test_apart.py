"""Work in a process of its own: what it is handed, what it says, and how it ends."""

import mmap
import signal
import subprocess

import numpy as np
import pytest

from messages.errors import FailedError
from station.advice import apart, work
from station.advice.apart import Apart
from station.advice.table_cache import TableCache
from station.rules import built_in
from station.strategy.values.parts import GamePart
from station.strategy.values.solver import Solution, solve


@pytest.mark.slow
def test_work_that_fails_in_its_process_says_why():
    with pytest.raises(FailedError) as caught:
        Apart().call(lambda _: None, int, "no number")
    assert caught.value.code == "advice/process"
    assert "TypeError" in str(caught.value.message) or "ValueError" in str(caught.value.message)


def told_of(_tell, tables):
    """What a process makes of tables: whether each is mapped from a file, and its figures."""
    return [(isinstance(each.base, mmap.mmap), each.tolist()) for each in tables]


@pytest.mark.slow
def test_a_process_maps_a_table_that_is_mapped_from_a_file(tmp_path):
    np.arange(6.0).tofile(tmp_path / "table")
    table = np.memmap(tmp_path / "table", dtype="<f8", mode="r")
    found = Apart().call(lambda _: None, told_of, [table, table[2:4], np.asarray(table) + 1])
    assert found == [(True, [0, 1, 2, 3, 4, 5]), (False, [2, 3]), (False, [1, 2, 3, 4, 5, 6])]


@pytest.mark.slow
def test_work_in_its_process_ends_at_an_interrupt_and_is_waited_for(monkeypatch):
    """A busy machine takes longer to end it than the quarter of a second that Popen gives it then."""
    begun = []

    class Impatient(subprocess.Popen):
        def __init__(self, *arguments, **more):
            super().__init__(*arguments, **more)
            self._sigint_wait_secs = 0
            begun.append(self)

    def stop(share):
        raise KeyboardInterrupt(share)

    monkeypatch.setattr(apart.subprocess, "Popen", Impatient)
    with pytest.raises(KeyboardInterrupt):
        Apart().call(stop, work.work_out_values, GamePart(built_in("yacht-1938")), TableCache(None))
    ended = begun[0].returncode
    begun[0].wait()
    assert ended == -signal.SIGKILL


@pytest.mark.thorough
def test_values_are_worked_out_on_from_where_it_was_ended(tmp_path):
    part, cache = GamePart(built_in("yacht-1938")), TableCache(tmp_path)
    shares, again = [], []

    def stop(share):
        shares.append(share)
        if share > 0.5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Apart().call(stop, work.work_out_values, part, cache, 0.0)
    found = Apart().call(again.append, work.work_out_values, part, cache, 0.0)
    assert min(again) > shares[-2]
    assert found == pytest.approx(solve(part.model()).values, abs=1e-9)
    assert list(tmp_path.glob("*.sofar"))
    cache.keep_solution(Solution(part.model(), found))
    assert not list(tmp_path.glob("*.sofar"))
