"""The parts of the virtual Pi that need none: what counts as lost, and what is built from what."""

import random
import re
import time
from itertools import pairwise
from pathlib import Path

import pytest

from hardware.virtual_pi import machine, powercut
from hardware.virtual_pi.frames import draw
from station.table import Table
from tests.appliance.helpers import ROOT, call
from tests.asking import do, shown
from vision.picture import load
from vision.reader import Reader

FOLDER = ROOT / "hardware" / "virtual_pi"


def play(commands: int, seed: int) -> list[tuple[dict, dict, dict]]:
    """For each command of a game: what was acknowledged before it, the command, what came of it."""
    table, rng, told = Table(), random.Random(seed), []
    for _ in range(commands):
        before = shown(table)
        step = powercut.next_command(before, rng)
        told.append((powercut.told(before), step, powercut.told(do(table, step))))
    return told


@pytest.mark.parametrize("seed", range(3))
def test_a_cut_loses_nothing_when_the_state_is_the_last_or_the_next(seed):
    for before, sent, after in play(120, seed):
        assert not powercut.compare(before, sent, before)["lost"]
        assert not powercut.compare(before, sent, after)["lost"]


@pytest.mark.parametrize("seed", range(3))
def test_a_state_from_before_the_last_answer_is_called_lost(seed):
    told = play(120, seed)
    for (older, _, acknowledged), (_, sent, following) in pairwise(told):
        assert older in (acknowledged, following) or powercut.compare(acknowledged, sent, older)["lost"]


def test_the_game_of_the_cuts_comes_to_an_end_and_begins_again():
    counts = [after["count"] for _, _, after in play(400, 1)]
    assert max(counts) == 24
    assert 0 in counts[counts.index(24) :]


@pytest.mark.slow
def test_the_turn_for_the_virtual_camera_can_be_read(tmp_path):
    count = draw(tmp_path)
    readings = [Reader().read(load(tmp_path / "frames" / f"{i}.jpg")) for i in range(count)]
    for rest in (range(count - 3, count),):
        assert [readings[i].faces for i in rest] == [(3, 5, 6, 6, 6)] * 3


@pytest.mark.parametrize("script", sorted(path.name for path in FOLDER.rglob("*.sh")))
def test_scripts_parse(script):
    (path,) = FOLDER.rglob(script)
    assert call("sh", "-n", path).stderr == ""


def test_no_mirror_or_index_is_written_into_a_file():
    for path in (each for each in FOLDER.rglob("*") if each.is_file() and "__pycache__" not in each.parts):
        links = re.findall(r"(?:https?|ftp)://[^\s\"'<)]+", path.read_text())
        assert [link for link in links if not link.startswith("http://127.0.0.1")] == [], path.name


def test_the_plug_is_pulled_for_every_process_at_once(tmp_path):
    kernel, pids = tmp_path / "kernel", tmp_path / "pids"
    kernel.write_text(f"#!/bin/sh\nsleep 600 & echo $! >{pids}\necho $$ >>{pids}\nwait\n")
    kernel.chmod(0o755)
    running = machine.Machine(kernel, tmp_path / "disk", tmp_path).start("cut")
    while len(machine.lines(pids)) < 2:
        assert running.poll() is None
    machine.cut(running)
    for pid in machine.lines(pids):
        status = Path(f"/proc/{pid}/status")
        deadline_s = time.monotonic() + 60
        while status.exists() and "State:\tZ" not in status.read_text():
            assert time.monotonic() < deadline_s, f"process {pid} lives on"
