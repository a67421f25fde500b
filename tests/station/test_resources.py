"""Threads and memory are bounded before numpy is loaded, and what the environment says stands."""

import os
import re
import subprocess
import sys
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from station import app
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
resources.give_back()
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


@pytest.mark.parametrize("scarce", [True, False])
def test_large_pieces_of_memory_are_given_back_at_once_where_it_is_scarce(scarce):
    code = f"""
import re
from station import resources
resources.bound(scarce={scarce})
def resident_kb():
    return int(re.search(r"VmRSS:\\s+(\\d+)", open("/proc/self/status").read())[1])
before = resident_kb()
for _ in range(2):  # the first one that is freed lets the C library keep the next
    piece = bytearray(b"x") * 16_000_000
    del piece
print(resident_kb() - before)
"""
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (int(told.stdout) < 4_000) == scarce


def test_what_the_environment_says_stands():
    assert heaps("resources.bound()", OMP_NUM_THREADS="3")[1] == "3"


@pytest.mark.slow
def test_no_thread_of_python_keeps_others_waiting_for_long():
    code = "import sys; from station import resources; resources.bound(); print(sys.getswitchinterval())"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert float(told.stdout) <= 0.001


@pytest.mark.slow
def test_what_has_settled_is_left_out_of_the_search_for_rubbish():
    code = """
import gc, pydantic
from station import resources
resources.settle()
print(len(gc.get_objects()), gc.get_freeze_count(), gc.isenabled())
"""
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    searched, left_out, goes_on = told.stdout.split()
    assert int(searched) * 10 < int(left_out)
    assert goes_on == "True"


def test_code_that_is_left_to_the_system_comes_back():
    code = """
import cv2, numpy, re, sys
from station import resources
def resident_kb():
    return int(re.search(r"^RssFile:\\s+(\\d+)", open("/proc/self/status").read(), re.M)[1])
loaded = resources.loaded_code()
before = resident_kb()
resources.give_back(loaded)
print(before, resident_kb())
assert cv2.GaussianBlur(numpy.ones((9, 9), numpy.uint8), (5, 5), 1)[4, 4] == 1
"""
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    before, after = (int(kb) for kb in told.stdout.split())
    assert after < 0.7 * before


@pytest.mark.slow
def test_pictures_are_read_without_what_libraries_only_needed_to_be_loaded(tmp_path):
    code = f"""
import re
from station.cli import run
from vision.reader import Reader
def resident_kb():
    return int(re.search(r"^RssFile:\\s+(\\d+)", open("/proc/self/status").read(), re.M)[1])
read, before = Reader.read, resident_kb()
def noted(*asked, **how):
    print(before, resident_kb())
    return read(*asked, **how)
Reader.read = noted
run(["read", "--json", {str(tmp_path / "bare.png")!r}])
"""
    cv2.imwrite(str(tmp_path / "bare.png"), np.full((60, 80, 3), 90, np.uint8))
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    before, after = (int(kb) for kb in told.stdout.splitlines()[0].split())
    assert after < 0.7 * before


def test_what_was_written_is_no_code_that_is_as_in_its_file():
    code = """
import cv2
from station import resources
spans = resources.loaded_code()
written = 0
for line in open("/proc/self/smaps"):
    key, *values = line.split()
    if not key.endswith(":"):
        begin = int(key.split("-")[0], 16)
    elif key == "Private_Dirty:" and values[0] != "0" and any(b <= begin < b + size for b, size in spans):
        written += 1
print(len(spans) > 50, written)
"""
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.split() == ["True", "0"]


def test_every_machine_gets_threads():
    assert all(threads(cores).opencv >= 1 and threads(cores).blas >= 1 for cores in (1, 2, 4, 64))


class Waits(list[float]):
    """A stop that is asked for after eleven seconds."""

    def wait(self, seconds):
        self.append(seconds)
        return sum(self) > 11


@pytest.mark.parametrize("scarce", [True, False])
def test_what_is_not_needed_now_goes_sooner_where_memory_is_scarce(scarce, monkeypatch):
    done, waits = [], Waits()
    monkeypatch.setattr(app.resources, "settle", lambda: done.append(f"settled after {sum(waits):g} s"))
    monkeypatch.setattr(app.resources, "give_back", lambda _: done.append("code"))
    monkeypatch.setattr(app.finder, "let_go", lambda _: done.append("networks"))
    advisor = SimpleNamespace(let_go=lambda: done.append("tables"))
    app.Station._give_memory_back(SimpleNamespace(_stop=waits, _scarce=scarce, advisor=advisor), ())
    settled = f"settled after {app.GIVE_BACK_S:g} s"
    assert done.count(settled) == 1
    assert (done[0] == settled) is not scarce, "memory goes before that where it is scarce"
    done.remove(settled)
    again = ["tables", "networks", "code"] if scarce else ["tables", "code"]
    assert done == again * (len(waits) - 1)
    assert (waits[0] < 1) == scarce
