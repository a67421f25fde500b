"""An evening with real parts: a broker, two stations and a board, each killed in its turn."""

import json
import subprocess
import sys
import urllib.parse
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self

import cv2
import numpy as np
import pytest

from tests.board import postgresql
from tests.board.postgresql import Postgresql
from tests.conftest import ROOT
from tests.integrations.mosquitto import Mosquitto, needed, until
from tests.process.station import RunningStation

QUICK = (ROOT / "examples" / "quick-yacht.toml").read_text(encoding="utf-8")


class RunningBoard:
    """`yacht board` in a process of its own, its organiser on the same machine."""

    def __init__(self, data: Path, settings: str) -> None:
        path = data.with_suffix(".toml")
        path.write_text(settings, encoding="utf-8")
        yacht = [sys.executable, "-c", "from station.cli import main; main()", "board"]
        options = ["--port", "0", "--host", "127.0.0.1", "--data", str(data), "--config", str(path)]
        self.log = data.with_suffix(".log").open("ab")
        self.process = subprocess.Popen(
            [*yacht, *options], stdout=subprocess.PIPE, stderr=self.log, text=True
        )
        assert self.process.stdout is not None
        lines = iter(self.process.stdout.readline, "")
        self.url = next(line.split()[1] for line in lines if line.startswith("Open:"))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.kill()

    def kill(self) -> None:
        """As if the plug were pulled."""
        self.process.kill()
        self.process.wait(60)
        assert self.process.stdout is not None
        self.process.stdout.close()
        self.log.close()

    def get(self, path: str = "/api/v1/board") -> Any:
        with urllib.request.urlopen(self.url + path, timeout=60) as answer:  # noqa: S310 - our own http
            return json.load(answer)

    def post(self, what: str, **fields: object) -> None:
        data = urllib.parse.urlencode(fields).encode()
        with urllib.request.urlopen(f"{self.url}/organise/{what}", data, timeout=60):  # noqa: S310 - our own
            pass

    def results(self) -> list[tuple[tuple[str, ...], Any]]:
        """Players and points of every game that has a result, as the latest round has them."""
        games = [game for each in self.get()["evening"]["rounds"] for game in each["games"]]
        return [(tuple(game["players"]), game["points"]) for game in games if game["how"]]

    def health(self) -> str:
        return json.dumps(self.get("/api/v1/health"))


def play(station: RunningStation, names: list[str], turns: int = 4) -> list[int]:
    """A game of four boxes with typed rolls, or its first turns; the totals."""
    station.send("start_game", players=names, rules="quick-yacht")
    return go_on(station, 0, turns)


def go_on(station: RunningStation, first: int, last: int) -> list[int]:
    for turn in range(first, last):
        for seat in range(2):
            station.send("enter_roll", faces=[6, 6, 5, 4, 1 + seat])
            state = station.send(
                "score_box", category=["sixes", "choice", "full-house", "yacht"][turn], force=True
            )
    return [each["total"] for each in state["players"]]


@pytest.fixture(params=["file", pytest.param("server", marks=postgresql.needed)])
def database(request: pytest.FixtureRequest) -> Iterator[str]:
    """The settings of where the board keeps its evening."""
    if request.param == "file":
        yield ""
        return
    with Postgresql() as server:
        yield f'[board]\ndatabase = "{server.url}"\ndatabase_password_file = "{server.password_file}"\n'


@needed
@pytest.mark.slow
def test_an_evening_goes_on_whoever_is_killed(tmp_path: Path, database: str):
    with Mosquitto(tmp_path / "broker") as broker:
        home = f'[mqtt]\nhost = "127.0.0.1"\nport = {broker.port}\n'
        attic_settings, kitchen_settings = (f'{home}station = "{name}"\n' for name in ("attic", "kitchen"))
        board = RunningBoard(tmp_path / "club", database + home)
        still = tmp_path / "still"  # a camera that costs nothing: rolls are typed
        still.mkdir()
        cv2.imwrite(str(still / "1.png"), np.zeros((240, 320, 3), np.uint8))
        camera = ("--camera", str(still))
        attic = RunningStation(tmp_path / "attic", *camera, settings=attic_settings)
        kitchen = RunningStation(tmp_path / "kitchen", *camera, settings=kitchen_settings)
        with attic, kitchen:
            for station in (attic, kitchen):
                assert station.post("/api/v1/rules", {"text": QUICK})[0] == 200
            until(lambda: [each["there"] for each in board.get()["tables"]] == [True, True])
            board.post("open", title="Club", system="round-robin")
            board.post("enter", names="Ana\nBen\nCleo\nDora")
            board.post("draw")
            games = board.get()["evening"]["rounds"][0]["games"]
            assert [(each["table"], each["players"]) for each in games] == [
                ("attic", ["Ana", "Dora"]),
                ("kitchen", ["Ben", "Cleo"]),
            ]
            expected = [(("Ana", "Dora"), play(attic, ["Dora", "Ana"])[::-1])]
            until(lambda: board.results() == expected)
            board.kill()  # what is told meanwhile waits at the broker
            expected.append((("Ben", "Cleo"), play(kitchen, ["Ben", "Cleo"])))
            with RunningBoard(tmp_path / "club", database + home) as board:
                until(lambda: board.results() == expected)
                board.post("draw")
                broker.kill()  # what happens meanwhile waits at the stations
                until(
                    lambda: (
                        "connection to the broker" in board.health() or "cannot be reached" in board.health()
                    )
                )
                third = play(attic, ["Dora", "Cleo"])
                broker.start()
                now = [*expected, (("Dora", "Cleo"), third)]
                until(lambda: board.results() == now)
                play(kitchen, ["Ana", "Ben"], turns=2)
                until(
                    lambda: [each["name"] for each in board.get()["tables"][1]["players"]] == ["Ana", "Ben"]
                )
                kitchen.kill()  # in the middle of a game
                until(lambda: [each["there"] for each in board.get()["tables"]] == [True, False])
                kitchen.close()
                with RunningStation(tmp_path / "kitchen", *camera, settings=kitchen_settings) as kitchen:
                    fourth = go_on(kitchen, 2, 4)
                    until(lambda: board.results() == [*now, (("Ana", "Ben"), fourth)])
                rows = board.get()["evening"]["rows"]
                assert [each["played"] for each in rows] == [2, 2, 2, 2]
                assert sum(each["score"] for each in rows) == 4.0
