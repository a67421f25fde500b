"""Before a game and after it: what is asked at once, what stands behind "More", and who has won."""

import re

import pytest
from playwright.sync_api import expect

from messages.catalogue import languages
from tests.e2e.examine import examine
from tests.e2e.helpers import Open, StationProcess, another_game, choose_rules, more

IN_VIEW = """() => { const box = document.querySelector(".lobby [type=submit]").getBoundingClientRect();
    return box.top >= 0 && box.bottom <= innerHeight; }"""
OFFERED = "() => [...document.querySelectorAll('[name=rules]')].map((one) => one.value)"


@pytest.mark.parametrize("size", [(375, 553), (740, 360), (390, 844), (1280, 800)])
def test_start_is_always_in_view(standing: StationProcess, open_screen: Open, size: tuple[int, int]):
    screen = open_screen(standing.url)
    screen.page.set_viewport_size({"width": size[0], "height": size[1]})
    screen.see(".lobby")
    for _ in range(4):
        screen.tap(re.compile("Another player"))
    for opened in (False, True):
        if opened:
            more(screen)
        for scrolled in (0, 10_000):
            screen.page.evaluate("""(y) => [document.scrollingElement, document.querySelector(".tray")]
                .forEach((each) => each.scrollTo(0, y))""", scrolled)  # fmt: skip
            screen.until(IN_VIEW)
    examine(screen)


def test_what_few_want_stands_behind_more(standing: StationProcess, open_screen: Open):
    screen = open_screen(standing.url)
    screen.see(".lobby").wait_for()
    screen.page.locator("#player-0").fill("Ana")
    screen.page.locator("#player-1").fill("Ben")
    rare = [
        screen.page.get_by_role("button", name="A computer player"),
        screen.page.get_by_role("button", name="A team"),
        screen.page.locator("#starter"),
        screen.page.locator("#level"),
    ]
    for each in rare:
        expect(each).to_be_hidden()
    more(screen)
    for each in rare:
        expect(each).to_be_visible()


FAVOURITES = {"en": "yacht-1938", "de": "kniffel", "fr": "yams"}


@pytest.mark.parametrize("language", languages())
def test_four_rule_sets_by_language_and_by_what_was_played_last(
    station: StationProcess, open_screen: Open, language: str
):
    screen = open_screen(station.url, locale=language)
    screen.see(".rule-sets")
    before = screen.page.evaluate(OFFERED)
    assert len(before) == 4
    assert before[0] == FAVOURITES[language]
    rest = screen.page.locator("#rules option")
    every = set(before) | set(rest.evaluate_all("(all) => all.map((one) => one.value)"))
    assert {"crag", "yamb"} <= every
    assert max(map(len, screen.page.locator(".rule-sets label, #rules option").all_inner_texts())) <= 40
    for rules in ("crag", "yamb"):
        state = station.do("start_game", players=["Ana", "Ben"], rules=rules)
        roll = station.do("enter_roll", faces=list(range(1, state["dice_count"] + 1)))
        station.do("score_box", category=next(iter(roll["players"][0]["potentials"])))
        station.do("end_game")
    screen.page.reload()
    more(screen)
    screen.page.locator(".more > button").last.tap()
    screen.see(".rule-sets")
    assert screen.page.evaluate(OFFERED) == ["yamb", "crag", *before[:2]]
    assert screen.page.locator("[name=rules]:checked").get_attribute("value") == "yamb"


def test_a_rule_set_of_the_others_is_chosen_alone(standing: StationProcess, open_screen: Open):
    screen = open_screen(standing.url)
    choose_rules(screen, "lawn")
    expect(screen.page.locator("[name=rules]:checked")).to_have_count(0)
    choose_rules(screen, "yahtzee")
    expect(screen.page.locator("#rules")).to_have_value("")
    screen.page.locator("#player-0").fill("Ana")
    screen.tap("Start the game")
    screen.says("Ana: roll")
    assert standing.state()["rules"] == "yahtzee"
    standing.do("end_game")


@pytest.mark.parametrize("size", ["phone", "tablet"])
def test_another_game_is_a_page_of_its_own(played: StationProcess, open_screen: Open, size: str):
    played.do("start_game", players=["Ana", "Ben"], rules="yacht-1938")
    played.do("enter_roll", faces=[6, 6, 6, 5, 5])
    played.do("score_box", category="full-house")
    played.do("end_game", winners=[0])
    screen = open_screen(played.url, size)
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


def test_the_end_says_who_has_won_and_offers_the_rematch(played: StationProcess, open_screen: Open):
    played.do("start_game", players=["Ana", "Ben"], rules="yacht-1938")
    ana, ben = (open_screen(played.url, path="/join") for _ in range(2))
    for phone, name in ((ana, "Ana"), (ben, "Ben")):
        phone.tap(name)
        phone.says("Ana: roll")
    played.do("enter_roll", faces=[6, 6, 6, 5, 5])
    played.do("score_box", category="full-house")
    ben.tap("Menu")
    ben.tap("End the game now")
    expect(ben.page.get_by_label("Nobody")).to_be_checked()
    examine(ben)
    ben.page.locator("dialog label", has_text="Ana").tap()
    ben.tap("End the game")
    game = played.state()["game"]
    ana.says("You win!")
    ben.says("Ana wins! 28 points.")
    for phone in (ana, ben):
        rematch = phone.page.get_by_role("button", name="Rematch", exact=True)
        expect(rematch).to_be_visible()
        link = phone.page.get_by_role("link", name="The game again")
        expect(link).to_have_attribute("href", f"/history/{game}")
        expect(phone.page.get_by_role("button", name="Share the evening")).to_be_visible()
        others = phone.page.get_by_role("button", name=re.compile("Rematch .|Another game"))
        expect(others).to_have_count(0)
        examine(phone)
        more(phone)
        expect(others).to_have_count(3)
        examine(phone)
    ben.page.get_by_role("link", name="The game again").tap()
    expect(ben.page.get_by_role("heading", name="The game again")).to_be_visible()
