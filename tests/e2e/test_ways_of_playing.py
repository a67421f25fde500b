"""Ways of playing, as people meet them on the pages."""

import re

from playwright.sync_api import Route, expect

from tests.e2e.examine import examine
from tests.e2e.helpers import (
    Open,
    Save,
    StationProcess,
    another_game,
    choose_rules,
    chosen_rules,
    more,
    step,
    type_roll,
)
from tests.e2e.late_answers import sent
from tests.e2e.test_hosting import become_host


def test_a_computer_and_a_team_are_added_in_the_lobby_and_play(
    station: StationProcess, open_screen: Open, save: Save
):
    phone = open_screen(station.url)
    tv = open_screen(station.url, "tv", path="/tv")
    phone.page.locator("#player-0").fill("Eva")
    more(phone)
    phone.tap(re.compile("A computer player"))
    more(phone)
    phone.tap(re.compile("A team"))
    phone.page.get_by_label("How player 3 plays").select_option("perfect")
    expect(phone.page.locator("#player-2")).to_have_value("Computer")
    phone.page.locator("#player-2").fill("Robo")
    expect(phone.page.locator("select.way option").nth(3)).to_contain_text("gives away 24 points a game")
    phone.page.get_by_label("Members of player 4, with commas").fill("Ana, Ben")
    save(phone, "lobby-ways-phone-light")
    examine(phone)
    phone.tap("Start the game")
    phone.says("Eva: roll all five dice")
    station.do("enter_roll", faces=[1, 2, 3, 4, 5])
    station.do("score_box", category="little-straight")
    phone.says("Robo: roll all five dice")
    station.do("enter_roll", faces=[4, 4, 1, 2, 6])
    for screen in (phone, tv):
        screen.says("Robo: keeps 4-4")
        expect(screen.page.locator(".why-computer")).to_contain_text("Why: keep 4-4")
        expect(screen.page.locator(".hinted")).to_have_count(2)
        examine(screen)
    phone.page.evaluate("window.scrollTo(0, 0)")
    save(phone, "computer-phone-light")
    phone.tap("OK")
    expect(phone.page.locator(".dice .held")).to_have_count(2)
    station.do("enter_roll", faces=[4, 4, 4, 4, 4])
    phone.says("Robo: writes Yacht")
    phone.tap("OK")
    for screen in (phone, tv):
        screen.says("Ana (Team): roll all five dice")


def test_all_begin_level_by_their_past_games(played: StationProcess, open_screen: Open, save: Save):
    for _ in range(3):
        state = played.do("start_game", players=["Uma", "Vic"], rules="yacht-1938")
        while not state["finished"]:
            faces = [1, 2, 3, 4, 6] if state["active_player"] else [6, 6, 6, 6, 6]
            state = played.do("enter_roll", faces=faces)
            potentials = state["players"][state["active_player"]]["potentials"]
            state = played.do("score_box", category=max(potentials, key=potentials.__getitem__))
    uma, vic = (player["total"] for player in state["players"])
    assert uma > vic
    phone = open_screen(played.url)
    another_game(phone)
    more(phone)
    phone.page.locator("#level").check()
    text = phone.page.locator("fieldset:has(#level) [role=status]")
    expect(text).to_contain_text(f"Vic {uma - vic}")
    text.scroll_into_view_if_needed()
    save(phone, "lobby-handicap-phone-light")
    examine(phone)
    phone.tap("Start the game")
    phone.says("Uma: roll all five dice")
    assert [player["handicap"] for player in played.state()["players"]] == [0, uma - vic]


def test_the_evening_has_a_running_table_between_games(
    station: StationProcess, open_screen: Open, save: Save
):
    phone = open_screen(station.url)
    tv = open_screen(station.url, "tv", path="/tv", motion="reduce")  # else the card follows
    station.do("start_game", players=["Ana", "Ben"], rules="yacht-1938")
    for number in (1, 2):
        for faces in ([5, 5, 5, 5, 5], [1, 2, 3, 4, 6]):
            station.do("enter_roll", faces=faces)
            station.do("score_box", category="yacht")
        station.do("end_game", winners=[0])
        phone.says("Ana wins! 50 points")
        if number == 1:
            expect(phone.page.locator(".evening")).to_have_count(0)
            station.do("rematch")
    rows, line = phone.page.locator(".evening tbody tr"), tv.page.locator(".evening-line span")
    expect(rows).to_have_text(["Ana2100", "Ben00"])
    expect(line).to_have_text(["Ana: won 2, 100 points", "Ben: won 0, 0 points"])
    with step("they come though the line was cut when they were requested"):
        requests: list[Route] = []

        def cut(route: Route) -> None:
            requests.append(route)
            route.abort()

        phone.page.route("**/api/v1/evening", cut)
        phone.page.reload()
        sent(phone, requests, 2)  # for the state, and for the room
        phone.page.unroute("**/api/v1/evening")
        expect(rows).to_have_text(["Ana2100", "Ben00"])
    examine(phone)
    examine(tv)
    save(tv, "evening-tv-light")
    station.do("correct_box", player=0, category="yacht", faces=[5, 5, 5, 5, 1], force=True)
    expect(rows).to_have_text(["Ana150", "Ben00"])
    expect(line).to_have_text(["Ana: won 1, 50 points", "Ben: won 0, 0 points"])
    other = open_screen(station.url, path="/history")
    become_host(other, station)
    other.page.evaluate("() => fetch('/api/v1/history/1', { method: 'DELETE' })")
    expect(phone.page.locator(".evening")).to_have_count(0)
    expect(line).to_have_count(0)
    other.page.evaluate("() => fetch('/api/v1/history/1/undelete', { method: 'POST' })")
    expect(rows).to_have_text(["Ana150", "Ben00"])
    expect(line).to_have_text(["Ana: won 1, 50 points", "Ben: won 0, 0 points"])
    more(phone)
    phone.tap("Rematch \N{EN DASH} next player starts")
    phone.says("Ben: roll all five dice")


