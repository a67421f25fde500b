"""`make soak ARGS=planted`: the mistakes that the model of the physical table has to catch.

Each is of a kind that was once found in the running station: a few words of one file, changed in a copy of
the project. The model is driven there until a law is broken, at most STEPS steps.
"""

import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from bench.project_copy import copy_of_the_project

STEPS = 40_000
TIMEOUT_S = 600


@dataclass(frozen=True, slots=True)
class Mistake:
    """`was` in that file becomes `becomes`; what: as it is seen at the table."""

    what: str
    file: str
    was: str
    becomes: str


MISTAKES = (
    Mistake(
        "a box takes the older roll while a newer one lies there",
        "station/game/steps/score_box.py",
        "        if not self.force:\n            now.check_no_newer()\n        return",
        "        return",
    ),
    Mistake(
        "the sheet shows potentials while dice roll",
        "station/game/snapshot.py",
        " and not now.newer:\n        every",
        ":\n        every",
    ),
    Mistake(
        "the next player is offered the dice that lie there",
        "station/game/steps/score_box.py",
        "        return left(self._filled(state), self)",
        "        return replace(self._filled(state), rolling=self.rolling)",
    ),
    Mistake(
        "the last game's roll is offered in the next game",
        "station/game/steps/start_game.py",
        "        return left(begun, self)",
        "        return replace(begun, since=state.since)",
    ),
    Mistake(
        "after a restart nobody knows whose dice lay there",
        "station/game/dice/sights.py",
        "known = Sight(aside=aside, keeps_unmoved=keeps_unmoved, rested=tuple(owners), owners=owners)",
        "known = Sight(aside=aside, keeps_unmoved=keeps_unmoved)",
    ),
    Mistake(
        "one nudged die makes the last player's dice a throw",
        "station/game/dice/tray.py",
        "enough = bool(moved) if again else 2 * len(moved) > len(sight.seen)",
        "enough = bool(moved)",
    ),
    Mistake(
        "a throw whose dice come to rest where others lay is none",
        "station/game/dice/sights.py",
        "if lay.face in (0, now.seen[j].face)}",
        "}",
    ),
    Mistake(
        "a kept roll is asked about again at once",
        "station/game/steps/keep_roll.py",
        "        return left(state, self)",
        "        return state",
    ),
    Mistake(
        "a corrected yacht leaves the extra points of later boxes",
        "station/game/steps/correct_box.py",
        "            player = corrected(rules, player, self)\n        except",
        "            player = _corrected_alone(rules, player, self)\n        except",
    ),
    Mistake(
        "who has gone is still asked to throw",
        "station/game/log/turns.py",
        "        if not player.gone and not player.sheet.is_full(rules):",
        "        if not player.sheet.is_full(rules):",
    ),
    Mistake(
        "undo forgets which dice were held",
        "station/game/evolve.py",
        "        return replay(state.past[:-1])",
        "        return replace(replay(state.past[:-1]), held=())",
    ),
    Mistake(
        "the confirm lamp burns though no throw is left",
        "station/devices/lamp_patterns.py",
        "    return offered or",
        '    return state.reading.status == "ready" or',
    ),
    Mistake(
        "an old screen confirms a roll it never showed",
        "station/table/versions.py",
        "            limit = max(limit, self._rolled)",
        "            limit = min(limit, self._rolled)",
    ),
)


def plant_all(*, seed: int) -> int:
    """Plant one after the other and print the table; the exit code is the number not caught."""
    print(f"seed {seed}\n\n| mistake | caught by | after steps |\n|---|---|---|", flush=True)
    missed = 0
    with tempfile.TemporaryDirectory() as folder:
        copy = copy_of_the_project(Path(folder))
        first = MISTAKES[0]
        sound = caught(Mistake("nothing planted", first.file, first.was, first.was), copy, seed)
        print(f"| nothing planted | {sound[0] or '-'} | {sound[1]} |", flush=True)
        for mistake in MISTAKES:
            law, steps = caught(mistake, copy, seed)
            if (law, steps) == sound:  # a law that is broken without the mistake tells nothing about it
                law = ""
            missed += not law
            print(f"| {mistake.what} | {law or '**not caught**'} | {steps} |", flush=True)
    return missed


def caught(mistake: Mistake, copy: Path, seed: int) -> tuple[str, str]:
    """The law that is broken, "" for none, and after how many steps."""
    file = copy / mistake.file
    before = file.read_text(encoding="utf-8")
    assert before.count(mistake.was) == 1, f"{mistake.what}: {mistake.file} reads otherwise now"
    file.write_text(before.replace(mistake.was, mistake.becomes), encoding="utf-8")
    try:
        ended = subprocess.run(
            [sys.executable, "-B", "-m", "lab.soak", "--steps", str(STEPS), "--seed", str(seed)],
            cwd=copy,
            env={**os.environ, "PYTHONPATH": str(copy)},
            capture_output=True,
            text=True,
            check=False,
            timeout=TIMEOUT_S,
        )
    except subprocess.TimeoutExpired:
        return "", f"none in {TIMEOUT_S} s"
    finally:
        file.write_text(before, encoding="utf-8")
    found = re.search(r"^step (\d+): \[([a-z ]+)\]", ended.stdout, re.MULTILINE)
    if found:
        return found[2], found[1]
    return ("", f"none in {STEPS:,}") if ended.returncode == 0 else ("an exception", ended.stderr[-200:])
