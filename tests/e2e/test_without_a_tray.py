"""A guest without a tray: chosen in one home, thrown in the other, drawn by both, seen falling everywhere."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.e2e.examine import examine
from tests.e2e.helpers import PATIENCE_MS, Open, Save, Screen, StationProcess, choose_rules
from tests.e2e.two_homes import two_homes
from tests.integrations.mosquitto import needed

pytestmark = needed

WATCH = """() => {
  const shows = (die) => {
    const lies = new DOMMatrix(die.style.transform);
    const high = (side) => lies.multiply(new DOMMatrix(side.style.transform)).m43;
    const [top] = [...die.children].sort((one, other) => high(other) - high(one));
    return top.querySelectorAll(".pip").length;
  };
  new MutationObserver(() => {
    if (document.querySelector(".fall")?.dataset.lies !== "true") return;
    window.faces = [...document.querySelectorAll(".fall-die")].map(shows);
  }).observe(document.body, { subtree: true, attributes: true, attributeFilter: ["data-lies"] });
}"""
"""Notes what the dice show that have come to rest, however soon they are gone again."""


@pytest.fixture
def homes(tmp_path: Path) -> Iterator[tuple[StationProcess, StationProcess]]:
    """The kitchen keeps the game, Berlin plays along."""
    with two_homes(tmp_path) as stations:
        yield stations


def throw(screen: Screen, number: int) -> None:
    """Throw on the page until it is the throw of that number: a line on a busy machine may break off."""
    landed = "(number) => document.querySelectorAll('.dot.done').length === number"
    broke = "!document.querySelector('#refusal').hidden"
    while not screen.page.evaluate(landed, number):
        screen.until(f"() => !({broke})")
        screen.tap(re.compile("^Roll "))
        screen.until(f"(number) => ({landed})(number) || {broke}", number)


def test_a_guest_without_a_tray_throws_on_the_page(
    homes: tuple[StationProcess, StationProcess], open_screen: Open, save: Save
):
    kitchen, berlin = homes
    host = open_screen(kitchen.url)
    host.page.locator("#player-0").fill("Be")
    host.page.locator("#player-1").fill("Ana")
    where = host.page.get_by_label("Where player 1 rolls")
    where.select_option("Without a tray, at berlin")
    host.page.locator("#player-0").fill("Ben")  # the same person, longer
    choose_rules(host, "treasurehouse")  # who starts is thrown for: not here
    expect(host.page.get_by_label("Who starts?", exact=True)).to_have_value("first")
    choose_rules(host, "yacht-1938")
    save(host, "lobby-without-tray-phone-light")
    host.tap("Start the game")
    guest = open_screen(berlin.url)
    tv = open_screen(kitchen.url, "tv", path="/tv")
    guest.says("Ben: roll all five dice")
    host.says("Ben rolls in the other home")
    tv.says("Ben rolls in the other home")
    expect(guest.page.get_by_role("button", name="Yes", exact=True)).to_have_count(0)
    examine(guest)
    for screen in (guest, tv):
        screen.page.evaluate(WATCH)
    throw(guest, 1)
    for screen in (guest, tv):
        faces = screen.page.wait_for_function("() => window.faces", timeout=PATIENCE_MS).json_value()
        assert faces == [die["face"] for die in kitchen.state()["dice"]]
    expect(guest.page.locator(".fall")).to_have_count(0)
    for screen in (guest, host, tv):
        expect(screen.page.locator(".drawn")).to_contain_text("both stations drew them together")
    examine(guest)
    save(guest, "drawn-together-phone-light")
    guest.page.emulate_media(reduced_motion="reduce")
    guest.page.locator("#roll .hold").first.tap()
    expect(guest.page.locator("#roll .slot.held")).to_have_count(1)
    expect(guest.page.get_by_role("button", name="Roll 4 dice")).to_be_enabled()
    throw(guest, 2)
    expect(guest.page.locator(".fall")).to_have_count(0)
    assert kitchen.state()["dice"] == berlin.state()["dice"]
    assert not {"undo", "correct_die", "enter_roll"} & {*berlin.state()["commands"]}
