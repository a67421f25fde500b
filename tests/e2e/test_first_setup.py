"""The first setup: step by step, left and gone on with, to the first game."""

from playwright.sync_api import expect

from tests.e2e.examine import examine
from tests.e2e.helpers import Open, Save, StationProcess
from tests.e2e.test_hosting import become_host


def test_the_first_setup_is_left_and_gone_on_with(station: StationProcess, open_screen: Open, save: Save):
    phone = open_screen(station.url)
    phone.page.get_by_role("link", name="First time here?").tap()
    title = phone.page.locator("#step-title")
    marks = phone.page.locator(".step-marks button")
    expect(title).to_have_text("Language")
    expect(marks).to_have_count(9)
    phone.tap("Next")
    expect(title).to_have_text("The camera")
    expect(title).to_be_focused()
    expect(marks.nth(1)).to_have_accessible_name("The camera, done")
    marks.nth(5).tap()
    left = open_screen(station.url, path="/setup/first")
    left.page.locator(".step-marks button").nth(5).tap()
    expect(left.page.locator("#host")).to_contain_text("There is no host yet")
    become_host(phone, station, path="/setup/first")
    expect(left.page.locator("#host")).to_contain_text("Anyone can play. Deleting")
    left.tap("Next")
    left.page.get_by_label("Name").fill("Ana")
    left.tap("Add")
    expect(title).to_have_text("The host")
    marks.nth(0).tap()
    expect(marks.nth(0)).to_have_accessible_name("Language, done")
    marks.nth(5).tap()
    for aside in ("/setup/calibrate", "/setup/mounting", "/health"):
        phone.page.goto(station.url + aside)
        phone.page.get_by_role("link", name="On with the first setup").tap()
        expect(title).to_have_text("The host")
    phone.tap("Next")
    phone.page.locator(".own-rules").get_by_text("Ana").wait_for()
    phone.page.get_by_label("Name").fill("Ana")
    phone.tap("Next")
    expect(phone.page.locator("#first .fault")).to_contain_text("Somebody is called Ana already")
    phone.page.get_by_label("Name").fill("Ben")
    phone.tap("Next")
    expect(title).to_have_text("How a roll counts")
    expect(phone.page.get_by_label("when someone taps Yes")).to_be_checked()
    phone.tap("as soon as you roll again", role="radio")
    expect(marks.nth(7)).to_have_accessible_name("How a roll counts, done")
    examine(phone)
    save(phone, "first-confirm")
    phone.tap("Next")
    expect(title).to_have_text("The first game")

    guest = open_screen(station.url)
    guest.see("#lobby form")
    expect(guest.page.locator(".first-time")).to_have_count(0)

    phone.tap("Done: to the score sheet")
    phone.see("#lobby form")
    expect(phone.page.locator(".first-time")).to_have_count(0)
    phone.page.goto(f"{station.url}/health")
    expect(phone.page.get_by_role("link", name="On with the first setup")).to_have_count(0)
    assert [player["name"] for player in station.state()["players"]] == ["Ana", "Ben"]
