import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.e2e.helpers import CHROMIUM, CHROMIUM_ARGS, PATIENCE_MS, Screen, StationProcess, saver

HEADLESS_SHELL = Path("/usr/bin/chromium-headless-shell")


@pytest.fixture(scope="session")
def launch() -> Iterator[Callable[..., Browser]]:
    """Starts Debian's browser, without a window; more arguments may be given.

    Its headless shell, where it is there: the same engine without the frame of windows, of which `chromium`
    makes one for each screen all the same (0.30 s of processor time, against 0.12 s).
    """
    browser = next((each for each in (HEADLESS_SHELL, CHROMIUM) if each.exists()), None)
    if browser is None:
        pytest.skip(f"there is no {CHROMIUM}: on Debian, apt-get install chromium chromium-headless-shell")
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:

        def start(*more: str) -> Browser:
            return playwright.chromium.launch(
                executable_path=str(browser), args=[*CHROMIUM_ARGS, *more], timeout=PATIENCE_MS
            )

        yield start


@pytest.fixture(scope="session")
def chromium(launch: Callable[..., Browser]) -> Iterator[Browser]:
    """One browser for all tests."""
    browser = launch()
    yield browser
    browser.close()


@pytest.fixture
def station(tmp_path: Path) -> Iterator[StationProcess]:
    """A station of its own, with an empty table."""
    process = StationProcess(tmp_path)
    yield process
    process.stop()


@pytest.fixture(scope="module")
def standing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StationProcess]:
    """One station for those tests of a file to which it is all the same what was played before."""
    process = StationProcess(tmp_path_factory.mktemp("standing"))
    yield process
    process.stop()


@pytest.fixture
def buttoned(tmp_path: Path) -> Iterator[StationProcess]:
    """A station whose pages draw the buttons of the table."""
    process = StationProcess(tmp_path, buttons="page")
    yield process
    process.stop()


@pytest.fixture
def played(standing: StationProcess) -> Iterator[StationProcess]:
    """The same for a test that begins a game: one that goes on is ended, before it and after it."""
    end(standing)
    yield standing
    end(standing)


@pytest.fixture
def game(played: StationProcess) -> StationProcess:
    """The same with a game of Ana and Ben."""
    played.do("start_game", players=["Ana", "Ben"], rules="yacht-1938")
    return played


def end(station: StationProcess) -> None:
    if "end_game" in station.state()["commands"]:
        station.do("end_game")


@pytest.fixture
def open_screen(chromium: Browser) -> Iterator[Callable[..., Screen]]:
    """Opens screens; each is closed, and its silent errors looked at, when the test ends."""
    screens: list[Screen] = []

    def open_one(url: str, size: str = "phone", **more: str) -> Screen:
        screens.append(Screen(chromium, url, size, **more))
        return screens[-1]

    yield open_one
    for screen in screens:
        screen.close()


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark all tests here: they start stations, and most drive the browser."""
    item.add_marker("slow")
    if "launch" in getattr(item, "fixturenames", ()):
        item.add_marker("browser")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """`make screenshots` runs the tests that take pictures, and no others."""
    if os.environ.get("YACHT_SCREENSHOTS"):
        items[:] = [each for each in items if "save" in getattr(each, "fixturenames", ())]


@pytest.fixture(scope="session")
def save() -> Callable[[Screen, str], None]:
    """Saves a picture into $YACHT_SCREENSHOTS, when that is set (`make screenshots`)."""
    return saver(os.environ.get("YACHT_SCREENSHOTS"), every=bool(os.environ.get("YACHT_EVERY_SIZE")))
