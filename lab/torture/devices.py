"""Trials of `make torture`: cameras that hang, freeze, vanish or flood, buttons that bounce or stick."""

import random
import threading
import time
from collections import deque
from collections.abc import Callable
from queue import Empty

import numpy as np
from numpy.typing import NDArray

from lab.torture.row import Row, times
from station.camera.watcher import Watcher
from station.config import PressTimes
from station.contract.command import HOLD_BUTTONS
from station.devices.panel import Panel
from station.devices.simulated import SimulatedButtons, SimulatedLamps
from station.table.table import Table
from tests.asking import do, shown
from tests.table.helpers import Clock, reading
from vision.cameras.live import LiveCamera, Source

WATCHED_S = 20.0
"""How long each camera is watched; an earlier release gathered a thread every seven seconds."""
PRESSES = 2000
ROLL = (1, 2, 3, 4, 5)
Picture = NDArray[np.uint8]


class Driver(Source):
    """A driver that follows a script at every picture."""

    def __init__(self, grab: Callable[[int], Picture | None]) -> None:
        self._grab = grab
        self._count = 0

    def open(self) -> None:
        """Always works."""

    def grab(self) -> Picture | None:
        """The next picture, if any."""
        self._count += 1
        return self._grab(self._count)

    def close(self) -> None:
        """Nothing to let go of."""


def _picture(seed: int) -> Picture:
    noise = np.random.default_rng(seed).integers(0, 12, (270, 480, 3), dtype=np.uint8)
    return np.full((270, 480, 3), 90, np.uint8) + noise


def _camera(name: str, grab: Callable[[int], Picture | None], done: threading.Event, share: float) -> Row:
    """Look through a camera while people type their rolls: none is lost, none waits, no threads grow."""
    table, before = Table(), threading.active_count()
    watcher = Watcher(LiveCamera(lambda _: Driver(grab), "USB camera 0"), table, sensor=True)
    watcher.start()
    until_s = time.monotonic() + max(8.0, WATCHED_S * share)
    played, lost, wrong, longest_s, threads, message = 0, 0, 0, 0.0, 0, ""
    try:
        while time.monotonic() < until_s:
            began_s = time.perf_counter()
            do(table, {"command": "start_game", "players": ["Ana"], "rules": "yacht-1938"})
            state = do(table, {"command": "enter_roll", "faces": list(ROLL)})
            lost += tuple(die["face"] for die in state["dice"]) != ROLL
            do(table, {"command": "end_game"})
            longest_s = max(longest_s, time.perf_counter() - began_s)
            wrong += shown(table)["reading"]["status"] == "ready"
            threads = max(threads, threading.active_count() - before)
            message = shown(table)["camera"]["message"] or message
            played += 1
            time.sleep(0.02)
    finally:
        done.set()
        watcher.stop(5.0)
    note = f"{threads} threads at most, longest {1000 * longest_s:.0f} ms, message: {message or 'nothing'}"
    return Row(name, played, lost + (threads > 4), wrong, note)


def cameras(share: float) -> list[Row]:
    """Hung, frozen, vanishing and flooding."""
    done = threading.Event()
    still = _picture(0)
    some = [_picture(seed) for seed in range(8)]

    def hangs(count: int) -> Picture | None:
        if count > 5:
            done.wait(120)
            return None
        time.sleep(0.03)
        return some[count % 8]

    def freezes(count: int) -> Picture | None:
        time.sleep(0.03)
        return some[count % 8] if count < 30 else still.copy()

    def vanishes(count: int) -> Picture | None:
        time.sleep(0.03)
        if count % 7 == 0:
            raise OSError(19, "No such device")
        return None if count % 5 == 0 else some[count % 8]

    def floods(count: int) -> Picture | None:
        return some[count % 8]

    rows = []
    for name, grab in (("hung", hangs), ("frozen", freezes), ("vanishing", vanishes), ("flooding", floods)):
        done.clear()
        rows.append(_camera(f"{name} camera", grab, done, share))
    return rows


class Console:
    """A panel whose clock is moved by hand; `settle` does what its thread would."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.buttons = SimulatedButtons()
        self.table = Table(clock=self.clock)
        lamps = SimulatedLamps()
        self.panel = Panel(self.buttons, lamps, self.table, press=PressTimes(), clock=self.clock)
        self.buttons.start(self.panel.edge, self.panel.turned)
        do(self.table, {"command": "start_game", "players": ["Ana", "Ben"], "rules": "yacht-1938"})
        self.table.offer(reading(*ROLL))
        do(self.table, {"command": "accept_roll"})

    def settle(self, seconds: float) -> None:
        """Let the worker run on for that long."""
        until_s = self.clock.now_s + seconds
        while self.clock.now_s < until_s:
            try:
                while edge := self.panel._edges.get_nowait():  # noqa: SLF001 - in the place of its thread
                    self.panel.step(edge)
            except Empty:
                self.panel.step(("", 0, 0.0))
            self.clock.pass_s(min(0.004, until_s - self.clock.now_s + 1e-9))

    def held(self) -> set[int]:
        """Slots that are held now."""
        return {die["slot"] for die in shown(self.table)["dice"] if die["held"]}

    def bounce(self, name: str, rng: random.Random) -> None:
        """Contact makes and breaks within a few milliseconds; sometimes an edge is lost."""
        for _ in range(rng.randint(0, 6)):
            for act in (self.buttons.close, self.buttons.open):
                act(name, lost=rng.random() < 0.05)
                self.clock.pass_s(rng.uniform(0.0001, 0.002))


def buttons(share: float) -> list[Row]:
    """Presses with bounces at both ends, and buttons that stay down while others are pressed."""
    return [_bouncing(times(PRESSES, share)), _stuck(times(200, share))]


def _bouncing(count: int) -> Row:
    rng, console = random.Random(4), Console()  # noqa: S311 - trials
    expected: set[int] = set()
    lost = wrong = 0
    for _ in range(count):
        slot = rng.randint(1, 5)
        name = HOLD_BUTTONS[slot - 1]
        console.bounce(name, rng)
        console.buttons.close(name)
        console.settle(rng.uniform(0.03, 0.2))
        console.buttons.open(name)
        console.bounce(name, rng)
        console.settle(0.25)
        expected ^= {slot}
        found = console.held()
        lost += len(expected - found)
        wrong += len(found - expected)
        expected = found
    return Row("bouncing buttons", count, lost, wrong, "each press counts once")


def _stuck(count: int) -> Row:
    rng, lost, wrong = random.Random(5), 0, 0  # noqa: S311 - trials
    messages: deque[str] = deque(maxlen=1)
    for _ in range(count):
        console = Console()
        stuck, other = rng.sample(range(1, 6), 2)
        console.buttons.close(HOLD_BUTTONS[stuck - 1])
        console.settle(0.1)
        console.clock.pass_s(25)
        console.settle(0.1)
        messages.append(shown(console.table)["buttons"]["message"])
        lost += not messages[-1]
        console.buttons.close(HOLD_BUTTONS[other - 1])
        console.settle(0.1)
        console.buttons.open(HOLD_BUTTONS[other - 1])
        console.settle(0.1)
        found = console.held()
        lost += other not in found
        wrong += len(found - {stuck, other})
    return Row("stuck buttons", count, lost, wrong, messages[-1])
