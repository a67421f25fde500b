"""A turn on a phone: under one thumb, in large letters, and as a screen reader says it."""

import os
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from messages.catalogue import languages
from tests.e2e.examine import OVERLAP, examine
from tests.e2e.helpers import Open, Screen, StationProcess, step
from tests.e2e.sweep import DRAWN

TWELVE = [f"Player {number}" for number in range(1, 13)]
UNDER_THE_THUMB = """(selector) => [...document.querySelectorAll(selector)].every((node) => {
    const box = node.getBoundingClientRect();
    return box.height > 0 && box.top >= 0 && box.bottom <= innerHeight && box.left >= 0
        && box.right <= innerWidth; })"""


def sized(screen: Screen, width: int, height: int) -> None:
    screen.page.set_viewport_size({"width": width, "height": height})
    screen.until("(wide) => innerWidth === wide", width)


def test_dice_and_the_next_step_stay_on_the_screen_and_the_sheet_of_all_is_a_swipe_away(
    played: StationProcess, open_screen: Open
):
    played.do("start_game", players=TWELVE, rules="yahtzee")
    screen = open_screen(played.url)
    for faces in (None, [6, 6, 6, 6, 6]):
        if faces:
            played.do("enter_roll", faces=faces)
            screen.see("button.potential")
        for size in ((320, 568), (740, 360), (360, 740)):
            sized(screen, *size)
            for scrolled in (0, 10_000):
                screen.page.evaluate("(y) => scrollTo(0, y)", scrolled)
                screen.until(UNDER_THE_THUMB, "#dock .die, #steps .first")
            if faces:
                examine(screen)
    screen.see(".tiles")
    # With columns one can read, and it makes the page no longer.
    assert screen.page.evaluate(
        "document.querySelector('#sheet').clientHeight <= document.querySelector('.mine-boxes').offsetHeight"
    )
    for part in ("#sheet", ".all"):
        screen.page.evaluate("(part) => document.querySelector(part).scrollTo(10000, 10000)", part)
    screen.until(
        """() => { const box = (part) => document.querySelector(part).getBoundingClientRect();
            const [all, names, total, last] = [".all", ".all th.player", ".all .total td",
                "#sheet th:last-child"].map(box);
            return last.right <= innerWidth + 1
                && names.top >= all.top - 1 && total.bottom <= all.bottom + 1; }"""
    )
    narrow = "Math.min(...[...document.querySelectorAll('th.player')].map((one) => one.offsetWidth))"
    assert screen.page.evaluate(narrow) >= 56


def test_taps_in_quick_succession_all_count_and_a_new_turn_comes_to_the_top(
    played: StationProcess, open_screen: Open
):
    played.do("start_game", players=["Tim", "Ana"], rules="yacht-1938")
    played.do("enter_roll", faces=[5, 2, 5, 3, 5])
    screen = open_screen(played.url)
    sized(screen, 320, 568)
    screen.see("#roll .hold")
    screen.slow_line(300)
    for slot in (1, 3, 5, 3):
        screen.page.locator(f"#roll .hold[data-slot='{slot}']").tap()
    screen.until(
        "() => [...document.querySelectorAll('#roll [aria-pressed=true]')]"
        ".map((die) => die.dataset.slot).join() === '1,5'"
    )
    assert [die["slot"] for die in played.state()["dice"] if die["held"]] == [1, 5]
    screen.page.evaluate("scrollTo(0, 10000)")
    played.do("score_box", category="fives")
    expect(screen.page.locator("#toast")).to_have_text("Tim: Fives, 15.")
    screen.says("Ana: roll all five dice")
    screen.until("() => scrollY === 0")
    expect(screen.see("#whose-boxes")).to_contain_text("Ana")


def test_names_of_boxes_can_be_read_on_a_phone_that_lies(played: StationProcess, open_screen: Open):
    screens = [open_screen(played.url, locale=language) for language in languages()]
    for rules in ("yacht-1938", "yahtzee", "double-cameroon"):
        state = played.do("start_game", players=["Tim"], rules=rules)
        faces = [1 + slot % 5 for slot in range(state["dice_count"])]
        version = played.do("enter_roll", faces=faces)["version"]
        for screen in screens:
            screen.until("(least) => Number(document.body.dataset.version) >= least", version)
            sized(screen, 740, 360)
            screen.see(".tile button.potential")
            letters = screen.page.evaluate(
                "[...document.querySelectorAll('.tile .fit-words')].map((each) => "
                "[parseFloat(getComputedStyle(each).fontSize), each.textContent])"
            )
            assert min(letters)[0] >= 12.5, min(letters)
            words = "[...document.querySelectorAll('.tile .word')]"
            assert screen.page.evaluate(f"{words}.every((one) => one.scrollWidth <= one.clientWidth)")
            examine(screen)
        played.do("end_game")


