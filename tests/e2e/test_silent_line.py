"""The line goes silent without being cut: that is said, and what is tapped meanwhile is shown to wait."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.e2e.helpers import Open, StationProcess
from tests.e2e.silent_line import SilentLine


@pytest.fixture
def line(game: StationProcess) -> Iterator[SilentLine]:
    """A line to a station where Ana has thrown."""
    game.do("enter_roll", faces=[1, 2, 3, 4, 6])
    line = SilentLine(game.url)
    yield line
    line.close()


@pytest.mark.parametrize("path", ["/", "/tv"])
def test_a_silent_line_is_said(line: SilentLine, open_screen: Open, path: str):
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


def test_a_tap_that_waits_is_taken_back_or_refused_or_done(
    line: SilentLine, game: StationProcess, open_screen: Open
):
    phone = open_screen(line.url)
    sending = phone.page.locator("#sending")

    def tap_while_silent() -> None:
        phone.see("button.potential[data-category='choice']")
        line.go_silent()
        phone.see("button.potential[data-category='choice']").tap()
        expect(sending).to_contain_text("Still waiting")

    def choices() -> list[int | None]:
        return [player["boxes"]["choice"] for player in game.state()["players"]]

    tap_while_silent()
    phone.tap("Take it back")
    expect(sending).to_be_hidden()
    line.come_back()
    phone.see("#roll .hold[data-slot='1']").tap()
    game.wait_for(lambda state: state["dice"][0]["held"])
    assert choices() == [None, None]

    # What waits is shown above a dialog that stays open, too.
    phone.tap("Menu")
    phone.tap("Add a player")
    line.go_silent()
    phone.page.locator("#ask-text").fill("Cleo")
    phone.page.locator("#ask-text").press("Enter")
    phone.tap("Take it back")
    expect(sending).to_be_hidden()
    phone.page.keyboard.press("Escape")
    line.come_back()
    phone.see("#roll .hold[data-slot='2']").tap()
    game.wait_for(lambda state: state["dice"][1]["held"])
    assert [player["name"] for player in game.state()["players"]] == ["Ana", "Ben"]

    # Refused when the table has moved on meanwhile.
    tap_while_silent()
    game.do("score_box", category="sixes")
    game.do("enter_roll", faces=[5, 5, 5, 2, 2])
    line.come_back()
    expect(phone.page.locator("#refusal")).to_contain_text("moved on")
    expect(sending).to_be_hidden()
    assert choices() == [None, None]

    # Done when the line is back.
    phone.says("Ben: tap what you keep")
    tap_while_silent()
    line.come_back()
    phone.says("Ana: roll")
    expect(sending).to_be_hidden()
    assert choices() == [None, 19]
