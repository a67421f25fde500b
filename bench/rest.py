"""From rest to offer: how long after the last die comes to rest a screen gets the roll.

A real station with a camera of 15 pictures a second, and a screen that listens over HTTP in its own process.
Another process, which nothing slows, draws the pictures (`bench.drawn_camera`): those of a board come from
its sensor and take its processor a copy. Rest is when the drawn hand has left the picture and the last die
lies, the offer is when the screen has the state that lets the roll be confirmed. Once with all the machine
gives, once with every core four times slower (`bench.slow_cores`), once with a quarter of one core for the
whole station (the kernel's CPU quota, as root): a board that is four times slower and has one core. Aims:
median 0.3 s, longest 0.6 s; where a core is four times slower longest 0.8 s.

First the station times itself, slowed as it will be; its estimate is printed beside the measured times.
A throw takes five seconds, so 20 of them three times take seven minutes; each is printed on standard error
when it is done. A throw that is not offered within OFFER_S (a die leans, say) is no time: it is counted and
thrown again.
"""

import argparse
import http.client
import json
import os
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import urlopen

from bench.drawn_camera import DrawingProcess
from bench.slow_cores import slow_cores
from station.camera.self_timing import FILE_NAME, SMALLER_WH, Speed
from station.testing.station_process import PATIENCE_S, StationProcess
from vision.cameras.sensors import PICTURE_WH

THROWS = 20
FPS = 15
OFFER_S = 8.0
"""Ten times what an offer may take: a throw that is not offered by then cannot be read."""
PERIOD_US = 20_000
"""Of the quota: short, so that a slow core is a slow one and not one that stops for long."""
GROUPS = (Path("/sys/fs/cgroup/cpu"), Path("/sys/fs/cgroup"))
"""Where groups of processes with a quota are made: version 1, and 2."""
WAYS = {
    "whole": (1.0, 1.0, "the whole machine", "0.6"),
    "slow": (1.0, 4.0, "cores four times slower", "0.8"),
    "quarter": (0.25, 1.0, "a quarter of one core", ""),
}
"""What the station gets: share of a core (1: all there is), times slower; in words; what it may take in s."""
PAUSES_S = (0.0, 0.013, 0.027, 0.041, 0.055)
"""Throws begin at other times between two frames."""


class QuotaGroup:
    """A group of processes that get a share of one core (cgroups(7), both versions). Needs root.

    What else the machine does is not to be measured: of the share nobody takes anything.
    """

    def __init__(self, share: float) -> None:
        """share: of a core; from 1 on as much as there is."""
        root = next((path for path in GROUPS if (path / "cgroup.procs").exists()), GROUPS[0])
        self._path = root / f"yacht-bench-{os.getpid()}"
        self._path.mkdir()
        quota_us = round(share * PERIOD_US) if share < 1.0 else None
        try:
            if (self._path / "cpu.cfs_quota_us").exists():
                self._set("cpu.shares", "32768")
                self._set("cpu.cfs_period_us", str(PERIOD_US))
                self._set("cpu.cfs_quota_us", str(quota_us or -1))
            else:
                self._set("cpu.weight", "3200")
                self._set("cpu.max", f"{quota_us or 'max'} {PERIOD_US}")
        except OSError:
            self.close()
            raise

    def _set(self, name: str, value: str) -> None:
        (self._path / name).write_text(value, encoding="ascii")

    def take(self, process: int) -> None:
        """Put a process with all its threads into the group."""
        (self._path / "cgroup.procs").write_text(str(process))

    def has(self, process: int) -> bool:
        """Whether a process still is in the group: the scheduler may have moved it."""
        return str(process) in (self._path / "cgroup.procs").read_text().split()

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

    def offered_s(self, after_s: float, within_s: float) -> float | None:
        """When a roll was on offer since that time (monotonic); None where there is none within that long."""
        with self._news:
            self._news.wait_for(lambda: self._offered_s is not None and self._offered_s > after_s, within_s)
            there = self._offered_s is not None and self._offered_s > after_s
            return self._offered_s if there else None


@dataclass(frozen=True, slots=True)
class Measured:
    """Seconds from rest to offer, how many other throws could not be read, how quick the station was."""

    times_s: list[float]
    unread: int
    speed: Speed


