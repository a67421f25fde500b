"""Ways of playing through the real process: thrown, drawn, read, confirmed, written, and a pulled plug.

To draw and read a throw costs what a hundred commands do, so only a few are drawn and the others typed. What
all rules make of whole games is in `tests/table` and `tests/features`.
"""

import random
import time
import urllib.request
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any

import pytest

from calibration.profile import CalibrationProfile
from tests.process.station import DEADLINE_S, RunningStation

pytestmark = pytest.mark.slow

TRIES = 8
LOOKS, LOOK_S = 20, 0.1
"""After so many equal unsure readings a person corrects one, instead of waiting for the camera."""


class Evening:
    """Turns that are played on a station. seed: of the dice that fall."""

    def __init__(self, station: RunningStation, seed: int) -> None:
        self.station, self.rng = station, random.Random(seed)

    def throw(self, count: int) -> dict[str, Any]:
        """Throw so many dice, again with the same faces while the reader is not sure, and confirm."""
        faces = [self.rng.randint(1, 6) for _ in range(count)]
        kept = [die["face"] for die in self.station.state()["dice"] if die["held"]]
        for _ in range(TRIES):
            self.station.send("throw", faces=faces)
            state = self.station.wait_for(lambda state: state["reading"]["status"] in {"ready", "unsure"})
            if "accept_roll" in state["commands"] and state["problem"] is None:
                break
        assert state["reading"]["faces"] == sorted([*faces, *kept])
        return self.station.send("press", button="confirm")

    def hold_most(self, state: dict[str, Any]) -> list[int]:
        """Hold the dice of the face that lies there most, by the buttons of two banks; the faces held."""
        faces = [die["face"] for die in state["dice"]]
        most = max(faces, key=lambda face: (faces.count(face), face))
        for slot, face in enumerate(faces, start=1):
            if face == most:
                if (slot > 5) != (self.station.state()["bank"] == 2):
                    self.station.send("change_bank")
                state = self.station.send("press", button=f"hold-{(slot - 1) % 5 + 1}")
        held = [die["face"] for die in state["dice"] if die["held"]]
        assert held == [most] * faces.count(most)
        return held

    def write_best(self) -> dict[str, Any]:
        """Write the box that brings most now, the first of equal ones."""
        state = self.station.state()
        seat = state["active_player"]
        worth = state["players"][seat]["potentials"]
        category = max(worth, key=lambda each: worth[each])
        after = self.station.send("score_box", category=category)
        assert after["players"][seat]["boxes"][category] == worth[category]
        return after


def calibrate(station: RunningStation, **tray: Any) -> dict[str, Any]:
    """Calibrate with what the tray is told; the last answer."""
    for step, fields in (("tray", tray), ("empty", {}), ("dice", {}), ("save", {"name": "kitchen"})):
        status, answer = station.post(f"/api/v1/calibration/{step}", fields)
        assert status == 200, answer
    assert answer["saved"]
    return answer


def mark_keeper(station: RunningStation) -> None:
    """Calibrate, and mark the right third of the tray."""
    outline = calibrate(station)["tray"]["outline"]
    right, left = max(x for x, _ in outline), min(x for x, _ in outline)
    top, bottom = min(y for _, y in outline), max(y for _, y in outline)
    edge = right - (right - left) / 3
    corners = [[edge, top], [right, top], [right, bottom], [edge, bottom]]
    assert len(station.post("/api/v1/calibration/keeper", {"corners": corners})[1]["keeper"]) == 4


