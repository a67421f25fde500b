"""The first setup: step by step, left and gone on with, to the first game."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.e2e.helpers import Screen, StationProcess
from tests.e2e.test_hosting import become_host

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_the_first_setup_is_left_and_gone_on_with(
    station: StationProcess, open_screen: Callable[..., Screen]
):
    phone = open_screen(station.url)
    phone.page.get_by_role("link", name="First time here?").tap()
    title = phone.page.locator("#step-title")
    marks = phone.page.locator(".step-marks button")
    expect(title).to_have_text("Language")
    expect(marks).to_have_count(8)
    phone.tap("Next")
    expect(title).to_have_text("The camera")
    expect(title).to_be_focused()
    expect(marks.nth(1)).to_have_accessible_name("The camera, done")
    marks.nth(5).tap()
    become_host(phone, station, path="/setup/first")
    expect(title).to_have_text("The host")
    phone.page.goto(f"{station.url}/setup/calibrate")
    phone.page.goto(f"{station.url}/setup/first")
    expect(title).to_have_text("The host")
    phone.tap("Next")
    phone.page.get_by_label("Name").fill("Ana")
    phone.tap("Add")
    phone.page.locator(".own-rules").get_by_text("Ana").wait_for()
    phone.tap("Next")

    guest = open_screen(station.url)
    guest.see("#lobby form")
    expect(guest.page.locator(".first-time")).to_have_count(0)

    phone.tap("Done: to the score sheet")
    phone.see("#lobby form")
    expect(phone.page.locator(".first-time")).to_have_count(0)
    assert station.state()["players"][0]["name"] == "Ana"
