"""Who plays: names, order, who leaves, how many a rule set takes; and who has won."""

import re

from playwright.sync_api import expect

from station.contract.fields import NAME_MAX
from tests.e2e.examine import examine
from tests.e2e.helpers import Open, StationProcess, another_game, choose_rules, more


def names(station: StationProcess) -> list[str]:
    return [player["name"] for player in station.state()["players"]]


def test_a_name_an_order_and_a_farewell_in_the_middle_of_a_game(played: StationProcess, open_screen: Open):
    played.do("start_game", players=["Ana", "Ben"], rules="yacht-1938")
    phone = open_screen(played.url)
    tv = open_screen(played.url, "tv", path="/tv")
    phone.tap("Menu")
    phone.tap("Add a player")
    guest = phone.see("#ask-text")
    guest.fill("Ben")
    phone.tap(re.compile("^Add$"))
    expect(phone.page.locator("dialog .fault")).to_contain_text("Somebody is called Ben already")
    expect(guest).to_have_value("Ben")
    guest.fill("Cleo")
    phone.tap(re.compile("^Add$"))
    expect(phone.page.locator("dialog[open]")).to_have_count(0)
    phone.tap("Menu")
    phone.tap("Players")
    first = phone.page.get_by_label("Player 1", exact=True)
    expect(first).to_have_attribute("maxlength", str(NAME_MAX))
    first.fill("Ben")
    phone.tap("Rename")
    expect(phone.page.locator("dialog .fault")).to_have_text(
        "Somebody is called Ben already; give one of them another name."
    )
    expect(first).to_have_value("Ben")
    examine(phone)
    first.fill("Anna")
    phone.tap("Rename")
    phone.says("Anna: roll")
    expect(phone.page.locator("dialog .fault")).to_have_count(0)
    first.fill("Hanna")
    for name in ("Benno", "Ben"):  # on another screen, while this one types
        played.do("rename_player", player=1, name=name)
        expect(phone.page.get_by_label("Player 2", exact=True)).to_have_value(name)
        expect(first).to_have_value("Hanna")
    first.fill("Anna")
    phone.tap("Move Cleo up")
    expect(phone.page.get_by_label("Player 2", exact=True)).to_have_value("Cleo")
    phone.tap("Remove Anna")
    phone.tap("Remove Anna")
    phone.says("Cleo: roll")
    expect(phone.page.locator("dialog s")).to_have_text("Anna")
    phone.page.keyboard.press("Escape")
    assert names(played) == ["Anna", "Cleo", "Ben"]
    for screen in (phone, tv):
        screen.see("th.gone")
        expect(screen.page.locator("th.gone .name").first).to_have_text("Anna")
        screen.says("Cleo: roll")
    examine(phone)
    phone.tap(re.compile("Anna left"))
    phone.says("Anna: roll")


def test_why_a_game_does_not_begin_is_seen_at_the_end_of_a_long_form(game: StationProcess, open_screen: Open):
    game.do("end_game")
    phone = open_screen(game.url)
    another_game(phone)
    for number, name in enumerate(["Ana", "Ben", "Cleo", "Dana", "Ana"]):
        if number > 1:
            phone.tap("Another player")
        phone.page.locator(f"#player-{number}").fill(name)
    phone.tap("Start the game")
    expect(phone.page.locator("#refusal")).to_contain_text("Somebody is called Ana already")
    expect(phone.page.locator("#refusal")).to_be_in_viewport(ratio=0.99)


def test_who_sits_at_the_table_is_not_offered_in_other_letters(played: StationProcess, open_screen: Open):
    for names in (["ana", "Cleo"], ["Ana", "Ben"]):
        played.do("start_game", players=names, rules="yacht-1938")
        played.do("enter_roll", faces=[1, 2, 3, 4, 6])
        played.do("score_box", category="choice")
        if "ana" in names:
            played.do("end_game")
    phone = open_screen(played.url, path="/join")
    expect(phone.page.get_by_role("button", name="Cleo")).to_be_visible()
    expect(phone.page.get_by_role("button", name=re.compile("^ana$", re.IGNORECASE))).to_have_count(1)


