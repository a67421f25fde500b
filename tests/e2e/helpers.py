"""A real station process and real browsers round it."""

import io
import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Error, Locator, Page, expect

from station.testing import station_process
from station.testing.station_process import (  # noqa: F401 - the browser tests take them from here
    CHROMIUM,
    CHROMIUM_ARGS,
    PATIENCE_MS,
    PATIENCE_S,
    SIZES,
)
from tests.shortcuts import SHORTCUTS
from tests.shortcuts.forked_stations import ForkedProcess

ROOT = Path(__file__).parents[2]


class StationProcess(station_process.StationProcess):
    """The same, forked from a process that has loaded what all stations need.

    Chances to win are worked out for pictures alone: a television that is open for some seconds begins work
    of as many seconds of the processor.
    """

    def begun(self, command: list[str], environment: dict[str, str]) -> Any:
        """As its base."""
        if not SHORTCUTS:
            return super().begun(command, environment)
        background = bool(os.environ.get("YACHT_SCREENSHOTS"))
        return ForkedProcess(command, environment, cwd=self.folder, background=background)

    def finish_game(self, *names: str) -> dict[str, Any]:
        """A game of one box, which is ended then."""
        self.do("start_game", players=list(names), rules="yacht-1938")
        self.do("enter_roll", faces=[5, 5, 5, 2, 2])
        self.do("score_box", category="full-house")
        return self.do("end_game")


class Screen:
    """One browser in the room, used by touch. Errors of its scripts, and requests that leave the house,
    are kept and looked at when the test ends.
    """

    def __init__(
        self,
        browser: Browser,
        url: str,
        size: str = "phone",
        *,
        scheme: str = "light",
        locale: str = "en",
        path: str = "/",
        own_certificate: bool = False,
        service_workers: Literal["allow", "block"] = "block",
        motion: Literal["no-preference", "reduce"] = "no-preference",
    ) -> None:
        """motion: what a person has set in the system."""
        width, height = SIZES[size]
        self.url, self.own_certificate = url, own_certificate
        self.faults: list[str] = []
        self.foreign: list[str] = []
        self.context: BrowserContext = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme=scheme,
            locale=locale,
            reduced_motion=motion,
            has_touch=True,
            ignore_https_errors=own_certificate,
            service_workers=service_workers,  # what one fetches does not come past `page.route`
        )
        self.context.set_default_timeout(PATIENCE_MS)
        self.page: Page = self.context.new_page()
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("console", self._note_error)
        self.page.on("request", lambda request: self._note_request(request.url))
        self.page.goto(url + path)

    def _note_error(self, message: Any) -> None:
        # A cut line and a refused command are answered on the page; the browser notes them all the same.
        # No browser takes a service worker under a certificate that it does not trust by itself.
        expected = ["Failed to load resource"] + ["An SSL certificate error"] * self.own_certificate
        if message.type == "error" and not any(words in message.text for words in expected):
            self.faults.append(message.text)

    def _note_request(self, url: str) -> None:
        if not url.startswith((self.url, "data:", "blob:")):
            self.foreign.append(url)

    def become(self, size: str, scheme: Literal["light", "dark"]) -> None:
        """Turn into a screen of another size in another light."""
        width, height = SIZES[size]
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.emulate_media(color_scheme=scheme)

    def tap(self, name: str | re.Pattern[str], role: Any = "button", *, nth: int = 0) -> None:
        """Touch what has this name; waits until it can be touched."""
        found = self.page.get_by_role(role, name=name).nth(nth)
        expect(found).to_be_enabled(timeout=PATIENCE_MS)
        found.tap()

    def slow_line(self, latency_ms: int) -> None:
        """Let every answer of the station be this late, as over a poor wireless network."""
        line = {"offline": False, "latency": latency_ms, "downloadThroughput": -1, "uploadThroughput": -1}
        self.context.new_cdp_session(self.page).send("Network.emulateNetworkConditions", line)

    def stop_clock(self, says: str) -> None:
        """Load the page anew and, once it says that, let its clock stand.

        At a time to come, which on a busy machine is over by then: the longer that takes, the later it is.
        """
        self.page.clock.install()
        self.page.reload()
        self.says(says)
        for ahead_s in (1, 2, 4, 8):
            try:
                self.page.clock.pause_at(self.page.evaluate("() => Date.now() / 1000") + ahead_s)
            except Error as error:
                if "Cannot fast-forward to the past" not in error.message:
                    raise
            else:
                return
        raise AssertionError("the clock of the page cannot be stopped")

    def says(self, text: str | re.Pattern[str]) -> None:
        """Wait until the headline says this."""
        expect(self.page.locator("#waiting")).to_contain_text(text, timeout=PATIENCE_MS)

    def see(self, what: str) -> Locator:
        """The first element of a selector, once it is to be seen."""
        found = self.page.locator(what).first
        expect(found).to_be_visible(timeout=PATIENCE_MS)
        return found

    def until(self, condition: str, argument: Any = None) -> None:
        """Wait until a JavaScript condition holds, which is no promise: any promise would do.

        Asked at every frame, a page would draw all of them.
        """
        self.page.wait_for_function(condition, arg=argument, timeout=PATIENCE_MS, polling=50)

    def close(self) -> None:
        """Close, and complain about what went wrong unseen."""
        self.context.close()
        assert not self.faults, self.faults
        assert not self.foreign, self.foreign


@contextmanager
def step(name: str) -> Iterator[None]:
    """A part of a test: where it fails, the report names it."""
    try:
        yield
    except BaseException as error:
        error.add_note(f"in the step: {name}")
        raise


