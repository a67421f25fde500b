"""Every way of playing through the real process: frames, vision, HTTP, and a pulled plug."""

from pathlib import Path

import pytest

from tests.process.station import RunningStation

pytestmark = pytest.mark.slow


def throw(station: RunningStation, *faces: int) -> None:
    """Throw until the reader is sure, as people do, and confirm."""
    for _ in range(4):
        station.send("throw", faces=list(faces))
        state = station.wait_for(lambda state: state["reading"]["status"] in {"ready", "unsure"})
        if "accept_roll" in state["commands"]:
            break
    assert state["reading"]["faces"] == sorted(faces)
    station.send("accept_roll")


def test_one_die_each_is_thrown_for_who_starts(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with RunningStation(data) as station:
        state = station.send(
            "start_game", players=["Ana", "Ben", "Cleo"], rules="treasurehouse", starter="throw"
        )
        assert (state["phase"], state["dice_count"]) == ("starting", 1)
        assert state["waiting_for"] == "Ana: throw one die; the lowest starts"
        throw(station, 2)
        throw(station, 5)
        station.kill()
    with RunningStation(data, seed=2) as station:
        assert station.state()["waiting_for"] == "Cleo: throw one die; the lowest starts"
        throw(station, 2)
        state = station.state()
        assert (state["phase"], state["active_player"]) == ("starting", 0), "Ana and Cleo throw again"
        throw(station, 6)
        throw(station, 3)
        state = station.state()
        assert (state["phase"], state["active_player"], state["dice_count"]) == ("throwing", 2, 5)
        assert [player["for_start"] for player in state["players"]] == [[2, 6], [5], [2, 3]]
        throw(station, 1, 2, 3, 4, 5)
        assert station.state()["players"][2]["potentials"]["little-straight"] == 30
