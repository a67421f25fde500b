"""On a slow line: what is typed stays, and belongs to what it was typed for."""

import re

from playwright.sync_api import APIResponse, Route, expect

from tests.e2e.helpers import Open, StationProcess
from tests.e2e.late_answers import held_back, sent


def test_a_roll_that_is_typed_stays_while_another_die_is_held_on_another_screen(
    game: StationProcess, open_screen: Open
):
    """It is not taken unseen; that die keeps its face."""
    game.do("enter_roll", faces=[1, 2, 3, 4, 5])
    tablet = open_screen(game.url, "tablet")
    tablet.tap("Enter dice by hand")
    tablet.page.keyboard.type("66666")
    game.do("set_held", slots=[5])
    tablet.see("#roll .held")
    tablet.tap("Take this roll")
    expect(tablet.page.locator("dialog .fault")).to_contain_text("moved on")
    assert game.state()["throws_done"] == 1
    tablet.tap("Take this roll")
    tablet.until("() => document.querySelectorAll('.dot.done').length === 2")
    assert [die["face"] for die in game.state()["dice"]] == [6, 6, 6, 6, 5]


def test_a_name_belongs_to_whom_it_was_typed_for(game: StationProcess, open_screen: Open):
    phone = open_screen(game.url)
    phone.tap("Menu")
    phone.tap("Players")
    first, second = (phone.page.get_by_label(f"Player {n}", exact=True) for n in (1, 2))
    fault = phone.page.locator("dialog .fault")
    rename = phone.page.locator("dialog").get_by_role("button", name="Rename", exact=True)

    # Typed before the answer to the last one, which the live line has shown already.
    second.fill("Benno")
    first.fill("Anna")
    kept: list[tuple[Route, APIResponse]] = []
    phone.page.route("**/api/v1/commands", lambda route: kept.append((route, route.fetch())), times=1)
    first.press("Enter")
    phone.says("Anna: roll")
    first.fill("Hanna")
    sent(phone, kept)
    with phone.page.expect_response("**/api/v1/commands"):
        route, answer = kept[0]
        route.fulfill(response=answer)
    phone.page.wait_for_timeout(300)  # only so that the page would have taken it by now
    expect(first).to_have_value("Hanna")
    expect(second).to_have_value("Benno")
    first.press("Enter")
    phone.says("Hanna: roll")
    expect(phone.page.get_by_role("button", name="Move Hanna up")).to_be_visible()

    # Typed while the last one is on its way; the second one is refused.
    second.fill("Ben")
    for name, then in (("Anna", "Hanna"), ("Ben", "Benno")):
        first.fill(name)
        with held_back(phone, "**/api/v1/commands") as waiting:
            first.press("Enter")
            sent(phone, waiting)
            first.fill(then)
        phone.says("Anna: roll")
        expect(fault).to_have_count(int(name == "Ben"))
        expect(first).to_have_value(then)
        expect(second).to_have_value("Ben")

    # Typed, or on its way, while people change places.
    game.do("move_player", player=0, to=1)
    expect(first).to_have_value("Ben")
    expect(second).to_have_value("Benno")
    rename.tap()
    phone.says("Benno: roll")
    expect(rename).to_have_count(0)
    assert [player["name"] for player in game.state()["players"]] == ["Ben", "Benno"]
    second.fill("Anna")
    with held_back(phone, "**/api/v1/commands") as waiting:
        rename.tap()
        sent(phone, waiting)
        game.do("move_player", player=1, to=0)
        expect(first).to_have_value("Anna")
    expect(fault).to_contain_text("The table has moved on")
    expect(first).to_have_value("Anna")
    expect(second).to_have_value("Ben")
    assert [player["name"] for player in game.state()["players"]] == ["Benno", "Ben"]


