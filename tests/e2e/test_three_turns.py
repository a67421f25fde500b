"""Three turns by tapping on a phone, followed on the big screen, with a station that reads drawn dice."""

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.helpers import (
    Open,
    Save,
    Screen,
    StationProcess,
    start_by_tapping,
    throw_and_confirm,
    type_roll,
)

HELD_UP = """() => new MutationObserver((_, watch) => {
    for (const each of document.getAnimations()) if (each.effect.target.matches('.flying')) {
        each.pause();
        each.currentTime = 420;
        watch.disconnect();
    }
}).observe(document.body, {childList: true})"""
"""Stops dice on their way into a box, for a picture, until they are let go."""


def same_on_both(phone: Screen, tv: Screen, station: StationProcess) -> None:
    """Both screens show what the station says: whose turn, every box, every total."""
    state = station.state()
    filled = [
        str(points)
        for row in state["categories"]
        for player in state["players"]
        if (points := player["boxes"][row["category"]]) is not None
    ]
    totals = [str(player["total"]) for player in state["players"]]
    for screen in (phone, tv):
        screen.says(state["waiting_for"])
        expect(screen.page.locator("tfoot .total td")).to_have_text(totals)
        expect(screen.page.locator("td .score")).to_have_text(filled)


def test_three_turns(station: StationProcess, open_screen: Open, save: Save):
    phone = open_screen(station.url)
    tv = open_screen(station.url, "tv", path="/tv")
    start_by_tapping(phone, ["Ana", "Ben"])
    tv.says("Ana: roll all five dice")

    # Ana: throw, hold the first two dice, throw the rest, put one die right, take a box.
    throw_and_confirm(phone, station)
    phone.see(".hold[data-slot='1']").tap()
    expect(phone.page.locator(".hold[data-slot='1']")).to_have_attribute("aria-pressed", "true")
    phone.see(".hold[data-slot='2']").tap()
    expect(tv.page.locator(".tv-die.held")).to_have_count(2)
    expect(tv.page.locator(".tv-photo.there")).to_have_count(5)  # the real dice, cut out
    save(phone, "phone-holding")
    save(tv, "tv-holding")
    held = [die["face"] for die in station.state()["dice"][:2]]
    dice = throw_and_confirm(phone, station)
    assert list(dice[:2]) == held
    wanted = dice[4] % 6 + 1
    phone.tap("Fix a die")
    phone.tap(f"Correct die 5, read as {dice[4]}")
    phone.page.locator(f"dialog .face[data-face='{wanted}']").tap()
    fifth = phone.page.locator(".hold[data-slot='5']")
    expect(fifth).to_have_attribute("aria-label", re.compile(f"shows {wanted}"))
    assert station.state()["dice"][4]["face"] == wanted
    worth = station.state()["players"][0]["potentials"]["choice"]
    phone.tap(re.compile(f"Score {worth} in Choice for Ana"))
    tv.says("Ben: roll all five dice")
    same_on_both(phone, tv, station)

    # Ben: the last entry is undone and done again in another box.
    throw_and_confirm(phone, station)
    phone.tap(re.compile("in Ones for Ben"))
    phone.says("Ana: roll")
    phone.tap(re.compile("Undo: Ben scored .* in Ones"))
    phone.says("Ben: ")
    phone.tap(re.compile("in Choice for Ben"))
    phone.says("Ana: roll")
    same_on_both(phone, tv, station)

    # Ana again: a roll typed with the six faces, a full house.
    type_roll(phone, (5, 5, 5, 2, 2))
    for screen in (phone, tv):
        screen.see(".potential")
    save(phone, "phone-choosing")
    expect(tv.page.locator(".flying")).to_have_count(0)  # those of Ben's roll have arrived
    tv.page.evaluate(HELD_UP)
    phone.tap("Score 19 in Full House for Ana")
    phone.says("Ben: roll")
    expect(tv.page.locator(".flying")).to_have_count(5)
    flying = "[...document.querySelectorAll('.flying')].map((die) => die.querySelectorAll('.pip').length)"
    assert tv.page.evaluate(flying) == [5, 5, 5, 2, 2], "the dice of the throw, not those in its place"
    save(tv, "tv-game")
    tv.page.evaluate("document.getAnimations().forEach((each) => each.play())")
    expect(tv.page.locator(".flying")).to_have_count(0)
    same_on_both(phone, tv, station)
    assert station.state()["players"][0]["total"] == worth + 19


def test_it_reconnects_by_itself(tmp_path_factory: pytest.TempPathFactory, open_screen: Open):
    folder = tmp_path_factory.mktemp("station")
    first = StationProcess(folder)
    phone = open_screen(first.url)
    start_by_tapping(phone, ["Ana"])
    first.do("enter_roll", faces=[1, 2, 3, 4, 6])
    first.stop()
    expect(phone.page.locator("#line")).to_be_visible()
    second = StationProcess(folder, port=int(first.url.rsplit(":", 1)[1]))
    try:
        expect(phone.page.locator("#line")).to_be_hidden()
        phone.tap("Score 16 in Choice for Ana")
        expect(phone.page.locator("tfoot .total td")).to_have_text("16")
    finally:
        second.stop()
