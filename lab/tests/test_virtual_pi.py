"""The parts of the virtual Pi that need none: what counts as lost, and what is built from what."""

import json
import random
import re
import time
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner

from lab.torture import power
from lab.virtual_pi import machine, powercut
from lab.virtual_pi.frames import draw
from station.table.table import Table
from tests.appliance.helpers import ROOT, call
from tests.asking import do, shown
from vision.picture import load
from vision.reader import Reader

FOLDER = ROOT / "lab" / "virtual_pi"


@cache
def play(commands: int, seed: int) -> list[tuple[dict, dict, dict]]:
    """For each command of a game: what was acknowledged before it, the command, what came of it."""
    table, rng, steps = Table(), random.Random(seed), []
    for _ in range(commands):
        before = shown(table)
        step = powercut.next_command(before, rng)
        steps.append((powercut.essence(before), step, powercut.essence(do(table, step))))
    return steps


@pytest.mark.parametrize("seed", range(3))
def test_a_cut_loses_nothing_when_the_state_is_the_last_or_the_next(seed):
    for before, sent, after in play(120, seed):
        assert not powercut.compare(before, sent, before)["lost"]
        assert not powercut.compare(before, sent, after)["lost"]


@pytest.mark.parametrize("seed", range(3))
def test_a_state_from_before_the_last_answer_is_called_lost(seed):
    steps = play(120, seed)
    for (older, _, acknowledged), (_, sent, following) in pairwise(steps):
        assert older in (acknowledged, following) or powercut.compare(acknowledged, sent, older)["lost"]


def test_a_station_that_has_lost_its_game_is_called_lost():
    empty = powercut.essence(shown(Table()))
    for before, sent, _ in play(120, 1)[1:]:
        assert sent["command"] == "start_game" or powercut.compare(before, sent, empty)["lost"]


@pytest.mark.thorough
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


@pytest.mark.parametrize("script", sorted((ROOT / "lab").rglob("*.sh")), ids=lambda path: path.name)
def test_scripts_parse(script):
    assert call("sh", "-n", script).stderr == ""


def test_no_mirror_or_index_is_written_into_a_file():
    for path in (each for each in FOLDER.rglob("*") if each.is_file() and "__pycache__" not in each.parts):
        links = re.findall(r"(?:https?|ftp)://[^\s\"'<)]+", path.read_text())
        assert [link for link in links if not link.startswith("http://127.0.0.1")] == [], path.name


@pytest.mark.slow
def test_nothing_that_is_kept_in_git_is_missing_there(tmp_path, monkeypatch):
    tracked = call("git", "-C", ROOT, "ls-files").stdout.split("\n")[:-1]
    kept = [path for path in tracked if "training" not in Path(path).parts]
    source = tmp_path / "source"
    for path in kept:
        (source / path).parent.mkdir(parents=True, exist_ok=True)
        (source / path).touch()
    monkeypatch.setattr(machine, "ROOT", source)
    monkeypatch.setattr(machine, "draw", lambda _: None)
    (tmp_path / "image").touch()
    there = machine.Machine(tmp_path / "kernel", tmp_path / "run" / "disk", tmp_path / "run" / "host")
    machine.prepare(there, tmp_path / "image")
    assert [path for path in kept if not (there.host / "project" / path).exists()] == []


def lives(pid: str) -> bool:
    """Whether a process runs: one that only waits to be asked how it ended does not."""
    try:
        return "State:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except (FileNotFoundError, ProcessLookupError):  # the second where it ends while it is read
        return False


def test_the_plug_is_pulled_for_every_process_at_once(tmp_path):
    kernel, pids = tmp_path / "kernel", tmp_path / "pids"
    kernel.write_text(f"#!/bin/sh\nsleep 600 & echo $! >{pids}\necho $$ >>{pids}\nwait\n")
    kernel.chmod(0o755)
    running = machine.Machine(kernel, tmp_path / "disk", tmp_path).start("cut")
    while len(machine.lines(pids)) < 2:
        assert running.poll() is None
    machine.cut(running)
    for pid in machine.lines(pids):
        deadline_s = time.monotonic() + 60
        while lives(pid):
            assert time.monotonic() < deadline_s, f"process {pid} lives on"


def virtual_pi(folder: Path, script: str) -> machine.Machine:
    """A machine whose kernel is a shell script, in the folder that both sides see."""
    kernel = folder / "kernel"
    kernel.write_text(f"#!/bin/sh\ncd {folder}\n{script}\n")
    kernel.chmod(0o755)
    return machine.Machine(kernel, folder / "disk", folder)


SOON = 4638
"""A seed by which the machine plays for 0.2 to 0.3 s each time before its power is cut, of 6 at most."""

PLAYS = """
[ ! -e acknowledged.json ] || echo '{compared}' >>cuts.jsonl
while :; do echo '{{}}' >part; mv part acknowledged.json; sleep 0.05; done
"""


@pytest.mark.slow
@pytest.mark.parametrize("lost", [False, True])
def test_what_cuts_compared_becomes_a_row(tmp_path, lost):
    compared = json.dumps({"lost": lost, "same": not lost})
    found = virtual_pi(tmp_path, PLAYS.format(compared=compared)).cuts(2, random.Random(SOON))
    assert found["ok"] is not lost
    row = power.row(found, "a script")
    assert (row.count, row.lost) == (2, 2 * lost)


def test_a_machine_that_does_not_come_to_play_counts_as_lost(tmp_path):
    row = power.row(virtual_pi(tmp_path, "exit 1").cuts(2, random.Random(1)), "a script")
    assert (row.count, row.lost, row.note) == (0, 1, "start 0 did not come to play")


def test_a_machine_that_is_not_built_gives_no_row(tmp_path, monkeypatch):
    monkeypatch.setenv("YACHT_CACHE", str(tmp_path))
    assert power.power_cuts(1.0) == []


@pytest.mark.parametrize("words", [["--plain", "turn"], ["--plain", "--arm64"]])
def test_without_pins_no_turn_is_tried(monkeypatch, words):
    monkeypatch.setattr("os.geteuid", lambda: 0)
    refused = CliRunner().invoke(machine.main, words)
    assert refused.exit_code == 1
    assert "only cuts" in refused.output


def test_an_emulated_machine_is_told_its_trial_and_waited_for_longer(tmp_path, monkeypatch):
    emulator = tmp_path / "qemu-system-aarch64"
    result = json.dumps({"ok": True})
    emulator.write_text(
        f"#!/bin/sh\ncd {tmp_path}\necho \"$@\" >words\nsleep 1\necho '{result}' >>results.jsonl\n"
    )
    emulator.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    emulated = machine.Arm64Machine(tmp_path / "kernel", tmp_path / "disk", tmp_path, patience=100)
    assert emulated.run("turn", 0.3) == {"ok": True}
    arguments = (tmp_path / "words").read_text()
    assert "yacht.try=turn yacht.patience=100" in arguments
    assert f"-kernel {tmp_path}/kernel" in arguments
    assert f"path={tmp_path},mount_tag=host" in arguments
