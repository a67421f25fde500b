"""From rest to offer: how long after the last die lies still a screen is told of the roll.

A real station with the simulated tray at its natural pace and 15 frames a second, and a screen that listens
over HTTP in its own process. Rest is when the drawn hand has left the picture and the last die lies, the
offer is when the screen has the state that lets the roll be confirmed. Once with all the machine gives, once
with a quarter of a core for the whole station, its drawn tray included (the kernel's CPU quota, as root).
Aims (issue of the Pi): median 0.3 s, longest 0.6 s; with a quarter of a core longest 0.8 s.
"""

import http.client
import json
import os
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from statistics import median
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import urlopen

from bench.station_process import PATIENCE_S, StationProcess

THROWS = 40
PERIOD_US = 20_000
"""Of the quota: short, so that a slow core is a slow one and not one that stops for long."""
GROUPS = (Path("/sys/fs/cgroup/cpu"), Path("/sys/fs/cgroup"))
"""Where groups of processes with a quota are made: version 1, and 2."""
WAYS = ((1.0, "the whole machine", 0.6), (0.25, "a quarter of a core", 0.8))
PAUSES_S = (0.0, 0.013, 0.027, 0.041, 0.055)
"""Throws begin at other times between two frames."""


class QuotaGroup:
    """A group of processes that get a share of one core (cgroups(7), both versions). Needs root."""

    def __init__(self, share: float) -> None:
        root = next((path for path in GROUPS if (path / "cgroup.procs").exists()), GROUPS[0])
        self._path = root / f"yacht-bench-{os.getpid()}"
        self._path.mkdir()
        quota_us = round(share * PERIOD_US)
        try:
            # what else the machine does is not to be measured: of its share nobody takes anything
            if (self._path / "cpu.cfs_quota_us").exists():
                (self._path / "cpu.shares").write_text("32768")
                (self._path / "cpu.cfs_period_us").write_text(str(PERIOD_US))
                (self._path / "cpu.cfs_quota_us").write_text(str(quota_us))
            else:
                (self._path / "cpu.weight").write_text("3200")
                (self._path / "cpu.max").write_text(f"{quota_us} {PERIOD_US}")
        except OSError:
            self.close()
            raise

    def take(self, process: int) -> None:
        """Put a process with all its threads into the group."""
        (self._path / "cgroup.procs").write_text(str(process))

    def close(self) -> None:
        """Remove the group, once its processes have ended."""
        self._path.rmdir()


class Screen(threading.Thread):
    """Listens as a screen does, and notes when each roll was first on offer."""

    def __init__(self, url: str) -> None:
        super().__init__(daemon=True)
        where = urlsplit(url)
        self._line = http.client.HTTPConnection(where.hostname or "", where.port, timeout=PATIENCE_S)
        self._line.request("GET", "/api/v1/events")
        self._answer = self._line.getresponse()
        self._news = threading.Condition()
        self._offered_s: float | None = None
        self.seen: list[str] = []
        self.start()

    def run(self) -> None:
        """Read what comes."""
        for line in self._answer:
            now_s = time.monotonic()
            if not line.startswith(b"data: {"):
                continue
            state = json.loads(line[6:])
            if "reading" not in state:
                continue
            with self._news:
                self.seen.append(state["reading"]["status"])
                if "accept_roll" not in state["commands"]:
                    self._offered_s = None
                elif self._offered_s is None:
                    self._offered_s = now_s
                self._news.notify_all()

    def offered_s(self, after_s: float) -> float:
        """Wait for a roll on offer since that time; when it came (monotonic)."""
        with self._news:
            there = self._news.wait_for(
                lambda: self._offered_s is not None and self._offered_s > after_s, PATIENCE_S
            )
            if not there or self._offered_s is None:
                raise AssertionError(f"no roll was offered: {self.seen[-20:]}")
            return self._offered_s


def measure(share: float, throws: int = THROWS) -> list[float]:
    """Seconds from rest to offer of so many throws. share: of a core; 1 leaves the station all there is."""
    with tempfile.TemporaryDirectory() as folder, _quota(share) as group:
        station = StationProcess(Path(folder), pace=1.0, fps=15)
        try:
            screen = Screen(station.url)
            _wait_for_tray(station)
            if group is not None:
                group.take(station.process.pid)
            return list(_throws(station, screen, throws))
        finally:
            station.stop()


@contextmanager
def _quota(share: float) -> Iterator[QuotaGroup | None]:
    group = QuotaGroup(share) if share < 1.0 else None
    try:
        yield group
    finally:
        if group is not None:
            group.close()


def _wait_for_tray(station: StationProcess) -> None:
    """Until there is a picture; before that the tray is called empty, too."""
    until_s = time.monotonic() + PATIENCE_S
    while True:
        with suppress(HTTPError), urlopen(f"{station.url}/api/v1/frame.jpg", timeout=PATIENCE_S):  # noqa: S310 - our own
            return
        if time.monotonic() > until_s:
            raise AssertionError("the tray was never seen")
        time.sleep(0.1)


def _throws(station: StationProcess, screen: Screen, throws: int) -> Iterator[float]:
    state = station.do("start_game", players=["Ana"], rules="dice-play-yahtzee")
    for number in range(throws):
        time.sleep(1.0 + PAUSES_S[number % len(PAUSES_S)])
        begun_s = time.monotonic()
        station.do("throw")
        rests_s = station.at_rest_s(number + 1)
        yield screen.offered_s(begun_s) - rests_s
        state = station.do("accept_roll")
        if state["throws_done"] == state["throws_allowed"]:
            _score(station, state)


def _score(station: StationProcess, state: dict[str, Any]) -> None:
    """Write the first open box; a full sheet is followed by a new game."""
    open_ = state["players"][state["active_player"]]["potentials"]
    state = station.do("score_box", category=next(iter(open_)))
    if state["finished"]:
        station.do("rematch")


def run() -> None:
    """Print the table."""
    print("| the station has | throws | median s | longest s | may take s |\n|---|---:|---:|---:|---:|")
    for share, what, may_s in WAYS:
        try:
            found = sorted(measure(share))
        except OSError:
            print(f"| {what} | not measured: needs root and cgroups | | | {may_s} |")
            continue
        print(f"| {what} | {len(found)} | {median(found):.2f} | {found[-1]:.2f} | {may_s} |", flush=True)


if __name__ == "__main__":
    for given in sys.argv[1:]:
        times = measure(float(given), 12)
        print(given, " ".join(f"{each:.2f}" for each in times))
