"""The dice keeper through the real process: marked, seen by the reader, followed by the table."""

import time
from pathlib import Path
from typing import Any

import pytest

from tests.process.station import DEADLINE_S, RunningStation

pytestmark = pytest.mark.slow

LOOKS, LOOK_S = 20, 0.1
"""Whoever has seen the same unsure reading so many times no longer waits for the camera."""


def mark(station: RunningStation) -> None:
    """Calibrate, and mark the right third of the tray."""
    for step in ("tray", "empty", "dice", "save"):
        status, told = station.post(f"/api/v1/calibration/{step}", {})
        assert status == 200, told
    outline = told["tray"]["outline"]
    right, left = max(x for x, _ in outline), min(x for x, _ in outline)
    top, bottom = min(y for _, y in outline), max(y for _, y in outline)
    edge = right - (right - left) / 3
    corners = [[edge, top], [right, top], [right, bottom], [edge, bottom]]
    _, told = station.post("/api/v1/calibration/keeper", {"corners": corners})
    assert len(told["keeper"]) == 4


def settled(station: RunningStation, held: list[int]) -> dict[str, Any]:
    """The state once the camera has seen that these faces are held.

    Where the reader stays unsure of a die that was carried, a person looks and says that it is right.
    """
    unsure: list[int] = []

    def holds(state: dict[str, Any]) -> bool:
        unsure.append(state["version"] if state["reading"]["status"] == "unsure" else -1)
        if len(unsure) > LOOKS and set(unsure[-LOOKS:]) == {state["version"]}:
            assert state["reading"]["faces"] == sorted(die["face"] for die in state["dice"])
            one = state["reading"]["dice"][0]
            station.try_to("correct_die", slot=one["slot"], face=one["face"])
        still = state["reading"]["status"] == "ready" and state["turn"] in {"held", "confirmed"}
        return still and sorted(die["face"] for die in state["dice"] if die["held"]) == held

    until_s = time.monotonic() + DEADLINE_S
    while not holds(state := station.state()):
        assert time.monotonic() < until_s, state
        time.sleep(LOOK_S)
    return state


def roll(station: RunningStation, *faces: int) -> None:
    for _ in range(6):
        station.send("throw", faces=list(faces))
        state = station.wait_for(lambda state: state["reading"]["status"] in {"ready", "unsure"})
        if state["reading"]["status"] == "ready":
            break
    station.send("accept_roll", force=True)


def test_a_die_laid_into_the_keeper_is_held_and_one_taken_out_is_thrown(tmp_path: Path) -> None:
    with RunningStation(tmp_path / "data") as station:
        station.send("start_game", players=["Ana", "Ben"], rules="scorecard")
        status, answer = station.try_to("lay_die", slot=1)
        assert (status, answer["error"]["code"]) == (422, "held/no_roll")
        mark(station)
        roll(station, 6, 6, 1, 2, 3)
        for die in station.state()["dice"]:
            if die["held"]:  # it has rolled there
                station.send("lay_die", slot=die["slot"], kept=False)
        settled(station, [])
        sixes = [die["slot"] for die in station.state()["dice"] if die["face"] == 6]
        station.send("lay_die", slot=sixes[0])
        settled(station, [6])
        station.send("lay_die", slot=sixes[1])
        state = settled(station, [6, 6])
        assert state["players"][0]["potentials"]["sixes"] == 12, "the confirmed roll still counts"
        station.send("lay_die", slot=sixes[0], kept=False)
        settled(station, [6])
        roll(station, 4, 4, 4, 5)
        assert sorted(die["face"] for die in station.state()["dice"]) == [4, 4, 4, 5, 6]
        assert 6 in [die["face"] for die in station.state()["dice"] if die["held"]]
        assert station.post("/api/v1/calibration/keeper", {"corners": None})[1]["keeper"] is None
        status, answer = station.try_to("lay_die", slot=1)
        assert (status, answer["error"]["code"]) == (422, "throw/no_keeper")
