"""All pages at every size, for every number of players, in every language (tests/e2e/sweep.py).

Each screen is looked at twice, with the typefaces the pages bring and with the widest that the machine has
instead of them (`YACHT_TYPEFACES=0` or `1`: with these alone). The other pages are those of a station where a
whole game has been played, and of a board with a competition.
"""

import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from board.app import Board
from messages.catalogue import languages
from station.config import parse
from station.testing.station_process import CHROMIUM, CHROMIUM_ARGS, StationProcess
from tests.board.telling import game_over, state
from tests.e2e.sweep import NAMES, SIZES, Looks, Table, screen, sweep

BOARD = ("/", "/evening", "/organise", "/health")
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


def played(station: StationProcess) -> None:
    """Play a whole game of four as game 1, and wait until its review is worked out."""
    state = station.do("start_game", players=list(NAMES[:4]), rules="yacht-1938")
    while not state["finished"]:
        turn = state["version"]
        state = station.do("enter_roll", faces=[1 + (turn + die * die) % 6 for die in range(5)])
        potentials = state["players"][state["active_player"]]["potentials"]
        state = station.do("score_box", category=max(potentials, key=potentials.__getitem__))
    while not (review := station.get("/api/v1/history/1/review", 409, 425, 503)) or review["curve_message"]:
        time.sleep(1)


@contextmanager
def board_process(browser: Browser, folder: Path) -> Iterator[str]:
    """The address of a board with a competition, one game of it played, and a table that plays."""
    board = Board(parse({"data": folder, "host": "127.0.0.1", "board": {"port": 0, "title": "The club"}}))
    board.start()
    try:
        (url,) = board.addresses
        with screen(browser, f"{url}/organise", "en") as page:
            page.get_by_label("Name of the competition").fill("Autumn cup")
            page.get_by_role("button", name="Start").click()
            page.get_by_label("New names, one per line").fill("\n".join(NAMES))
            page.get_by_role("button", name="Add").click()
            page.get_by_role("button", name="Draw the next round").click()
            page.get_by_label("Elisabeth-Charlotte", exact=True).wait_for()
        playing = dict.fromkeys(NAMES[:2], 30)
        board.hall.receive([("yacht/1/attic/availability", b"online"), state("attic", 1, playing)])
        board.hall.receive([game_over("cellar", 9, 1, {"Noa": 200, "Wilhelmine": 190})])
        yield url
    finally:
        board.stop()


def report(looks: Looks) -> None:
    """Print how many screens have faults, and each fault once with where it was seen first."""
    found = looks.found
    faulty = len({each.where for each in found})
    print(f"{looks.looked} screens, {faulty} with faults, {len(found)} faults\n")
    first: dict[str, str] = {}
    often: Counter[str] = Counter()
    for each in found:
        first.setdefault(each.sentence, each.where)
        often[each.sentence] += 1
    for message, times in often.most_common():
        print(f"- {times} times {message} (first: {first[message]})")


def run() -> None:
    """Print the faults of the whole matrix."""
    if not CHROMIUM.exists():
        print(f"There is no {CHROMIUM}; the pages are not looked at.")
        return
    chosen = os.environ.get("YACHT_TYPEFACES", "")
    ways = (True, False) if not chosen else (chosen == "1",)
    pictures = Path("build/sweep")
    pictures.mkdir(parents=True, exist_ok=True)
    any_fault = False
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        playwright = stack.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=list(CHROMIUM_ARGS))
        stack.callback(browser.close)
        (folder / "board").mkdir()
        board = stack.enter_context(board_process(browser, folder / "board"))
        station = StationProcess(folder)
        stack.callback(station.stop)
        played(station)
        for typefaces in ways:
            print(f"\nWith {'the typefaces of the pages' if typefaces else 'those of the machine alone'}:\n")
            looks = sweep(browser, station, TABLES, typefaces=typefaces, pictures=pictures)
            for language in languages():
                looks.pages(browser, board, BOARD, SIZES, language, typefaces=typefaces)
            report(looks)
            any_fault = any_fault or bool(looks.found)
    if any_fault:
        sys.exit(1)
