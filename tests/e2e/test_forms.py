"""Forms that the browser sends by itself, without a script: it says where they come from."""

import re

from playwright.sync_api import expect

from tests.e2e.helpers import Open, StationProcess
from tests.e2e.test_hosting import become_host


def test_a_game_is_deleted_by_its_button(station: StationProcess, open_screen: Open):
    game = station.finish_game("Ana")["game"]
    phone = open_screen(station.url, path="/setup")
    become_host(phone, station)
    phone.page.goto(f"{station.url}/history/{game}")
    phone.see("details.danger summary").tap()
    phone.tap("Delete this game")
    expect(phone.page).to_have_url(re.compile("/history#aside$"))
    expect(phone.page.locator("#aside")).to_contain_text("They can be put back for 30 days.")


def test_house_rules_saved_as_soon_as_they_are_typed_are_told_as_saved(
    station: StationProcess, open_screen: Open
):
    """The check that waits for the end of the typing comes before that, and not after it."""
    phone = open_screen(station.url, path="/setup/rules")
    phone.page.locator("#from").select_option("yahtzee")
    verdict = phone.page.locator("#verdict .good")
    expect(verdict).to_be_visible()
    phone.page.clock.install()
    phone.page.locator("details.more summary").tap()
    text = phone.page.locator("#text")
    own = text.input_value()
    text.fill(f"{own}# as at the lake\n")
    for _ in range(2):
        phone.tap("Save")
    expect(verdict).to_contain_text("Saved")
    phone.page.clock.fast_forward(1000)
    phone.page.wait_for_timeout(300)  # only so that a check would have been answered by now
    expect(verdict).to_contain_text("Saved")
    text.fill("nonsense")
    phone.tap("Save")
    expect(phone.page.locator("#verdict .fault")).to_be_visible()
    phone.page.clock.fast_forward(1000)
    expect(phone.page.locator("#verdict .fault")).to_be_visible()
    assert len([each for each in station.get("/api/v1/rules")["rules"] if each["house"]]) == 1


def test_who_chooses_a_colour_alone_is_asked_for_a_sign(station: StationProcess, open_screen: Open):
    """By the browser, at the signs; the station's answer is for programs."""
    station.finish_game("Ana", "Ben")
    phone = open_screen(station.url, path="/history/player?name=Ana")
    page = phone.page
    page.locator("input[name=colour][value=green]").check(force=True)
    phone.tap("Save")
    expect(page.locator("input[name=sign]").first).to_be_focused()
    expect(page.locator("#fault")).to_be_hidden()
    page.locator("input[name=sign]").first.check(force=True)
    phone.tap("Save")
    expect(page.locator("h1 .own-green")).to_be_visible()
