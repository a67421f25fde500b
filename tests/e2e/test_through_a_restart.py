"""The station is started again while somebody types: what is typed stays, and is taken if it still holds."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import expect

from tests.e2e.helpers import Open, Screen, StationProcess


@contextmanager
def away(screen: Screen, station: StationProcess) -> Iterator[list[StationProcess]]:
    """The station is away while the block runs; it is put into that list when the screen has it back."""
    station.stop()
    expect(screen.page.locator("#line")).to_be_visible()
    back: list[StationProcess] = []
    yield back
    back.append(StationProcess(station.folder, port=int(station.url.rsplit(":", 1)[1])))
    expect(screen.page.locator("#line")).to_be_hidden()


def typed(screen: Screen) -> list[str | None]:
    return [each.get_attribute("aria-label") for each in screen.page.locator("dialog .typed .hold").all()]


def test_a_roll_that_is_typed_stays_while_the_station_is_started_again(tmp_path: Path, open_screen: Open):
    station = StationProcess(tmp_path)
    try:
        station.do("start_game", players=["Ana", "Ben"], rules="yacht-1938")
        station.do("enter_roll", faces=[6, 6, 1, 2, 3])
        station.do("set_held", slots=[1, 2])
        phone = open_screen(station.url)
        phone.says("Ana: roll")
        phone.tap("Enter dice by hand")
        expect(phone.page.locator("dialog .typed .hold:disabled"), "the held dice").to_have_count(2)
        phone.page.keyboard.type("456")
        with away(phone, station) as back:
            pass
        station = back[0]
        phone.tap("Take this roll")
        phone.until("() => document.querySelectorAll('.dot.done').length === 2")
        assert [die["face"] for die in station.state()["dice"]] == [6, 6, 4, 5, 6]

        # It stays as it was typed where it was tapped while the station was not there.
        station.do("score_box", category="choice")
        phone.says("Ben: roll")
        phone.tap("Enter dice by hand")
        phone.page.keyboard.type("34566")
        with away(phone, station) as back:
            phone.tap("Take this roll")
            expect(phone.page.locator("dialog .fault")).to_contain_text("not done")
            assert "6" in (typed(phone)[4] or "")
        station = back[0]
        phone.tap("Take this roll")
        phone.says("Ben: tap what you keep")
        assert [die["face"] for die in station.state()["dice"]] == [3, 4, 5, 6, 6]

        # For another turn it is refused, after a restart, too.
        station.do("score_box", category="choice")
        phone.says("Ana: roll")
        phone.tap("Enter dice by hand")
        phone.page.keyboard.type("34566")
        station.do("enter_roll", faces=[5, 5, 5, 2, 2])
        with away(phone, station) as back:
            pass
        station = back[0]
        phone.tap("Take this roll")
        expect(phone.page.locator("#refusal")).to_contain_text("moved on")
        assert [die["face"] for die in station.state()["dice"]] == [5, 5, 5, 2, 2]
    finally:
        station.stop()


def test_the_dice_of_a_box_stay_as_they_were_typed_while_others_play_on(
    game: StationProcess, open_screen: Open
):
    """Every die that somebody held meanwhile had them typed once more."""
    game.do("enter_roll", faces=[2, 2, 2, 5, 5])
    game.do("score_box", category="fives")
    game.do("enter_roll", faces=[1, 1, 2, 3, 4])
    phone = open_screen(game.url)
    phone.tap("Fives: what it pays")
    phone.tap("Correct this box", nth=0)
    phone.page.keyboard.type("25555")
    game.do("set_held", slots=[1, 2])
    phone.until("() => document.querySelectorAll('#roll .slot.held').length === 2")
    phone.tap("Take this roll")
    expect(phone.page.locator("dialog .fault")).to_contain_text("moved on meanwhile")
    assert "5" in (typed(phone)[4] or "")
    phone.tap("Take this roll")
    expect(phone.page.locator("dialog[open]")).to_have_count(0)
    game.wait_for(lambda state: state["players"][0]["boxes"]["fives"] == 20)
    phone.tap("Fives: what it pays")
    phone.tap("Correct this box", nth=0)
    phone.page.keyboard.type("55555")
    game.do("correct_box", player=0, category="fives", faces=[5, 5, 5, 2, 2])
    phone.tap("Take this roll")
    expect(phone.page.locator("#refusal")).to_contain_text("moved on meanwhile")
    expect(phone.page.locator("dialog[open]")).to_have_count(0)

    # So they do while the line is cut.
    phone.tap("Fives: what it pays")
    phone.tap("Correct this box", nth=0)
    phone.page.keyboard.type("25555")
    phone.page.route("**/api/v1/commands", lambda route: route.abort(), times=1)
    phone.tap("Take this roll")
    expect(phone.page.locator("dialog .fault")).to_contain_text("not done")
    phone.tap("Take this roll")
    expect(phone.page.locator("dialog[open]")).to_have_count(0)
    game.wait_for(lambda state: state["players"][0]["boxes"]["fives"] == 20)
