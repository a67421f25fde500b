"""The pages: from a stored event to the painted screen with 20 and 200 viewers, first paint, movement.

One real station with the simulated tray, on loopback. Plain listeners, written here, and two real browsers; a
typed roll or a box every quarter of a second. Aims: painted within 100 ms (p99) with 20 viewers, 250 ms with
200; first paint under 1 s and 60 frames a second while dice fly, with a processor four times slower.
"""

import http.client
import json
import os
import re
import selectors
import socket
import statistics
import tempfile
import threading
import time
from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Browser, sync_playwright

from bench.station_process import CHROMIUM, CHROMIUM_ARGS, SIZES, StationProcess

VIEWERS = (20, 200)
BROWSERS = 2
FLIGHT_MS = 1200
CHANGES = 80
NUMBER = re.compile(rb"^id: (\d+)$", re.MULTILINE)
PAUSE_S = 0.25
PAGES = (("/", "phone"), ("/", "tablet"), ("/tv", "tv"), ("/history", "phone"), ("/setup", "phone"))
WATCH = """() => {
    window.painted = {};
    const note = () => {
        const version = document.body.dataset.version;
        requestAnimationFrame(() => { window.painted[version] ??= Date.now(); });
    };
    new MutationObserver(note).observe(document.body, {attributes: true, attributeFilter: ['data-version']});
}"""
"""Remembers when the frame with each version was about to be painted, on the clock the server uses too."""


class Listeners(threading.Thread):
    """Viewers without browsers, all in one thread so as not to get in each other's way.

    Notes when each version arrived, once for each of them.
    """

    def __init__(self, url: str, count: int) -> None:
        super().__init__(daemon=True)
        where = urlsplit(url)
        self.heard: dict[int, list[float]] = {}
        self._selector = selectors.DefaultSelector()
        self._ending, end = socket.socketpair()
        self._selector.register(end, selectors.EVENT_READ)
        for _ in range(count):
            line = socket.create_connection((where.hostname or "", where.port or 80), 60)
            line.sendall(b"GET /api/v1/events HTTP/1.1\r\nHost: here\r\n\r\n")
            line.setblocking(False)  # noqa: FBT003 - that is how it is called
            self._selector.register(line, selectors.EVENT_READ)
        self.start()

    def run(self) -> None:
        """Read what comes. An event is sent in one piece, so its number stands in one."""
        while True:
            for key, _ in self._selector.select():
                line = key.fileobj
                assert isinstance(line, socket.socket)
                data = line.recv(1 << 20)
                if not data:
                    return
                now = time.time()
                for number in NUMBER.findall(data):
                    self.heard.setdefault(int(number), []).append(now)

    def close(self) -> None:
        """Hang up."""
        self._ending.close()
        self.join(10)
        for key in list(self._selector.get_map().values()):
            assert isinstance(key.fileobj, socket.socket)
            key.fileobj.close()
        self._selector.close()


