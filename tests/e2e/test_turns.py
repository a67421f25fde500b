"""Turns by tapping on a phone, followed on the big screen, with a station that reads drawn dice."""

import random
import re
from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import expect

from station.table.waiting_throw import SHOWN_S
from tests.e2e.examine import examine
from tests.e2e.helpers import (
    Open,
    Save,
    Screen,
    StationProcess,
    start_by_tapping,
    throw_and_confirm,
    type_roll,
)
from tests.e2e.late_answers import sent_alone

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


ROLLS = ((6, 6, 1, 2, 4), (6, 6, 3, 3, 1), (6, 6, 6, 2, 5))


def test_a_turn_of_three_rolls_takes_three_taps(station: StationProcess, open_screen: Open, save: Save):
    station.do("start_game", players=["Ana", "Ben"], rules="yahtzee")
    phone = open_screen(station.url)
    taps = 0
    for number, faces in enumerate(ROLLS, start=1):
        station.do("throw", faces=list(faces))
        phone.until("() => document.querySelector('.chip.is-ready')")
        if number < len(ROLLS):
            phone.tap("Yes")
            taps += 1
            expect(phone.page.locator(".dot.done")).to_have_count(number)
    save(phone, "phone-offer")
    phone.tap("Score 18 in Sixes for Ana")
    taps += 1
    phone.says("Ben: roll all five dice")
    assert taps == 3
    assert station.state()["players"][0]["boxes"]["sixes"] == 18
    phone.tap("Undo")
    phone.says("right?")
    assert station.state()["offer"]["potentials"]["sixes"] == 18, "the throw and its box are one step"


def test_a_turn_takes_one_tap_where_the_next_throw_confirms(tmp_path: Path, open_screen: Open):
    station = StationProcess(tmp_path, settings="ask_before_zero = false\n")
    try:
        phone = open_screen(station.url, path="/setup/first")
        phone.page.get_by_role("button", name="How a roll counts").tap()
        phone.tap("as soon as you roll again", role="radio")
        phone.page.get_by_role("button", name="How a roll counts, done").wait_for()
        station.do("start_game", players=["Ana", "Ben"], rules="yahtzee")
        phone.page.goto(station.url)
        for done, faces in enumerate(ROLLS):
            station.do("throw", faces=list(faces))
            phone.until("() => document.querySelector('.chip.is-ready')")
            expect(phone.page.locator(".dot.done")).to_have_count(done)
            now_ms = phone.page.evaluate("() => performance.now()")
            phone.until(
                "(until) => performance.now() > until", now_ms + 1000 * SHOWN_S
            )  # somebody looks at it
        phone.tap("Score 18 in Sixes for Ana")
        phone.says("Ben: roll all five dice")
        # Here nobody is asked before a box that is worth nothing.
        station.do("enter_roll", faces=[1, 2, 3, 4, 6])
        phone.tap(re.compile("^Score 0 in Yahtzee for Ben"))
        phone.says("Ana: roll all five dice")
    finally:
        station.stop()


OLDER = (6, 4, 1, 1, 5)
NEWER = (1, 5, 1, 1, 6)


def test_of_two_rolls_nothing_counts_until_somebody_says_which(
    station: StationProcess, open_screen: Open, save: Save
):
    """Dice are thrown after a confirmed roll."""
    station.do("start_game", players=["Ana", "Ben"], rules="yacht-1938")
    phone, tv = open_screen(station.url), open_screen(station.url, "tv", path="/tv")

    def throw(faces: Sequence[int]) -> str:
        """Dice come to rest and are read, by whatever slots; gives them as the page writes them."""
        state = station.do("throw", faces=list(faces))
        phone.until("(least) => Number(document.body.dataset.version) >= least", state["version"])
        phone.until("() => document.querySelector('.chip.is-ready')")
        dice = station.wait_for(lambda it: it["reading"]["fresh"])["reading"]["dice"]
        return "\N{NON-BREAKING HYPHEN}".join(str(die["face"]) for die in dice)

    def older() -> None:
        throw(OLDER)
        phone.tap("Yes")
        expect(phone.page.locator(".dot.done")).to_have_count(1)

    older()
    # Other faces: somebody threw. That nobody did is said by the pencil.
    offered = throw(NEWER)
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
    bumped = phone.page.get_by_role("button", name="No throw")
    expect(bumped).to_have_count(0)
    phone.tap("Fix a die")
    examine(phone)
    bumped.tap()
    phone.tap("Score 17 in Choice for Ana")
    phone.says("Ben: roll")
    assert station.state()["players"][0]["boxes"]["choice"] == sum(OLDER)

    older()
    # Dice that moved and show the same may have been bumped.
    throw([die["face"] for die in station.state()["dice"]])
    phone.tap(re.compile("^No throw"))
    expect(phone.page.locator("button.potential").first).to_be_visible()
    assert station.state()["throws_done"] == 1
    # Confirming takes the newer one.
    offered = throw(NEWER)
    phone.tap(f"Yes, {offered}")
    expect(phone.page.locator(".dot.done")).to_have_count(2)  # until then other taps are ignored
    phone.tap("Score 14 in Choice for Ben")
    phone.says("Ana: roll")
    assert station.state()["players"][1]["boxes"]["choice"] == sum(NEWER)


