"""The pages at every size, for every number of players, in every language, by several rule sets.

Prints what sticks out, scrolls sideways, is cut off, or torn: `make bench ARGS=sweep`. A share of it is part
of the tests (tests/e2e/test_sweep.py). Each screen is looked at twice, with the typefaces the pages bring and
with the widest that the machine has instead of them.
"""

import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from bench.station_process import CHROMIUM, CHROMIUM_ARGS, PATIENCE_MS, StationProcess
from messages.catalogue import languages

LOOK = (Path(__file__).parent / "sweep.js").read_text(encoding="utf-8")
OVERLAP = (Path(__file__).parents[1] / "tests" / "e2e" / "overlap.js").read_text(encoding="utf-8")
SIZES = (
    (320, 568),
    (360, 740),
    (740, 360),
    (820, 1180),
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
    "/setup",
    "/setup/rules",
    "/setup/mounting",
    "/setup/calibrate",
    "/history",
    "/history/1",
    "/health",
)


@dataclass(frozen=True, slots=True)
class Table:
    """What is played: an id of a rule set and a number of players."""

    rules: str
    players: int


TABLES = tuple(
    Table(rules, players)
    for rules, numbers in {
        "yacht-1938": range(1, 13),
        "world-51": (1, 2, 4),
        "scorecard": (1, 3, 6, 10),
        "yatzy": (1, 2, 4, 5, 8, 12),
        "yahtzee": (2, 4, 7, 12),
        "general": (2, 3, 9),
        "double-cameroon": (1, 4, 8, 12),
        "shared-roll": (2, 5, 12),
        "maxi-yatzy": (1, 4),
        "triple-yahtzee": (3,),
    }.items()
    for players in numbers
)


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
    return int(station.do("end_game")["version"])


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
    told: list[str] = page.evaluate(LOOK, whole)
    if overlaps:
        told += [f"covers each other: {each}" for each in page.evaluate(OVERLAP)]
    return told


def shows(page: Page, version: int) -> None:
    """Wait until the page shows that version of the state."""
    page.wait_for_function("(least) => Number(document.body.dataset.version) >= least", arg=version)


@dataclass(frozen=True, slots=True)
class Fault:
    """One sentence of one screen."""

    where: str
    told: str


def sweep(
    browser: Browser,
    station: StationProcess,
    tables: Sequence[Table] = TABLES,
    sizes: Sequence[tuple[int, int]] = SIZES,
    spoken: Sequence[str] = (),
    *,
    typefaces: bool = True,
    pictures: Path | None = None,
) -> tuple[int, list[Fault]]:
    """How many screens were looked at, and what is wrong with them.

    pictures: a folder for those that have faults.
    """
    looked = 0
    found: list[Fault] = []

    def note(page: Page, size: tuple[int, int], where: str) -> None:
        nonlocal looked
        looked += 1
        told = faults(page, size)
        full = f"{where}, {size[0]}x{size[1]}"
        found.extend(Fault(full, each) for each in told)
        if told and pictures:
            page.screenshot(path=pictures / (full.replace("/", "-").replace(", ", "_") + ".png"))

    with ExitStack() as stack:
        spoken = spoken or languages()
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
                    for size in sizes:
                        note(page, size, f"{path} {table.rules} for {table.players}{what}, {language}")
    for language in spoken:
        for path in OTHERS:
            with screen(browser, station.url + path, language, typefaces=typefaces) as page:
                page.wait_for_function("() => document.querySelector('main')?.textContent.trim()")
                for size in sizes:
                    note(page, size, f"{path}, {language}")
    return looked, found


def report(looked: int, found: Sequence[Fault]) -> None:
    """Print how many screens have faults, and each fault once with where it was seen first."""
    print(f"{looked} screens, {len({each.where for each in found})} with faults, {len(found)} faults\n")
    first: dict[str, str] = {}
    often: Counter[str] = Counter()
    for each in found:
        first.setdefault(each.told, each.where)
        often[each.told] += 1
    for told, times in often.most_common():
        print(f"- {times} times {told} (first: {first[told]})")


def run() -> None:
    """Print the faults of the whole matrix."""
    if not CHROMIUM.exists():
        print(f"There is no {CHROMIUM}; the pages are not looked at.")
        return
    any_fault = False
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        station = StationProcess(Path(folder))
        browser: Any = playwright.chromium.launch(executable_path=str(CHROMIUM), args=list(CHROMIUM_ARGS))
        try:
            for typefaces in (True, False):
                print(
                    f"\nWith {'the typefaces of the pages' if typefaces else 'those of the machine alone'}:\n"
                )
                looked, found = sweep(browser, station, typefaces=typefaces)
                report(looked, found)
                any_fault = any_fault or bool(found)
        finally:
            browser.close()
            station.stop()
    if any_fault:
        sys.exit(1)
