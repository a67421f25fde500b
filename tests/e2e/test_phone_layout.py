"""A phone through a turn: nothing jumps, no open box is hidden, and amber says what to do."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from messages.catalogue import languages
from tests.e2e.examine import examine
from tests.e2e.helpers import Open, Screen, StationProcess

NAMES = ["Großmutter Annelies", "Ben"]
LOW = ((375, 553), (390, 664))
"""What a browser leaves of two common phones, with its bars."""

HIGH = "() => ['.now', '#dock'].map((part) => document.querySelector(part).offsetHeight)"
HIDDEN = """() => {
    const dock = document.querySelector("#dock").getBoundingClientRect().top;
    const open = [...document.querySelectorAll(".tiles:not(.written) .tile")];
    const hidden = open.filter((tile) => tile.getBoundingClientRect().bottom > dock);
    return open.length ? hidden.map((tile) => tile.textContent) : ["there is no open box"]; }"""


def sized(screen: Screen, size: tuple[int, int]) -> None:
    screen.page.set_viewport_size({"width": size[0], "height": size[1]})
    screen.until("(wide) => innerWidth === wide && document.fonts.status === 'loaded'", size[0])
    screen.page.evaluate("() => new Promise(requestAnimationFrame).then(() => true)")


def shows(screen: Screen, version: int) -> None:
    screen.until("(least) => Number(document.body.dataset.version) >= least", version)


def turn(station: StationProcess, screen: Screen) -> Iterator[str]:
    """All that a phone shows in a turn of three throws, one after the other."""

    def do(command: str, **fields: Any) -> None:
        shows(screen, station.do(command, **fields)["version"])

    yield "nothing thrown"
    do("throw", faces=[5, 5, 6, 6, 6])
    screen.see(".chip.is-ready")
    yield "to be confirmed"
    screen.see("#steps .first:enabled").tap()
    screen.see("button.potential")
    yield "confirmed"
    do("set_held", slots=[station.state()["dice"][0]["slot"]])
    yield "held"
    do("throw", faces=[station.state()["dice"][0]["face"], 1, 2, 3, 4])
    screen.see(".chip.is-ready")
    yield "thrown again"
    do("accept_roll")
    do("enter_roll", faces=[die["face"] for die in station.state()["dice"]])
    screen.see("button.best")
    yield "no roll left"


@pytest.mark.parametrize("language", languages())
def test_nothing_jumps_and_no_open_box_is_hidden_through_a_turn(
    played: StationProcess, open_screen: Open, language: str
):
    """Fifteen boxes, the most that a game with five dice and one column has."""
    played.do("start_game", players=NAMES, rules="yatzy")
    screen = open_screen(played.url, locale=language)
    screen.see(".tiles")
    high: dict[tuple[int, int], set[tuple[int, ...]]] = {size: set() for size in LOW}
    for moment in turn(played, screen):
        for size in LOW:
            sized(screen, size)
            high[size].add(tuple(screen.page.evaluate(HIGH)))
            assert len(high[size]) == 1, (moment, high)
            assert not screen.page.evaluate(HIDDEN), (moment, size)
            undo = screen.see("#steps .undo:last-child").bounding_box()
            assert undo
            assert undo["x"] < 20, moment
        examine(screen)


def test_open_boxes_stand_first_and_the_last_one_is_on_the_screen(played: StationProcess, open_screen: Open):
    played.do("start_game", players=["Ana"], rules="yatzy")
    screen = open_screen(played.url)
    sized(screen, LOW[0])
    left = 15
    while left > 1:
        state = played.do("enter_roll", faces=[1, 2, 3, 4, 6])
        # From the first box on: in the order of the sheet the last ones would be the farthest down.
        category = next(box for box, points in state["players"][0]["boxes"].items() if points is None)
        left -= 1
        shows(screen, played.do("score_box", category=category)["version"])
        if left in {10, 1}:
            screen.until(
                "(count) => document.querySelectorAll('.tiles:not(.written) .tile').length === count", left
            )
            small, large = (
                screen.page.evaluate("(which) => document.querySelector(which).offsetWidth", which)
                for which in (".written .tile", ".tiles:not(.written) .tile")
            )
            assert small < large
    expect(screen.page.locator(".mine-boxes .tile").first).to_contain_text("Yatzy")
    assert not screen.page.evaluate(HIDDEN)
    examine(screen)


def test_a_left_thumb_finds_the_next_step_on_its_side(played: StationProcess, open_screen: Open):
    played.do("start_game", players=["Ana", "Ben"], rules="yacht-1938")
    played.do("enter_roll", faces=[1, 2, 3, 4, 6])
    screen = open_screen(played.url)
    order = """() => [...document.querySelectorAll("#steps .steps > button")]
        .sort((one, other) => one.getBoundingClientRect().left - other.getBoundingClientRect().left)
        .map((button) => button.innerText || button.textContent)"""
    screen.see("#steps .small")
    right = screen.page.evaluate(order)
    assert right[-1] == "Roll 5 dice"
    assert right[0].endswith(
        "1\N{NON-BREAKING HYPHEN}2\N{NON-BREAKING HYPHEN}3\N{NON-BREAKING HYPHEN}4\N{NON-BREAKING HYPHEN}6"
    )
    screen.tap("Menu")
    screen.page.get_by_label("Left thumb").check()
    screen.tap("Close")
    assert screen.page.evaluate(order) == right[::-1]
    screen.page.reload()  # this phone remembers it
    screen.see("#steps .small")
    assert screen.page.evaluate(order) == right[::-1]
    sized(screen, (740, 360))
    assert screen.page.evaluate("() => document.querySelector('#dock').getBoundingClientRect().left") == 0
    examine(screen)


def test_a_box_is_amber_only_where_it_is_the_best(played: StationProcess, open_screen: Open):
    """Choice brings as much as Full House here; with throws left nobody is advised who did not ask."""
    played.do("start_game", players=["Ana", "Ben"], rules="yacht-1938")
    phone, tablet = open_screen(played.url), open_screen(played.url, "tablet")
    roll = played.do("enter_roll", faces=[6, 6, 6, 5, 5])
    for screen in (phone, tablet):
        shows(screen, roll["version"])
        screen.see("button.potential")
        expect(screen.page.locator(".best")).to_have_count(0)
    played.do("enter_roll", faces=[6, 6, 6, 5, 5])
    last = played.do("enter_roll", faces=[6, 6, 6, 5, 5])
    assert last["phase"] == "choosing"
    ground = "(box) => getComputedStyle(box, '::before').backgroundColor"
    for screen in (phone, tablet):
        best = screen.see("button.best")
        expect(best).to_have_attribute("data-category", "full-house")
        amber = screen.page.evaluate(
            "() => getComputedStyle(document.documentElement).getPropertyValue('--brass')"
        )
        assert amber == "#f0c060"
        assert best.evaluate(ground) == "rgb(240, 192, 96)"
        others = screen.page.locator("button.potential:not(.best)").evaluate_all(
            "(boxes) => boxes.map((box) => getComputedStyle(box, '::before').backgroundColor)"
        )
        assert "rgb(240, 192, 96)" not in others
        for nothing in screen.page.locator("button.nought").all():
            assert nothing.evaluate(ground) == "rgba(0, 0, 0, 0)"
            assert (
                nothing.evaluate("(box) => getComputedStyle(box, '::before').borderTopColor")
                == "rgba(0, 0, 0, 0)"
            )


def test_where_a_hint_would_write_the_throw_is_not_amber(played: StationProcess, open_screen: Open):
    played.do("start_game", players=["Ana", "Ben"], rules="yacht-1938")
    phone = open_screen(played.url)
    assert phone.page.request.post(f"{played.url}/api/v1/room/hints", data={"name": "Ana", "on": True}).ok
    played.do("enter_roll", faces=[2, 3, 4, 5, 6])
    expect(phone.see("button.best")).to_have_attribute("data-category", "big-straight")
    expect(phone.page.get_by_role("button", name="Roll 5 dice")).to_have_class("second")
    expect(phone.page.locator(".hinted")).to_have_count(0)


@pytest.mark.parametrize("size", ["phone", "tablet"])
def test_one_pencil_puts_a_die_right(played: StationProcess, open_screen: Open, size: str):
    played.do("start_game", players=["Ana", "Ben"], rules="yacht-1938")
    played.do("enter_roll", faces=[5, 5, 5, 2, 2])
    screen = open_screen(played.url, size)
    expect(screen.page.get_by_role("button", name=re.compile("^Correct die"))).to_have_count(0)
    screen.tap("Fix a die")
    expect(screen.page.get_by_role("dialog")).to_contain_text("Which die is wrong?")
    examine(screen)
    screen.tap("Correct die 4, read as 2")
    screen.page.locator("dialog .face[data-face='3']").tap()
    screen.until("() => document.querySelector('#roll [data-slot=\"4\"]').ariaLabel.includes('shows 3')")
    assert [die["face"] for die in played.state()["dice"]] == [5, 5, 5, 3, 2]


def test_the_pencil_of_one_roll_corrects_no_other(played: StationProcess, open_screen: Open):
    played.do("start_game", players=["Tim"], rules="yacht-1938")
    played.do("enter_roll", faces=[5, 5, 5, 5, 2])
    phone = open_screen(played.url)
    phone.tap("Fix a die")
    phone.see("dialog .dice")
    played.do("score_box", category="choice")
    shows(phone, played.do("enter_roll", faces=[1, 2, 3, 4, 6])["version"])
    phone.tap("Correct die 5, read as 2")
    phone.page.locator("dialog .face[data-face='3']").tap()
    expect(phone.page.locator("#refusal")).not_to_be_empty()
    assert [die["face"] for die in played.state()["dice"]] == [1, 2, 3, 4, 6]