def test_alone_the_expected_score_stands_beside_and_follows_every_turn(
    played: StationProcess, open_screen: Open, save: Save
):
    played.do("start_game", players=["Ana"], rules="yacht-1938")
    phone = open_screen(played.url)
    text = phone.page.locator(".expected")
    expect(text).to_have_text("With perfect play: 167.0 on average from here; it was 167.0 at the start")
    played.do("enter_roll", faces=[5, 5, 5, 5, 5])
    played.do("score_box", category="yacht")
    expect(text).not_to_contain_text("expects 167.0")
    expect(text).to_contain_text("it was 167.0 at the start")
    save(phone, "alone-phone-light")
    examine(phone)


def test_alone_the_expected_score_comes_though_the_game_was_over_when_it_was_requested(
    played: StationProcess, open_screen: Open
):
    """Its end was undone meanwhile: the boxes are as before, and nothing else requests it again."""
    phone = open_screen(played.url)
    phone.page.clock.install()
    over = {"errors": [], "message": "", "holds": [], "boxes": [], "expected": [], "chances": []}
    phone.page.route("**/api/v1/odds", lambda route: route.fulfill(json=over), times=1)
    played.do("start_game", players=["Ana"], rules="yacht-1938")
    phone.says("Ana: roll")
    text = phone.page.locator(".expected")
    expect(text).to_have_count(0)
    phone.page.clock.fast_forward(10_000)
    expect(text).to_contain_text("it was 167.0 at the start")


def test_stakes_are_agreed_before_a_general_and_settled_at_its_end(
    station: StationProcess, open_screen: Open, save: Save
):
    phone = open_screen(station.url)
    tv = open_screen(station.url, "tv", path="/tv")
    phone.page.get_by_label("Player 1", exact=True).fill("Ana")
    phone.page.get_by_label("Player 2", exact=True).fill("Ben")
    expect(phone.page.get_by_label("For each point")).to_have_count(0)
    choose_rules(phone, "general")
    more(phone)
    phone.page.get_by_label("For each point").fill("five")
    phone.tap("Start the game")
    expect(phone.page.locator("#refusal")).to_contain_text("a number such as 0.05")
    phone.page.get_by_label("For each point").fill("0,05")
    phone.page.get_by_label("For a big general").fill("5")
    phone.page.get_by_label("Currency sign").fill("€")
    examine(phone)
    phone.tap("Start the game")
    phone.says("Ana: roll")
    station.do("enter_roll", faces=[5, 5, 5, 5, 5])
    for screen in (phone, tv):
        screen.says("Ana rolled the big general")
        expect(screen.page.locator(".settlement li")).to_have_text("Ben pays Ana €8.00")
        examine(screen)
    save(tv, "stakes-tv-light")
    past = open_screen(station.url, path=f"/history/{station.state()['game']}")
    expect(past.page.locator(".settlement li")).to_have_text("Ben pays Ana €8.00")


def test_who_starts_is_thrown_for_as_the_rule_set_proposes(
    station: StationProcess, open_screen: Open, save: Save
):
    phone = open_screen(station.url)
    tv = open_screen(station.url, "tv", path="/tv")
    who = phone.page.get_by_label("Who starts?", exact=True)
    expect(who).to_have_value("first")
    phone.page.get_by_label("Player 1", exact=True).fill("Ana")
    phone.page.get_by_label("Player 2", exact=True).fill("Ben")
    choose_rules(phone, "treasurehouse")
    expect(who).to_have_value("throw")
    expect(phone.page.locator("#starter-rule")).to_contain_text("the lowest starts, then clockwise")
    choose_rules(phone, "shared-roll")
    expect(who).to_have_count(0)
    choose_rules(phone, "treasurehouse")
    examine(phone)
    phone.tap("Start the game")
    for screen in (phone, tv):
        screen.says("Ana: roll one die; the lowest starts")
    for face, then in ((3, "Ben: roll one die"), (5, "Ana: roll all five dice")):
        station.do("throw", faces=[face])
        phone.says(f"{face} – right?")
        phone.tap("Yes")
        phone.says(then)
    for screen in (phone, tv):
        screen.says("Ana: roll all five dice")
    phone.tap(re.compile("Ben rolled a 5 to start"))
    phone.says("Ben: 5 – right?")
    expect(tv.page.locator(".for-start")).to_have_text("Ana 3")
    save(tv, "starting-tv-light")
    examine(phone)
    examine(tv)