OUT_OF_FRAME = """() => [...document.querySelectorAll("button.potential")].filter((each) => {
    const frame = getComputedStyle(each, "::before");
    const high = each.offsetHeight - parseFloat(frame.top) - parseFloat(frame.bottom);
    return high < parseFloat(getComputedStyle(each).fontSize); }).map((each) => each.ariaLabel)"""
"""Possible points whose letters are higher than the dashed frame round them."""
TWICE = "document.documentElement.style.fontSize = '200%'"


def test_letters_of_twice_the_size(played: StationProcess, buttoned: StationProcess, open_screen: Open):
    # Nothing scrolls sideways on any page.
    for language in languages():
        screen = open_screen(played.url, locale=language)
        for path in ("/setup", "/history", "/join"):
            with step(f"{path}, {language}"):
                screen.page.goto(played.url + path)
                screen.until(DRAWN)
                screen.page.evaluate(TWICE)
                screen.until("() => document.documentElement.scrollWidth <= innerWidth")
                assert not screen.page.evaluate(OVERLAP)
    played.do("start_game", players=["Tim", "Ana"], rules="yahtzee")
    played.do("enter_roll", faces=[5, 5, 5, 5, 2])
    screen = open_screen(played.url)
    screen.see(".tiles")
    screen.page.evaluate(TWICE)
    screen.until("() => parseFloat(getComputedStyle(document.querySelector('.tile')).fontSize) > 30")
    screen.until("() => document.documentElement.scrollWidth <= innerWidth")
    examine(screen)

    # On a tablet the mark of whose turn it is keeps off a name of two lines, the round button stays round,
    # and possible points stand in their frames.
    buttoned.do("start_game", players=["Elisabeth-Charlotte", "Großmutter Annelies", "Jo"], rules="yahtzee")
    screen = open_screen(buttoned.url, "tablet")
    screen.see(".confirm-button")
    expect(screen.page.locator(".console button")).to_have_count(6)
    screen.page.evaluate(TWICE)
    screen.until("() => parseFloat(getComputedStyle(document.querySelector('.word')).fontSize) > 25")
    assert not screen.page.evaluate(OVERLAP)
    button = screen.see(".confirm-button").bounding_box()
    assert button
    assert button["width"] == pytest.approx(button["height"], abs=1)
    buttoned.do("enter_roll", faces=[6, 6, 6, 6, 6])
    screen.see("button.potential")
    assert not screen.page.evaluate(OUT_OF_FRAME)


def test_a_filled_box_is_put_right_or_elsewhere(game: StationProcess, open_screen: Open):
    """With the dice it was filled with, also turns later, and whose box it may be."""
    for faces, category in (([5, 5, 5, 5, 2], "choice"), ([1, 2, 3, 4, 6], "ones")):
        game.do("enter_roll", faces=faces)
        game.do("score_box", category=category)
    for size, filled in (
        ("phone", ".written .filled"),
        ("tablet", "tr:has-text('Choice') td.box:has(.score)"),
    ):
        screen = open_screen(game.url, size)
        screen.see(filled).first.tap()
        fours = screen.see("dialog [data-to='four-of-a-kind']")
        expect(fours).to_have_text("Four-Of-A-Kind 20")
        examine(screen)
        with screen.page.expect_response("**/api/v1/commands") as moved:
            fours.tap()
        boxes = moved.value.json()["players"][0]["boxes"]
        assert (boxes["choice"], boxes["four-of-a-kind"]) == (None, 20)
        game.do("undo")
    phone = open_screen(game.url)
    phone.see(".chip.is-empty")
    expect(phone.page.locator(".console button"), "there are no buttons of the table").to_have_count(0)
    phone.tap(re.compile("^22. Choice: what it pays"))
    phone.tap(re.compile("^Correct"))
    phone.see("dialog .typed .hold")
    for face in "55552":  # also by keyboard: what was pressed to come here is gone
        phone.page.keyboard.press(face)
    phone.tap("Take this roll")
    expect(phone.page.locator("dialog[open]")).to_have_count(0)


