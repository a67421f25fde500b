"""Every way of playing through the real process: frames, vision, HTTP, and a pulled plug."""

import os
import subprocess
import sys
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


def test_a_turn_against_the_computer_is_thrown_for_it_and_carried_out(tmp_path: Path) -> None:
    with RunningStation(tmp_path / "data") as station:
        robo = {"name": "Robo", "computer": "perfect"}
        state = station.send("start_game", players=[robo, "Eva"], rules="yacht-1938")
        assert state["players"][0]["computer"] == "perfect"
        throw(station, 4, 4, 1, 2, 6)
        state = station.wait_for(lambda state: state["computer"] is not None)
        assert (state["computer"]["keeps"], state["computer"]["box"]) == (
            [die["slot"] for die in state["dice"] if die["face"] == 4],
            None,
        )
        station.send("press", button="confirm")
        assert [die["face"] for die in station.state()["dice"] if die["held"]] == [4, 4]
        station.send("throw", faces=[4, 4, 4])
        station.wait_for(lambda state: "accept_roll" in state["commands"])
        station.send("press", button="confirm")
        state = station.wait_for(lambda state: state["computer"] is not None)
        assert state["computer"]["box"] == "yacht"
        assert state["computer"]["why"]
        state = station.send("computer_move")
        assert (state["players"][0]["boxes"]["yacht"], state["active_player"]) == (50, 1)
        status, answer = station.try_to("computer_move")
        assert (status, answer["error"]["code"]) == (422, "computer/none")


def test_two_computers_with_simulated_dice_play_of_themselves_where_the_settings_say_so(
    tmp_path: Path,
) -> None:
    settings = """
[computer]
dice = "simulated"
by_itself = true
pause_s = 0.2
"""
    with RunningStation(tmp_path / "data", settings=settings) as station:
        players = [{"name": "Weak", "computer": 20}, {"name": "Strong", "computer": "perfect"}]
        station.send("start_game", players=players, rules="yacht-1938")
        state = station.wait_for(
            lambda state: (
                all(set(each["boxes"].values()) != {None} for each in state["players"]) or state["finished"]
            )
        )
        station.try_to("end_game")
        events = station.get(f"/api/v1/history/{state['game']}")["events"]
        rolls = [event for event in events if event["kind"] == "roll_accepted"]
        assert rolls
        assert all(event["drawn"] for event in rolls)


def test_teams_throw_in_turn_and_twelve_play(tmp_path: Path) -> None:
    with RunningStation(tmp_path / "data") as station:
        reds = {"name": "Reds", "members": ["Ana", "Ben"]}
        names = [f"Player {letter}" for letter in "ABCDEFGHKMP"]
        state = station.send("start_game", players=[reds, *names], rules="yacht-1938")
        assert state["waiting_for"] == "Ana (Reds): roll all five dice"
        for _ in range(12):
            station.send("enter_roll", faces=[1, 2, 3, 4, 6])
            state = station.send("score_box", category="choice")
        assert state["waiting_for"] == "Ben (Reds): roll all five dice"
        station.send("end_game")
        state = station.send("rematch", order="rotate")
        assert (state["players"][0]["name"], state["players"][11]["members"]) == ("Player A", ["Ana", "Ben"])


def test_alone_the_expected_score_follows_every_turn(tmp_path: Path) -> None:
    with RunningStation(tmp_path / "data") as station:
        station.send("start_game", players=["Ana"], rules="yacht-1938")
        odds = station.get("/api/v1/odds")
        assert odds["expected"] == [odds["par"]] == [166.96]
        station.send("enter_roll", faces=[1, 2, 3, 4, 6])
        assert station.get("/api/v1/odds")["expected"] == [166.96], "the turn is not over"
        station.send("score_box", category="yacht")
        assert station.get("/api/v1/odds")["expected"][0] < 166.96
        station.send("undo")
        station.send("end_game")
        station.send("start_game", players=["Ana", "Ben"], rules="yacht-1938")
        assert station.get("/api/v1/odds")["expected"] == []


def test_a_general_is_played_for_stakes_and_settled(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with RunningStation(data) as station:
        refused = {
            "players": ["Ana", "Ben"],
            "rules": "yacht-1938",
            "stakes": {"per_point": "1", "big_general": "5"},
        }
        status, answer = station.try_to("start_game", **refused)
        assert (status, answer["error"]["code"]) == (422, "stakes/no_big_general")
        stakes = {"per_point": "0.05", "currency": "€"}
        station.send("start_game", players=["Ana", "Ben", "Cleo"], rules="general", stakes=stakes)
        upper = ("ones", "twos", "threes", "fours", "fives", "sixes")
        for category in (*upper, "straight", "full-house", "four-of-a-kind", "general"):
            for faces in ((2, 2, 2, 5, 5), (1, 2, 3, 4, 6), (6, 6, 6, 6, 1)):
                station.send("enter_roll", faces=list(faces))
                state = station.send("score_box", category=category)
        totals = [player["total"] for player in state["players"]]
        winner = totals.index(max(totals))
        owed = {i: (max(totals) - total) * 5 for i, total in enumerate(totals) if i != winner}
        assert [(each["from"], each["to"], each["amount"]) for each in state["settlement"]] == [
            (i, winner, f"{cents // 100}.{cents % 100:02}") for i, cents in owed.items()
        ]
        told = [each["told"] for each in state["settlement"]]
        assert told[0].startswith("Ana pays Cleo €")
        past = station.get(f"/api/v1/history/{state['game']}")
        assert past["settlement"] == state["settlement"]
        station.kill()
    with RunningStation(data, seed=2) as station:
        assert station.state()["settlement"] == past["settlement"]
    for words, language in ((told, "en"), (["Ana zahlt Cleo"], "de")):
        printed = subprocess.run(
            [
                sys.executable,
                "-c",
                "from station.cli import main; main()",
                "export",
                "--format",
                "sheet",
                "--data",
                str(data),
            ],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "LANG": f"{language}_XX.UTF-8", "LC_ALL": f"{language}_XX.UTF-8"},
        ).stdout
        assert all(each in printed for each in words), printed


def test_one_die_each_is_thrown_for_who_starts(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with RunningStation(data) as station:
        state = station.send(
            "start_game", players=["Ana", "Ben", "Cleo"], rules="treasurehouse", starter="throw"
        )
        assert (state["phase"], state["dice_count"]) == ("starting", 1)
        assert state["waiting_for"] == "Ana: roll one die; the lowest starts"
        throw(station, 2)
        throw(station, 5)
        station.kill()
    with RunningStation(data, seed=2) as station:
        assert station.state()["waiting_for"] == "Cleo: roll one die; the lowest starts"
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
