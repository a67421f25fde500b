"""Dice thrown after a confirmed roll: nothing of either counts until somebody says which."""

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.examine import examine
from tests.e2e.helpers import Open, Save, Screen, StationProcess
from tests.e2e.late_answers import told_alone

OLDER = (6, 4, 1, 1, 5)
NEWER = (1, 5, 1, 1, 6)


def throw(station: StationProcess, screen: Screen, faces: tuple[int, ...]) -> str:
    """Dice come to rest and are read, by whatever slots; gives them as the page writes them."""
    station.do("throw", faces=list(faces))
    screen.until("() => document.querySelector('.chip.is-ready')")
    state = station.state()
    return "\N{NON-BREAKING HYPHEN}".join(str(die["face"]) for die in state["reading"]["dice"])


@pytest.fixture
def phone(station: StationProcess, open_screen: Open) -> Screen:
    """Ana's roll of before is confirmed, another one lies in the tray."""
    station.do("start_game", players=["Ana", "Ben"], rules="yacht-1938")
    screen = open_screen(station.url)
    throw(station, screen, OLDER)
    screen.tap("Yes")
    expect(screen.page.locator(".dot.done")).to_have_count(1)
    return screen


def test_keep_or_confirm(station: StationProcess, phone: Screen, open_screen: Open, save: Save):
    tv = open_screen(station.url, "tv", path="/tv")
    offered = throw(station, phone, NEWER)
    expect(tv.page.locator(".potential")).to_have_count(0)
    choice = phone.page.locator("button.potential[data-category='choice']")
    expect(choice).to_have_text(str(sum(NEWER)))  # a tap confirms the newer throw, too
    tv.until(
        "(dice) => [...document.querySelectorAll('.tv-die svg')].map((die) => die.ariaLabel).join() === dice",
        ",".join(f"Die showing {face}" for face in offered.split("\N{NON-BREAKING HYPHEN}")),
    )
    expect(phone.page.get_by_role("button", name=f"Yes, {offered}")).to_be_enabled()
    save(phone, "keep-phone")
    save(tv, "keep-tv")
    examine(phone)
    # Other faces: somebody threw. That nobody did is said by the pencil.
    bumped = phone.page.get_by_role("button", name="No throw")
    expect(bumped).to_have_count(0)
    phone.tap("Fix a die")
    examine(phone)
    bumped.tap()
    phone.tap("Score 17 in Choice for Ana")
    phone.says("Ben: roll")
    assert station.state()["players"][0]["boxes"]["choice"] == sum(OLDER)


def test_dice_that_moved_and_show_the_same_may_have_been_bumped(station: StationProcess, phone: Screen):
    throw(station, phone, tuple(die["face"] for die in station.state()["dice"]))
    phone.tap(re.compile("^No throw"))
    expect(phone.page.locator("button.potential").first).to_be_visible()
    assert station.state()["throws_done"] == 1


def test_confirming_takes_the_newer_roll(station: StationProcess, phone: Screen):
    offered = throw(station, phone, NEWER)
    phone.tap(f"Yes, {offered}")
    phone.tap("Score 14 in Choice for Ana")
    station.wait_for(lambda state: state["players"][0]["boxes"]["choice"] == sum(NEWER))


def test_dice_that_roll_show_no_older_numbers(station: StationProcess, phone: Screen, open_screen: Open):
    tv = open_screen(station.url, "tv", path="/tv")
    expect(tv.page.locator(".tv-die svg[role='img']")).to_have_count(5)
    station.do("set_held", slots=[1])
    kept = station.state()["dice"][0]["face"]
    rolling = station.do("throw", faces=[kept, *NEWER[1:]])
    for screen, dice in ((tv, ".tv-die svg"), (phone, ".dice svg")):
        told_alone(screen, rolling)
        screen.see(".chip.is-moving")
        expect(screen.page.locator(f"{dice}:not(.blank)"), "the held die alone").to_have_count(1)


def test_a_box_worth_nothing_asks_once(station: StationProcess, open_screen: Open):
    station.do("start_game", players=["Ana", "Ben"], rules="yacht-1938")
    station.do("enter_roll", faces=list(OLDER))
    screen = open_screen(station.url)
    nothing = re.compile("^Score 0 in Yacht for Ana")
    screen.tap(nothing)
    question = screen.page.get_by_role("dialog", name="Write 0 in Yacht?")
    expect(question.get_by_role("button", name="Cancel")).to_be_focused()
    examine(screen)
    screen.page.keyboard.press("Enter")
    expect(question).to_be_hidden()
    assert station.state()["players"][0]["boxes"]["yacht"] is None
    screen.page.get_by_role("button", name=nothing).focus()
    screen.page.keyboard.press("Enter")
    expect(question).to_be_visible()
    screen.tap("Write 0")
    screen.says("Ben: roll")
    assert station.state()["players"][0]["boxes"]["yacht"] == 0


def test_it_does_not_ask_where_nobody_wants_it(tmp_path_factory: pytest.TempPathFactory, open_screen: Open):
    station = StationProcess(tmp_path_factory.mktemp("station"), settings="ask_before_zero = false\n")
    try:
        station.do("start_game", players=["Ana", "Ben"], rules="yacht-1938")
        station.do("enter_roll", faces=list(OLDER))
        screen = open_screen(station.url, locale="de")
        screen.tap(re.compile("^0 in Yacht"))
        screen.says("Ben: wirf")
    finally:
        station.stop()
