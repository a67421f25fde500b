"""A turn on a phone: under one thumb, by keyboard, and as a screen reader tells it."""

import os
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from messages.catalogue import languages
from tests.e2e.examine import OVERLAP, examine
from tests.e2e.helpers import Open, StationProcess, start_by_tapping
from tests.e2e.sweep import DRAWN

TWELVE = [f"Player {number}" for number in range(1, 13)]
UNDER_THE_THUMB = """(selector) => [...document.querySelectorAll(selector)].every((node) => {
    const box = node.getBoundingClientRect();
    return box.height > 0 && box.top >= 0 && box.bottom <= innerHeight && box.left >= 0
        && box.right <= innerWidth; })"""


@pytest.mark.parametrize("size", [(320, 568), (360, 740), (740, 360)])
def test_dice_and_the_next_step_stay_on_the_screen(
    played: StationProcess, open_screen: Open, size: tuple[int, int]
):
    played.do("start_game", players=TWELVE, rules="yahtzee")
    screen = open_screen(played.url)
    screen.page.set_viewport_size({"width": size[0], "height": size[1]})
    for faces in (None, [6, 6, 6, 6, 6]):
        if faces:
            played.do("enter_roll", faces=faces)
            screen.see("button.potential")
        for scrolled in (0, 10_000):
            screen.page.evaluate("(y) => scrollTo(0, y)", scrolled)
            screen.until(UNDER_THE_THUMB, "#dock .die, #steps .first")
    examine(screen)


def test_taps_in_quick_succession_are_all_meant(played: StationProcess, open_screen: Open):
    played.do("start_game", players=["Tim"], rules="yacht-1938")
    played.do("enter_roll", faces=[5, 2, 5, 3, 5])
    screen = open_screen(played.url)
    screen.see("#roll .hold")
    screen.slow_line(300)
    for slot in (1, 3, 5, 3):
        screen.page.locator(f"#roll .hold[data-slot='{slot}']").tap()
    screen.until(
        "() => [...document.querySelectorAll('#roll [aria-pressed=true]')]"
        ".map((die) => die.dataset.slot).join() === '1,5'"
    )
    assert [die["slot"] for die in played.state()["dice"] if die["held"]] == [1, 5]


def test_the_sheet_of_all_is_a_swipe_away(played: StationProcess, open_screen: Open):
    played.do("start_game", players=TWELVE, rules="yahtzee")
    played.do("enter_roll", faces=[6, 6, 6, 6, 6])
    screen = open_screen(played.url)
    screen.see(".tiles")
    # With columns one can read, and it makes the page no longer.
    assert screen.page.evaluate(
        "document.querySelector('#sheet').clientHeight <= document.querySelector('.mine-boxes').offsetHeight"
    )
    for part in ("#sheet", ".all"):
        screen.page.evaluate("(part) => document.querySelector(part).scrollTo(10000, 10000)", part)
    screen.until(
        "() => document.querySelector('#sheet th:last-child').getBoundingClientRect().right <= innerWidth + 1"
    )
    screen.until(
        """() => { const box = (part) => document.querySelector(part).getBoundingClientRect();
            const [all, names, total] = [".all", ".all th.player", ".all .total td"].map(box);
            return names.top >= all.top - 1 && total.bottom <= all.bottom + 1; }"""
    )
    assert (
        screen.page.evaluate(
            "Math.min(...[...document.querySelectorAll('th.player')].map((one) => one.offsetWidth))"
        )
        >= 56
    )


def test_a_new_turn_comes_to_the_top_and_says_what_was_written(played: StationProcess, open_screen: Open):
    played.do("start_game", players=["Tim", "Ana"], rules="yacht-1938")
    played.do("enter_roll", faces=[5, 5, 5, 5, 5])
    screen = open_screen(played.url)
    screen.page.set_viewport_size({"width": 320, "height": 568})
    screen.see("button.potential")
    screen.page.evaluate("scrollTo(0, 10000)")
    played.do("score_box", category="yacht")
    expect(screen.page.locator("#toast")).to_have_text("Tim: Yacht, 50.")
    screen.says("Ana: roll all five dice")
    screen.until("() => scrollY === 0")
    screen.see("#whose-boxes")
    expect(screen.page.locator("#whose-boxes")).to_contain_text("Ana")


