"""A whole game by two players through the real process: frames, vision, buttons, HTTP, and a pulled plug."""

import random
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.process.station import RunningStation

pytestmark = pytest.mark.slow

UPPER = {"ones": 1, "twos": 2, "threes": 3, "fours": 4, "fives": 5, "sixes": 6}
LOWER = ("full-house", "four-of-a-kind", "little-straight", "big-straight", "choice", "yacht")
CATEGORIES = (*UPPER, *LOWER)
SWEET = {"full-house": (2, 2, 5, 5, 5), "little-straight": (1, 2, 3, 4, 5), "yacht": (4, 4, 4, 4, 4)}
"""Rolls that the game is given so that not only zeros are added up."""


def points(category: str, faces: tuple[int, ...]) -> int:
    """The rules of 1938 once more, written without a look at station.rules."""
    counts = Counter(faces)
    if category in UPPER:
        return UPPER[category] * counts[UPPER[category]]
    if category == "choice":
        return sum(faces)
    if category == "full-house":
        return sum(faces) if sorted(counts.values()) == [2, 3] else 0
    if category == "four-of-a-kind":
        return sum(4 * face for face, count in counts.items() if count >= 4)
    if category == "yacht":
        return 50 if len(counts) == 1 else 0
    wanted = {"little-straight": {1, 2, 3, 4, 5}, "big-straight": {2, 3, 4, 5, 6}}[category]
    return 30 if set(faces) == wanted else 0


class Turns:
    """Plays turns and keeps the score by its own arithmetic.

    again: how often dice had to be thrown again because the reader said it was not sure, as people do.
    """

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.totals = [0, 0]
        self.again = 0

    def roll(self, station: RunningStation, *faces: int) -> None:
        """Throw these faces with the dice that are not held, let the camera read them, confirm."""
        held = [die["face"] for die in station.state()["dice"] if die["held"]]
        state = station.send("throw", faces=list(faces))
        assert state["reading"]["status"] == "moving"
        state = station.wait_for(lambda state: state["reading"]["status"] in {"ready", "unsure"})
        if state["reading"]["status"] == "unsure":
            state = self.look_again(station, faces)
        assert state["reading"]["faces"] == sorted([*held, *faces])
        station.send("press", button="confirm")

    def look_again(self, station: RunningStation, faces: tuple[int, ...]) -> dict[str, Any]:
        """Give the reader a moment; then throw the same faces once more."""
        for _ in range(40):
            state = station.state()
            if "accept_roll" in state["commands"]:
                return state
            time.sleep(0.05)
        self.again += 1
        assert self.again <= 2, state["reading"]
        station.send("throw", faces=list(faces))
        return station.wait_for(lambda state: "accept_roll" in state["commands"])

    def chance(self, count: int) -> list[int]:
        return [self.rng.randint(1, 6) for _ in range(count)]

    def score(self, station: RunningStation, seat: int, category: str) -> None:
        state = station.state()
        faces = tuple(die["face"] for die in state["dice"])
        assert state["players"][seat]["potentials"][category] == points(category, faces)
        self.totals[seat] += points(category, faces)
        state = station.send("score_box", category=category, version=state["version"])
        assert [player["total"] for player in state["players"]] == self.totals

    def quick_turn(self, station: RunningStation, seat: int, category: str) -> None:
        self.roll(station, *(SWEET.get(category) or self.chance(5)))
        self.score(station, seat, category)

    def typed_turn(self, station: RunningStation, seat: int, category: str) -> None:
        station.send("enter_roll", faces=SWEET.get(category) or self.chance(5))
        self.score(station, seat, category)

    def turn_of_three(self, station: RunningStation, seat: int, category: str) -> None:
        """Three throws with holds by the buttons; the box taken with the buttons too."""
        self.roll(station, *self.chance(5))
        station.send("press", button="hold-2")
        station.send("press", button="hold-4")
        self.roll(station, *self.chance(3))
        station.send("press", button="hold-4")
        self.roll(station, *self.chance(4))
        state = station.state()
        assert (state["phase"], state["active_player"]) == ("choosing", seat)
        while state["choice"] != category:
            state = station.send("press", button="hold-5")
        faces = tuple(die["face"] for die in state["dice"])
        self.totals[seat] += points(category, faces)
        if points(category, faces) == 0:
            status, answer = station.try_to("press", button="confirm")
            assert (status, answer["error"]["code"]) == (422, "box/zero"), "asked about once"
        state = station.send("press", button="confirm")
        assert [player["total"] for player in state["players"]] == self.totals


def test_two_players_play_a_whole_game_and_the_plug_is_pulled_in_between(tmp_path: Path) -> None:
    data = tmp_path / "data"
    turns = Turns(seed=20)
    with RunningStation(data) as station:
        state = station.send("start_game", players=["Ana", "Ben"], rules="yacht-1938")
        assert state["waiting_for"] == "Ana: roll all five dice"
        for category in CATEGORIES[:5]:
            for seat in (0, 1):
                play = turns.turn_of_three if category in {"twos", "fours"} else turns.quick_turn
                play(station, seat, category)
        # In the middle of Ana's sixth turn: two dice held, the others in the air.
        turns.roll(station, 4, 6, 1, 6, 2)
        sixes = [die["slot"] for die in station.state()["dice"] if die["face"] == 6]
        before = station.send("set_held", slots=sixes)
        station.send("throw")
        station.kill()

    with RunningStation(data, seed=2) as station:
        state = station.state()
        for key in ("dice", "players", "active_player", "throws_done", "phase", "undo", "game"):
            assert state[key] == before[key], key
        assert state["version"] > before["version"]
        assert state["waiting_for"] == "Ana: roll the three dice you are not keeping – or pick a box"
        status, answer = station.try_to("accept_roll", version=before["version"])
        assert (status, answer["error"]["code"]) == (409, "version/stale")
        turns.roll(station, 6, 3, 3)
        assert [die["face"] for die in station.state()["dice"] if die["held"]] == [6, 6]
        turns.score(station, 0, "sixes")
        turns.quick_turn(station, 1, "sixes")
        for category in CATEGORIES[6:]:
            for seat in (0, 1):
                turns.typed_turn(station, seat, category)
        state = station.state()
        assert state["finished"]
        assert [player["total"] for player in state["players"]] == turns.totals
        assert [player["boxes"]["yacht"] for player in state["players"]] == [50, 50]
        best = max(turns.totals)
        names = ["Ana", "Ben"]
        assert state["winner"] == [names[i] for i in (0, 1) if turns.totals[i] == best]
        # A finished game can be undone: the last box is open again.
        state = station.send("undo")
        assert (state["finished"], state["players"][1]["boxes"]["yacht"]) == (False, None)
