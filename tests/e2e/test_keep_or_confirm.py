"""Dice thrown after a confirmed roll: nothing of either counts until somebody says which."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.e2e.examine import examine
from tests.e2e.helpers import Screen, StationProcess

pytestmark = [pytest.mark.browser, pytest.mark.slow]

OLDER = (6, 4, 1, 1, 5)
NEWER = (1, 5, 1, 1, 6)


def throw(station: StationProcess, screen: Screen, faces: tuple[int, ...]) -> str:
    """Dice come to rest and are read, by whatever slots; gives them as the page writes them."""
    station.do("throw", faces=list(faces))
    screen.until("() => document.querySelector('.chip.is-ready')")
    state = station.state()
    return "\N{NON-BREAKING HYPHEN}".join(str(die["face"]) for die in state["reading"]["dice"])


@pytest.fixture
def phone(station: StationProcess, open_screen: Callable[..., Screen]) -> Screen:
    """Ana's roll of before is confirmed, another one lies in the tray."""
    station.do("start_game", players=["Ana", "Ben"], rules="yacht-1938")
    screen = open_screen(station.url)
    throw(station, screen, OLDER)
    screen.tap("Confirm")
    expect(screen.page.locator("button.potential").first).to_be_visible()
    return screen


def test_keep_or_confirm(
    station: StationProcess,
    phone: Screen,
    open_screen: Callable[..., Screen],
    save: Callable[[Screen, str], None],
):
    tv = open_screen(station.url, "tv", path="/tv")
    confirmed = "\N{NON-BREAKING HYPHEN}".join(str(die["face"]) for die in station.state()["dice"])
    offered = throw(station, phone, NEWER)
    assert offered != confirmed
    for screen in (phone, tv):
        expect(screen.page.locator(".potential")).to_have_count(0)
    shown = tv.page.locator(".tv-die svg").evaluate_all("dice => dice.map(die => die.ariaLabel)")
    assert shown == [f"Die showing {face}" for face in offered.split("\N{NON-BREAKING HYPHEN}")]
    expect(phone.page.get_by_role("button", name=f"Confirm {offered}")).to_be_enabled()
    save(phone, "keep-phone")
    save(tv, "keep-tv")
    examine(phone)
    phone.tap(f"Keep {confirmed}")
    phone.tap("Score 17 in Choice for Ana")
    phone.says("Ben: throw")
    assert station.state()["players"][0]["boxes"]["choice"] == sum(OLDER)


def test_confirming_takes_the_newer_roll(station: StationProcess, phone: Screen):
    offered = throw(station, phone, NEWER)
    phone.tap(f"Confirm {offered}")
    phone.tap("Score 14 in Choice for Ana")
    assert station.state()["players"][0]["boxes"]["choice"] == sum(NEWER)


def test_dice_that_roll_show_no_older_numbers(
    station: StationProcess, phone: Screen, open_screen: Callable[..., Screen]
):
    tv = open_screen(station.url, "tv", path="/tv")
    expect(tv.page.locator(".tv-die svg[role='img']")).to_have_count(5)
    station.do("set_held", slots=[1])
    kept = station.state()["dice"][0]["face"]
    seen: list[list[str | None]] = []
    for screen, dice in ((tv, ".tv-die svg"), (phone, ".dice svg")):
        screen.page.evaluate(
            """(dice) => { window.rolled = []; new MutationObserver(() => {
                if (document.querySelector('.chip.is-moving'))
                    window.rolled.push([...document.querySelectorAll(dice)].filter((die) =>
                        !die.classList.contains('blank')).length);
            }).observe(document.body, { subtree: true, childList: true, attributes: true }); }""",
            dice,
        )
    throw(station, phone, (kept, *NEWER[1:]))
    for screen in (tv, phone):
        screen.until("() => document.querySelector('.chip.is-ready')")
        seen.append(screen.page.evaluate("window.rolled.at(-1)"))
    assert seen == [1, 1], "the held die alone"


def test_a_box_worth_nothing_asks_once(station: StationProcess, open_screen: Callable[..., Screen]):
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
    screen.says("Ben: throw")
    assert station.state()["players"][0]["boxes"]["yacht"] == 0


def test_it_does_not_ask_where_nobody_wants_it(
    tmp_path_factory: pytest.TempPathFactory, open_screen: Callable[..., Screen]
):
    station = StationProcess(tmp_path_factory.mktemp("station"), settings="ask_before_zero = false\n")
    try:
        station.do("start_game", players=["Ana", "Ben"], rules="yacht-1938")
        station.do("enter_roll", faces=list(OLDER))
        screen = open_screen(station.url, locale="de")
        screen.tap(re.compile("^0 in Yacht"))
        screen.says("Ben: wirf")
    finally:
        station.stop()