def test_what_opens_late_does_not_take_the_place_of_what_is_typed(played: StationProcess, open_screen: Open):
    played.do("start_game", players=["Ana", "Ben", "Cleo"], rules="double-cameroon")
    phone = open_screen(played.url)
    title, name = phone.page.locator("#dialog-title"), phone.page.locator("#ask-text")

    def typing(path: str, what: str) -> None:
        """Somebody else is typed while that is on its way, and stays when it is there."""
        with held_back(phone, path) as waiting:
            phone.tap(what)
            sent(phone, waiting)
            phone.tap("Menu")
            phone.tap("Add a player")
            name.fill("Dora")
            with phone.page.expect_event("requestfinished", lambda done: done.url == waiting[0].request.url):
                waiting[0].continue_()
            waiting.clear()
        phone.page.wait_for_timeout(300)  # only so that the page would have opened it by now
        expect(title).to_have_text("Add a player")
        expect(name).to_have_value("Dora")
        phone.page.keyboard.press("Escape")

    phone.tap("Menu")
    typing("**/people.js*", "Players")
    phone.tap("Menu")
    phone.tap("Players")
    phone.page.get_by_label("Player 1", exact=True).fill("Anna")
    phone.tap("Remove Cleo")
    phone.tap("Remove Cleo")
    expect(phone.page.get_by_label("Player 1", exact=True)).to_have_value("Anna")
    phone.tap("Remove Ben")
    typing("**/api/v1/commands", "Remove Ben")
    assert [player["gone"] for player in played.state()["players"]] == [False, True, True]

    played.do("enter_roll", faces=[2, 2, 2, 2, 2, 2, 5, 5, 5, 5])
    typing("**/api/v1/split?**", "Score 50 in Five-of-a-kind for Ana")

    phone.tap("Menu")
    phone.page.route("**/hints_menu.js*", lambda route: route.abort())
    phone.tap("Hints")
    expect(phone.page.locator("#refusal")).to_contain_text("not done")


def test_the_name_of_house_rules_that_is_typed_on_stays(played: StationProcess, open_screen: Open):
    phone = open_screen(played.url, path="/setup/rules")
    page = phone.page
    page.locator("#from").select_option("yahtzee")
    title = page.locator("#title")
    title.fill("Ours")
    with held_back(phone, "**/api/v1/rules/switches") as waiting:
        title.blur()
        sent(phone, waiting)
        title.press("End")
        title.press_sequentially(" too")
    expect(page.locator("#text")).to_have_value(re.compile('title = "Ours"'))
    expect(title).to_have_value("Ours too")
    title.blur()
    expect(page.locator("#text")).to_have_value(re.compile('title = "Ours too"'))


def test_letters_go_on_into_the_name_they_were_begun_in_where_people_move(
    station: StationProcess, open_screen: Open
):
    station.do("add_player", name="Cleo")
    phone = open_screen(station.url)
    station.do("add_player", name="Ana")
    station.do("add_player", name="Ben")
    phone.tap("Menu")
    phone.tap("Players")
    first, second = (phone.page.locator("dialog .names input").nth(n) for n in (0, 1))
    second.focus()
    second.press("Home")
    phone.page.keyboard.type("Jo")
    station.do("move_player", player=1, to=0)
    expect(first).to_have_value("JoAna")
    expect(second).to_have_value("Cleo")
    phone.page.keyboard.type("-")
    expect(first).to_have_value("Jo-Ana")
    expect(second).to_have_value("Cleo")
    station.do("remove_player", player=0)
    expect(first).to_have_value("Cleo")
    phone.page.keyboard.type("x")
    expect(first).to_have_value("Cleo")
    expect(second).to_have_value("Ben")

    # A name that is refused after a second tap on Next stays where it was typed.
    phone.page.goto(f"{station.url}/setup/first")
    phone.page.locator(".step-marks button").nth(6).tap()
    phone.page.locator("#new-name").fill("Ben")
    with held_back(phone, "**/api/v1/commands") as waiting:
        phone.tap("Next")
        sent(phone, waiting)
        phone.tap("Next")
    expect(phone.page.locator("#first .fault")).to_contain_text("Somebody is called Ben already")
    expect(phone.page.locator("#step-title")).to_have_text("Players")
    expect(phone.page.locator("#new-name")).to_have_value("Ben")
