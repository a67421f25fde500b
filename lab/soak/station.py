"""`make soak ARGS=station`: a real station plays game after game, with hints and odds, by changing rules.

Prints memory, threads, open files and the slowest answer after every few games. Memory is what belongs to the
process alone (RssAnon of proc(5)): tables that are read from the disk may come and go.
"""

import json
import random
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from station.testing.station_process import PATIENCE_S, StationProcess

GAMES = 40
WARM = 15
"""Games until every rule set was played by one, two and three, and all tables for that are worked out."""
RULES = ("yacht-1938", "yahtzee", "world-51", "general", "yatzy", "crag")
"""Those of these that the station has; players change with the game."""
GROWTH_MAX_MB = 5.0
REST_S = 6.0
"""The least of what is seen in that time counts: what an answer takes for a moment is no growth."""
TABLES_S = 600.0


class _Watched:
    """What the system knows of a process."""

    def __init__(self, pid: int) -> None:
        self._proc = Path(f"/proc/{pid}")

    def at_rest(self) -> tuple[float, int, int]:
        """Memory, threads and files when nothing is being worked out: the least of some seconds."""
        found = []
        for _ in range(int(REST_S / 0.25)):
            found.append((self.memory_mb(), self.threads(), self.files()))
            time.sleep(0.25)
        memory, threads, files = zip(*found, strict=True)
        return min(memory), min(threads), min(files)

    def memory_mb(self) -> float:
        """Memory of its own, MB."""
        for line in (self._proc / "status").read_text().splitlines():
            if line.startswith("RssAnon:"):
                return int(line.split()[1]) / 1000
        return 0.0

    def threads(self) -> int:
        """How many it has."""
        return len(list((self._proc / "task").iterdir()))

    def files(self) -> int:
        """How many are open."""
        return len(list((self._proc / "fd").iterdir()))


def _get(station: StationProcess, path: str) -> Mapping[str, Any]:
    """An answer; what is being worked out is asked for again by the next turn."""
    try:
        with urllib.request.urlopen(station.url + path, timeout=PATIENCE_S) as answer:  # noqa: S310 - our own
            found: Mapping[str, Any] = json.load(answer)
            return found
    except urllib.error.HTTPError as error:
        with error:
            return {"status": error.code}


def _game(station: StationProcess, rules: str, players: int, rng: random.Random, *, waits: bool) -> float:
    """Play one game to its end by the hints; the slowest answer, seconds.

    waits: for its tables first, so that all of them are at hand when the station is warm.
    """
    slowest_s = 0.0
    state = station.do("start_game", players=[f"P{seat}" for seat in range(players)], rules=rules)
    until_s = time.monotonic() + (TABLES_S if waits else 0.0)
    while not _get(station, "/api/v1/odds").get("chances") and time.monotonic() < until_s:
        time.sleep(0.5)
    while not state["finished"]:
        for path in ("/api/v1/hint", "/api/v1/odds", "/api/v1/state"):
            began_s = time.perf_counter()
            _get(station, path)
            slowest_s = max(slowest_s, time.perf_counter() - began_s)
        began_s = time.perf_counter()
        state = station.do("enter_roll", faces=[rng.randint(1, 6) for _ in range(state["dice_count"])])
        hint = _get(station, "/api/v1/hint")
        _get(station, "/api/v1/odds")
        if state["finished"]:
            break
        seat = state["active_player"]
        open_ = [box for box, points in state["players"][seat]["boxes"].items() if points is None]
        state = station.do("score_box", category=hint.get("box") or rng.choice(open_), force=True)
        slowest_s = max(slowest_s, time.perf_counter() - began_s)
    return slowest_s


def run(games: int = GAMES) -> int:
    """Play, print, and give 0 where nothing grew."""
    rng = random.Random(11)  # noqa: S311 - dice of a trial
    with tempfile.TemporaryDirectory() as folder:
        station = StationProcess(Path(folder), fps=20)
        try:
            watched = _Watched(station.process.pid)
            there = {each["id"] for each in (station.get("/api/v1/rules") or {})["rules"]}
            names = [each for each in RULES if each in there]
            print(f"rules: {', '.join(names)}\n")
            print(
                "| games | memory of its own | threads | files | slowest answer |\n|---:|---:|---:|---:|---:|"
            )
            warm, threads, files = None, 0, 0
            for number in range(1, games + 1):
                players, waits = 1 + number % 3, number <= WARM
                slowest_s = _game(station, names[number % len(names)], players, rng, waits=waits)
                now = watched.at_rest()
                if number <= WARM:  # of threads and files the most there ever were: workers come and go
                    warm, threads, files = now[0], max(threads, now[1]), max(files, now[2])
                if number in {1, WARM, games} or number % 8 == 0:
                    cells = f"{now[0]:.1f} MB | {now[1]} | {now[2]} | {1000 * slowest_s:.0f} ms"
                    print(f"| {number} | {cells} |", flush=True)
        finally:
            station.stop()
    if warm is None:
        return 0
    grown = now[0] - warm
    print(f"\nsince game {WARM}: {grown:+.1f} MB, {now[1] - threads:+} threads, {now[2] - files:+} files")
    return int(grown > GROWTH_MAX_MB or now[1] > threads or now[2] > files)
