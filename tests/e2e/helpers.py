"""A real station process and real browsers round it."""

import io
import json
import os
import re
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal

from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

ROOT = Path(__file__).parents[2]
YACHT = Path(sys.executable).parent / "yacht"
CHROMIUM = Path("/usr/bin/chromium")
CHROMIUM_ARGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
SIZES = {"phone": (360, 740), "tablet": (1024, 768), "tv": (1920, 1080), "tv4k": (3840, 2160)}
PATIENCE_S = 120.0
"""How long anything is awaited before it counts as not coming, on however busy a machine."""
PATIENCE_MS = PATIENCE_S * 1000


class StationProcess:
    """`yacht run` with the simulated tray, as a family would start it, only faster and with known dice."""

    def __init__(self, folder: Path, *, seed: int = 7, port: int = 0, settings: str = "") -> None:
        self.folder = folder
        config = folder / "station.toml"
        config.write_text(f"{settings}[simulated]\nseed = {seed}\npace = 3.0\nfps = 20\n", encoding="utf-8")
        command = [
            str(YACHT),
            "run",
            *("--camera", "simulated", "--buttons", "none", "--host", "127.0.0.1"),
            *("--port", str(port), "--data", str(folder / "data"), "--config", str(config)),
        ]
        environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONUNBUFFERED": "1"}
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment, cwd=folder
        )
        self.url = ""
        self._started = threading.Event()
        self.lines: list[str] = []
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()
        if not self._started.wait(PATIENCE_S) or not self.url:
            self.stop()
            raise AssertionError("the station did not start: " + "".join(self.lines))

    def _listen(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.append(line)
            found = re.search(r"http://[^/\s]+:\d+", line)
            if found and not self.url:
                self.url = found[0]
                self._started.set()
        self._started.set()

    def stop(self) -> None:
        """End it as systemd would."""
        self.process.terminate()
        try:
            self.process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait(5)
        self._listener.join(5)
        if self.process.stdout:
            self.process.stdout.close()

    def state(self) -> dict[str, Any]:
        """The state as the API gives it."""
        with urllib.request.urlopen(f"{self.url}/api/v1/state", timeout=PATIENCE_S) as answer:  # noqa: S310 - our own
            state: dict[str, Any] = json.load(answer)
        return state

    def do(self, command: str, **fields: Any) -> dict[str, Any]:
        """A command over HTTP; it has to succeed."""
        body = json.dumps({"command": command, **fields}).encode()
        request = urllib.request.Request(  # noqa: S310 - our own
            f"{self.url}/api/v1/commands", body, {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:  # noqa: S310 - our own
            state: dict[str, Any] = json.load(answer)
        return state


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
    ) -> None:
        width, height = SIZES[size]
        self.url = url
        self.faults: list[str] = []
        self.foreign: list[str] = []
        self.context: BrowserContext = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme=scheme,
            locale=locale,
            has_touch=True,
            ignore_https_errors=own_certificate,
        )
        self.context.set_default_timeout(PATIENCE_MS)
        self.page: Page = self.context.new_page()
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("console", self._heard)
        self.page.on("request", lambda request: self._asked(request.url))
        self.page.goto(url + path)

    def _heard(self, message: Any) -> None:
        # A cut line and a refused command are answered on the page; the browser notes them all the same.
        if message.type == "error" and "Failed to load resource" not in message.text:
            self.faults.append(message.text)

    def _asked(self, url: str) -> None:
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

    def says(self, text: str | re.Pattern[str]) -> None:
        """Wait until the headline says this."""
        expect(self.page.locator("#waiting")).to_contain_text(text, timeout=PATIENCE_MS)

    def see(self, what: str) -> Locator:
        """The first element of a selector, once it is to be seen."""
        found = self.page.locator(what).first
        expect(found).to_be_visible(timeout=PATIENCE_MS)
        return found

    def until(self, condition: str, argument: Any = None) -> None:
        """Wait until a JavaScript condition holds."""
        self.page.wait_for_function(condition, arg=argument, timeout=PATIENCE_MS)

    def close(self) -> None:
        """Close, and complain about what went wrong unseen."""
        self.context.close()
        assert not self.faults, self.faults
        assert not self.foreign, self.foreign


def start_by_tapping(screen: Screen, players: Sequence[str], rules: str = "yacht-1938") -> None:
    """Fill in the start form with fingers and begin."""
    for number, name in enumerate(players):
        field = screen.page.locator(f"#player-{number}")
        if not field.count():
            screen.tap(re.compile("Another player"))
        field.fill(name)
    screen.page.locator("#rules").select_option(rules)
    screen.tap("Start the game")
    screen.says(f"{players[0]}: throw")


def throw_and_confirm(screen: Screen, station: StationProcess) -> tuple[int, ...]:
    """Throw the simulated dice and confirm what the camera reads; typed by fingers where it is unsure."""
    done = station.state()["throws_done"]
    screen.tap(re.compile("^Throw"))
    chip = screen.page.locator(".chip.is-ready, .chip.is-unsure")
    expect(chip, f"no roll: {station.state()}").to_be_visible(timeout=PATIENCE_MS)
    if screen.page.locator(".chip.is-ready").count():
        screen.tap("Confirm")
    else:
        type_roll(screen, (1, 2, 3, 4, 5))
    screen.until("(done) => document.querySelectorAll('.dot.done').length > done", done)
    return tuple(die["face"] for die in station.state()["dice"])


def type_roll(screen: Screen, faces: Sequence[int]) -> None:
    """Type a roll with the six big faces; held dice are left alone."""
    screen.tap("Type the roll")
    slots = screen.page.locator("dialog .typed .hold")
    expect(slots.first).to_be_visible()
    for number, face in enumerate(faces):
        if slots.nth(number).is_enabled():
            slots.nth(number).tap()
            screen.page.locator(f"dialog .face[data-face='{face}']").tap()
    screen.tap("Take this roll")


def saver(folder: str | None) -> Callable[[Screen, str], None]:
    """Saves pictures of screens into a folder, or not at all: a test run leaves the work tree as it was.

    As WebP, at most 1920 pixels wide: eighty pictures take two megabytes.
    """

    def save(screen: Screen, name: str) -> None:
        if not folder:
            return
        target = Path(folder)
        target.mkdir(parents=True, exist_ok=True)
        with Image.open(io.BytesIO(screen.page.screenshot())) as picture:
            picture.thumbnail((1920, 1920))
            picture.convert("RGB").save(target / f"{name}.webp", quality=82, method=4)

    return save
