"""Two homes with a tray each: the dice of one are seen on the screens of the other, and may be questioned."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.e2e.examine import examine
from tests.e2e.helpers import PATIENCE_MS, Open, Save, StationProcess, choose_rules
from tests.e2e.two_homes import two_homes
from tests.integrations.mosquitto import needed

pytestmark = needed


@pytest.fixture
def homes(tmp_path: Path) -> Iterator[tuple[StationProcess, StationProcess]]:
    """The kitchen keeps the game, Berlin plays along; Berlin lets its dice be seen."""
    with two_homes(tmp_path, of_berlin="pictures = true") as stations:
        yield stations


def test_the_dice_of_the_other_home_are_seen_and_questioned(
    homes: tuple[StationProcess, StationProcess], open_screen: Open, save: Save
):
    kitchen, berlin = homes
    host = open_screen(kitchen.url)
    host.page.locator("#player-0").fill("Ben")
    host.page.locator("#player-1").fill("Ana")
    host.page.get_by_label("Where player 1 rolls").select_option("Rolls at berlin")
    choose_rules(host, "yacht-1938")
    host.tap("Start the game")
    guest = open_screen(berlin.url)
    tv = open_screen(kitchen.url, "tv", path="/tv")
    guest.says("Ben: roll all five dice")
    chip = guest.page.locator(".chip.is-ready, .chip.is-unsure")
    while not guest.page.locator(".chip.is-ready").count():  # the camera may be unsure of a throw
        guest.tap(re.compile("^Roll "))
        expect(chip).to_be_visible(timeout=PATIENCE_MS)
    guest.tap("Yes")
    expect(guest.page.locator(".dot.done")).to_have_count(1, timeout=PATIENCE_MS)
    seen = host.page.locator(".thrown-dice img.there")
    expect(seen).to_have_count(5, timeout=PATIENCE_MS)
    expect(tv.page.locator(".tv-die img.there")).to_have_count(5, timeout=PATIENCE_MS)
    widths = seen.evaluate_all("all => all.map((one) => one.naturalWidth)")
    assert widths == [112] * 5
    examine(host)
    save(host, "dice-of-the-other-home-phone-light")
    save(tv, "dice-of-the-other-home-tv")
    face = kitchen.state()["dice"][0]["face"]
    other = face % 6 + 1
    host.page.locator(".thrown-dice button").first.tap()
    expect(host.page.locator("#dialog")).to_contain_text("What does it look like to you?")
    host.page.locator(f"#dialog [data-face='{other}']").tap()
    asks = re.compile(f"of Ben show a {other}\\?")
    for screen in (guest, host, tv):
        expect(screen.page.locator(".questioned")).to_have_text(asks, timeout=PATIENCE_MS)
    examine(guest)
    save(guest, "asked-by-the-other-home-phone-light")
    guest.tap("It stays")
    expect(host.page.locator(".questioned")).to_have_text(f"Ben has looked again: the {face} stands.")
    host.page.locator(".thrown-dice button").first.tap()
    host.page.locator(f"#dialog [data-face='{other}']").tap()
    guest.tap(f"It is a {other}")
    expect(host.page.locator(".thrown-dice b").first).to_have_text(str(other), timeout=PATIENCE_MS)
    expect(host.page.locator(".questioned")).to_have_count(0)
    assert kitchen.state()["dice"][0]["face"] == berlin.state()["dice"][0]["face"] == other
