"""Every page at every size, light and dark: nothing for axe-core to complain about, nothing sticks out.

In other languages, and at more sizes: test_sweep.py. `make screenshots` keeps the pictures
($YACHT_SCREENSHOTS); a plain run only looks.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.examine import OVERLAP, examine, examine_everywhere
from tests.e2e.helpers import Open, Save, Screen, StationProcess, step

PEOPLE = ["Ana", "Ben", "Opa Heinrich", "Cleo"]
ROLLS = ((1, 4, 4, 5, 6), (2, 2, 2, 3, 6), (6, 6, 6, 6, 1), (1, 2, 3, 4, 5))


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StationProcess]:
    """A station with a finished game in its history and another one in the middle of a turn."""
    process = StationProcess(tmp_path_factory.mktemp("station"))
    try:
        for turns in (12, 5):
            process.do("start_game", players=PEOPLE, rules="world-51")
            play(process, turns)
        process.do("throw", faces=[1, 4, 4, 5, 6])
        process.wait_for(lambda it: it["reading"]["fresh"] and it["reading"]["status"] in {"ready", "unsure"})
        process.do("accept_roll", force=True)
        process.do("set_held", slots=[2, 3])
        yield process
    finally:
        process.stop()


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


@pytest.mark.parametrize("half", [0, 1])
def test_pages(table: StationProcess, open_screen: Open, save: Save, half: int):
    screen = open_screen(table.url)
    for name, path, what in PAGES[half::2]:
        with step(name):
            screen.become("phone", "light")
            screen.page.goto(table.url + path)
            screen.see(what)
            examine_everywhere(screen, save, name)


DIALOGS: dict[str, Callable[[Screen], Any]] = {
    "menu": lambda screen: screen.tap("Menu"),
    "type": lambda screen: screen.tap("Enter dice by hand"),
    "fix": lambda screen: screen.tap("Fix a die"),
    "correct": lambda screen: (screen.tap("Fix a die"), screen.tap(re.compile("Correct die 1, read as"))),
    "why": lambda screen: screen.tap("Choice: what it pays"),
}


def test_dialogs(table: StationProcess, open_screen: Open, save: Save):
    screen = open_screen(table.url)
    screen.see("#sheet td")
    for name, open_dialog in DIALOGS.items():
        with step(name):
            open_dialog(screen)
            screen.see("dialog[open]")
            examine_everywhere(screen, save, name, ["phone"])
            screen.page.keyboard.press("Escape")
            screen.until("() => !document.querySelector('dialog[open]')")


def test_before_the_first_game(station: StationProcess, open_screen: Open, save: Save, chromium: Browser):
    screen = open_screen(station.url)
    for name, path, what in (("lobby", "/", ".lobby"), ("lobby-tv", "/tv", ".tv-lobby")):
        screen.become("phone", "light")
        screen.page.goto(station.url + path)
        screen.see(what)
        examine_everywhere(screen, save, name)
    # Where scroll bars take room, a narrower one would stand in the middle of the page.
    screen.become("tablet", "light")
    screen.page.goto(station.url)
    screen.see("#lobby")
    assert screen.page.evaluate(
        "document.querySelector('.tray').getBoundingClientRect().right === innerWidth"
    )

    # Without scripts a page that needs them says so.
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    for path in (*("/", "/tv", "/join", "/camera", "/setup"),
                 *(f"/setup/{each}" for each in ("first", "rules", "mounting", "calibrate"))):  # fmt: skip
        page.goto(station.url + path)
        expect(page.locator("noscript p")).to_be_visible()
    for path in ("/history", "/health", "/paper"):
        page.goto(station.url + path)
        expect(page.locator("h1")).to_be_visible()
        expect(page.locator("noscript")).to_have_count(0)
    context.close()


FOCUSED = "() => document.activeElement !== document.body && !document.activeElement.closest('dialog')"


def test_a_turn_by_keyboard_alone(station: StationProcess, open_screen: Open):
    """The focus stays with the turn."""
    screen = open_screen(station.url, "tablet")
    keys = screen.page.keyboard

    def press(name: str | re.Pattern[str]) -> None:
        button = screen.page.get_by_role("button", name=name)
        expect(button).to_be_enabled()
        button.focus()
        keys.press("Enter")

    for number, name in enumerate(("Ana", "Ben")):
        screen.page.locator(f"#player-{number}").focus()
        keys.type(name)
    keys.press("Enter")
    screen.says("Ana: roll all five dice")
    press("Enter dice by hand")
    screen.see("dialog[open] .face")
    for face in "55522":
        keys.press(face)
    press("Take this roll")
    screen.says("Ana: tap what you keep")
    screen.see(".hold[data-slot='1']").focus()
    keys.press("Space")
    screen.see(".hold[data-slot='1'][aria-pressed='true']")
    assert screen.page.evaluate("document.activeElement.dataset.slot") == "1", "focus stays where it was"
    press("Score 19 in Full House for Ana")
    screen.until("() => document.querySelector('#live').textContent.includes('Full House, 19.')")
    screen.says("Ben: roll all five dice")
    screen.until("() => /^Roll/.test(document.activeElement.textContent)")
    keys.press("Enter")
    screen.see(".chip.is-ready")
    press(re.compile("^Yes$"))
    screen.says("Ben: tap what you keep")
    screen.until(FOCUSED)


DARK = """() => {
    const style = new CSSStyleSheet();
    style.replaceSync("@media (prefers-color-scheme: dark) { h1 { color: #333 !important; } }");
    document.adoptedStyleSheets = [style]; }"""


def test_what_is_wrong_with_a_page_would_be_found(table: StationProcess, open_screen: Open):
    screen = open_screen(table.url, path="/history")
    for rule, fault in (
        ("color-contrast", "document.querySelector('h1').style.color = '#eee'"),
        ("html-has-lang", "document.documentElement.lang = ''"),
        ("color-contrast", DARK),
        ("covers each other", "document.querySelector('.games li:last-child').style.marginTop = '-40px'"),
    ):
        screen.page.goto(f"{table.url}/history")
        screen.become("phone", "light")
        screen.see(".games a")
        assert screen.page.evaluate(OVERLAP) == []
        screen.page.evaluate(fault)
        if fault == DARK:
            examine(screen)  # in the dark alone
        with pytest.raises(AssertionError, match=rule):
            examine_everywhere(screen, lambda *_: None, "", ["phone"])
