"""The pages of a station from which every feature was taken away: a game of two, to its end."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from bench.project_copy import copy_of_the_project
from bench.without import listed, taken_away
from station.testing.station_process import StationProcess
from tests.e2e.helpers import Open, start_by_tapping

BEGUN = "import sys; sys.path.insert(0, {folder!r}); from station.cli import main; main()"


@pytest.fixture
def plain(tmp_path: Path) -> Iterator[StationProcess]:
    project = copy_of_the_project(tmp_path / "project")
    taken_away(project, listed())
    (tmp_path / "station").mkdir()
    program = (sys.executable, "-c", BEGUN.format(folder=str(project)))
    process = StationProcess(tmp_path / "station", program=program)
    yield process
    process.stop()


def test_a_game_of_two(plain: StationProcess, open_screen: Open):
    screen = open_screen(plain.url)
    television = open_screen(plain.url, "tv", path="/tv")
    start_by_tapping(screen, ["Ana", "Ben"])
    plain.do("enter_roll", faces=[5, 5, 5, 2, 2])
    screen.page.locator("#roll button.hold").first.tap()
    expect(screen.page.locator("#roll .slot.held")).to_have_count(1)
    screen.page.locator("[data-category=full-house]").first.tap()
    expect(television.page.locator("#waiting")).to_contain_text("Ben")
    plain.do("end_game", winners=[0])
    expect(television.page.locator(".tv-steps .won, .podium .won")).to_contain_text("Ana")
    expect(screen.page.locator("#waiting")).to_contain_text("Ana")
    assert "computer" not in plain.state()["players"][0]