@pytest.mark.parametrize("language", languages())
def test_names_of_boxes_can_be_read_on_a_phone_that_lies(
    played: StationProcess, open_screen: Open, language: str
):
    for rules in ("yacht-1938", "yahtzee", "double-cameroon"):
        played.do("start_game", players=["Tim"], rules=rules)
        faces = [1, 2, 3, 4, 5, 1, 2, 3, 4, 5] if rules == "double-cameroon" else [1, 2, 3, 4, 5]
        played.do("enter_roll", faces=faces)
        screen = open_screen(played.url, locale=language)
        screen.page.set_viewport_size({"width": 740, "height": 360})
        screen.see(".tile button.potential")
        letters = screen.page.evaluate(
            "[...document.querySelectorAll('.tile .fit-words')].map((each) => "
            "[parseFloat(getComputedStyle(each).fontSize), each.textContent])"
        )
        assert min(letters)[0] >= 12.5, min(letters)
        assert screen.page.evaluate(
            "[...document.querySelectorAll('.tile .word')].every((one) => one.scrollWidth <= one.clientWidth)"
        )
        examine(screen)
        played.do("end_game")


def test_letters_of_twice_the_size(played: StationProcess, open_screen: Open):
    played.do("start_game", players=["Tim", "Ana"], rules="yahtzee")
    played.do("enter_roll", faces=[5, 5, 5, 5, 2])
    screen = open_screen(played.url)
    screen.see(".tiles")
    screen.page.evaluate("document.documentElement.style.fontSize = '200%'")
    screen.until("() => parseFloat(getComputedStyle(document.querySelector('.tile')).fontSize) > 30")
    screen.until("() => document.documentElement.scrollWidth <= innerWidth")
    examine(screen)


def test_the_buttons_of_the_table_are_drawn_only_where_there_are_some(
    station: StationProcess, open_screen: Open, tmp_path_factory: pytest.TempPathFactory
):
    """They say nothing to who has none: dice are held, confirmed and written by taps."""
    wired = StationProcess(tmp_path_factory.mktemp("buttons"), buttons="page")
    try:
        for table, count in ((station, 0), (wired, 6)):
            table.do("start_game", players=["Ana", "Ben"], rules="yacht-1938")
            table.do("enter_roll", faces=[1, 2, 3, 4, 6])
            screen = open_screen(table.url, "tablet")
            screen.see("button.potential")
            expect(screen.page.locator(".console button")).to_have_count(count)
    finally:
        wired.stop()


OUT_OF_FRAME = """() => [...document.querySelectorAll("button.potential")].filter((each) => {
    const frame = getComputedStyle(each, "::before");
    const high = each.offsetHeight - parseFloat(frame.top) - parseFloat(frame.bottom);
    return high < parseFloat(getComputedStyle(each).fontSize); }).map((each) => each.ariaLabel)"""
"""Possible points whose letters are higher than the dashed frame round them."""


def test_on_a_tablet_letters_of_twice_the_size_keep_apart(buttoned: StationProcess, open_screen: Open):
    """The mark of whose turn it is keeps off a name of two lines, the round button stays round, and possible
    points stand in their frames.
    """
    buttoned.do("start_game", players=["Elisabeth-Charlotte", "Großmutter Annelies", "Jo"], rules="yahtzee")
    screen = open_screen(buttoned.url, "tablet")
    screen.see(".confirm-button")
    screen.page.evaluate("document.documentElement.style.fontSize = '200%'")
    screen.until("() => parseFloat(getComputedStyle(document.querySelector('.word')).fontSize) > 25")
    assert not screen.page.evaluate(OVERLAP)
    button = screen.see(".confirm-button").bounding_box()
    assert button
    assert button["width"] == pytest.approx(button["height"], abs=1)
    buttoned.do("enter_roll", faces=[6, 6, 6, 6, 6])
    screen.see("button.potential")
    assert not screen.page.evaluate(OUT_OF_FRAME)