def test_a_box_that_is_worth_nothing_asks_once_and_dice_that_roll_show_no_older_numbers(
    game: StationProcess, open_screen: Open
):
    game.do("enter_roll", faces=list(OLDER))
    phone, tv = open_screen(game.url), open_screen(game.url, "tv", path="/tv")
    nothing = re.compile("^Score 0 in Yacht for Ana")
    phone.tap(nothing)
    question = phone.page.get_by_role("dialog", name="Write 0 in Yacht?")
    expect(question.get_by_role("button", name="Cancel")).to_be_focused()
    examine(phone)
    phone.page.keyboard.press("Enter")
    expect(question).to_be_hidden()
    assert game.state()["players"][0]["boxes"]["yacht"] is None
    phone.page.get_by_role("button", name=nothing).focus()
    phone.page.keyboard.press("Enter")
    expect(question).to_be_visible()
    phone.tap("Write 0")
    phone.says("Ben: roll")
    assert game.state()["players"][0]["boxes"]["yacht"] == 0

    game.do("enter_roll", faces=list(OLDER))
    expect(tv.page.locator(".tv-die svg[role='img']")).to_have_count(5)
    game.do("set_held", slots=[1])
    rolling = game.do("throw", faces=list(OLDER))
    for screen, dice in ((tv, ".tv-die svg"), (phone, ".dice svg")):
        sent_alone(screen, rolling)
        screen.see(".chip.is-moving")
        expect(screen.page.locator(f"{dice}:not(.blank)"), "the held die alone").to_have_count(1)


NAMES = ("Ana", "Ben", "Cleo", "Dora")
BEFORE = 11 * len(NAMES)
"""Turns that are played before the other phones come: all but the last round."""


def figures(screen: Screen) -> tuple[list[str], list[str]]:
    """All scores and all totals a screen shows, row by row."""
    return (
        screen.page.locator("td .score").all_inner_texts(),
        screen.page.locator("tfoot .total td").all_inner_texts(),
    )


def test_the_last_round_of_four_on_four_phones(station: StationProcess, open_screen: Open, save: Save):
    """One phone sleeps, one is reloaded, and at the end every screen shows the same."""
    rng = random.Random(4)
    phones = {"Ana": open_screen(station.url)}
    start_by_tapping(phones["Ana"], NAMES)
    for _ in range(BEFORE):
        state = station.do("enter_roll", faces=[rng.randint(1, 6) for _ in range(5)])
        potentials = state["players"][state["active_player"]]["potentials"]
        station.do("score_box", category=max(potentials, key=potentials.__getitem__))
    # Three phones are set to show no motion; Ana's and the television show it.
    phones |= {name: open_screen(station.url, motion="reduce") for name in NAMES[1:]}
    tv = open_screen(station.url, "tv", path="/tv")
    for name, phone in phones.items():
        phone.page.goto(f"{station.url}/join")
        phone.tap(re.compile(f"^{name}$"))
        phone.see("#sheet td")

    for name, phone in phones.items():
        if name in {"Ben", "Dora"}:
            phones["Dora"].context.set_offline(name == "Ben")
        phone.says(f"{name}: ")
        if name == "Cleo":
            phone.page.reload()
            phone.says(f"{name}: ")
        if name == "Ana":
            throw_and_confirm(phone, station)
            phone.see(".hold[data-slot='1']").tap()
            throw_and_confirm(phone, station)
            save(tv, "tv-four")
            save(phone, "phone-four")
        elif name == "Dora":
            type_roll(phone, [rng.randint(1, 6) for _ in range(5)])
        else:
            station.do("enter_roll", faces=[rng.randint(1, 6) for _ in range(5)])
        boxes = phone.page.locator("button.potential:enabled")
        expect(boxes).to_have_count(1)
        nothing = boxes.inner_text() == "0"
        boxes.tap()
        if nothing:
            phone.tap("Write 0")
        expect(boxes).to_have_count(0)

    state = station.state()
    assert state["finished"]
    wanted = (
        [str(player["boxes"][row["category"]]) for row in state["categories"] for player in state["players"]],
        [str(player["total"]) for player in state["players"]],
    )
    for screen in (*phones.values(), tv):
        won = screen in [phones[name] for name in state["winner"]]
        screen.says("You win!" if won else state["waiting_for"])
        screen.see("tfoot .total td")  # the television shows podium and card before
        assert figures(screen) == wanted
    save(phones["Ana"], "phone-finished")
    save(tv, "tv-finished")
