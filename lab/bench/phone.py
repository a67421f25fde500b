"""A phone as the camera: from rest to offer, on lines of several kinds; and how soon it goes on after a stop.

A real station and the page /camera in Chromium, whose camera is a canvas: films of the simulated tray are
drawn there fifteen times a second, and real films, where there are any (../shared/photos/video), up to where
their dice lie still. Rest is when that picture is drawn, the offer when a screen has it.
"""

import base64
import csv
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

import cv2
from playwright.sync_api import CDPSession, Page, sync_playwright

from bench.rest import OFFER_S, Screen, timed
from simulator import SimulatedTray
from station.testing.station_process import CHROMIUM, CHROMIUM_ARGS, StationProcess

THROWS = 8
FPS = 15
LINES = {
    "the machine itself": (0, -1),
    "Wi-Fi next door (20 ms, 10 Mbit/s up)": (20, 1_250_000),
    "poor Wi-Fi (60 ms, 2 Mbit/s up)": (60, 250_000),
    "hardly any (150 ms, 0.5 Mbit/s up)": (150, 62_500),
}
"""Latency in ms, bytes a second upwards; -1: as much as there is."""
STOPS_S = (5, 60)
AIM_S = 0.8
VIDEOS = Path(__file__).parents[3] / "shared" / "photos" / "video"
CAMERA = """
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [1280, 720];
    const pen = canvas.getContext("2d");
    navigator.mediaDevices.getUserMedia = async () => canvas.captureStream(30);
    window.play = async (jpegs, every_ms) => {
        const bytes = (jpeg) => Uint8Array.from(atob(jpeg), (letter) => letter.charCodeAt(0));
        const load = (jpeg) => createImageBitmap(new Blob([bytes(jpeg)]));
        const pictures = await Promise.all(jpegs.map(load));
        const began = performance.now();
        for (const [number, picture] of pictures.entries()) {
            await new Promise((done) => setTimeout(done, began + number * every_ms - performance.now()));
            if (canvas.width !== picture.width || canvas.height !== picture.height)
                [canvas.width, canvas.height] = [picture.width, picture.height];
            pen.drawImage(picture, 0, 0);
        }
        return Date.now();
    };
"""

Film = list[str]
"""JPEGs in base64; in the last one all lies still, and so it stays."""


def _coded(image: Any) -> str:
    return base64.b64encode(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes()).decode()


def drawn(count: int) -> Iterator[tuple[list[int], Film]]:
    """Throws of the simulated tray, with what they show."""
    now_s = 100.0

    def sleep(seconds: float) -> None:
        nonlocal now_s
        now_s += seconds

    rng = random.Random(5)  # noqa: S311 - dice of a film
    tray = SimulatedTray(rng, fps=FPS, clock=lambda: now_s, sleep=sleep)
    with tray:
        for _ in range(count):
            faces = sorted(rng.choices(range(1, 7), k=5))
            tray.throw(faces)
            film = []
            while tray.moving:
                frame = tray.read()
                assert frame is not None
                film.append(_coded(frame.image))
            yield faces, film


def filmed() -> Iterator[tuple[list[int], Film]]:
    """Real films up to where their dice lie still, which their list says."""
    if not (VIDEOS / "list.csv").exists():
        return
    with (VIDEOS / "list.csv").open(encoding="utf-8") as listed:
        for row in csv.DictReader(listed):
            still = int(row["rest_frames"].partition("-")[0])
            film, capture = [], cv2.VideoCapture(str(VIDEOS / row["file"]))
            for number in range(still + 1):
                _, image = capture.read()
                if number % 2 == still % 2:
                    film.append(_coded(cv2.resize(image, None, fx=0.6, fy=0.6, interpolation=cv2.INTER_AREA)))
            yield [int(face) for face in row["faces_at_rest"].split("-")], film


@contextmanager
def phone(folder: Path) -> Iterator[tuple[StationProcess, Page, CDPSession]]:
    """A station whose camera is the page of a phone."""
    station = StationProcess(folder, camera="phone")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=list(CHROMIUM_ARGS))
        page = browser.new_page(viewport={"width": 360, "height": 740})
        page.add_init_script(CAMERA)
        page.goto(f"{station.url}/camera")
        try:
            station.do("start_game", players=["Ana"], rules="yacht-1938")
            page.locator("#phone button.first").click()
            yield station, page, page.context.new_cdp_session(page)
        finally:
            browser.close()
            station.stop()


def offered(
    page: Page, screen: Screen, station: StationProcess, films: Iterator[tuple[list[int], Film]]
) -> str:
    """A line of the table: median and longest from rest to offer, what was not offered or read otherwise."""
    times_s, unread, wrong = list[float](), 0, 0
    for faces, film in films:
        began_s = time.monotonic()
        rest = page.evaluate("([film, every]) => play(film, every)", [film, 1000 / FPS]) / 1000
        rest_s = rest - time.time() + time.monotonic()
        found_s = screen.offered_s(max(began_s, rest_s), OFFER_S)
        if found_s is None:
            unread += 1
            continue
        times_s.append(found_s - rest_s)
        wrong += sorted(station.state()["reading"]["faces"]) != faces
        print(f"{times_s[-1]:.2f} s", file=sys.stderr, flush=True)
    if not times_s:
        return f"- | - | {unread} | {wrong}"
    return f"{median(times_s):.2f} | {max(times_s):.2f} | {unread} | {wrong}"


def again_s(page: Page, station: StationProcess, stop_s: float) -> float:
    """Seconds from the end of a stop of the line until the station has pictures again."""
    page.context.set_offline(True)
    page.wait_for_timeout(stop_s * 1000)
    assert not station.state()["camera"]["ok"]
    page.context.set_offline(False)
    began_s = time.monotonic()
    station.wait_for(lambda state: state["camera"]["ok"])
    return time.monotonic() - began_s


def run() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder, phone(Path(folder)) as (station, page, line):
        screen = Screen(station.url)
        for _, film in drawn(1):  # the station times itself once it has pictures
            page.evaluate("([film, every]) => play(film, every)", [film, 1000 / FPS])
        timed(station)
        print("| line | median s | longest s | not offered | read otherwise |\n|---|---:|---:|---:|---:|")
        for name, (latency_ms, upward) in LINES.items():
            conditions = {
                "offline": False,
                "latency": latency_ms,
                "downloadThroughput": -1,
                "uploadThroughput": upward,
            }
            line.send("Network.emulateNetworkConditions", conditions)
            print(f"| {name} | {offered(page, screen, station, drawn(THROWS))} |", flush=True)
        line.send("Network.disable")
        print(f"| films of real dice | {offered(page, screen, station, filmed())} |", flush=True)
        for stop_s in STOPS_S:
            print(
                f"\nAfter a stop of {stop_s} s pictures come again in {again_s(page, station, stop_s):.1f} s."
            )
        print(f"\nAim: at most {AIM_S} s.")
