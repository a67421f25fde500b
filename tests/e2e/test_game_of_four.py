"""The end of a game of four by touch, on four phones and a TV: everybody throws, types rolls and picks boxes;
one phone sleeps for two turns, one is reloaded in the middle, and at the end every screen shows the same.
"""

import random
import re

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

NAMES = ("Ana", "Ben", "Cleo", "Dora")
BEFORE, TURNS = 9 * len(NAMES), 12 * len(NAMES)
"""Turns that are played before the other phones come; and all."""
SLEEPS = range(BEFORE + 9, BEFORE + 11)
"""Turns through which Dora's phone is asleep."""
RELOAD_AT = BEFORE + 6


def take_seat(screen: Screen, name: str) -> None:
    """Pick one's name on the page behind the code."""
    screen.page.goto(screen.url + "/join")
    screen.tap(re.compile(f"^{name}$"))
    screen.see("#sheet td")


def sleep(screen: Screen, *, on: bool) -> None:
    """A phone in a pocket: nothing comes through to it."""
    screen.context.set_offline(on)


def choose_box(screen: Screen, name: str, rng: random.Random) -> None:
    """Tap one of the potentials."""
    boxes = screen.page.locator("button.potential:enabled")
    expect(boxes.first).to_be_visible()
    box = boxes.nth(rng.randrange(boxes.count()))
    nothing = box.inner_text() == "0"
    box.tap()
    if nothing:
        screen.tap("Write 0")
    expect(boxes).to_have_count(0)
    assert name


def figures(screen: Screen) -> tuple[list[str], list[str]]:
    """All scores and all totals a screen shows, row by row."""
    return (
        screen.page.locator("td .score").all_inner_texts(),
        screen.page.locator("tfoot .total td").all_inner_texts(),
    )


def play_before(station: StationProcess, rng: random.Random) -> None:
    """Turns that nobody taps."""
    for _ in range(BEFORE):
        state = station.do("enter_roll", faces=[rng.randint(1, 6) for _ in range(5)])
        potentials = state["players"][state["active_player"]]["potentials"]
        station.do("score_box", category=max(potentials, key=potentials.__getitem__))


def test_game_of_four(station: StationProcess, open_screen: Open, save: Save):
    rng = random.Random(4)
    phones = {"Ana": open_screen(station.url)}
    start_by_tapping(phones["Ana"], NAMES)
    play_before(station, rng)
    # Three have told their phones to show no motion; Ana's and the television show it.
    phones |= {name: open_screen(station.url, motion="reduce") for name in NAMES[1:]}
    tv = open_screen(station.url, "tv", path="/tv")
    for name, phone in phones.items():
        take_seat(phone, name)

    for turn in range(BEFORE, TURNS):
        name = NAMES[turn % len(NAMES)]
        phone = phones[name]
        if turn == SLEEPS.start:
            sleep(phones["Dora"], on=True)
        if turn == SLEEPS.stop:
            sleep(phones["Dora"], on=False)
        phone.says(f"{name}: ")
        if turn == RELOAD_AT:
            phone.page.reload()
            phone.says(f"{name}: ")
        if turn == BEFORE:
            throw_and_confirm(phone, station)
            phone.see(".hold[data-slot='1']").tap()
            throw_and_confirm(phone, station)
        elif turn % 4 == turn // 4 % 4:
            type_roll(phone, [rng.randint(1, 6) for _ in range(5)])
        else:
            station.do("enter_roll", faces=[rng.randint(1, 6) for _ in range(5)])
        if turn == BEFORE:
            save(tv, "tv-four")
            save(phone, "phone-four")
        choose_box(phone, name, rng)

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