Open = Callable[..., Screen]
"""Opens a screen at an address: the fixture `open_screen`."""
Save = Callable[[Screen, str], None]
"""Saves a picture of a screen by that name: the fixture `save`."""


def choose_rules(screen: Screen, rules: str) -> None:
    """Choose a rule set in the form for a game: one of those that stand there, or one of the others."""
    screen.see(".rule-sets")
    one = screen.page.locator(f"[name='rules'][value='{rules}']")
    if one.count():
        one.check()
    else:
        screen.page.locator("#rules").select_option(rules)


def chosen_rules(screen: Screen) -> str:
    """The rule set that is chosen there."""
    chosen: str = screen.page.evaluate("""() => document.querySelector("#rules")?.value
        || document.querySelector("[name=rules]:checked").value""")
    return chosen


def more(screen: Screen) -> None:
    """Open what stands behind "More"."""
    screen.see("details.more")
    closed = screen.page.locator("details.more:not([open]) > summary")
    if closed.count():
        closed.tap()


def another_game(screen: Screen) -> None:
    """From the end of a game to the form for another one."""
    more(screen)
    screen.tap("Another game")


def start_by_tapping(screen: Screen, players: Sequence[str], rules: str = "yacht-1938") -> None:
    """Fill in the start form with fingers and begin."""
    for number, name in enumerate(players):
        field = screen.page.locator(f"#player-{number}")
        if not field.count():
            screen.tap(re.compile("Another player"))
        field.fill(name)
    choose_rules(screen, rules)
    screen.tap("Start the game")
    screen.says(f"{players[0]}: roll")


def throw_and_confirm(screen: Screen, station: StationProcess) -> tuple[int, ...]:
    """Throw the simulated dice and confirm what the camera reads; typed by fingers where it is unsure."""
    done = station.state()["throws_done"]
    screen.tap(re.compile("^Roll"))
    chip = screen.page.locator(".chip.is-ready, .chip.is-unsure")
    expect(chip, f"no roll: {station.state()}").to_be_visible(timeout=PATIENCE_MS)
    if screen.page.locator(".chip.is-ready").count():
        screen.tap("Yes")
    else:
        type_roll(screen, (1, 2, 3, 4, 5))
    screen.until("(done) => document.querySelectorAll('.dot.done').length > done", done)
    return tuple(die["face"] for die in station.state()["dice"])


def type_roll(screen: Screen, faces: Sequence[int]) -> None:
    """Type a roll with the six big faces; held dice are left alone."""
    screen.tap("Enter dice by hand")
    slots = screen.page.locator("dialog .typed .hold")
    expect(slots.first).to_be_visible()
    for number, face in enumerate(faces):
        if slots.nth(number).is_enabled():
            slots.nth(number).tap()
            screen.page.locator(f"dialog .face[data-face='{face}']").tap()
    screen.tap("Take this roll")


EVERY_SIZE = ((320, 568), (360, 740), (820, 1180), (1280, 800), (1920, 1080), (3840, 2160))
"""What `make screenshots EVERY=1` shows each page at."""


PICTURES_THERE = """() => [...document.images].every((image) => {
    const box = image.getBoundingClientRect();
    return image.complete || !box.height || box.top > innerHeight || box.bottom < 0; })"""
"""Whether every picture that stands on the screen has come."""


def _keep(screen: Screen, path: Path) -> None:
    """Save a picture of the screen, once its pictures have come."""
    screen.until(PICTURES_THERE)
    if path.suffix == ".jpg":
        screen.page.screenshot(path=path, type="jpeg", quality=80)
        return
    with Image.open(io.BytesIO(screen.page.screenshot())) as picture:
        picture.thumbnail((1920, 1920))
        picture.convert("RGB").save(path, quality=82, method=4)


def saver(folder: str | None, *, every: bool = False) -> Callable[[Screen, str], None]:
    """Takes the pictures of screens in a folder anew, or none: a test run leaves the work tree as it was.

    Only those that stand there, for a document shows them; an empty file requests another one. As WebP, at
    most 1920 pixels wide, some 40 kB each. every: all screens, at each of `EVERY_SIZE`, light and dark, as
    JPEG, which takes a tenth of the time; the screen is then as it was. A page that is shown at several
    sizes is then taken once.
    """
    taken: set[str] = set()

    def save(screen: Screen, name: str) -> None:
        if not folder:
            return
        target = Path(folder)
        if not every:
            if (target / f"{name}.webp").exists():
                _keep(screen, target / f"{name}.webp")
            return
        target.mkdir(parents=True, exist_ok=True)
        name = re.sub(rf"-({'|'.join(SIZES)})-(light|dark)$", "", name)
        if name in taken:
            return
        taken.add(name)
        before = screen.page.viewport_size
        dark = "() => matchMedia('(prefers-color-scheme: dark)').matches"
        scheme: Literal["light", "dark"] = "dark" if screen.page.evaluate(dark) else "light"
        for width, height in EVERY_SIZE:
            screen.page.set_viewport_size({"width": width, "height": height})
            for light in ("light", "dark"):
                screen.page.emulate_media(color_scheme=light)
                screen.until("() => new Promise((done) => requestAnimationFrame(() => done(true)))")
                _keep(screen, target / f"{name}-{width}-{light}.jpg")
        screen.page.emulate_media(color_scheme=scheme)
        if before:
            screen.page.set_viewport_size(before)

    return save