def test_a_dialog_begins_at_its_top_however_far_down_the_last_one_was(
    game: StationProcess, open_screen: Open
):
    """On a phone that lies on its side: the first faces were above the edge, and nothing said so."""
    screen = open_screen(game.url)
    sized(screen, 740, 360)
    screen.tap("Menu")
    screen.see("dialog .menu")
    screen.page.get_by_role("link", name="Health").scroll_into_view_if_needed()
    screen.until("() => document.querySelector('dialog').scrollTop > 0")
    screen.tap("Close")
    screen.tap("Enter dice by hand")
    expect(screen.page.locator("dialog .typed .hold").first).to_be_in_viewport(ratio=0.9)
    screen.page.keyboard.press("Escape")
    game.do("enter_roll", faces=[1, 2, 3, 4, 6])
    game.do("score_box", category="choice")
    screen.says("Ben: roll")
    screen.tap("Choice: what it pays")
    screen.page.get_by_role("button", name="Correct this box").scroll_into_view_if_needed()
    screen.tap(re.compile("^Correct this box"))
    expect(screen.page.locator("dialog .typed .hold").first).to_be_in_viewport(ratio=0.9)


def test_the_focus_is_not_lost_by_what_is_done_elsewhere(game: StationProcess, open_screen: Open):
    """What a keyboard stands on may go, or be switched off, while dice roll or another screen acts."""
    screen = open_screen(game.url, "tablet")
    game.do("enter_roll", faces=[1, 2, 3, 4, 4])
    on_headline = "() => document.activeElement.id === 'waiting'"
    screen.page.get_by_role("button", name="Fix a die").focus()
    screen.page.keyboard.press("Enter")
    screen.see("dialog .dice")
    game.do("score_box", category="choice")
    screen.says("Ben: roll all five dice")
    screen.page.keyboard.press("Escape")
    screen.until(on_headline)
    game.do("enter_roll", faces=[1, 2, 3, 4, 4])
    screen.page.get_by_role("button", name=re.compile("in Fours for Ben")).focus()
    game.do("undo")
    screen.says("Ben: roll all five dice")
    screen.until(on_headline)
    game.do("enter_roll", faces=[1, 2, 3, 4, 4])
    game.do("set_held", slots=[1])
    screen.page.locator("#roll .held .hold").focus()
    game.do("throw", faces=[2, 3, 4, 4])
    screen.see("#roll .seen .held .hold:disabled")
    screen.until(on_headline)


SCRIPT = Path(__file__).with_name("spoken_turn.txt")


def test_a_turn_as_a_screen_reader_says_it(station: StationProcess, open_screen: Open):
    """The accessibility tree after each step of a turn, and what is read out by itself, as kept in the file.

    YACHT_SPOKEN=1 writes the file anew: to be read before it is kept.
    """
    station.do("start_game", players=["Ana", "Ben"], rules="yacht-1938")
    screen = open_screen(station.url)
    parts = []
    for command, fields in (
        (None, {}),
        ("enter_roll", {"faces": [5, 5, 5, 2, 2]}),
        ("set_held", {"slots": [1, 2, 3]}),
        ("score_box", {"category": "full-house"}),
    ):
        version = station.do(command, **fields)["version"] if command else 0
        screen.until("(least) => Number(document.body.dataset.version) >= least", version)
        screen.says(station.state()["waiting_for"])
        if station.state()["phase"] == "throwing":
            screen.see(".chip.is-empty")
        screen.see("#picture")
        aloud = screen.page.locator("#live").inner_text()
        trees = [screen.see(part).aria_snapshot() for part in (".tray", ".mine-boxes")]
        parts.append("\n".join([f"# {command or 'begin'}", f"aloud: {aloud}", *trees]))
    script = "\n\n".join(parts) + "\n"
    if os.environ.get("YACHT_SPOKEN"):
        SCRIPT.write_text(script, encoding="utf-8")
    assert script == SCRIPT.read_text(encoding="utf-8")

    # A box that is taken back is no longer said to be written; the clock stands, and no line ends by its age.
    screen.stop_clock("Ben: roll")
    station.do("enter_roll", faces=[4, 4, 4, 4, 4])
    station.do("score_box", category="choice")
    expect(screen.page.locator("#toast")).to_have_text(re.compile("^Ben: Choice, 20."))
    station.do("undo")
    expect(screen.page.locator("#toast")).to_have_text("Taken back: Ben scored 20 points in Choice.")
