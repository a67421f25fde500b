"""All together through the real process: coloured dice drawn, read, told apart, thirteen rounds written.

The first two rounds are drawn and read; the throws of the others are typed, each die in its slot.
"""

import random
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.process.station import RunningStation

pytestmark = pytest.mark.slow

COLOURS = ("red", "green", "blue", "white", "black")
UPPER = {"ones": 1, "twos": 2, "threes": 3, "fours": 4, "fives": 5, "sixes": 6}
LOWER = (
    "choice",
    "small-straight",
    "large-straight",
    "full-house",
    "three-of-a-kind",
    "four-of-a-kind",
    "yacht",
)


def points(category: str, faces: list[int]) -> int:
    """The rules of the document once more, written without a look at station.rules."""
    counts, runs = Counter(faces), "".join(str(face) for face in sorted(set(faces)))
    if category in UPPER:
        return UPPER[category] * counts[UPPER[category]]
    fixed = {
        "choice": sum(faces),
        "small-straight": 30 * any(run in runs for run in ("1234", "2345", "3456")),
        "large-straight": 40 * (runs in {"12345", "23456"}),
        "full-house": 25 * (sorted(counts.values()) in ([2, 3], [5])),
        "three-of-a-kind": sum(faces) * (max(counts.values()) >= 3),
        "four-of-a-kind": sum(faces) * (max(counts.values()) >= 4),
        "yacht": 50 * (len(counts) == 1),
    }
    return fixed[category]


def throw(station: RunningStation, faces: list[int]) -> dict[str, int]:
    """Throw these faces, let the camera read them, confirm; gives what each colour shows.

    Where the reader is not sure they are thrown once more, as people do.
    """
    for _ in range(5):
        station.send("throw", faces=faces)
        station.wait_for(lambda state: state["reading"]["status"] in {"ready", "unsure"})
        for _ in range(20):
            state = station.state()
            if "accept_roll" in state["commands"] and state["problem"] is None:
                assert state["reading"]["faces"] == sorted(faces)
                after = station.send("accept_roll")
                shown = by_colour(after)
                assert set(shown) == set(COLOURS)
                return shown
            time.sleep(0.05)
    raise AssertionError(station.state()["reading"])


def typed(station: RunningStation, faces: list[int]) -> dict[str, int]:
    """Type these faces; gives what each die shows."""
    return by_colour(station.send("enter_roll", faces=faces))


def named(die: dict[str, Any]) -> str:
    """What a die is known by: its colour; its slot where it was typed."""
    return str(die["colour"] or die["slot"])


def by_colour(player: dict[str, Any]) -> dict[str, int]:
    """What lies there for a player, or for all."""
    return {named(die): die["face"] for die in player["dice"]}


def best_face(copy: dict[str, int]) -> int:
    return max(Counter(copy.values()).items(), key=lambda item: (item[1], item[0]))[0]


def keep(station: RunningStation, player: int, copy: dict[str, int], face: int | None) -> set[str]:
    """Keep all dice with that face, and be ready; gives their colours."""
    colours = {colour for colour, shown in copy.items() if shown == face}
    dice = station.state()["players"][player]["dice"]
    station.send("set_held", player=player, slots=[die["slot"] for die in dice if named(die) in colours])
    station.send("ready", player=player)
    return colours


def test_a_whole_game_all_together(tmp_path: Path) -> None:
    rng = random.Random(5)
    totals, uppers = [0, 0], [0, 0]
    dice = f"dice = {list(COLOURS)}\n".replace("'", '"')
    with RunningStation(tmp_path / "data", settings=dice) as station:
        station.send("start_game", players=["Ana", "Ben"], rules="shared-roll")
        for drawn, category in zip([True] * 2 + [False] * 11, (*UPPER, *LOWER), strict=True):
            copies: list[dict[str, int]] = [{}, {}]
            kept: list[set[str]] = [set(), set()]
            for number in range(3):
                shown = (throw if drawn else typed)(station, [rng.randint(1, 6) for _ in COLOURS])
                for player in (0, 1):
                    old = copies[player]
                    copies[player] = {c: old[c] if c in kept[player] else shown[c] for c in shown}
                state = station.state()
                assert [by_colour(player) for player in state["players"]] == copies
                if number < 2:
                    kept[0] = keep(station, 0, copies[0], best_face(copies[0]))
                    kept[1] = keep(station, 1, copies[1], UPPER.get(category))
            for player in (0, 1):
                station.send("score_box", player=player, category=category)
                station.send("ready", player=player)
                got = points(category, list(copies[player].values()))
                totals[player] += got
                uppers[player] += got if category in UPPER else 0
            paid = [35 * (category not in UPPER and upper >= 63) for upper in uppers]
            if category not in UPPER:
                now = [player["total"] for player in station.state()["players"]]
                assert now == [total + bonus for total, bonus in zip(totals, paid, strict=True)]
        state = station.state()
        assert (state["finished"], state["ended_by"]) == (True, "complete")
        review = station.get(f"/api/v1/history/{state['game']}/review")
        assert [player["score"] for player in review["players"]] == [
            each["total"] for each in state["players"]
        ]
        for player in review["players"]:
            assert [len(turn["throws"]) for turn in player["turns"]] == [3] * 13
            told = player["score"] + player["still_to_come"] - player["expected"]
            assert player["luck"] - player["given_away"] == pytest.approx(told, abs=1e-6)
