"""The pages: from a stored event to the painted screen with 20 and 200 viewers, first paint, movement.

One real station with the simulated tray, on loopback. Plain listeners, written here, and two pages of a real
browser; a change every quarter of a second: the beginning of a game, its typed rolls and its boxes to the
end, some games one after the other. All of them count, the first sheet of a page too. Before it the browser
comes to rest, since in a living room it was started long ago; it opens no hidden pages for its address bar
(FEATURES_OFF), which a screen of the kiosk never shows.

Aims: painted within 100 ms (p99) with 20 viewers, 250 ms with 200; first paint under 1 s and 60 frames a
second while dice fly, with a processor four times slower.
"""

import http.client
import json
import math
import re
import selectors
import socket
import statistics
import tempfile
import threading
import time
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Browser, sync_playwright

from station.testing.station_process import (
    CHROMIUM,
    CHROMIUM_ARGS,
    PATIENCE_S,
    SIZES,
    StationProcess,
    processor_s,
)

VIEWERS = (20, 200)
BROWSERS = 2
FLIGHT_MS = 1200
GAMES = 3
PLAYERS = ("Ana", "Ben", "Cleo", "Dora")
REST_S, REST_SHARE = 1.0, 0.05  # a browser at rest uses less than this share of a core, for so long
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


class LiveListeners(threading.Thread):
    """Viewers without browsers, all in one thread so as not to get in each other's way.

    Notes when each version arrived, once for each of them.
    """

    def __init__(self, url: str, count: int) -> None:
        super().__init__(daemon=True)
        where = urlsplit(url)
        self.received: dict[int, list[float]] = {}
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
                    self.received.setdefault(int(number), []).append(now)

    def close(self) -> None:
        """Hang up."""
        self._ending.close()
        self.join(10)
        for key in list(self._selector.get_map().values()):
            assert isinstance(key.fileobj, socket.socket)
            key.fileobj.close()
        self._selector.close()


def percentile(values: list[float], share: float) -> float:
    """The smallest of the values that at least this share of them does not exceed (nearest rank).

    >>> percentile([float(each) for each in range(1, 301)], 0.99)
    297.0
    """
    return sorted(values)[math.ceil(share * len(values)) - 1]


def spread(values_ms: list[float]) -> str:
    """Median and p99 of milliseconds."""
    return f"{statistics.median(values_ms):.0f} | {percentile(values_ms, 0.99):.0f}"


@dataclass(frozen=True, slots=True)
class Change:
    """What was done, and the time of day at which it was about to be sent, in seconds since 1970."""

    what: str
    at_s: float


def slowest(lags_ms: Mapping[int, float], changes: Mapping[int, Change]) -> str:
    """The slowest five of them by version: which change it was, from the 1st on, and what it did."""
    numbers = {version: number for number, version in enumerate(changes, 1)}
    order = sorted(lags_ms, key=lambda version: -lags_ms[version])
    return ", ".join(f"no. {numbers[each]} {changes[each].what} {lags_ms[each]:.0f} ms" for each in order[:5])


def come_to_rest(browser: Browser) -> None:
    """Wait until the browser has nothing to do, by the processor time of all its processes."""
    line = browser.new_browser_cdp_session()

    def used_s() -> float:
        processes = line.send("SystemInfo.getProcessInfo")["processInfo"]
        return sum(float(each["cpuTime"]) for each in processes)

    until_s = time.monotonic() + PATIENCE_S
    before_s = used_s()
    while time.monotonic() < until_s:
        time.sleep(REST_S)
        after_s = used_s()
        if after_s - before_s < REST_SHARE * REST_S:
            return
        before_s = after_s
    raise TimeoutError("The browser did not come to rest.")


FRAMES = """(ms) => new Promise((done) => {
    const times = [];
    const note = (now) => {
        times.push(now);
        if (now - times[0] < ms) requestAnimationFrame(note);
        else done(times);
    };
    requestAnimationFrame(note);
})"""
"""Times of the frames of this many milliseconds."""


def updates(browser: Browser, station: StationProcess, viewers: int) -> list[tuple[str, str]]:
    """Rows of the table: how long after a command was answered its state was received, and painted."""
    listeners = LiveListeners(station.url, viewers - BROWSERS)
    with ExitStack() as stack:
        pages = []
        for path, size in PAGES[0], PAGES[2]:
            width, height = SIZES[size]
            context = browser.new_context(viewport={"width": width, "height": height})
            stack.callback(context.close)
            page = context.new_page()
            page.goto(station.url + path)
            page.wait_for_function("() => document.body.dataset.version")
            page.evaluate(WATCH)
            pages.append((path, page))
        come_to_rest(browser)
        before_s = processor_s(station.process.pid)
        begun_s = time.monotonic()
        changes = play(station)
        used_s = processor_s(station.process.pid) - before_s
        share = used_s / (time.monotonic() - begun_s)
        painted = {path: page.evaluate("window.painted") for path, page in pages}
    listeners.close()
    received = [
        (received_s - change.at_s) * 1000
        for version, change in changes.items()
        for received_s in listeners.received.get(version, [])
    ]
    rows = [(f"{viewers} viewers: heard by {viewers - BROWSERS} listeners", spread(received))]
    for path, times in painted.items():
        lags = {
            version: min(at_ms for painted, at_ms in times.items() if int(painted) >= version)
            - change.at_s * 1000
            for version, change in changes.items()
        }
        summary = f"{len(changes)} changes; slowest: {slowest(lags, changes)}"
        rows.append((f"{viewers} viewers: painted on `{path}` ({summary})", spread(list(lags.values()))))
    rows.append((f"{viewers} viewers: the station's processor, meanwhile", f"{share:.0%} of one core"))
    return rows


def play(station: StationProcess) -> dict[int, Change]:
    """Play whole games; what was done by the version it led to.

    Each is timed from before it is sent, so the writing to disk is counted in.
    """
    done: dict[int, Change] = {}
    state = station.state()
    if state["phase"] not in {"lobby", "finished"}:
        station.do("end_game")
    where = urlsplit(station.url)
    line = http.client.HTTPConnection(where.hostname or "", where.port)
    for _ in range(GAMES):
        body: dict[str, object] = {"command": "start_game", "players": PLAYERS, "rules": "yacht-1938"}
        while True:
            change = Change(str(body["command"]), time.time())
            line.request("POST", "/api/v1/commands", json.dumps(body), {"Content-Type": "application/json"})
            state = json.loads(line.getresponse().read())
            done[state["version"]] = change
            time.sleep(PAUSE_S)
            if state["finished"]:
                break
            if state["phase"] == "throwing":
                first = len(done) % 6
                body = {"command": "enter_roll", "faces": [1 + (first + die) % 6 for die in range(5)]}
            else:
                potentials = state["players"][state["active_player"]]["potentials"]
                body = {"command": "score_box", "category": next(iter(potentials))}
    line.close()
    return done


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
    station.do("start_game", players=PLAYERS, rules="yacht-1938")
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
        station = StationProcess(Path(folder, "station"), settings="viewers_max = 220\n", fps=20)
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
