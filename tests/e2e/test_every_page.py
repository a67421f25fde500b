"""Every page at every size, light and dark: nothing for axe-core to complain about, nothing sticks out.

`make screenshots` keeps the pictures ($YACHT_SCREENSHOTS); a plain run only looks.
"""

import re
import time
import urllib.error
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from messages.catalogue import DEFAULT, languages
from tests.e2e.examine import OVERLAP, examine, examine_everywhere
from tests.e2e.helpers import PATIENCE_S, SIZES, ChancesProcess, Open, Save, Screen, StationProcess

PEOPLE = ["Ana", "Ben", "Opa Heinrich", "Cleo"]
ROLLS = ((1, 4, 4, 5, 6), (2, 2, 2, 3, 6), (6, 6, 6, 6, 1), (1, 2, 3, 4, 5))


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StationProcess]:
    """A station with a finished game in its history and another one in the middle of a turn."""
    process = StationProcess(tmp_path_factory.mktemp("station"))
    try:
        for early in (False, True):
            process.do("start_game", players=PEOPLE, rules="world-51")
            play(process, turns=12 if not early else 5)
        throw(process, 1, 4, 4, 5, 6)
        process.do("set_held", slots=[2, 3])
        yield process
    finally:
        process.stop()


def throw(station: StationProcess, *faces: int) -> None:
    """Dice in the tray, accepted as the camera reads them; typed where it is not sure."""
    station.do("throw", faces=list(faces))
    deadline_s = time.monotonic() + PATIENCE_S
    while (reading := station.state()["reading"])["status"] not in {"ready", "unsure"} or not reading[
        "fresh"
    ]:
        assert time.monotonic() < deadline_s, reading
        time.sleep(0.1)
    try:
        station.do("accept_roll")
    except urllib.error.HTTPError as refused:
        refused.close()
        station.do("enter_roll", faces=list(faces))


def play(station: StationProcess, turns: int) -> None:
    """So many rounds with typed rolls, each into the box that pays most, the first of equal ones."""
    for round_ in range(turns):
        for seat in range(len(PEOPLE)):
            state = station.do("enter_roll", faces=list(ROLLS[(round_ + seat) % len(ROLLS)]))
            potentials = state["players"][seat]["potentials"]
            station.do("score_box", category=max(potentials, key=potentials.__getitem__))


PAGES: tuple[tuple[str, str, str], ...] = (
    ("sheet", "/", "#sheet td"),
    ("tv", "/tv", ".tv-sheets td"),
    ("join", "/join", "#join button"),
    ("setup", "/setup", "#setup .codes"),
    ("first", "/setup/first", "#step-title"),
    ("rules", "/setup/rules", "#rules select"),
    ("mounting", "/setup/mounting", ".mount-line"),
    ("calibrate", "/setup/calibrate", "#calibrate .card"),
    ("phone", "/phone", "#stand"),
    ("camera", "/camera", "#phone button"),
    ("history", "/history", ".figures"),
    ("game", "/history/1", ".figures"),
    ("paper", "/paper", "#rules"),
    ("dice", "/history/dice", ".fairness"),
    ("player", "/history/player?name=Ana", "#listen"),
    ("health", "/health", ".checks"),
    ("problem", "/nowhere", "h1"),
)


@pytest.mark.parametrize(("name", "path", "there"), PAGES)
def test_page(table: StationProcess, open_screen: Open, save: Save, name: str, path: str, there: str):
    screen = open_screen(table.url, path=path)
    screen.see(there)
    examine_everywhere(screen, save, name)


DIALOGS: dict[str, Callable[[Screen], Any]] = {
    "menu": lambda screen: screen.tap("Menu"),
    "type": lambda screen: screen.tap("Enter dice by hand"),
    "fix": lambda screen: screen.tap("Fix a die"),
    "correct": lambda screen: (screen.tap("Fix a die"), screen.tap(re.compile("Correct die 1, read as"))),
    "why": lambda screen: screen.tap("Choice: what it pays"),
}