@pytest.mark.parametrize("language", languages())
def test_pages_in_letters_of_twice_the_size_do_not_scroll_sideways(
    standing: StationProcess, open_screen: Open, language: str
):
    screen = open_screen(standing.url, locale=language)
    for path in ("/setup", "/history", "/join"):
        screen.page.goto(standing.url + path)
        screen.until(DRAWN)
        screen.page.evaluate("document.documentElement.style.fontSize = '200%'")
        screen.until("() => document.documentElement.scrollWidth <= innerWidth")
        assert not screen.page.evaluate(OVERLAP)


def test_an_earlier_box_is_put_right_from_its_tile(played: StationProcess, open_screen: Open):
    played.do("start_game", players=["Tim"], rules="yacht-1938")
    played.do("enter_roll", faces=[5, 5, 5, 5, 2])
    played.do("score_box", category="choice")
    screen = open_screen(played.url)
    screen.see(".chip.is-empty")
    screen.tap(re.compile("^22. Choice: what it pays"))
    screen.tap(re.compile("^Correct"))
    screen.see("dialog .typed .hold")
    for face in "55552":  # also by keyboard: what was pressed to come here is gone
        screen.page.keyboard.press(face)
    screen.tap("Take this roll")


@pytest.mark.parametrize("size", ["phone", "tablet"])
def test_two_taps_put_a_box_elsewhere(played: StationProcess, open_screen: Open, size: str):
    """With the dice it was filled with, also turns later: of whoever's box it is."""
    played.do("start_game", players=["Ana", "Ben"], rules="yacht-1938")
    for faces, category in (([5, 5, 5, 5, 2], "choice"), ([1, 2, 3, 4, 6], "ones")):
        played.do("enter_roll", faces=faces)
        played.do("score_box", category=category)
    screen = open_screen(played.url, size)
    filled = ".written .filled" if size == "phone" else "tr:has-text('Choice') td.box:has(.score)"
    screen.see(filled).first.tap()
    fours = screen.see("dialog [data-to='four-of-a-kind']")
    expect(fours).to_have_text("Four-Of-A-Kind 20")
    examine(screen)
    with screen.page.expect_response("**/api/v1/commands") as moved:
        fours.tap()
    boxes = moved.value.json()["players"][0]["boxes"]
    assert (boxes["choice"], boxes["four-of-a-kind"]) == (None, 20)


def test_a_dialog_begins_at_its_top_however_far_down_the_last_one_was(
    played: StationProcess, open_screen: Open
):
    """On a phone that lies on its side: the first faces were above the edge, and nothing said so."""
    played.do("start_game", players=["Ana", "Ben"], rules="yacht-1938")
    screen = open_screen(played.url)
    screen.page.set_viewport_size({"width": 740, "height": 360})
    screen.tap("Menu")
    screen.see("dialog .menu")
    screen.page.get_by_role("link", name="Health").scroll_into_view_if_needed()
    screen.until("() => document.querySelector('dialog').scrollTop > 0")
    screen.tap("Close")
    screen.tap("Enter dice by hand")
    expect(screen.page.locator("dialog .typed .hold").first).to_be_in_viewport(ratio=0.9)
    screen.page.keyboard.press("Escape")
    played.do("enter_roll", faces=[1, 2, 3, 4, 6])
    played.do("score_box", category="choice")
    screen.says("Ben: roll")
    screen.tap("Choice: what it pays")
    screen.page.get_by_role("button", name="Correct this box").scroll_into_view_if_needed()
    screen.tap(re.compile("^Correct this box"))
    expect(screen.page.locator("dialog .typed .hold").first).to_be_in_viewport(ratio=0.9)


FOCUSED = "() => document.activeElement !== document.body && !document.activeElement.closest('dialog')"


