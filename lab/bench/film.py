"""`python -m lab.bench.film`: a turn on the television as a film for the docs (docs/img/tv-turn.webp).

A real station, the simulated tray and a real browser: Ana throws, holds, throws again and fills a box.
"""

import io
import tempfile
import time
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from station.testing.station_process import (
    CHROMIUM,
    CHROMIUM_ARGS,
    PATIENCE_MS,
    PATIENCE_S,
    SIZES,
    StationProcess,
)

TARGET = Path(__file__).parents[2] / "docs" / "img" / "tv-turn.webp"
SIZE = (960, 540)
SHOWN_MS = 1400
MOVING_MS = 120
FLIGHT_MS = 1000
STANDING = """(() => {
    const { animate } = Element.prototype;
    Element.prototype.animate = function (...how) {
        const way = animate.apply(this, how);
        way.pause();
        return way;
    };
})()"""
"""Dice animations are paused and moved by hand: a screenshot takes longer than a frame."""
FLYING = "document.getAnimations().filter((way) => way.playState === 'paused')"
FLOWN = f"(ms) => {FLYING}.forEach((way) => {{ way.currentTime = ms; }})"
LANDED = f"() => {FLYING}.forEach((way) => way.finish())"


class Film:
    """Pictures of one screen, each with how long it is shown."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self.pictures: list[Image.Image] = []
        self.shown_ms: list[int] = []

    def take(self, shown_ms: int, times: int = 1) -> None:
        """Pictures of now, one after the other."""
        for _ in range(times):
            with Image.open(io.BytesIO(self._page.screenshot())) as picture:
                self.pictures.append(picture.convert("RGB").resize(SIZE, Image.Resampling.LANCZOS))
            self.shown_ms.append(shown_ms)

    def save(self, path: Path) -> None:
        """As one animated WebP."""
        first, *others = self.pictures
        first.save(
            path, save_all=True, append_images=others, duration=self.shown_ms, loop=0, quality=70, method=6
        )


def thrown(station: StationProcess, faces: list[int]) -> dict[str, Any]:
    """Throw, and wait until the camera reads it; the state then."""
    station.do("throw", faces=faces)
    until_s = time.monotonic() + PATIENCE_S
    while time.monotonic() < until_s:
        state = station.state()
        if state["reading"]["status"] == "ready" and state["reading"]["fresh"]:
            return state
        time.sleep(0.05)
    raise AssertionError("the throw was not read")


def held(station: StationProcess, face: int) -> None:
    """Hold the dice that show this face."""
    station.do("set_held", slots=[die["slot"] for die in station.state()["dice"] if die["face"] == face])


def play(station: StationProcess, page: Page) -> Film:
    """The turn."""
    film = Film(page)
    film.take(SHOWN_MS)
    for faces in ([5, 5, 5, 2, 6], [5, 2], [5]):
        thrown(station, faces)
        page.wait_for_function("() => document.querySelectorAll('.tv-photo.there').length === 5")
        film.take(SHOWN_MS)
        station.do("accept_roll")
        if faces == [5]:
            page.wait_for_selector(".again")
            film.take(2 * MOVING_MS, 8)
            page.keyboard.press("Escape")
        else:
            held(station, 5)
            page.wait_for_selector(".tv-die.held")
            film.take(SHOWN_MS)
    station.do("score_box", category="yacht")
    page.wait_for_selector(".flying")
    for ms in range(0, FLIGHT_MS, MOVING_MS):
        page.evaluate(FLOWN, ms)
        film.take(MOVING_MS)
    page.evaluate(LANDED)
    page.wait_for_function("() => !document.querySelector('.flying')")
    film.take(SHOWN_MS)
    return film


def main() -> None:
    """Play it and write the film."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        station = StationProcess(Path(folder), dice=("white", "red", "blue"), pace=1.0, fps=20)
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=list(CHROMIUM_ARGS))
        try:
            width, height = SIZES["tv"]
            page = browser.new_page(viewport={"width": width, "height": height})
            page.set_default_timeout(PATIENCE_MS)
            page.add_init_script(STANDING)
            station.do("start_game", players=["Ana", "Ben", "Cleo"], rules="yacht-1938")
            page.goto(f"{station.url}/tv")
            page.wait_for_selector(".odds-bar")
            play(station, page).save(TARGET)
        finally:
            browser.close()
            station.stop()


if __name__ == "__main__":
    main()
