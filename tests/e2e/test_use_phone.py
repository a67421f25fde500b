"""The way to a phone as the camera: https is switched on under Setup, and the phone comes by it."""

import re
import socket
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.helpers import Open, Screen, StationProcess


@pytest.fixture(scope="module")
def station(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StationProcess]:
    process = StationProcess(tmp_path_factory.mktemp("station"), settings="https_port = 0\n")
    yield process
    process.stop()


def test_https_is_switched_on_while_somebody_plays(
    station: StationProcess, open_screen: Open, chromium: Browser
):
    sheet = open_screen(station.url)
    station.do("start_game", players=["Ana"], rules="yacht-1938")
    sheet.says("Ana: roll")
    sheet.page.evaluate("() => { window.stays = true; }")
    setup = open_screen(station.url, path="/setup")
    section = setup.page.locator("#use-phone")
    setup.tap("Switch https on")
    setup.page.wait_for_function("() => document.querySelector('#use-phone .code')?.naturalWidth > 0")
    setup.tap("Look through a phone from now on")
    expect(section).to_contain_text("A phone is the camera of this station.")
    station.wait_for(lambda it: "No phone is the camera yet" in it["camera"]["message"])
    setup.tap("Back to the camera of before")
    station.wait_for(lambda it: it["camera"]["ok"] and it["simulated"])
    camera = section.locator("code").inner_text()
    setup.page.get_by_role("link", name="The warning in pictures, and the stand").tap()
    expect(setup.page.get_by_role("link", name="Open the camera page on this phone")).to_have_attribute(
        "href", camera
    )
    phone = Screen(chromium, camera.removesuffix("/camera"), path="/phone", own_certificate=True)
    assert phone.page.evaluate("() => window.isSecureContext")
    phone.see("#stand")
    phone.close()

    station.do("enter_roll", faces=[5, 5, 5, 2, 2])
    sheet.see("button.potential")
    assert sheet.page.evaluate("() => window.stays"), "the page is not loaded anew"

    setup.page.goto(f"{station.url}/setup")
    section.locator("summary").tap()
    setup.tap("Switch https off")
    expect(section).to_contain_text("Browsers let a page use the camera only by https")
    with pytest.raises(OSError, match="refused"):
        socket.create_connection(("127.0.0.1", int(re.findall(r":(\d+)/", camera)[0])))


def test_the_height_of_the_stand_is_worked_out_from_the_picture(station: StationProcess, open_screen: Open):
    screen = open_screen(station.url, path="/phone")
    screen.tap("Work out the stand")
    expect(screen.page.locator("#stand-result")).to_contain_text("Show the picture first")
    station.wait_for(lambda it: it["camera"]["ok"])
    screen.tap("Show the station's picture")
    ends = screen.page.locator(".handle")
    expect(ends).to_have_count(2)
    for _ in range(12):
        ends.first.press("Shift+ArrowRight")
    screen.tap("Work out the stand")
    lead = screen.page.locator("#stand-result .lead")
    expect(lead).to_contain_text("Two stacks of books")
    near = lead.inner_text()
    ends.first.press("Shift+ArrowLeft")
    screen.tap("Work out the stand")
    expect(lead).not_to_have_text(near)
    screen.page.get_by_label("What lies there").select_option("ruler")
    expect(ends).to_have_count(0)
    screen.page.get_by_label("So much of it is seen").fill("39")
    screen.tap("Work out the stand")
    expect(lead).to_contain_text("31 cm high and 23 cm apart")
