"""`make soak`: many evenings at the physical table by chance, and mistakes planted on purpose.

make soak                                200,000 steps
make soak ARGS="--steps 20000 --seed 7"
make soak ARGS=--planted                 each of the planted mistakes in a copy of the tree
"""

import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import SystemRandom

import click
from hypothesis import seed as seeded
from hypothesis.stateful import run_state_machine_as_test

from tests.conftest import ROOT
from tests.table.test_physical_table import PhysicalTable, evenings

ROOMS = ("messages", "station", "vision", "calibration", "simulator", "web", "tests", "pyproject.toml")

DECIDE, STATE, TRAY, SHOWN = (f"station/game/{name}.py" for name in ("decide", "state", "tray", "snapshot"))
PLANTED = (
    (
        "a box takes an older roll",
        DECIDE,
        "if not command.force:\n        _no_newer",
        "if False:\n        _no_newer",
    ),
    (
        "choosing reaches an older roll",
        DECIDE,
        "    _no_newer_throw(state, sight)\n    return () if",
        "    return () if",
    ),
    (
        "potentials of an older roll are shown",
        SHOWN,
        " and not tray.newer_throw(state, now):\n        worth",
        ":\n        worth",
    ),
    (
        "a box leaves the dice to the next player",
        STATE,
        "return _left(_scored(state, event), event)",
        "return _scored(state, event)",
    ),
    ("a new game takes the dice that lie there", STATE, "return _left(begun, event)", "return begun"),
    (
        "a correction leaves later boxes as they were",
        STATE,
        "player = corrected(rules, player, event)\n",
        "player = _corrected_alone(rules, player, event)\n",
    ),
    ("who has gone is given a turn", STATE, "if not player.gone and not", "if not"),
    ("who has gone may win", STATE, "if player.sheet.entries and not player.gone", "if player.sheet.entries"),
    (
        "dice held after the last throw stay held",
        STATE,
        "held = state.held if phase is Phase.HOLDING else ()",
        "held = state.held",
    ),
    ("undo takes two steps back", STATE, "replay(state.past[:-1])", "replay(state.past[:-2])"),
    (
        "a word about one die sets another right",
        "station/game/tray_corrections.py",
        "not found or (new",
        "not found and (new",
    ),
    (
        "a restart forgets whose dice lie there",
        TRAY,
        "if not state.running:\n        return Sight(aside=aside)",
        "if True:\n        return Sight(aside=aside)",
    ),
)
"""What is wrong, in which file, and what stands there instead of what."""


@click.command()
@click.option("--steps", default=200_000, show_default=True)
@click.option("--seed", type=int, help="The same seed gives the same evenings.")
@click.option("--planted", is_flag=True, help="Plant mistakes instead, one after the other.")
def main(*, steps: int, seed: int | None, planted: bool) -> None:
    """Follow the physical table for many steps."""
    seed = SystemRandom().randrange(2**32) if seed is None else seed
    if planted:
        plant(min(steps, 20_000), seed)
        return
    click.echo(f"seed {seed}, {steps:,} steps")
    began_s = time.monotonic()
    machine = seeded(seed)(PhysicalTable)
    run_state_machine_as_test(machine, settings=evenings(steps, by_chance=True))
    counted = PhysicalTable.counted
    click.echo(f"{counted.steps:,} steps in {time.monotonic() - began_s:.0f} s, no law broken")
    for name, times in sorted(counted.rules.items(), key=lambda row: -row[1]):
        click.echo(f"{times:9,}  {name.replace('_', ' ')}")


def plant(steps: int, seed: int) -> None:
    """Each mistake in a copy of the tree: the model has to notice."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        for room in ROOMS:
            source = ROOT / room
            (shutil.copytree if source.is_dir() else shutil.copy)(source, copy / room)
        for what, file, right, wrong in PLANTED:
            path = copy / file
            text = path.read_text(encoding="utf-8")
            if right not in text:
                raise click.ClickException(f"{file} has changed: {right!r} is not there")
            path.write_text(text.replace(right, wrong, 1), encoding="utf-8")
            call = [sys.executable, "-m", "tests.table.soak", "--steps", str(steps), "--seed", str(seed)]
            done = subprocess.run(call, cwd=copy, capture_output=True, text=True, check=False)
            laws = re.findall(r"AssertionError: \[([\w ]+)\]", done.stdout + done.stderr)
            caught = f"caught: {laws[-1] if laws else 'an error'}" if done.returncode else "NOT CAUGHT"
            click.echo(f"{what:46}{caught}")
            path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