def test_who_does_not_play_keeps_the_score_and_passes_it_on(
    buttoned: StationProcess, open_screen: Open, save: Save
):
    buttoned.do("start_game", players=["Ana", "Ben"], rules="scorecard")
    keeper = open_screen(buttoned.url)
    tv = open_screen(buttoned.url, "tv", path="/tv")
    phone = open_screen(buttoned.url, path="/join")
    phone.tap("Ana")
    phone.says("Ana: roll all five dice")
    keeper.tap("Menu")
    keeper.tap("Who keeps the score")
    keeper.page.get_by_label("Name").fill("Cleo")
    examine(keeper)
    keeper.tap("I keep the score")
    for screen in (keeper, tv, phone):
        expect(screen.page.locator("#facts")).to_contain_text("Cleo keeps the score")
    expect(phone.page.get_by_role("button", name="Enter dice by hand")).to_have_count(0)
    expect(phone.page.locator(".table-buttons")).to_have_count(0)
    type_roll(keeper, (2, 2, 2, 4, 5))
    keeper.tap("Score 6 in Deuces for Ana")
    for screen in (keeper, tv, phone):
        expect(screen.page.locator(".announced")).to_have_text("Announced: Ana: Deuces, 6.")
        expect(screen.page.locator(".sheet .sum th").nth(0)).to_have_text("Subtotal")
        expect(screen.page.locator(".sheet .sum th").nth(1)).to_have_text("+35 Bonus")
        examine(screen)
    save(phone, "scorekeeper-phone-light")
    keeper.tap("Menu")
    keeper.tap("Who keeps the score")
    keeper.tap("Ana", "radio")
    expect(phone.page.get_by_role("button", name="Enter dice by hand")).to_have_count(1)
    expect(keeper.page.get_by_role("button", name="Enter dice by hand")).to_have_count(0)
    type_roll(phone, (1, 2, 3, 4, 5))
    phone.tap("Score 30 in L. Straight for Ben")
    expect(tv.page.locator(".announced")).to_have_text("Announced: Ben: L. Straight, 30.")
    expect(phone.page.locator(".confirm-button")).to_have_count(1)
    ends = {"command": "end_game"}
    assert phone.page.request.post(f"{buttoned.url}/api/v1/commands", data=ends).ok
    expect(phone.page.locator(".confirm-button")).to_have_count(0)
    expect(phone.page.locator(".hold-button")).to_have_count(0)  # they mean nothing any more


def test_another_game_begins_with_those_who_played_the_last_one(station: StationProcess, open_screen: Open):
    phone = open_screen(station.url)
    phone.page.get_by_label("Player 1", exact=True).fill("Eva")
    station.do("start_game", players=["Ana", "Ben"], rules="yahtzee")  # on another screen
    phone.says("Ana: roll all five dice")
    station.do("add_player", name="Cleo")
    station.do("end_game")
    another_game(phone)
    for number, name in enumerate(("Ana", "Ben", "Cleo"), start=1):
        expect(phone.page.get_by_label(f"Player {number}", exact=True)).to_have_value(name)
    assert chosen_rules(phone) == "yahtzee"
    phone.page.get_by_label("Player 1", exact=True).fill("Eva")
    station.do("rematch")  # and on another screen again
    phone.says("Ana: roll all five dice")
    station.do("end_game")
    another_game(phone)
    expect(phone.page.get_by_label("Player 1", exact=True)).to_have_value("Ana")


def test_a_column_that_has_no_bonus_yet_says_nothing_of_points_that_are_missing(
    played: StationProcess, open_screen: Open
):
    played.do("start_game", players=["Ana", "Ben"], rules="yams")
    for face, box in enumerate(("ones", "twos", "threes", "fours", "fives", "sixes"), start=1):
        played.do("enter_roll", faces=[face] * 5)
        played.do("score_box", category=f"free-{box}")
        roll = played.do("enter_roll", faces=[1, 2, 3, 4, 6])
        down = [category for category in roll["players"][1]["potentials"] if category.startswith("down-")]
        played.do("score_box", category=down[0])
    tablet = open_screen(played.url, "tablet")
    tablet.says("Ana: roll")
    sums = tablet.page.locator("tr.sum")
    expect(sums).to_contain_text("+35")
    expect(sums).not_to_contain_text("\N{MINUS SIGN}0")