def processor_s(process: int) -> float:
    """Seconds of processor time a process has used so far, all its threads together (proc(5))."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def spread(values_ms: list[float]) -> str:
    """Median and p99 of milliseconds."""
    ordered = sorted(values_ms)
    return (
        f"{statistics.median(ordered):.0f} | {ordered[min(len(ordered) - 1, int(0.99 * len(ordered)))]:.0f}"
    )


def slowest(values_ms: list[float]) -> str:
    """The slowest three and when they came: the 1st is the first sheet of a browser that was just started."""
    order = sorted(range(len(values_ms)), key=lambda number: -values_ms[number])
    return ", ".join(f"no. {number + 1} {values_ms[number]:.0f} ms" for number in order[:3])


FRAMES = """(ms) => new Promise((done) => {
    const times = [];
    const note = (now) => {
        times.push(now);
        if (now - times[0] < ms) requestAnimationFrame(note);
        else done(times);
    };
    requestAnimationFrame(note);
})"""
"""Times of the frames of so many milliseconds."""


def updates(browser: Browser, station: StationProcess, viewers: int) -> list[tuple[str, str]]:
    """Rows of the table: how long after a command was answered its state was heard, and painted."""
    listeners = Listeners(station.url, viewers - BROWSERS)
    with ExitStack() as stack:
        pages = []
        for path, size in (("/", "phone"), ("/tv", "tv")):
            width, height = SIZES[size]
            context = browser.new_context(viewport={"width": width, "height": height})
            stack.callback(context.close)
            page = context.new_page()
            page.goto(station.url + path)
            page.wait_for_function("() => document.body.dataset.version")
            page.evaluate(WATCH)
            pages.append((path, page))
        before_s = processor_s(station.process.pid)
        begun_s = time.monotonic()
        stored = change(station)
        used_s = processor_s(station.process.pid) - before_s
        share = used_s / (time.monotonic() - begun_s)
        painted = {path: page.evaluate("window.painted") for path, page in pages}
    listeners.close()
    rows = []
    lags = [
        (heard_s - at) * 1000
        for version, at in stored.items()
        for heard_s in listeners.heard.get(version, [])
    ]
    rows.append((f"{viewers} viewers: heard by {viewers - BROWSERS} listeners", spread(lags)))
    for path, times in painted.items():
        lags = [times[str(version)] - at * 1000 for version, at in stored.items() if str(version) in times]
        told = f"{len(lags)} of {len(stored)} changes; slowest: {slowest(lags)}"
        rows.append((f"{viewers} viewers: painted on `{path}` ({told})", spread(lags)))
    rows.append((f"{viewers} viewers: the station's processor, meanwhile", f"{share:.0%} of one core"))
    return rows


def change(station: StationProcess) -> dict[int, float]:
    """Play; version -> time of day at which its event was about to be stored.

    The command is timed from before it is sent, so the writing to disk is counted in.
    """
    stored: dict[int, float] = {}
    if station.state()["phase"] not in {"lobby", "finished"}:
        station.do("end_game")
    station.do("start_game", players=["Ana", "Ben", "Cleo", "Dora"], rules="yacht-1938")
    where = urlsplit(station.url)
    line = http.client.HTTPConnection(where.hostname or "", where.port)
    for number in range(CHANGES):
        state = station.state()
        if state["phase"] == "throwing":
            body: dict[str, object] = {
                "command": "enter_roll",
                "faces": [1 + (number + i) % 6 for i in range(5)],
            }
        else:
            potentials = state["players"][state["active_player"]]["potentials"]
            body = {"command": "score_box", "category": next(iter(potentials))}
        at = time.time()
        line.request("POST", "/api/v1/commands", json.dumps(body), {"Content-Type": "application/json"})
        after = json.loads(line.getresponse().read())
        if after["finished"]:
            break
        stored[after["version"]] = at
        time.sleep(PAUSE_S)
    line.close()
    return stored


def first_paints(browser: Browser, station: StationProcess) -> list[tuple[str, str]]:
    """Rows: first contentful paint with a processor four times slower, nothing in the cache."""
    rows = []
    for path, size in PAGES:
        times = []
        for _ in range(5):
            width, height = SIZES[size]
            context = browser.new_context(viewport={"width": width, "height": height})
            page = context.new_page()
            context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": 4})
            page.goto(station.url + path)
            page.wait_for_function("() => performance.getEntriesByName('first-contentful-paint').length")
            times.append(page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime"))
            context.close()
        rows.append((f"`{path}` on a {size}", spread(times)))
    return rows


def flights(browser: Browser, station: StationProcess) -> tuple[str, str]:
    """A row: frames a second while dice fly into a box on the big screen, slowed fourfold; longest frame."""
    width, height = SIZES["tv"]
    context = browser.new_context(viewport={"width": width, "height": height})
    page = context.new_page()
    context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": 4})
    page.goto(station.url + "/tv")
    page.wait_for_function("() => document.body.dataset.version")
    rates, longest = [], 0.0
    for _ in range(5):
        state = station.do("enter_roll", faces=[5, 5, 5, 2, 1])
        page.wait_for_function("() => document.querySelectorAll('.tv-sheets .potential').length")
        page.evaluate(f"window.frames_seen = ({FRAMES})({FLIGHT_MS})")
        open_ = state["players"][state["active_player"]]["potentials"]
        station.do("score_box", category=next(iter(open_)))
        times = page.evaluate("window.frames_seen")
        gaps = [after - before for before, after in pairwise(times)]
        rates.append(1000 * len(gaps) / (times[-1] - times[0]))
        longest = max(longest, *gaps)
    context.close()
    return "dice fly into a box on `/tv`", f"{statistics.median(rates):.0f} | {longest:.0f}"


def run() -> None:
    """Print the tables."""
    if not CHROMIUM.exists():
        print(f"There is no {CHROMIUM}; the pages are not measured.")
        return
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        Path(folder, "station").mkdir()
        station = StationProcess(Path(folder, "station"), settings="viewers_max = 220\n")
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=list(CHROMIUM_ARGS))
        try:
            print("From sending a command to the screen | median ms | p99 ms\n--- | ---: | ---:")
            for viewers in VIEWERS:
                for name, figures in updates(browser, station, viewers):
                    print(f"{name} | {figures}")
            print("\nFirst paint, processor slowed fourfold | median ms | worst ms\n--- | ---: | ---:")
            for name, figures in first_paints(browser, station):
                print(f"{name} | {figures}")
            print("\nMovement, processor slowed fourfold | frames a second | longest ms\n--- | ---: | ---:")
            print(" | ".join(flights(browser, station)))
        finally:
            browser.close()
            station.stop()