def measure(share: float, slower: float, throws: int = THROWS) -> Measured:
    """The times of that many throws that were offered.

    share: of a core; 1 leaves the station all there is. slower: how many times slower each core is. Raises
    PermissionError where no share can be dealt out or no core be slowed, and AssertionError where the station
    did not keep to its own.
    """
    with tempfile.TemporaryDirectory() as folder, _quota(share) as group:
        drawing = DrawingProcess(Path(folder) / "frames", FPS)
        station = StationProcess(Path(folder), program=drawing.station)
        try:
            screen = Screen(station.url)
            if group is not None:
                group.take(station.process.pid)
            with slow_cores(slower, drawing.process.pid) if slower > 1.0 else nullcontext():
                speed = timed(station)
                wait_for_tray(station)
                times_s, unread = play_throws(station, drawing, screen, throws)
            assert group is None or group.has(station.process.pid), "the station was moved out of its group"
            return Measured(times_s, unread, speed)
        finally:
            station.stop()
            drawing.stop()


def timed(station: StationProcess) -> Speed:
    """What the station says of the machine, once it has timed itself."""
    file = station.folder / "data" / FILE_NAME
    until_s = time.monotonic() + PATIENCE_S
    while not file.exists():
        assert time.monotonic() < until_s, "the station did not time itself"
        time.sleep(0.5)
    return Speed.model_validate_json(file.read_bytes())


@contextmanager
def _quota(share: float) -> Iterator[QuotaGroup | None]:
    """None where no group can be made and none is needed."""
    try:
        group = QuotaGroup(share)
    except OSError as error:
        if share < 1.0:
            raise PermissionError(f"needs root and cgroups: {error}") from error
        group = None
    try:
        yield group
    finally:
        if group is not None:
            group.close()


def wait_for_tray(station: StationProcess) -> None:
    """Until there is a picture; before that the tray is called empty, too."""
    until_s = time.monotonic() + PATIENCE_S
    while True:
        with suppress(HTTPError), urlopen(f"{station.url}/api/v1/frame.jpg", timeout=PATIENCE_S):  # noqa: S310 - our own
            return
        if time.monotonic() > until_s:
            raise AssertionError("the tray was never seen")
        time.sleep(0.1)


def play_throws(
    station: StationProcess, drawing: DrawingProcess, screen: Screen, throws: int
) -> tuple[list[float], int]:
    """Play so many throws: seconds from rest to offer, and how many others could not be read."""
    station.do("start_game", players=["Ana"], rules="dice-play-yahtzee")
    times: list[float] = []
    thrown = 0
    while len(times) < throws:
        time.sleep(1.0 + PAUSES_S[thrown % len(PAUSES_S)])
        begun_s = time.monotonic()
        rests_s = drawing.throw()
        thrown += 1
        assert thrown <= 2 * throws, "hardly any throw is offered"
        offered_s = screen.offered_s(begun_s, max(rests_s - begun_s, 0.0) + OFFER_S)
        if offered_s is None:
            _tell(f"throw {thrown}: not offered ({', '.join(dict.fromkeys(screen.seen[-9:]))})")
            continue
        times.append(offered_s - rests_s)
        _tell(f"throw {thrown}: {times[-1]:.2f} s")
        state = station.do("accept_roll")
        if state["throws_done"] == state["throws_allowed"]:
            _score(station, state)
    return times, thrown - throws


def _tell(what: str) -> None:
    """How far it is, beside the table."""
    print(what, file=sys.stderr, flush=True)


def _score(station: StationProcess, state: dict[str, Any]) -> None:
    """Write the first open box; a full sheet is followed by a new game."""
    open_ = state["players"][state["active_player"]]["potentials"]
    state = station.do("score_box", category=next(iter(open_)))
    if state["finished"]:
        station.do("rematch")


def run(options: Sequence[str] = ()) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="bench rest")
    parser.add_argument("--throws", type=int, default=THROWS, help=f"for each way ({THROWS})")
    parser.add_argument("--way", choices=WAYS, help="only so (default: all)")
    arguments = parser.parse_args(list(options))
    print("| the station has | throws | median s | longest s | may take s | not read | it expects s |")
    print("|---|---:|---:|---:|---:|---:|---:|", flush=True)
    for share, slower, what, may_s in [WAYS[arguments.way]] if arguments.way else WAYS.values():
        try:
            found = measure(share, slower, arguments.throws)
        except PermissionError as error:
            print(f"| {what} | not measured: {error} | | | {may_s} | | |")
            continue
        times = f"{len(found.times_s)} | {median(found.times_s):.2f} | {max(found.times_s):.2f}"
        smaller = found.speed.smaller
        expected_s = found.speed.offered_s(SMALLER_WH if smaller else PICTURE_WH)
        expected = f"{expected_s:.2f}{' in a smaller picture' if smaller else ''}"
        print(f"| {what} | {times} | {may_s} | {found.unread} | {expected} |", flush=True)
