"""A first look at each page in another engine: no error in its console, and the television is filled."""

from collections.abc import Iterator

import pytest

from tests.e2e.firefox import FIREFOX, Firefox
from tests.e2e.helpers import Open, StationProcess
from tests.e2e.test_every_page import PAGES

pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.skipif(not FIREFOX.exists(), reason=f"there is no {FIREFOX} here (make test installs it)"),
]

ROWS = """[...document.querySelectorAll(".tv-paper")].map((paper) => {
    const height = (each) => each.getBoundingClientRect().height;
    const all = [...paper.querySelectorAll("tr")].reduce((sum, row) => sum + height(row), 0);
    return [height(paper) - all, [...paper.querySelectorAll("tbody tr")].map(height)]; })"""
"""For each half of a sheet: what its rows leave of the paper, and how high those of boxes are, in pixels."""


@pytest.fixture(scope="module")
def firefox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    with Firefox(tmp_path_factory.mktemp("firefox")) as browser:
        yield browser


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StationProcess]:
    """A station with a game behind it, and one in the middle of a turn."""
    process = StationProcess(tmp_path_factory.mktemp("station"))
    try:
        for _ in range(2):
            if "end_game" in process.state()["commands"]:
                process.do("end_game")
            process.do("start_game", players=["Ana", "Ben"], rules="yahtzee")
            process.do("enter_roll", faces=[2, 2, 3, 4, 5])
            process.do("score_box", category="choice")
            process.do("enter_roll", faces=[1, 4, 4, 5, 6])
        yield process
    finally:
        process.stop()


def test_each_page_shows_what_it_is_for(firefox: Firefox, table: StationProcess):
    for name, path, what in PAGES:
        firefox.open(table.url + path, (1024, 768))
        firefox.until(f"return document.querySelector({what!r})")
        assert firefox.faults(table.url) == [], name


def filled(halves: list[tuple[float, list[float]]]) -> None:
    """Rows share the whole paper between them."""
    assert len(halves) == len(("upper", "lower"))
    for left, rows in halves:
        assert abs(left) <= len(rows), "a pixel a row, for rounding"
        assert max(rows) <= 1.1 * min(rows)


@pytest.mark.parametrize("size", [(1920, 1080), (1366, 682)])
def test_rows_of_the_television_share_its_height_in_both_engines(
    firefox: Firefox, table: StationProcess, open_screen: Open, size: tuple[int, int]
):
    firefox.open(f"{table.url}/tv", size)
    firefox.until("return document.querySelector('.tv-sheets td')")
    screen = open_screen(table.url, "tv", path="/tv")
    screen.page.set_viewport_size({"width": size[0], "height": size[1]})
    screen.see(".tv-sheets td")
    filled(firefox.run(f"return {ROWS}"))
    filled(screen.page.evaluate(ROWS))
