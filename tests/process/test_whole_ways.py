"""Ways of playing from the first throw to the final sheet: drawn, read, confirmed by the real process.

To draw and read a throw costs what a hundred commands do, so most throws of a game are typed.

What fell and what was written is compared with a transcript that was looked at once (`golden/`).
"""

import random
import urllib.request
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any

import pytest

from tests.process.station import RunningStation
from tests.process.test_dice_keeper import mark, settled

pytestmark = pytest.mark.slow

GOLDEN = Path(__file__).parent / "golden"
TRIES = 8


class Evening:
    """One game that is played on a station, and its transcript.

    seed: of the dice that fall; drawn: so many throws are drawn and read, all later ones typed.
    """

    def __init__(self, station: RunningStation, seed: int, drawn: int) -> None:
        self.station, self.rng, self.lines = station, random.Random(seed), list[str]()
        self.drawn = drawn

    def state(self) -> dict[str, Any]:
        return self.station.state()

    def throw(self, count: int) -> dict[str, Any]:
        """Throw so many dice, again with the same faces while the reader is not sure, and confirm."""
        faces = [self.rng.randint(1, 6) for _ in range(count)]
        if not self.drawn:
            return self.typed(faces)
        self.drawn -= 1
        for _ in range(TRIES):
            self.station.send("throw", faces=faces)
            state = self.station.wait_for(lambda state: state["reading"]["status"] in {"ready", "unsure"})
            if "accept_roll" in state["commands"]:
                break
        kept = self.note_throw(state, faces)
        assert state["reading"]["faces"] == sorted([*faces, *kept])
        return self.station.send("press", button="confirm")

    def typed(self, faces: list[int]) -> dict[str, Any]:
        """Type what fell, each die in its slot."""
        state, falls = self.state(), iter(faces)
        self.note_throw(state, faces)
        dice = [die["face"] if die["held"] else next(falls) for die in state["dice"]]
        return self.station.send("enter_roll", faces=dice or faces)

    def note_throw(self, state: dict[str, Any], faces: list[int]) -> list[int]:
        """Write down what was held and what fell; gives the first."""
        kept = [die["face"] for die in state["dice"] if die["held"]]
        self.note(state, "+".join("-".join(map(str, sorted(some))) for some in (kept, faces) if some))
        return kept

    def hold_most(self, state: dict[str, Any]) -> list[int]:
        """Hold the dice of the face that lies there most, by the buttons of two banks; the faces held."""
        faces = [die["face"] for die in state["dice"]]
        most = max(faces, key=lambda face: (faces.count(face), face))
        for slot, face in enumerate(faces, start=1):
            if face == most:
                if (slot > 5) != (self.state()["bank"] == 2):
                    self.station.send("change_bank")
                state = self.station.send("press", button=f"hold-{(slot - 1) % 5 + 1}")
        held = [die["face"] for die in state["dice"] if die["held"]]
        assert held == [most] * faces.count(most)
        return held

    def note(self, state: dict[str, Any], what: str) -> None:
        self.lines.append(f"{state['waiting_for'].split(':')[0]}: {what}")

    def write_best(self) -> dict[str, Any]:
        """Write the box that brings most now, the first of equal ones."""
        state = self.state()
        worth = state["players"][state["active_player"]]["potentials"]
        category = max(worth, key=lambda each: worth[each])
        self.note(state, f"{category} {worth[category]}")
        return self.station.send("score_box", category=category)

    def is_as_written_down(self, name: str) -> None:
        """The game is over; its transcript is the golden one, and the totals are its last line."""
        state = self.state()
        assert state["ended_by"] == "complete"
        self.lines.append(", ".join(f"{player['name']} {player['total']}" for player in state["players"]))
        told = "\n".join(self.lines) + "\n"
        assert told == (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")
        text = urllib.request.urlopen(  # noqa: S310 - our own http
            f"{self.station.url}/history/{state['game']}/game.txt"
        ).read()
        assert text.decode().splitlines()[-1] != "end", "it was not broken off"


def lay_most(station: RunningStation, state: dict[str, Any]) -> list[int]:
    """Lay the dice of the face that lies there most into the dice keeper, four at most; the faces held."""
    for die in state["dice"]:
        if die["held"]:  # it has rolled into the keeper
            station.send("lay_die", slot=die["slot"], kept=False)
    settled(station, [])
    faces = [die["face"] for die in state["dice"]]
    most = max(faces, key=lambda face: (faces.count(face), face))
    held: list[int] = []
    for die in state["dice"]:
        if die["face"] == most and len(held) < 4:
            station.send("lay_die", slot=die["slot"])
            held.append(most)
            settled(station, held)
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
        evening = Evening(station, 15, drawn=0)
        for turn in range(12):
            if turn == 9:  # nothing lay in the tray before
                mark(station)
                evening.drawn = 6
            state = evening.throw(5)
            held = lay_most(station, state) if evening.drawn else evening.hold_most(state)
            evening.throw(5 - len(held))
            announced = evening.write_best()["announced"]
            assert announced.startswith("Ana: ")
            evening.lines.append(announced)
        evening.is_as_written_down("scorecard")


def test_double_cameroon_by_buttons_alone(tmp_path: Path) -> None:
    with RunningStation(tmp_path / "data") as station:
        station.send("start_game", players=["Ana", "Ben"], rules="double-cameroon")
        evening = Evening(station, 5, drawn=6)
        for _ in range(5 * 2):
            held = evening.hold_most(evening.throw(10))
            evening.throw(10 - len(held))
            state = station.send("press", button="confirm", long=True)
            for _ in range(2):
                evening.note(state, f"{state['choice']}")
                seat = state["active_player"]
                if state["players"][seat]["potentials"][state["choice"]] == 0:
                    assert station.try_to("press", button="confirm")[1]["error"]["code"] == "box/zero"
                state = station.send("press", button="confirm")
            evening.lines.append(state["announced"])
        evening.is_as_written_down("double-cameroon")


def test_big_dice_on_the_lawn(tmp_path: Path) -> None:
    with RunningStation(tmp_path / "data", settings='scale = "lawn"\n') as station:
        corners = [[273.3, 101.7], [1005.7, 101.7], [1030.3, 634.6], [248.7, 634.6]]
        told = station.post("/api/v1/calibration/tray", {"corners": corners, "width_mm": 1660})[1]
        assert told["tray"], told
        for step in ("empty", "dice", "save"):
            status, told = station.post(f"/api/v1/calibration/{step}", {})
            assert status == 200, told
        assert told["dice"]["edge_mm"] == pytest.approx([100, 100], rel=0.1), (
            "the page says how large they are"
        )
        station.send("start_game", players=["Ana", "Ben"], rules="lawn")
        evening = Evening(station, 10, drawn=6)
        for _ in range(12 * 2):
            evening.throw(5)
            evening.write_best()
        evening.is_as_written_down("lawn")


def test_a_team_against_the_computer_thrown_for_who_starts(tmp_path: Path) -> None:
    with RunningStation(tmp_path / "data") as station:
        reds = {"name": "Reds", "members": ["Ana", "Ben"]}
        robo = {"name": "Robo", "computer": "perfect"}
        state = station.send("start_game", players=[reds, robo], rules="treasurehouse", starter="throw")
        evening = Evening(station, 4, drawn=12)
        while state["phase"] == "starting":
            state = evening.throw(1)
        while not state["finished"]:
            if state["players"][state["active_player"]]["computer"] is None:
                evening.throw(5)
                state = evening.write_best()
                continue
            evening.throw(5 - sum(die["held"] for die in state["dice"]))
            state = station.wait_for(lambda state: state["computer"] is not None)
            evening.note(state, state["computer"]["box"] or "throws again")
            if "computer_move" in state["commands"]:  # else it keeps what is held already
                state = station.send("press", button="confirm")
        evening.is_as_written_down("team-against-computer")


def test_a_general_for_stakes(tmp_path: Path) -> None:
    stakes = {"per_point": "0.05", "big_general": "5", "currency": "€"}
    with RunningStation(tmp_path / "data") as station:
        state = station.send("start_game", players=["Ana", "Ben"], rules="general", stakes=stakes)
        evening = Evening(station, 7, drawn=5)
        while not state["finished"]:
            evening.throw(5)
            state = evening.write_best()
        ((winner,), (payment,)) = state["winners"], state["settlement"]
        totals = [player["total"] for player in state["players"]]
        assert payment["to"] == winner == totals.index(max(totals))
        assert float(payment["amount"]) == pytest.approx(abs(totals[0] - totals[1]) * 0.05)
        evening.lines.append(payment["told"])
        evening.is_as_written_down("general")


def test_three_dice_and_six_with_saved_throws(tmp_path: Path) -> None:
    """Crag, then Maxi Yatzy: in the first turns dice are held by buttons; all later ones have one throw."""
    with RunningStation(tmp_path / "data") as station:
        for rules, dice, drawn in (("crag", 3, 3), ("maxi-yatzy", 6, 2)):
            state = station.send("start_game", players=["Ana"], rules=rules)
            evening = Evening(station, dice, drawn=2 * drawn)
            for turn in range(len(state["categories"])):
                state = evening.throw(dice)
                if turn < drawn:
                    evening.throw(dice - len(evening.hold_most(state)))
                state = evening.write_best()
                saved = turn + 1 + max(turn + 1 - drawn, 0)  # a turn of one throw saves two
                if rules == "maxi-yatzy" and not state["finished"]:
                    assert state["throws_allowed"] == 3 + saved
            evening.is_as_written_down(rules)