@pytest.mark.parametrize("name", DIALOGS)
def test_dialog(table: StationProcess, open_screen: Open, save: Save, name: str):
    screen = open_screen(table.url)
    screen.see("#sheet td")
    DIALOGS[name](screen)
    screen.see("dialog[open]")
    examine_everywhere(screen, save, name, ["phone"])
    screen.page.keyboard.press("Escape")
    screen.until("() => !document.querySelector('dialog[open]')")


@pytest.mark.parametrize(("path", "there"), [("/", ".lobby"), ("/tv", ".tv-lobby")])
def test_before_the_first_game(station: StationProcess, open_screen: Open, save: Save, path: str, there: str):
    screen = open_screen(station.url, path=path)
    screen.see(there)
    examine_everywhere(screen, save, f"lobby{path.replace('/', '-').rstrip('-')}")


@pytest.fixture
def chances(tmp_path: Path) -> Iterator[StationProcess]:
    process = ChancesProcess(tmp_path)
    yield process
    process.stop()


def test_hints_and_the_chance_to_win(chances: StationProcess, open_screen: Open, save: Save):
    station = chances
    station.do("start_game", players=["Ana", "Ben"], rules="yacht-1938")
    screen = open_screen(station.url)
    screen.tap("Menu")
    screen.tap("Hints")
    screen.page.get_by_role("group", name="Ana").get_by_label("Hints on my turn").check()
    screen.page.keyboard.press("Escape")
    station.do("enter_roll", faces=[6, 2, 6, 6, 1])
    expect(screen.page.locator(".slot.hinted")).to_have_count(3)
    # Throwing again is better than every box: none has the star.
    expect(screen.page.locator(".star")).to_have_count(0)
    save(screen, "hint-phone-light")
    examine(screen)
    # Worked out at low priority: minutes on a busy machine.
    expect(screen.page.locator(".hint")).to_contain_text("chance to win", timeout=300_000)
    screen.tap("Advice")
    rows = screen.page.locator(".choices-odds tbody tr")
    expect(rows.first).to_contain_text(re.compile(r"Keep 6-6-6best\d", re.IGNORECASE))
    expect(rows.nth(1)).to_contain_text("less")
    save(screen, "hint-choices-phone-light")
    examine(screen)
    screen.page.keyboard.press("Escape")
    for _ in range(2):
        station.do("enter_roll", faces=[6, 2, 6, 6, 1])
    screen.see("button.potential.best .star")
    station.do("score_box", category="sixes")
    screen.says("Ben: roll all five dice")
    station.do("enter_roll", faces=[6, 2, 6, 6, 1])
    screen.see("button.potential")
    assert screen.page.locator(".hint").count() == 0, "Ben did not ask for hints"


def test_a_turn_by_keyboard_alone(station: StationProcess, open_screen: Open):
    screen = open_screen(station.url, "tablet")
    keys = screen.page.keyboard
    screen.page.locator("#player-0").focus()
    keys.type("Ana")
    keys.press("Enter")
    screen.says("Ana: roll all five dice")
    screen.page.get_by_role("button", name="Enter dice by hand").focus()
    keys.press("Enter")
    screen.see("dialog[open] .face")
    for face in "55522":
        keys.press(face)
    screen.page.get_by_role("button", name="Take this roll").focus()
    keys.press("Enter")
    screen.says("Ana: tap what you keep")
    screen.see(".hold[data-slot='1']").focus()
    keys.press("Space")
    screen.see(".hold[data-slot='1'][aria-pressed='true']")
    assert screen.page.evaluate("document.activeElement.dataset.slot") == "1", "focus stays where it was"
    screen.page.get_by_role("button", name="Score 19 in Full House for Ana").focus()
    keys.press("Enter")
    screen.until("() => document.querySelector('#live').textContent.includes('Full House, 19.')")


TRANSLATED = [
    "/",
    "/tv",
    "/join",
    "/setup",
    "/setup/rules",
    "/setup/mounting",
    "/setup/calibrate",
    "/history",
    "/health",
    "/camera",
]


