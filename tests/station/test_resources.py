"""Threads and memory are bounded before numpy is loaded, and what the environment says stands."""

import os
import re
import subprocess
import sys

import pytest

from station.resources import threads

HEAPS = """
import threading
from station import resources
{bound}
import re
def keep(kept, gate):
    kept.append([bytes(50_000) for _ in range(20)])
    gate.wait()
kept, gate = [], threading.Barrier(9)
alive = [threading.Thread(target=keep, args=(kept, gate)) for _ in range(8)]
for each in alive:
    each.start()
maps = open("/proc/self/maps").read()
gate.wait()
import os
print(len(re.findall(r"---p 00000000 00:00 0 $", maps, re.M)), os.environ.get("OMP_NUM_THREADS"))
"""


def heaps(bound, **environment):
    """How much address space is set aside for heaps of threads, as pieces; and BLAS's threads."""
    plain = {key: value for key, value in os.environ.items() if not re.match("OMP|OPENBLAS|MALLOC", key)}
    done = subprocess.run(
        [sys.executable, "-c", HEAPS.format(bound=bound)],
        env={**plain, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    count, blas = done.stdout.split()
    return int(count), blas


@pytest.mark.slow
def test_threads_share_one_heap():
    free, _ = heaps("")
    bound, blas = heaps("resources.bound()")
    assert bound <= free - 6
    assert blas == "1"


def test_what_the_environment_says_stands():
    assert heaps("resources.bound()", OMP_NUM_THREADS="3")[1] == "3"


@pytest.mark.slow
def test_no_thread_keeps_others_waiting_and_what_has_settled_is_left_out_of_garbage_collection():
    code = """
import gc, pydantic, sys
from station import resources
resources.bound()
resources.settle()
print(sys.getswitchinterval(), len(gc.get_objects()), gc.get_freeze_count(), int(gc.isenabled()))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    interval_s, searched, left_out, enabled = map(float, done.stdout.split())
    assert interval_s <= 0.001
    assert searched * 10 < left_out
    assert enabled


def test_every_machine_gets_threads():
    assert all(threads(cores).opencv >= 1 and threads(cores).blas >= 1 for cores in (1, 2, 4, 64))