def test_clubhouse_is_for_two_and_says_so_before_the_start(station: StationProcess, open_screen: Open):
    phone = open_screen(station.url)
    for number, name in enumerate(("Ana", "Ben")):
        phone.page.locator(f"#player-{number}").fill(name)
    choose_rules(phone, "clubhouse-51")
    start = phone.page.get_by_role("button", name="Start the game")
    expect(start).to_be_enabled()
    phone.tap(re.compile("Another player"))
    phone.page.locator("#player-2").fill("Cleo")
    expect(start).to_be_disabled()
    expect(phone.page.locator(".lobby .fault")).to_contain_text("there are 3")
    expect(phone.page.locator("#rules option:checked")).to_contain_text("(1 to 2 players)")
    examine(phone)
    phone.page.locator("#player-2").fill("")
    expect(start).to_be_enabled()
    more(phone)
    phone.page.locator("#level").check()
    expect(phone.page.get_by_text("everyone needs three whole games")).to_be_visible()
    expect(start).to_be_enabled()
    station.do("start_game", players=["Ana", {"name": "Ben", "handicap": 12}], rules="clubhouse-51")
    expect(phone.page.locator("tfoot tr").nth(0)).to_have_text(re.compile(r"Handicap.*\+12"))
    expect(phone.page.locator("tfoot tr").nth(1)).to_have_text(re.compile(r"Total.*0.*12"))


def test_a_correction_shows_what_else_would_change(played: StationProcess, open_screen: Open):
    played.do("start_game", players=["Ana", "Ben"], rules="game-rules-guru")
    for face, category in ((4, "yacht"), (1, "ones"), (6, "sixes")):
        played.do("enter_roll", faces=[face] * 5)
        played.do("score_box", category=category)
    phone = open_screen(played.url)

    def correct() -> None:
        phone.tap("Yacht: what it pays")
        phone.tap(re.compile("Correct this box.*Ana"))
        for face in (4, 4, 4, 4, 3):
            phone.page.locator(f"dialog .face[data-face='{face}']").tap()
        phone.tap("Take this roll")
        expect(phone.page.get_by_role("dialog", name="This would change other boxes, too")).to_be_visible()

    correct()
    expect(phone.page.locator("dialog .why")).to_contain_text("6s 130 \N{RIGHTWARDS ARROW} 30")
    examine(phone)
    phone.tap("Cancel")
    assert played.state()["players"][0]["boxes"]["sixes"] == 30
    assert played.state()["players"][0]["extra"] == 100
    correct()
    phone.tap("Change all of it")
    phone.until("() => document.querySelector('tfoot .total td').innerText === '30'")
    phone.tap(re.compile("was corrected"))
    phone.until("() => document.querySelector('tfoot .total td').innerText !== '30'")


def test_who_waits_for_a_seat_sees_who_comes_to_the_table(game: StationProcess, open_screen: Open):
    phone = open_screen(game.url, path="/join")
    seats = phone.page.locator("#join .pick").first.get_by_role("button")
    expect(seats).to_have_text(["Ana", "Ben"])
    phone.page.locator("#new-name").press_sequentially("Do")
    game.do("add_player", name="Cleo")
    game.do("rename_player", player=0, name="Anna")
    expect(seats).to_have_text(["Anna", "Ben", "Cleo"])
    expect(phone.page.locator("#new-name")).to_have_value("Do")
    expect(phone.page.locator("#new-name")).to_be_focused()
    phone.page.request.post(f"{game.url}/api/v1/room/seat", data={"name": "Ben"})
    expect(seats.nth(1)).to_have_attribute("aria-pressed", "true")


def test_the_dialogs_of_hints_and_of_who_keeps_the_score_follow_the_other_screens(
    game: StationProcess, open_screen: Open
):
    phone, other = open_screen(game.url), open_screen(game.url, path="/join")
    phone.says("Ana: roll")
    phone.tap("Menu")
    phone.tap("Hints")
    mine = phone.page.get_by_role("group", name="Ana").get_by_role("checkbox").first
    expect(mine).not_to_be_checked()
    assert other.page.request.post(f"{game.url}/api/v1/room/hints", data={"name": "Ana", "on": True}).ok
    expect(mine).to_be_checked()
    game.do("rename_player", player=1, name="Bea")
    expect(phone.page.get_by_role("group", name="Bea")).to_be_visible()
    phone.tap("Close")
    phone.tap("Menu")
    phone.tap("Who keeps the score")
    phone.see("#scorekeeper-name").fill("Cl")
    other.tap("Bea")
    expect(phone.page.get_by_role("radio", name="Bea")).to_have_count(1)
    expect(phone.page.locator("#scorekeeper-name")).to_have_value("Cl")
