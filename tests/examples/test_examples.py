"""The examples do what they say, with a real station."""

import json
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from station.cli import run
from tests.conftest import ROOT
from tests.process.station import DEADLINE_S, RunningStation

pytestmark = pytest.mark.slow

EXAMPLES = ROOT / "examples"
RULES = EXAMPLES / "quick-yacht.toml"


@pytest.fixture
def station(tmp_path: Path) -> Iterator[RunningStation]:
    with RunningStation(tmp_path / "data") as running:
        yield running


class Example:
    """An example as a program of its own, and the lines it prints."""

    def __init__(self, name: str, address: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, EXAMPLES / name, address], cwd=ROOT, stdout=subprocess.PIPE, text=True
        )
        # Whatever is awaited and never comes ends with the program.
        self._end = threading.Timer(DEADLINE_S, self.process.kill)
        self._end.start()

    def until(self, wanted: str) -> list[str]:
        """All lines up to the first that ends with that."""
        assert self.process.stdout is not None
        lines: list[str] = []
        for line in self.process.stdout:
            lines.append(line.rstrip())
            if lines[-1].endswith(wanted):
                return lines
        raise AssertionError(f"no line ends with {wanted!r}: {lines}")

    def close(self) -> None:
        assert self.process.stdout is not None
        self._end.cancel()
        self.process.kill()
        self.process.wait(DEADLINE_S)
        self.process.stdout.close()


def test_the_camera_sees_the_dice_that_another_station_sees(station):
    station.send("start_game", players=["Ana"], rules="yacht-1938")
    station.send("throw", faces=[1, 3, 3, 5, 6])
    station.wait_for(lambda state: state["reading"]["status"] == "ready")
    camera = Example("camera_adapter.py", f"{station.url}/api/v1/calibration/frame.jpg")
    try:
        assert camera.until("ready 1 3 3 5 6")
    finally:
        camera.close()


def test_the_rule_set_scores_and_can_be_played(station, capsys):
    assert run(["score", "--rules", str(RULES), "--dice", "4,4,4,2,2", "--category", "full-house"]) == 0
    assert "25" in capsys.readouterr().out
    body = json.dumps({"text": RULES.read_text(encoding="utf-8")}).encode()
    json_body = {"content-type": "application/json"}
    request = urllib.request.Request(f"{station.url}/api/v1/rules", body, json_body)  # noqa: S310 - our own http
    urllib.request.urlopen(request, timeout=DEADLINE_S).close()  # noqa: S310 - our own http
    state = station.send("start_game", players=["Ana", "Ben"], rules="quick-yacht")
    assert (state["throws_allowed"], len(state["categories"])) == (2, 4)
    station.send("enter_roll", faces=[6, 6, 6, 6, 6])
    assert station.send("score_box", category="yacht")["players"][0]["total"] == 80


def test_who_follows_hears_of_every_box_and_of_the_end(station):
    station.send("start_game", players=["Ana", "Ben"], rules="yacht-1938")
    follower = Example("follow.py", station.url)
    try:
        assert follower.until("Ana: roll all five dice") == ["Ana: roll all five dice"]
        station.send("enter_roll", faces=[5, 5, 5, 2, 2])
        assert follower.until("tap what you keep, roll the rest – or pick a box")
        station.send("score_box", category="full-house")
        assert follower.until("Ben: roll all five dice")[-2:] == [
            "Ana scores 19 in full-house",
            "Ben: roll all five dice",
        ]
        station.send("end_game", winners=[0])
        assert follower.until("Won by Ana")
        assert follower.process.wait(DEADLINE_S) == 0
    finally:
        follower.close()
