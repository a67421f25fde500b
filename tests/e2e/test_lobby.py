"""Before a game and after it: what is asked at once, what is behind "More", and who has won."""

import re

from playwright.sync_api import expect

from messages.catalogue import languages
from tests.e2e.examine import examine
from tests.e2e.helpers import Open, StationProcess, another_game, choose_rules, more, step

IN_VIEW = """() => { const box = document.querySelector(".lobby [type=submit]").getBoundingClientRect();
    return box.top >= 0 && box.bottom <= innerHeight; }"""
OFFERED = "() => [...document.querySelectorAll('[name=rules]')].map((one) => one.value)"


def test_the_form_for_a_game(station: StationProcess, open_screen: Open):
    screen = open_screen(station.url)
    screen.see(".lobby").wait_for()
    screen.tap("Start the game")
    expect(screen.page.locator(".lobby .fault")).to_have_text("Enter at least one name: who plays?")
    expect(screen.page.locator("#player-0")).to_be_focused()
    screen.page.locator("#player-0").fill("Ana")
    expect(screen.page.locator(".lobby .fault")).to_have_count(0)
    screen.page.locator("#player-1").fill("Ben")
    # What few want is behind "More", and the button to start is always in view.
    rare = [
        screen.page.get_by_role("button", name="A computer player"),
        screen.page.get_by_role("button", name="A team"),
        screen.page.locator("#starter"),
        screen.page.locator("#level"),
    ]
    for each in rare:
        expect(each).to_be_hidden()
    for _ in range(4):
        screen.tap(re.compile("Another player"))
    for opened in (False, True):
        if opened:
            more(screen)
            for each in rare:
                expect(each).to_be_visible()
        for width, height in ((375, 553), (740, 360), (390, 844), (1280, 800)):
            screen.page.set_viewport_size({"width": width, "height": height})
            for scrolled in (0, 10_000):
                screen.page.evaluate("""(y) => [document.scrollingElement, document.querySelector(".tray")]
                    .forEach((each) => each.scrollTo(0, y))""", scrolled)  # fmt: skip
                screen.until(IN_VIEW)
            if opened:
                examine(screen)
    # A rule set of the others is chosen alone.
    choose_rules(screen, "lawn")
    expect(screen.page.locator("[name=rules]:checked")).to_have_count(0)
    choose_rules(screen, "yahtzee")
    expect(screen.page.locator("#rules")).to_have_value("")
    screen.tap("Start the game")
    screen.says("Ana: roll")
    assert station.state()["rules"] == "yahtzee"


FAVOURITES = {"en": "yacht-1938", "de": "kniffel", "fr": "yams"}


def test_four_rule_sets_by_language_and_by_what_was_played_last(station: StationProcess, open_screen: Open):
    screens = {language: open_screen(station.url, locale=language) for language in languages()}
    offered = {}
    for language, screen in screens.items():
        screen.see(".rule-sets")
        first = offered[language] = screen.page.evaluate(OFFERED)
        assert (len(first), first[0]) == (4, FAVOURITES[language])
        rest = screen.page.locator("#rules option").evaluate_all("(all) => all.map((one) => one.value)")
        assert {"crag", "yamb"} <= {*first, *rest}
        titles = screen.page.locator(".rule-sets label, #rules option").all_inner_texts()
        assert max(map(len, titles)) <= 40
    for rules in ("crag", "yamb"):
        state = station.do("start_game", players=["Ana", "Ben"], rules=rules)
        roll = station.do("enter_roll", faces=list(range(1, state["dice_count"] + 1)))
        station.do("score_box", category=next(iter(roll["players"][0]["potentials"])))
        station.do("end_game")
    for language, screen in screens.items():
        with step(language):
            more(screen)
            screen.page.locator(".more > button").last.tap()
            played = ["yamb", "crag", *offered[language][:2]]  # comes after the end of the game
            screen.until(f"(played) => String(({OFFERED})()) === String(played)", played)
            assert screen.page.locator("[name=rules]:checked").get_attribute("value") == "yamb"


def test_the_end_says_who_has_won_and_offers_the_rematch(game: StationProcess, open_screen: Open):
    ana, ben = (open_screen(game.url, path="/join") for _ in range(2))
    for phone, name in ((ana, "Ana"), (ben, "Ben")):
        phone.tap(name)
        phone.says("Ana: roll")
    game.do("enter_roll", faces=[6, 6, 6, 5, 5])
    game.do("score_box", category="full-house")
    ben.tap("Menu")
    ben.tap("End the game now")
    expect(ben.page.get_by_label("Nobody")).to_be_checked()
    examine(ben)
    ben.page.locator("dialog label", has_text="Ana").tap()
    ben.tap("End the game")
    number = game.state()["game"]
    ana.says("You win!")
    ben.says("Ana wins! 28 points.")
    for phone in (ana, ben):
        expect(phone.page.get_by_role("button", name="Rematch", exact=True)).to_be_visible()
        link = phone.page.get_by_role("link", name="The game again")
        expect(link).to_have_attribute("href", f"/history/{number}")
        expect(phone.page.get_by_role("button", name="Share the evening")).to_be_visible()
        others = phone.page.get_by_role("button", name=re.compile("Rematch .|Another game"))
        expect(others).to_have_count(0)
        examine(phone)
        more(phone)
        expect(others).to_have_count(3)
        examine(phone)

    # Another game is a page of its own.
    for size in ("phone", "tablet"):
        screen = open_screen(game.url, size)
        screen.see(".sheet")
        another_game(screen)
        screen.says("Another game")
        screen.until("() => scrollY === 0")
        expect(screen.see("#player-0")).to_be_in_viewport()
        expect(screen.page.locator(".sheet, .settlement, .evening")).to_have_count(0)
        expect(screen.page.get_by_role("button", name="Rematch")).to_have_count(0)
        examine(screen)
        screen.tap("Back to the result")
        screen.says("Ana wins")
        screen.see(".sheet")
    ben.page.get_by_role("link", name="The game again").tap()
    expect(ben.page.get_by_role("heading", name="The game again")).to_be_visible()
