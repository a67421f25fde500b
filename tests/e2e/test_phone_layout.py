"""A phone through a turn: nothing jumps, no open box is hidden, and amber says what to do."""

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from playwright.sync_api import expect

from messages.catalogue import DEFAULT, languages
from tests.e2e.examine import examine, examine_places
from tests.e2e.helpers import Open, Screen, StationProcess, step

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


def turn(station: StationProcess, screens: list[Screen]) -> Iterator[str]:
    """All that phones show in a turn of three throws, one after the other."""

    def do(command: str, **fields: Any) -> None:
        version = station.do(command, **fields)["version"]
        for screen in screens:
            shows(screen, version)

    def all_see(what: str) -> None:
        for screen in screens:
            screen.see(what)

    yield "nothing thrown"
    do("throw", faces=[5, 5, 6, 6, 6])
    all_see(".chip.is-ready")
    yield "to be confirmed"
    screens[0].see("#steps .first:enabled").tap()
    all_see("button.potential")
    yield "confirmed"
    do("set_held", slots=[station.state()["dice"][0]["slot"]])
    yield "held"
    do("throw", faces=[station.state()["dice"][0]["face"], 1, 2, 3, 4])
    all_see(".chip.is-ready")
    yield "thrown again"
    do("accept_roll")
    do("enter_roll", faces=[die["face"] for die in station.state()["dice"]])
    all_see("button.best")
    yield "no roll left"


def test_nothing_jumps_and_no_open_box_is_hidden_through_a_turn(played: StationProcess, open_screen: Open):
    """Fifteen boxes, the most that a game with five dice and one column has; in each language."""
    played.do("start_game", players=NAMES, rules="yatzy")
    screens = [open_screen(played.url, locale=language) for language in languages()]
    for screen in screens:
        screen.see(".tiles")
    high: dict[object, set[tuple[int, ...]]] = defaultdict(set)
    for moment in turn(played, screens):
        for screen, language in zip(screens, languages(), strict=True):
            with step(f"{moment}, {language}"):
                for size in LOW:
                    sized(screen, size)
                    seen = high[language, size]
                    seen.add(tuple(screen.page.evaluate(HIGH)))
                    assert len(seen) == 1, (size, seen)
                    assert not screen.page.evaluate(HIDDEN), size
                    undo = screen.see("#steps .undo:last-child").bounding_box()
                    assert undo
                    assert undo["x"] < 20
                (examine if language == DEFAULT else examine_places)(screen)


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


def test_a_left_thumb_finds_the_next_step_on_its_side(game: StationProcess, open_screen: Open):
    game.do("enter_roll", faces=[1, 2, 3, 4, 6])
    screen = open_screen(game.url)
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


def test_a_box_is_amber_only_where_it_is_the_best(game: StationProcess, open_screen: Open):
    """Choice brings as much as Full House here; with throws left nobody is advised who did not ask."""
    phone, tablet = open_screen(game.url), open_screen(game.url, "tablet")
    roll = game.do("enter_roll", faces=[6, 6, 6, 5, 5])
    for screen in (phone, tablet):
        shows(screen, roll["version"])
        screen.see("button.potential")
        expect(screen.page.locator(".best")).to_have_count(0)
    game.do("enter_roll", faces=[6, 6, 6, 5, 5])
    last = game.do("enter_roll", faces=[6, 6, 6, 5, 5])
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
    # Nor is the throw where a hint would write.
    game.do("score_box", category="full-house")
    assert phone.page.request.post(f"{game.url}/api/v1/room/hints", data={"name": "Ben", "on": True}).ok
    game.do("enter_roll", faces=[2, 3, 4, 5, 6])
    expect(phone.see("button.best")).to_have_attribute("data-category", "big-straight")
    expect(phone.page.get_by_role("button", name="Roll 5 dice")).to_have_class("second")
    expect(phone.page.locator(".hinted")).to_have_count(0)


def test_one_pencil_puts_a_die_right_of_this_roll_alone(game: StationProcess, open_screen: Open):
    game.do("enter_roll", faces=[5, 5, 5, 2, 2])
    for number, size in enumerate(("phone", "tablet"), start=3):
        screen = open_screen(game.url, size)
        expect(screen.page.get_by_role("button", name=re.compile("^Correct die"))).to_have_count(0)
        screen.tap("Fix a die")
        expect(screen.page.get_by_role("dialog")).to_contain_text("Which die is wrong?")
        examine(screen)
        screen.tap(re.compile("^Correct die 4, read as"))
        screen.page.locator(f"dialog .face[data-face='{number}']").tap()
        screen.until("""(face) => document.querySelector('#roll [data-slot="4"]').ariaLabel
            .includes(`shows ${face}`)""", number)  # fmt: skip
        assert [die["face"] for die in game.state()["dice"]] == [5, 5, 5, number, 2]
    screen.tap("Fix a die")
    screen.see("dialog .dice")
    game.do("score_box", category="choice")
    shows(screen, game.do("enter_roll", faces=[1, 2, 3, 4, 6])["version"])
    screen.tap("Correct die 5, read as 2")
    screen.page.locator("dialog .face[data-face='3']").tap()
    expect(screen.page.locator("#refusal")).not_to_be_empty()
    assert [die["face"] for die in game.state()["dice"]] == [1, 2, 3, 4, 6]