@pytest.mark.parametrize("language", [each for each in languages() if each != DEFAULT])
@pytest.mark.parametrize("path", TRANSLATED)
def test_every_language_fits(table: StationProcess, open_screen: Open, path: str, language: str):
    screen = open_screen(table.url, "phone", locale=language, path=path)
    screen.see("main")
    assert screen.page.evaluate("document.documentElement.lang") == language
    drawn = ", ".join(
        f"#{each}:empty" for each in ("join", "setup", "rules", "mounting", "calibrate", "sheet", "phone")
    )
    screen.until("(drawn) => !document.querySelector(drawn)", drawn)
    examine(screen)


@pytest.mark.parametrize("size", ["tv", "tv4k"])
def test_the_big_screen_can_be_read_from_the_sofa(table: StationProcess, open_screen: Open, size: str):
    screen = open_screen(table.url, size, path="/tv")
    screen.see(".tv-sheets td .score")
    high = SIZES[size][1]
    sizes = screen.page.evaluate("""() => {
        const px = (node) => parseFloat(getComputedStyle(node).fontSize);
        const scores = [...document.querySelectorAll('.score, .potential, .total td')].map(px);
        const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
        const all = [];
        while (walker.nextNode()) {
            const [node, text] = [walker.currentNode.parentElement, walker.currentNode.data.trim()];
            if (text && !node.closest('.vh')) all.push([px(node), text]);
        }
        return [Math.min(...scores), all.sort((a, b) => a[0] - b[0])[0]]; }""")
    assert sizes[0] >= 0.05 * high
    assert sizes[1][0] >= 0.025 * high, sizes[1]


def test_an_overlap_would_be_seen(table: StationProcess, open_screen: Open):
    screen = open_screen(table.url, path="/history")
    screen.see(".games a")
    assert screen.page.evaluate(OVERLAP) == []
    screen.page.evaluate("document.querySelector('.games li:last-child').style.marginTop = '-40px'")
    assert screen.page.evaluate(OVERLAP)


@pytest.mark.parametrize(
    ("rule", "fault"),
    [
        ("color-contrast", "document.querySelector('h1').style.color = '#eee'"),
        ("html-has-lang", "document.documentElement.lang = ''"),
    ],
)
def test_what_axe_complains_about_would_be_seen(
    table: StationProcess, open_screen: Open, rule: str, fault: str
):
    screen = open_screen(table.url, path="/history")
    screen.see(".games a")
    screen.page.evaluate(fault)
    with pytest.raises(AssertionError, match=rule):
        examine(screen)


def test_what_cannot_be_read_in_the_dark_alone_would_be_seen(table: StationProcess, open_screen: Open):
    screen = open_screen(table.url, path="/history")
    screen.see(".games a")
    screen.page.evaluate("""() => {
        const style = new CSSStyleSheet();
        style.replaceSync("@media (prefers-color-scheme: dark) { h1 { color: #333 !important; } }");
        document.adoptedStyleSheets = [style]; }""")
    examine(screen)
    with pytest.raises(AssertionError, match="color-contrast"):
        examine_everywhere(screen, lambda *_: None, "", ["phone"])


def test_without_scripts_a_page_that_needs_them_says_so(chromium: Browser, station: StationProcess):
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    for path in (
        "/",
        "/tv",
        "/join",
        "/setup",
        "/setup/first",
        "/setup/rules",
        "/setup/mounting",
        "/setup/calibrate",
        "/camera",
    ):
        page.goto(station.url + path)
        expect(page.locator("noscript p")).to_be_visible()
    for path in ("/history", "/health", "/paper"):
        page.goto(station.url + path)
        expect(page.locator("h1")).to_be_visible()
        expect(page.locator("noscript")).to_have_count(0)
    context.close()


def test_the_form_for_a_game_scrolls_at_the_edge_of_the_screen(standing: StationProcess, open_screen: Open):
    """Where scroll bars take room, a narrower one would stand in the middle of the page."""
    screen = open_screen(standing.url, size="tablet")
    screen.see("#lobby")
    assert screen.page.evaluate(
        "document.querySelector('.tray').getBoundingClientRect().toJSON().right === innerWidth"
    )
