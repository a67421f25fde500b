"""The line goes silent without being cut: that is told, and what is tapped meanwhile is shown to wait."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.e2e.helpers import Open, Screen, StationProcess
from tests.e2e.silent_line import SilentLine


@pytest.fixture
def line(played: StationProcess) -> Iterator[SilentLine]:
    """A line to a station where Ana has thrown."""
    played.do("start_game", players=["Ana", "Ben"], rules="yacht-1938")
    played.do("enter_roll", faces=[1, 2, 3, 4, 6])
    line = SilentLine(played.url)
    yield line
    line.close()


def tapped(line: SilentLine, open_screen: Open) -> Screen:
    """A phone on which a box was tapped while the line was silent."""
    phone = open_screen(line.url)
    phone.says("Ana: tap what you keep")
    line.go_silent()
    phone.see("button.potential[data-category='choice']").tap()
    expect(phone.page.locator("#sending")).to_contain_text("Still waiting")
    return phone


@pytest.mark.parametrize("path", ["/", "/tv"])
def test_a_line_that_is_silent_is_told(line: SilentLine, open_screen: Open, path: str):
    """The clock of the page stands, and is moved on by hand: the last beat is up to five seconds old."""
    screen = open_screen(line.url, path=path)
    screen.stop_clock("Ana: tap what you keep")
    cut = screen.page.locator("#line")
    line.go_silent()
    screen.page.clock.run_for(6000)
    expect(cut).to_be_hidden()
    screen.page.clock.run_for(8000)
    expect(cut).to_be_visible()
    line.come_back()
    expect(cut).to_be_hidden()


def test_a_tap_that_waits_can_be_taken_back(line: SilentLine, played: StationProcess, open_screen: Open):
    phone = tapped(line, open_screen)
    phone.tap("Take it back")
    expect(phone.page.locator("#sending")).to_be_hidden()
    line.come_back()
    phone.see("#roll .hold[data-slot='1']").tap()
    state = played.wait_for(lambda state: state["dice"][0]["held"])
    assert state["players"][0]["boxes"]["choice"] is None


def test_a_tap_that_waits_is_refused_when_the_table_has_moved_on(
    line: SilentLine, played: StationProcess, open_screen: Open
):
    phone = tapped(line, open_screen)
    played.do("score_box", category="sixes")
    played.do("enter_roll", faces=[5, 5, 5, 2, 2])
    line.come_back()
    expect(phone.page.locator("#refusal")).to_contain_text("moved on")
    expect(phone.page.locator("#sending")).to_be_hidden()
    assert [player["boxes"]["choice"] for player in played.state()["players"]] == [None, None]


def test_a_tap_that_waits_is_done_when_the_line_is_back(
    line: SilentLine, played: StationProcess, open_screen: Open
):
    phone = tapped(line, open_screen)
    line.come_back()
    phone.says("Ben: roll")
    expect(phone.page.locator("#sending")).to_be_hidden()
    assert played.state()["players"][0]["boxes"]["choice"] == 16


def test_what_waits_is_shown_above_a_dialog_that_stays_open(
    line: SilentLine, played: StationProcess, open_screen: Open
):
    phone = open_screen(line.url)
    phone.tap("Menu")
    phone.tap("Add a player")
    line.go_silent()
    phone.page.locator("#ask-text").fill("Cleo")
    phone.page.locator("#ask-text").press("Enter")
    phone.tap("Take it back")
    expect(phone.page.locator("#sending")).to_be_hidden()
    line.come_back()
    phone.see("#roll .hold[data-slot='1']").tap()
    state = played.wait_for(lambda state: state["dice"][0]["held"])
    assert [player["name"] for player in state["players"]] == ["Ana", "Ben"]
