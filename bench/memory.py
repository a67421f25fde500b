"""Memory of a real station: after the start, with twenty screens, and with hints and odds of every rule set.

One process of `yacht run` with the simulated tray, and whatever it starts; then one with a camera, which
first times the board, and reads throws. Its pictures come from another process and count as a driver's would.
"Own" is what is in no file: the system cannot take it back. "Altogether" counts pages of programs and tables
besides, each file once however many of these processes have it; the system takes them back when it needs
them, and reads them again. Other programs on the machine change neither, as they do with PSS.
"""

import tempfile
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from bench import rest
from bench.drawn_camera import DrawingProcess
from bench.page import LiveListeners
from station.rules import built_in, built_in_ids
from station.testing.station_process import PATIENCE_S, StationProcess

VIEWERS = 20
THROWS = 12
PAUSE_S = 0.2
REST_S = 10.0
"""After which a station is taken to be at rest."""
KB = 1024 / 1e6
"""A kilobyte of the kernel's, MB."""

WAYS = ("normal", "small")
"""Of `[limits] memory`."""


@dataclass(frozen=True, slots=True)
class Memory:
    """MB of a process and its children, without and with pages of files."""

    own: float
    altogether: float


def memory(process: int) -> Memory:
    """Of a process and its children; those that end meanwhile count nothing."""
    files: dict[str, float] = {}
    own = 0.0
    for each in (process, *children(process)):
        here: dict[str, float] = {}
        for file, resident, written in _mappings(each):
            own += written if file else resident
            if file:
                here[file] = here.get(file, 0.0) + resident - written
        files |= {file: max(files.get(file, 0.0), size) for file, size in here.items()}
    return Memory(own, own + sum(files.values()))


def children(process: int) -> list[int]:
    """The processes a process has started, by all its threads, and theirs."""
    found = []
    for task in Path(f"/proc/{process}/task").glob("*/children"):
        try:
            found += [int(each) for each in task.read_text(encoding="ascii").split()]
        except OSError:
            continue
    return [*found, *(child for each in found for child in children(each))]


def _mappings(process: int) -> Iterator[tuple[str, float, float]]:
    """Of each mapping the file, "" for none, and MB in memory and of these written (proc_pid_smaps(5))."""
    try:
        lines = Path(f"/proc/{process}/smaps").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return
    file, resident = "", 0.0
    for line in lines:
        key, *values = line.split()
        if not key.endswith(":"):  # from-to rights offset device inode name
            file = "/" + line.partition("/")[2] if " /" in line else ""
        elif key == "Rss:":
            resident = float(values[0]) * KB
        elif key == "Private_Dirty:":
            yield file, resident, float(values[0]) * KB


class Peak(threading.Thread):
    """Samples memory five times a second, and keeps the largest sum since the last query."""

    def __init__(self, process: int) -> None:
        super().__init__(daemon=True)
        self._process = process
        self._ending = threading.Event()
        self._most = Memory(0, 0)
        self.start()

    def run(self) -> None:
        """Look and note."""
        while not self._ending.wait(PAUSE_S):
            now = memory(self._process)
            self._most = max(self._most, now, key=_altogether)

    def since(self) -> Memory:
        """The largest since the last call."""
        most, self._most = max(self._most, memory(self._process), key=_altogether), Memory(0, 0)
        return most

    def close(self) -> None:
        """Look no more."""
        self._ending.set()
        self.join(5)


def _altogether(found: Memory) -> float:
    return found.altogether


def run() -> None:
    """Print a table for each way."""
    for name in WAYS:
        settings = f'viewers_max = 120\n[limits]\nmemory = "{name}"\n'
        with tempfile.TemporaryDirectory() as folder:
            station = StationProcess(Path(folder), settings=settings, fps=20)
            peak = Peak(station.process.pid)
            try:
                _print(station, peak, name)
            finally:
                peak.close()
                station.stop()
        with tempfile.TemporaryDirectory() as folder:
            _with_camera(Path(folder), settings)


def _print(station: StationProcess, peak: Peak, name: str) -> None:
    """One table."""
    print(f"| memory of `{name}`, MB: the most while | own | altogether |")
    print("|---|---|---|")
    _wait(lambda: station.state()["reading"]["status"] != "unknown")
    _row("it starts", peak.since())
    _pause(REST_S)
    peak.since()
    _row("idle", memory(station.process.pid))
    listeners = LiveListeners(station.url, VIEWERS)
    _pause(5)
    _row(f"{VIEWERS} screens listen", peak.since())
    for rules in built_in_ids():
        values = _advise(station, rules)
        _row(f"hint and odds of {rules} ({values})", peak.since())
    _pause(REST_S)
    peak.since()
    _row("all has been asked", memory(station.process.pid))
    listeners.close()


def _with_camera(folder: Path, settings: str) -> None:
    """The rest of it: the first start with a camera, and throws."""
    drawing = DrawingProcess(folder / "frames", rest.FPS)
    station = StationProcess(folder, settings=settings, program=drawing.station)
    peak = Peak(station.process.pid)
    try:
        screen = rest.Screen(station.url)
        rest.timed(station)
        _row("a camera's first start: the board is timed", peak.since())
        rest.wait_for_tray(station)
        listeners = LiveListeners(station.url, VIEWERS)
        _pause(REST_S)
        peak.since()
        rest.play_throws(station, drawing, screen, THROWS)
        _row(f"{THROWS} throws are read", peak.since())
        listeners.close()
    finally:
        peak.close()
        station.stop()
        drawing.stop()
    print()


def _row(what: str, found: Memory) -> None:
    print(f"| {what} | {found.own:.0f} | {found.altogether:.0f} |", flush=True)


def _advise(station: StationProcess, rules: str) -> str:
    """Ask for a hint and the odds in a game of two; "exact", "estimated" or "none"."""
    dice = [6, 5, 5, 3, 2, 1, 1, 2, 3, 4][: built_in(rules).dice]
    station.do("start_game", players=["Ana", "Ben"], rules=rules)
    station.do("enter_roll", faces=dice)
    _wait(lambda: station.get("/api/v1/hint", 503) is not None)
    odds = {}

    def known() -> bool:
        odds.update(station.get("/api/v1/odds", 503) or {})
        return bool(odds.get("chances")) or "%" not in str(odds.get("message", "%"))

    _wait(known)
    station.do("end_game")
    return ("estimated" if any(odds["errors"]) else "from the table") if odds["chances"] else "none"


def _wait(ready: Callable[[], bool]) -> None:
    """Ask until it is so."""
    waiting = threading.Event()
    for _ in range(int(10 * PATIENCE_S / PAUSE_S)):
        if ready():
            return
        waiting.wait(PAUSE_S)
    raise AssertionError("not ready in time")


def _pause(seconds: float) -> None:
    threading.Event().wait(seconds)
