"""Programs of earlier versions, out of the history, with the data of today's, and the other way round."""

import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from release.source import write_out
from station.store import FILE_NAME, Store
from station.table.table import Table
from tests.asking import do, shown


class Version(NamedTuple):
    """A commit of an earlier version. imports: its store, its table, and how it parses a command.

    folders: those that its commands need. stored: how its store gives a finished game's players.
    """

    commit: str
    imports: str
    folders: tuple[str, ...]
    stored: str


VERSIONS = {
    # The last commit whose database was of data version 1, which 0.1.0 wrote.
    "0.1.0": Version(
        "6d6d563",
        """
from station.errors import YachtError
from station.store import Store
from station.table import Table
parse = dict
view = lambda table: table.snapshot()["players"]
""",
        ("station", "vision", "calibration", "web"),
        "[[player['name'], player['total']] for game in store.games() for player in game['players']]",
    ),
    "0.2.0": Version(
        "3f94549c",
        """
from pydantic import TypeAdapter
from messages.errors import YachtError
from station.contract.commands import CommandBody
from station.contract.view import as_json
from station.store.store import Store
from station.table.table import Table
parse = TypeAdapter(CommandBody).validate_python
view = lambda table: as_json(table.snapshot())["players"]
""",
        ("station", "vision", "calibration", "web", "messages", "simulator", "pyproject.toml"),
        "[[player.name, player.total] for game in store.games() for player in game.players]",
    ),
}
PLAY = """
import json, sys
from pathlib import Path
{imports}
store = Store(Path(sys.argv[1]))
table = Table(store)
for command in json.loads(sys.argv[2]):
    table.execute(parse(command))
print(json.dumps([{stored}, view(table)]))
store.close()
"""
OPEN = """
import sys
from pathlib import Path
{imports}
try:
    Store(Path(sys.argv[1]))
except YachtError as error:
    sys.exit(f"yacht: {{error}}")
"""
"""The first thing that its `yacht run` does; the pages after it need packages of their time."""


class OldProgram(NamedTuple):
    """A version in a folder of its own."""

    version: Version
    folder: Path

    def run(self, *call: str) -> subprocess.CompletedProcess[str]:
        """Run Python with the modules of this version only."""
        environ = os.environ | {"PYTHONPATH": str(self.folder)}
        return subprocess.run(
            [sys.executable, *call], cwd=self.folder, env=environ, capture_output=True, text=True, check=False
        )

    def script(self, template: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run a script with its store and table."""
        return self.run("-c", template.format(**self.version._asdict()), *arguments)

    def play(self, data: Path, *commands: dict[str, object]) -> list[Any]:
        """Play; its finished games, and the players of the present one."""
        done = self.script(PLAY, str(data), json.dumps(commands))
        assert done.returncode == 0, done.stderr
        found: list[Any] = json.loads(done.stdout)
        return found


@pytest.fixture(scope="module", params=VERSIONS)
def old(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> OldProgram:
    """A program of an earlier version."""
    version, folder = VERSIONS[request.param], tmp_path_factory.mktemp("old")
    try:
        write_out(version.commit, folder, *version.folders)
    except subprocess.CalledProcessError:
        pytest.skip("this checkout has no history (a shallow clone)")
    return OldProgram(version, folder)


def content(file: Path) -> tuple[int, list[Any]]:
    """The data version of a database, and its events."""
    with closing(sqlite3.connect(file)) as db:
        (version,) = db.execute("PRAGMA user_version").fetchone()
        return version, db.execute("SELECT * FROM events").fetchall()


@pytest.mark.slow
def test_upgrade_and_downgrade(old: OldProgram, tmp_path: Path):
    data = tmp_path / "data"
    finished, players = old.play(
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
    do(table, {"command": "rename_player", "player": 0, "name": "Anna"})
    do(table, {"command": "undo"})
    do(table, {"command": "undo"})
    assert shown(table)["undo"] == "Ana rolled 6-6-6-6-6"
    store.close()
    (kept,) = (data / "backups").glob("*.sqlite3")

    file = data / FILE_NAME  # down: it says so, and leaves the file as it is
    before, played = file.read_bytes(), content(file)
    refused = old.script(OPEN, str(data))
    assert refused.returncode == 1
    assert "newer Yacht Station" in refused.stderr
    assert "Traceback" not in refused.stderr
    assert file.read_bytes() == before

    restored = old.run(
        "-c", "from station.cli import main; main()", "restore", "--data", str(data), str(kept)
    )  # the copy from before the update
    assert restored.returncode == 0, restored.stderr
    assert old.play(data) == [finished, players]
    newer = [each for each in data.rglob("*.sqlite3") if content(each) == played]
    assert len(newer) == 1  # and what was played meanwhile is kept beside it