def test_the_focus_stays_with_the_turn(station: StationProcess, open_screen: Open):
    screen = open_screen(station.url)
    start_by_tapping(screen, ["Ana", "Ben"])
    keys = screen.page.keyboard
    screen.page.get_by_role("button", name=re.compile("^Roll")).focus()
    keys.press("Enter")
    screen.see(".chip.is-ready")
    confirm = screen.page.get_by_role("button", name="Yes", exact=True)
    expect(confirm).to_be_enabled()
    confirm.focus()
    keys.press("Enter")
    screen.says("Ana: tap what you keep")
    screen.until(FOCUSED)
    screen.page.get_by_role("button", name=re.compile("in Choice for Ana")).focus()
    keys.press("Enter")
    screen.says("Ben: roll all five dice")
    screen.until("() => /^Roll/.test(document.activeElement.textContent)")


def test_the_focus_is_not_lost_by_what_is_done_elsewhere(played: StationProcess, open_screen: Open):
    """What a keyboard stands on may go, or be switched off, while dice roll or another screen acts."""
    played.do("start_game", players=["Ana", "Ben"], rules="yacht-1938")
    screen = open_screen(played.url, "tablet")
    played.do("enter_roll", faces=[1, 2, 3, 4, 4])
    on_headline = "() => document.activeElement.id === 'waiting'"
    screen.page.get_by_role("button", name=re.compile("in Fours for Ana")).focus()
    played.do("undo")
    screen.says("Ana: roll all five dice")
    screen.until(on_headline)
    played.do("enter_roll", faces=[1, 2, 3, 4, 4])
    played.do("set_held", slots=[1])
    screen.page.locator("#roll .held .hold").focus()
    played.do("throw", faces=[2, 3, 4, 4])
    screen.see("#roll .seen .held .hold:disabled")
    screen.until(on_headline)


def test_the_focus_is_not_lost_by_what_is_done_elsewhere_while_a_question_is_open(
    played: StationProcess, open_screen: Open
):
    played.do("start_game", players=["Ana", "Ben"], rules="yacht-1938")
    screen = open_screen(played.url, "tablet")
    keys = screen.page.keyboard
    played.do("enter_roll", faces=[1, 2, 3, 4, 4])
    screen.page.get_by_role("button", name="Fix a die").focus()
    keys.press("Enter")
    screen.see("dialog .dice")
    played.do("score_box", category="choice")
    screen.says("Ben: roll all five dice")
    keys.press("Escape")
    screen.until("() => document.activeElement.id === 'waiting'")


SCRIPT = Path(__file__).with_name("spoken_turn.txt")


def test_a_turn_as_a_screen_reader_tells_it(station: StationProcess, open_screen: Open):
    """The accessibility tree after each step of a turn, and what is read out by itself, as kept in the file.

    YACHT_SPOKEN=1 writes the file anew: to be read before it is kept.
    """
    station.do("start_game", players=["Ana", "Ben"], rules="yacht-1938")
    screen = open_screen(station.url)
    told = []
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
        told.append("\n".join([f"# {command or 'begin'}", f"aloud: {aloud}", *trees]))
    script = "\n\n".join(told) + "\n"
    if os.environ.get("YACHT_SPOKEN"):
        SCRIPT.write_text(script, encoding="utf-8")
    assert script == SCRIPT.read_text(encoding="utf-8")


def test_a_box_that_is_taken_back_is_no_longer_said_to_be_written(played: StationProcess, open_screen: Open):
    """The clock of the page stands, so that the line cannot end by its age."""
    played.do("start_game", players=["Ana", "Ben"], rules="yacht-1938")
    phone = open_screen(played.url)
    phone.stop_clock("Ana: roll")
    played.do("enter_roll", faces=[4, 4, 4, 4, 4])
    played.do("score_box", category="choice")
    expect(phone.page.locator("#toast")).to_have_text("Ana: Choice, 20.")
    played.do("undo")
    expect(phone.page.locator("#toast")).to_have_text("Taken back: Ana scored 20 points in Choice.")