def wait_for_held(station: RunningStation, held: list[int]) -> None:
    """Until the camera has seen that these faces are held.

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


def lay_most(station: RunningStation, state: dict[str, Any]) -> list[int]:
    """Lay the dice of the face that lies there most into the dice keeper, four at most; the faces held."""
    for die in state["dice"]:
        if die["held"]:  # it has rolled into the keeper
            station.send("lay_die", slot=die["slot"], kept=False)
    wait_for_held(station, [])
    faces = [die["face"] for die in state["dice"]]
    most = max(faces, key=lambda face: (faces.count(face), face))
    held: list[int] = []
    for die in state["dice"]:
        if die["face"] == most and len(held) < 4:
            station.send("lay_die", slot=die["slot"])
            held.append(most)
            wait_for_held(station, held)
    return held


def test_the_printed_scorecard_with_a_scorekeeper_and_a_dice_keeper(tmp_path: Path) -> None:
    with RunningStation(tmp_path / "data") as station:
        everybody = station.browser
        station.browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
        station.send("start_game", players=["Ana"], rules="scorecard")
        station.post("/api/v1/room/seat", {"name": "Cleo"})
        assert station.post("/api/v1/room/scorekeeper", {"name": "Cleo"})[1]["scorekeeper"] == "Cleo"
        keeper, station.browser = station.browser, everybody
        assert station.try_to("throw")[1]["error"]["code"] == "room/scorekeeper_only"
        station.browser = keeper
        mark_keeper(station)
        evening = Evening(station, 15)
        for _ in range(3):
            held = lay_most(station, evening.throw(5))
            evening.throw(5 - len(held))
            assert evening.write_best()["announced"].startswith("Ana: ")
        assert station.post("/api/v1/calibration/keeper", {"corners": None})[1]["keeper"] is None


def test_two_boxes_of_ten_dice_by_buttons_alone(tmp_path: Path) -> None:
    with RunningStation(tmp_path / "data") as station:
        station.send("start_game", players=["Ana", "Ben"], rules="double-cameroon")
        evening = Evening(station, 5)
        for seat in (0, 1):
            held = evening.hold_most(evening.throw(10))
            evening.throw(10 - len(held))
            state = station.send("press", button="confirm", long=True)
            for _ in range(2):
                assert state["active_player"] == seat
                if state["players"][seat]["potentials"][state["choice"]] == 0:
                    assert station.try_to("press", button="confirm")[1]["error"]["code"] == "box/zero"
                state = station.send("press", button="confirm")
            boxes = state["players"][seat]["boxes"].values()
            assert sum(points is not None for points in boxes) == 2


def test_big_dice_on_the_lawn(tmp_path: Path) -> None:
    with RunningStation(tmp_path / "data", settings='scale = "lawn"\n') as station:
        corners = [[273.3, 101.7], [1005.7, 101.7], [1030.3, 634.6], [248.7, 634.6]]
        dice = calibrate(station, corners=corners, width_mm=1660)["dice"]
        assert dice["edge_mm"] == pytest.approx([100, 100], rel=0.1)
        profile = CalibrationProfile.load(tmp_path / "data" / "profile.json")
        assert (profile.name, profile.camera) == ("kitchen", "simulated tray")
        station.send("start_game", players=["Ana", "Ben"], rules="lawn")
        evening = Evening(station, 10)
        for _ in range(4):
            evening.throw(5)
            evening.write_best()


def test_a_team_against_the_computer_thrown_for_who_starts(tmp_path: Path) -> None:
    with RunningStation(tmp_path / "data") as station:
        reds = {"name": "Reds", "members": ["Ana", "Ben"]}
        robo = {"name": "Robo", "computer": "perfect"}
        state = station.send("start_game", players=[reds, robo], rules="treasurehouse", starter="throw")
        evening = Evening(station, 4)
        while state["phase"] == "starting":
            state = evening.throw(1)
        while any(set(player["boxes"].values()) == {None} for player in state["players"]):
            if state["players"][state["active_player"]]["computer"] is None:
                evening.throw(5)
                state = evening.write_best()
                continue
            evening.throw(5 - sum(die["held"] for die in state["dice"]))
            state = station.wait_for(lambda state: state["computer"] is not None)
            if "computer_move" in state["commands"]:  # else it keeps what is held already
                state = station.send("press", button="confirm")


def test_three_dice_then_six_with_saved_throws_and_a_general_for_stakes(tmp_path: Path) -> None:
    with RunningStation(tmp_path / "data") as station:
        for rules, dice in (("crag", 3), ("maxi-yatzy", 6)):
            state = station.send("start_game", players=["Ana"], rules=rules)
            evening = Evening(station, dice)
            for throws in (2, 1):
                state = evening.throw(dice)
                if throws == 2:
                    evening.throw(dice - len(evening.hold_most(state)))
                state = evening.write_best()
            assert rules == "crag" or state["throws_allowed"] == 3 + 1 + 2
            station.send("end_game")
        stakes = {"per_point": "0.05", "big_general": "5", "currency": "€"}
        station.send("start_game", players=["Ana", "Ben"], rules="general", stakes=stakes)
        for faces, category in (([2, 2, 2, 5, 5], "full-house"), ([6, 6, 6, 1, 2], "sixes")):
            station.send("enter_roll", faces=faces)
            station.send("score_box", category=category)
        state = station.send("end_game", winners=[0])
        ((winner,), (payment,)) = state["winners"], state["settlement"]
        totals = [player["total"] for player in state["players"]]
        assert payment["to"] == winner == totals.index(max(totals))
        assert float(payment["amount"]) == pytest.approx(abs(totals[0] - totals[1]) * 0.05)
        assert station.get(f"/api/v1/history/{state['game']}")["settlement"] == state["settlement"]


def test_two_computers_with_simulated_dice_play_of_themselves(tmp_path: Path) -> None:
    settings = '[computer]\ndice = "simulated"\nby_itself = true\npause_s = 0.2\n'
    with RunningStation(tmp_path / "data", settings=settings) as station:
        players = [{"name": "Weak", "computer": 20}, {"name": "Strong", "computer": "perfect"}]
        station.send("start_game", players=players, rules="yacht-1938")
        state = station.wait_for(
            lambda state: all(set(each["boxes"].values()) != {None} for each in state["players"])
        )
        station.try_to("end_game")
        events = station.get(f"/api/v1/history/{state['game']}")["events"]
        drawn = [event["drawn"] for event in events if event["kind"] == "roll_accepted"]
        assert drawn
        assert all(drawn)


def test_the_plug_is_pulled_while_dice_are_in_the_air(tmp_path: Path) -> None:
    with RunningStation(tmp_path / "data") as station:
        state = station.send("start_game", players=["Ana", "Ben"], rules="yacht-1938")
        assert state["waiting_for"] == "Ana: roll all five dice"
        evening = Evening(station, 20)
        for _ in range(2):
            evening.throw(5)
            evening.write_best()
        state = station.send("enter_roll", faces=[4, 6, 1, 6, 2])
        sixes = [die["slot"] for die in state["dice"] if die["face"] == 6]
        before = station.send("set_held", slots=sixes)
        station.send("throw")
        station.kill()
    with RunningStation(tmp_path / "data", seed=2) as station:
        state = station.state()
        for key in ("dice", "players", "active_player", "throws_done", "phase", "undo", "game"):
            assert state[key] == before[key], key
        assert state["version"] > before["version"]
        assert state["waiting_for"] == "Ana: roll the three dice you are not keeping – or pick a box"
        status, answer = station.try_to("undo", version=before["version"])
        assert (status, answer["error"]["code"]) == (409, "version/stale")
        state = Evening(station, 3).throw(3)
        assert [die["face"] for die in state["dice"] if die["held"]] == [6, 6]


COLOURS = ("red", "green", "blue", "white", "black")


def by_colour(player: dict[str, Any]) -> dict[str, int]:
    """Which face the die of each colour shows, of a player or of all."""
    return {die["colour"]: die["face"] for die in player["dice"]}


def test_coloured_dice_are_told_apart_where_all_play_at_once(tmp_path: Path) -> None:
    """What a player keeps stays, whatever the same dice show for the others."""
    with RunningStation(tmp_path / "data", settings=f"dice = {[*COLOURS]}\n") as station:
        station.send("start_game", players=["Ana", "Ben"], rules="shared-roll")
        evening = Evening(station, 5)
        for category in ("ones", "twos"):
            copies: list[dict[str, int]] = [{}, {}]
            kept: list[dict[str, int]] = [{}, {}]
            for number in range(3):
                shown = by_colour(evening.throw(5))
                assert set(shown) == set(COLOURS)
                copies = [shown | each for each in kept]
                players = station.state()["players"]
                assert [by_colour(player) for player in players] == copies
                for seat in (0, 1) if number < 2 else ():
                    most = max(copies[seat].values()) if seat else min(copies[seat].values())
                    kept[seat] = {colour: face for colour, face in copies[seat].items() if face == most}
                    slots = [die["slot"] for die in players[seat]["dice"] if die["colour"] in kept[seat]]
                    station.send("set_held", player=seat, slots=slots)
                    station.send("ready", player=seat)
            for seat in (0, 1):
                station.send("score_box", player=seat, category=category)
                state = station.send("ready", player=seat)
            points = {"ones": 1, "twos": 2}[category]
            assert [player["boxes"][category] for player in state["players"]] == [
                points * list(copy.values()).count(points) for copy in copies
            ]
