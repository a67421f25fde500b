"""The program of version 0.1.0, out of the history, at what today's left; and today's at what it left."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from release.source import write_out
from station.store import FILE_NAME, Store
from station.table.table import Table
from tests.asking import do, shown

OLD = "6d6d563"
"""The last commit whose database was of data version 1, which 0.1.0 wrote."""
PLAY = """
import json, sys
from pathlib import Path
from station.store import Store
from station.table import Table
store = Store(Path(sys.argv[1]))
table = Table(store)
for command in json.loads(sys.argv[2]):
    table.execute(command)
told = [[player["name"], player["total"]] for game in store.games() for player in game["players"]]
print(json.dumps([told, table.snapshot()["players"]]))
store.close()
"""
OPEN = """
import sys
from pathlib import Path
from station.errors import YachtError
from station.store import Store
try:
    Store(Path(sys.argv[1]))
except YachtError as error:
    sys.exit(f"yacht: {error}")
"""
"""What its `yacht run` does first; the pages it would bring up then want packages of its time."""


@pytest.fixture(scope="module")
def old(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program of before, in a folder of its own."""
    folder = tmp_path_factory.mktemp("old")
    try:
        write_out(OLD, folder, "station", "vision", "calibration", "web")
    except subprocess.CalledProcessError:
        pytest.skip("this checkout has no history (a shallow clone)")
    return folder


def at_old(old: Path, *call: str) -> subprocess.CompletedProcess[str]:
    """A program of before, run with its own modules alone."""
    run = [sys.executable, *call]
    environ = os.environ | {"PYTHONPATH": str(old)}
    return subprocess.run(run, cwd=old, env=environ, capture_output=True, text=True, check=False)


def play_at_old(old: Path, data: Path, *commands: dict[str, object]) -> list[Any]:
    """Play at the table of before; its finished games, and the players of the present one."""
    done = at_old(old, "-c", PLAY, str(data), json.dumps(commands))
    assert done.returncode == 0, done.stderr
    found: list[Any] = json.loads(done.stdout)
    return found


def yacht_at_old(old: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    return at_old(old, "-c", "from station.cli import main; main()", *map(str, arguments))


@pytest.mark.slow
def test_up_from_0_1_0_and_down_again(old: Path, tmp_path: Path):
    data = tmp_path / "data"
    finished, players = play_at_old(
        old,
        data,
        {"command": "start_game", "players": ["Ana", "Ben"], "rules": "yacht-1938"},
        {"command": "enter_roll", "faces": [5, 5, 5, 2, 2]},
        {"command": "score_box", "category": "full-house"},
        {"command": "end_game"},
        {"command": "rematch"},
        {"command": "enter_roll", "faces": [6, 6, 6, 6, 6]},
        {"command": "score_box", "category": "yacht"},
    )
    assert finished == [["Ana", 19], ["Ben", 0]]

    store = Store(data)  # up
    table = Table(store)
    assert [(each.name, each.total) for each in store.games()[0].players] == [("Ana", 19), ("Ben", 0)]
    assert [each["total"] for each in shown(table)["players"]] == [each["total"] for each in players]
    do(table, {"command": "rename_player", "player": 0, "name": "Anna"})  # which 0.1.0 does not know
    do(table, {"command": "undo"})
    do(table, {"command": "undo"})
    assert shown(table)["undo"] == "Ana rolled 6-6-6-6-6"
    store.close()
    (kept,) = (data / "backups").glob("*.sqlite3")

    file = data / FILE_NAME  # down: it says so, and leaves the file as it is
    before = file.read_bytes()
    refused = at_old(old, "-c", OPEN, str(data))
    assert refused.returncode == 1
    assert "newer Yacht Station" in refused.stderr
    assert "Traceback" not in refused.stderr
    assert file.read_bytes() == before

    restored = yacht_at_old(old, "restore", "--data", data, kept)  # the copy from before the update
    assert restored.returncode == 0, restored.stderr
    assert play_at_old(old, data) == [finished, players]
    newer = [each for each in data.rglob("*.sqlite3") if each.read_bytes() == before]
    assert len(newer) == 1  # and what was played meanwhile is kept beside it
