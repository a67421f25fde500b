"""The pages at every size, for every number of players, in every language, by several rule sets.

What sticks out, scrolls sideways, is cut off, or torn. A share of it is part of the tests (test_sweep.py),
all of it is `make -C lab bench ARGS=sweep`.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Browser, Page

from messages.catalogue import languages
from station.testing.station_process import PATIENCE_MS, StationProcess

LOOK = Path(__file__).with_name("sweep.js").read_text(encoding="utf-8")
OVERLAP = Path(__file__).with_name("overlap.js").read_text(encoding="utf-8")
SIZES = (
    (320, 568),
    (360, 740),
    (740, 360),
    (820, 1180),
    (1024, 768),
    (1280, 800),
    (1920, 1080),
    (1080, 1920),
    (3840, 2160),
)
NAMES = (
    *("Benedikt", "Ana", "Großmutter", "Opa Heinrich", "Elisabeth-Charlotte", "Jo"),
    *("Maximiliane", "Christopher", "Li", "Friederike", "Noa", "Wilhelmine"),
)
TELEVISION_WIDTH_PX = 1000
"""From this width on the big screen shows everything at once; what is narrower may be scrolled."""
OTHERS = (
    "/join",
    "/paper",
    "/setup",
    "/setup/first",
    "/setup/rules",
    "/setup/mounting",
    "/setup/calibrate",
    "/history",
    "/history/1",
    "/history/dice",
    f"/history/player?name={NAMES[0]}",
    "/health",
    "/camera",
    "/phone",
    "/rescue",
    "/offline",
    "/nowhere",
)
DRAWN = """() => document.querySelector('main')?.textContent.trim() && !document.querySelector(
    ":is(#join, #setup, #rules, #mounting, #calibrate, #phone, #tables):empty")"""
"""Whether a page has drawn what it asks the station for."""


@dataclass(frozen=True, slots=True)
class Table:
    """What is played: an id of a rule set and a number of players."""

    rules: str
    players: int


def lay(station: StationProcess, table: Table) -> int:
    """Begin such a game and leave it in the middle of a turn; the version a screen has to show then."""
    if station.state()["phase"] not in {"lobby", "finished"}:
        station.do("end_game")
    state = station.do("start_game", players=list(NAMES[: table.players]), rules=table.rules)
    count = state["dice_count"]
    roll = [1 + (5 * number) % 6 for number in range(count)]
    if state["simultaneous"]:
        state = station.do("enter_roll", faces=roll)
        return int(state["version"])
    if count == len("12345"):  # two boxes at once would have to be chosen together
        for seat in range(table.players):
            faces = (6, 6, 6, 6, 5) if seat % 2 else (2, 2, 2, 6, 6)
            state = station.do("enter_roll", faces=list(faces))
            potentials = state["players"][seat]["potentials"]
            state = station.do("score_box", category=max(potentials, key=potentials.__getitem__))
    station.do("enter_roll", faces=roll)
    return int(station.do("set_held", slots=[1, 3])["version"])


def finish(station: StationProcess) -> int:
    """End the game as it stands; the version a screen has to show then."""
    return int(station.do("end_game", winners=[0])["version"])


@contextmanager
def screen(browser: Browser, url: str, language: str, *, typefaces: bool = True) -> Iterator[Page]:
    """A page that shows no movement; without the typefaces of the pages where not wanted."""
    context = browser.new_context(locale=language, reduced_motion="reduce", has_touch=True)
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    if not typefaces:
        page.route("**/*.woff2", lambda route: route.abort())
    page.goto(url)
    yield page
    context.close()


def faults(page: Page, size: tuple[int, int], *, overlaps: bool = True) -> list[str]:
    """What is wrong with a page on a screen of that size, in sentences."""
    width, height = size
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate(
        "() => document.fonts.ready.then(() => new Promise(requestAnimationFrame)).then(() => true)"
    )
    whole = page.evaluate("document.body.classList.contains('tv')") and width >= TELEVISION_WIDTH_PX
    sentences: list[str] = page.evaluate(LOOK, whole)
    if overlaps:
        sentences += [f"covers each other: {each}" for each in page.evaluate(OVERLAP)]
    return sentences


def shows(page: Page, version: int) -> None:
    """Wait until the page shows that version of the state."""
    page.wait_for_function("(least) => Number(document.body.dataset.version) >= least", arg=version)


@dataclass(frozen=True, slots=True)
class Fault:
    """One sentence of one screen."""

    where: str
    sentence: str


@dataclass(slots=True)
class Looks:
    """Looks at screens, and notes what is wrong with them. pictures: a folder for those that have faults."""

    pictures: Path | None = None
    looked: int = 0
    found: list[Fault] = field(default_factory=list)

    def at(self, page: Page, sizes: Sequence[tuple[int, int]], where: str) -> None:
        """Look at a page at each of these sizes."""
        for size in sizes:
            self.looked += 1
            sentences = faults(page, size)
            full = f"{where}, {size[0]}x{size[1]}"
            self.found.extend(Fault(full, each) for each in sentences)
            if sentences and self.pictures:
                name = re.sub(r"[^\w.-]+", "-", full)
                page.screenshot(path=self.pictures / f"{name}.png")

    def pages(
        self,
        browser: Browser,
        url: str,
        paths: Sequence[str],
        sizes: Sequence[tuple[int, int]],
        language: str,
        *,
        typefaces: bool,
    ) -> None:
        """Look at pages that stay as they are."""
        with screen(browser, url + paths[0], language, typefaces=typefaces) as page:
            for path in paths:
                page.goto(url + path)
                page.wait_for_function(DRAWN)
                self.at(page, sizes, f"{path}, {language}")


def sweep(
    browser: Browser,
    station: StationProcess,
    tables: Sequence[Table],
    sizes: Sequence[tuple[int, int]] = SIZES,
    spoken: Sequence[str] = (),
    *,
    typefaces: bool = True,
    pictures: Path | None = None,
) -> Looks:
    """Look at these tables, at both ends of a game, and at the other pages of the station."""
    looks = Looks(pictures)
    spoken = spoken or languages()
    with ExitStack() as stack:
        pages = {
            (path, language): stack.enter_context(
                screen(browser, station.url + path, language, typefaces=typefaces)
            )
            for language in spoken
            for path in ("/", "/tv")
        }
        for table in tables:
            for what in ("", " finished"):
                version = finish(station) if what else lay(station, table)
                for (path, language), page in pages.items():
                    shows(page, version)
                    looks.at(page, sizes, f"{path} {table.rules} for {table.players}{what}, {language}")
    for language in spoken:
        looks.pages(browser, station.url, OTHERS, sizes, language, typefaces=typefaces)
    return looks
