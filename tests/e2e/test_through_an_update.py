"""The station is updated while pages are open: they load themselves anew, when nobody is busy with them."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from station.testing import station_process
from tests.e2e.helpers import Open, Screen, StationProcess

NEWER = """
import sys
from web.core import assets
assets.fingerprint = lambda files: "newer"
from station.cli import main
sys.exit(main())
"""
OLD = "() => window.opened"
"""Whether the page is the one on which it was set, and not loaded anew since."""
CONNECTED = "() => document.querySelector('#line').hidden"


@pytest.fixture
def update(tmp_path: Path, station: StationProcess, request: pytest.FixtureRequest) -> Callable[[], None]:
    """Puts a station with other pages in the place of the one that runs, with the same data."""

    def newer() -> None:
        program = tmp_path / "newer.py"
        program.write_text(NEWER, encoding="utf-8")
        station.stop()
        port = int(station.url.rpartition(":")[2])
        process = station_process.StationProcess(
            station.folder, port=port, program=(sys.executable, str(program))
        )
        request.addfinalizer(process.stop)

    return newer


def marked(screen: Screen) -> None:
    screen.page.evaluate("() => { window.opened = true; }")


def is_newer(screen: Screen) -> None:
    """Wait until the page is that of the newer station."""
    screen.until("() => !window.opened && document.querySelector('script[src^=\"/assets/newer/\"]')")


def test_pages_load_themselves_anew_after_an_update(
    station: StationProcess, open_screen: Open, update: Callable[[], None]
):
    station.do("start_game", players=["Ana", "Ben"], rules="yacht-1938")
    screens = [open_screen(station.url, path=path) for path in ("/", "/tv", "/join")]
    # A page without a line finds out by the next answer, and keeps what is typed.
    phone = open_screen(station.url, path="/setup/rules")
    phone.page.locator("#from").select_option("yahtzee")
    title = phone.page.locator("#title")
    expect(title).to_be_visible()
    for screen in screens:
        expect(screen.page.locator("body")).to_contain_text("Ana")
    for screen in (*screens, phone):
        marked(screen)
    update()
    title.fill("At the lake")
    title.blur()
    for screen in (*screens, phone):
        is_newer(screen)
    for screen in screens:
        expect(screen.page.locator("body")).to_contain_text("Ana")
    expect(title).to_have_value("At the lake")


def test_a_page_that_somebody_types_into_waits(
    station: StationProcess, open_screen: Open, update: Callable[[], None]
):
    """Its clock stands, and is moved on by hand."""
    station.do("start_game", players=["Ana", "Ben"], rules="yacht-1938")
    phone = open_screen(station.url)
    phone.stop_clock("Ana: roll")
    marked(phone)
    update()

    def long() -> None:
        phone.page.clock.run_for(6000)  # tries the line
        phone.until(CONNECTED)
        phone.page.clock.run_for(10000)
        phone.until(CONNECTED)

    phone.tap("Enter dice by hand")
    phone.page.keyboard.type("345")
    long()
    assert phone.page.evaluate(OLD), "a dialog is open"
    phone.page.keyboard.press("Escape")
    expect(phone.page.locator("dialog[open]")).to_have_count(0)
    phone.page.clock.run_for(2000)
    assert phone.page.evaluate(OLD), "somebody has just pressed a key"
    assert phone.page.evaluate("() => document.body.dataset.reading") == "empty"
    phone.page.evaluate("() => { document.body.dataset.reading = 'moving'; }")  # as the line would
    phone.page.clock.run_for(8000)
    assert phone.page.evaluate(OLD), "dice are rolling"
    phone.until(CONNECTED)  # the line may have been tried meanwhile
    phone.page.evaluate("() => { document.body.dataset.reading = 'ready'; }")
    with phone.page.expect_navigation():
        phone.page.clock.run_for(6000)
    is_newer(phone)


ANSWERED = """() => {
    const { fetch } = window;
    Object.assign(window, { tries: 0, answered: 503 });
    window.fetch = async (path, asked) => {
        if (asked?.method !== "HEAD") return fetch(path, asked);
        tries += 1;
        return new Response("", { status: answered });
    }; }"""
"""Whether the page can be loaded anew is answered with this status, without the station."""


def test_a_page_that_cannot_be_loaded_anew_asks_less_and_less(
    station: StationProcess, open_screen: Open, update: Callable[[], None]
):
    """Its clock stands, and is moved on by hand."""
    screen = open_screen(station.url)
    screen.stop_clock("Pick the players")
    marked(screen)
    screen.page.evaluate(ANSWERED)
    update()
    screen.page.clock.run_for(6000)  # tries the line
    screen.until(CONNECTED)
    for _ in range(63):
        screen.page.clock.run_for(1000)
    tries = screen.page.evaluate("() => tries")
    assert 5 <= tries <= 7, "after 1, 2, 4, 8, 16 seconds, and then every 30"
    screen.page.evaluate("() => { window.answered = 200; }")
    with screen.page.expect_navigation():
        screen.page.clock.run_for(30000)
    is_newer(screen)
