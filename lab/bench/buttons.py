"""From a press to its lamp: mock pins, the real panel, the real table, the real database on disk.

Counted from the pin going low to the lamp's pin going high: debounce (8 ms), command, commit, lamp.
"""

import statistics
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from gpiozero.pins.mock import MockFactory

from station.config import Pins, PressTimes
from station.devices.gpio import GpioButtons, GpioLamps
from station.devices.panel import TEST_S, Panel
from station.store import Store
from station.table.table import Table
from tests.asking import do

PRESSES = 200


class _TimedLamps(GpioLamps):
    """Lamps that note when one was switched."""

    def __init__(self, pins: Pins, factory: Any) -> None:
        super().__init__(pins, factory)
        self.switched = threading.Condition()
        self.at_s: dict[str, float] = {}

    def set(self, name: str, *, on: bool) -> None:
        super().set(name, on=on)
        with self.switched:
            self.at_s[name] = time.perf_counter()
            self.switched.notify_all()


def run() -> None:
    """Print a table: median, 99th percentile and longest time in ms, over hold buttons 1 to 5."""
    pins, factory = Pins(), MockFactory()
    buttons, lamps = GpioButtons(pins, factory), _TimedLamps(pins, factory)
    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder))
        table = Table(store)
        panel = Panel(buttons, lamps, table, press=PressTimes())
        do(table, {"command": "start_game", "players": ["Ana"], "rules": "yacht-1938"})
        do(table, {"command": "enter_roll", "faces": [1, 2, 3, 4, 5]})
        panel.start()
        time.sleep(TEST_S + 0.2)
        times_ms = [_press(factory, pins, lamps, i % 5) for i in range(PRESSES)]
        panel.stop()
        store.close()
    times_ms.sort()
    print("| press to lamp | median ms | 99 % ms | longest ms | aim ms |")
    print("|---|---|---|---|---|")
    p99 = times_ms[int(0.99 * len(times_ms))]
    print(f"| {PRESSES} presses | {statistics.median(times_ms):.1f} | {p99:.1f} | {times_ms[-1]:.1f} | 30 |")


def _press(factory: Any, pins: Pins, lamps: _TimedLamps, i: int) -> float:
    """Press and release hold button i + 1; milliseconds until its lamp changed."""
    name, pin = f"hold-{i + 1}", factory.pin(pins.hold_buttons[i])
    with lamps.switched:
        lamps.at_s.clear()
        start_s = time.perf_counter()
        pin.drive_low()
        lamps.switched.wait_for(lambda: name in lamps.at_s, 5.0)
        took_ms = (lamps.at_s[name] - start_s) * 1000
    time.sleep(0.02)
    pin.drive_high()
    time.sleep(0.02)
    return took_ms
