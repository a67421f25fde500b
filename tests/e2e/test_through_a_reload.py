"""What stays through a reload, another language, the way back and the cache of a browser."""

import re

from playwright.sync_api import Route, expect

from tests.e2e.helpers import Open, StationProcess, choose_rules, chosen_rules, more

PICTURE = {"size": None, "fps": None, "rotation": 0, "mirrored": False, "flicker_hz": 0, "hdr": False}
PICTURE |= {"exposure": "normal", "exposure_ms": None, "number": None}
PICTURE |= {"available": True, "chosen": True, "refused": []}
"""The settings of a camera that can be set; the simulated tray cannot."""


def test_a_game_that_is_not_begun_stays_through_another_language_and_the_way_back(
    station: StationProcess, open_screen: Open
):
    """Who plays, with the team's people, and by which rules."""
    phone = open_screen(station.url)
    phone.page.locator("#player-0").fill("Ana")
    more(phone)
    phone.tap("A team")
    phone.page.locator("#player-2").fill("Elders")
    phone.page.locator(".way").fill("Opa, Oma")
    choose_rules(phone, "yatzy")
    more(phone)
    phone.page.locator("#level").check()
    phone.tap("Menu")
    phone.page.locator("input[name=language][value=de]").evaluate("(choice) => choice.click()")
    phone.says("Wählt Spieler und Regeln")

    def stands() -> None:
        expect(phone.page.locator("#player-0")).to_have_value("Ana")
        expect(phone.page.locator("#player-2")).to_have_value("Elders")
        expect(phone.page.locator(".way")).to_have_value("Opa, Oma")
        assert chosen_rules(phone) == "yatzy"
        expect(phone.page.locator("#level")).to_be_checked()

    stands()
    phone.page.goto(station.url + "/setup")
    phone.page.go_back()
    stands()
    phone.tap("Spiel beginnen")
    phone.says("Ana: wirf")
    assert [player["members"] for player in station.state()["players"]] == [[], ["Opa", "Oma"]]


def test_house_rules_that_are_not_saved_stay_through_another_language(
    played: StationProcess, open_screen: Open
):
    phone = open_screen(played.url, path="/setup/rules", locale="de")
    phone.page.locator("#from").select_option("yahtzee")
    phone.page.locator("#title").fill("Omas Regeln")
    phone.page.locator("#title").blur()
    expect(phone.page.locator(".lines")).to_contain_text("Omas Regeln")
    phone.page.locator("input[name=throws][value='4']").check(force=True)
    expect(phone.page.locator(".lines")).to_contain_text("bis zu 4 Würfe")
    phone.page.reload()
    expect(phone.page.locator("#title")).to_have_value("Omas Regeln")
    other = phone.context.new_page()
    other.goto(f"{played.url}/setup")
    other.locator("input[name=language][value=fr]").check(force=True)
    expect(phone.page.locator("h1")).to_have_text("Règles maison")
    expect(phone.page.locator(".lines")).to_contain_text("à 4 lancers")
    expect(phone.page.locator("#title")).to_have_value("Omas Regeln")
    expect(phone.page.locator("#from")).to_have_value("yahtzee")
    phone.tap("Enregistrer")
    expect(phone.page.locator(".good")).to_contain_text("Omas Regeln")
    phone.page.reload()
    expect(phone.page.locator(".own-rules")).to_contain_text("Omas Regeln")
    expect(phone.page.locator("#title")).to_have_count(0)


def test_house_rules_that_are_changed_after_they_were_saved_stay_through_a_reload(
    played: StationProcess, open_screen: Open
):
    phone = open_screen(played.url, path="/setup/rules")
    phone.page.locator("#from").select_option("yahtzee")
    phone.page.locator("#title").fill("At the lake")
    phone.page.locator("#title").blur()
    expect(phone.page.locator(".lines")).to_contain_text("At the lake")
    phone.tap("Save")
    expect(phone.page.locator(".good")).to_contain_text("At the lake")
    phone.page.locator("#title").fill("At the sea")
    phone.page.locator("#title").blur()
    expect(phone.page.locator(".lines")).to_contain_text("At the sea")
    phone.page.reload()
    expect(phone.page.locator("#title")).to_have_value("At the sea")


def test_all_pages_of_a_browser_take_the_look_that_one_takes(game: StationProcess, open_screen: Open):
    """They share cookies: else the station's next words came in one language, the page's own in another."""
    phone = open_screen(game.url)
    paper, television = phone.context.new_page(), phone.context.new_page()
    paper.goto(f"{game.url}/paper")
    television.goto(f"{game.url}/tv")
    expect(television.locator("#main")).to_contain_text("Ana: roll all five dice")
    phone.tap("Menu")
    phone.page.locator("input[name=theme][value=dark]").click()
    expect(paper.locator("html")).to_have_attribute("data-theme", "dark")
    phone.page.locator("input[name=theme][value=system]").click()
    expect(paper.locator("html")).not_to_have_attribute("data-theme", re.compile("."))
    phone.page.locator("input[name=language][value=fr]").click()
    expect(paper.locator("h1")).to_have_text("Feuilles de score à imprimer")
    expect(television.locator("html")).to_have_attribute("lang", "fr")
    expect(television.locator("#main")).to_contain_text("lance les cinq dés")

    # One that the browser keeps meanwhile takes it when it is gone back to.
    kept = open_screen(game.url, path="/paper")
    chosen = {"theme": "dark", "language": "de"}
    kept.context.add_cookies([{"name": each, "value": chosen[each], "url": game.url} for each in chosen])
    kept.page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    expect(kept.page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(kept.page.locator("h1")).to_have_text("Spielblätter zum Ausdrucken")

    # What is dark is printed on white, chosen here or by the system.
    system = open_screen(game.url, path="/history", scheme="dark")
    look = "() => getComputedStyle(document.documentElement).colorScheme"
    for screen in (kept, system):
        assert screen.page.evaluate(look) == "dark"
        screen.page.emulate_media(media="print")
        assert screen.page.evaluate(look) == "light"


def test_a_page_that_the_browser_has_in_its_cache_is_asked_for_anew(
    played: StationProcess, open_screen: Open
):
    """Going back, a browser shows what it has of a page, however old, if it may have it at all."""
    for _ in range(2):
        played.finish_game("Ana", "Ben")
    phone = open_screen(played.url, path="/history")
    games = phone.page.locator(".games li")
    before = games.count()
    phone.page.goto(played.url)
    played.finish_game("Ana", "Ben")
    phone.context.add_cookies([{"name": "theme", "value": "dark", "url": played.url}])
    phone.page.go_back()
    expect(phone.page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(games).to_have_count(before + 1)


def house_rules(station: StationProcess) -> list[str]:
    return [each["id"] for each in (station.get("/api/v1/rules") or {})["rules"] if each["house"]]


def test_house_rules_saved_as_soon_as_they_are_typed_are_shown_as_saved(
    played: StationProcess, open_screen: Open
):
    """The check that waits for the end of the typing comes before that, and not after it."""
    before = len(house_rules(played))
    phone = open_screen(played.url, path="/setup/rules")
    phone.page.locator("#from").select_option("yahtzee")
    verdict = phone.page.locator("#verdict .good")
    expect(verdict).to_be_visible()
    phone.page.clock.install()
    phone.page.locator("details.more summary").tap()
    text = phone.page.locator("#text")
    own = text.input_value()
    text.fill(f"{own}# as at the lake\n")
    for _ in range(2):
        phone.tap("Save")
    expect(verdict).to_contain_text("Saved")
    phone.page.clock.fast_forward(1000)
    phone.page.wait_for_timeout(300)  # only so that a check would have been answered by now
    expect(verdict).to_contain_text("Saved")
    text.fill("nonsense")
    phone.tap("Save")
    expect(phone.page.locator("#verdict .fault")).to_be_visible()
    phone.page.clock.fast_forward(1000)
    expect(phone.page.locator("#verdict .fault")).to_be_visible()
    assert len(house_rules(played)) == before + 1


def test_the_text_of_house_rules_stays_through_a_reload_that_comes_at_once(
    played: StationProcess, open_screen: Open
):
    phone = open_screen(played.url, path="/setup/rules")
    phone.page.locator("#from").select_option("yahtzee")
    expect(phone.page.locator("#verdict .good")).to_be_visible()
    phone.page.locator("details.more summary").tap()
    text = phone.page.locator("#text")
    changed = text.input_value() + "# as at the lake\n"
    phone.page.route("**/api/v1/rules/switches", lambda route: route.abort())  # before it could be checked
    text.fill(changed)
    phone.page.reload()
    expect(text).to_have_value(changed)


def test_what_is_typed_on_the_setup_page_stays_through_another_language(
    station: StationProcess, open_screen: Open
):
    phone = open_screen(station.url)
    page = phone.page
    page.route("**/api/v1/picture", lambda route: route.fulfill(json=PICTURE))
    page.goto(f"{station.url}/setup")
    phone.tap("Become host")
    page.locator("#number").fill("12")
    page.get_by_text("Picture settings").tap()
    page.locator("#picture-rotation").select_option("180")
    page.locator("input[name=language][value=de]").check(force=True)
    expect(page.locator("h1")).to_have_text("Einrichten")
    expect(page.locator("#number")).to_have_value("12")
    expect(page.locator("#picture-rotation")).to_be_visible()
    expect(page.locator("#picture-rotation")).to_have_value("180")
    page.locator("#number").press("Enter")
    expect(page.locator("#host .fault")).to_be_visible()
    page.reload()
    expect(page.locator("#number")).to_have_value("")


def test_a_setup_page_that_is_gone_back_to_shows_the_camera_as_it_is_now(
    station: StationProcess, open_screen: Open
):
    phone = open_screen(station.url, path="/setup")
    phone.see("#setup .card")

    def gone(route: Route) -> None:
        answer = route.fetch()
        state = answer.json()
        camera = state["camera"] | {"ok": False, "message": "It was pulled out."}
        route.fulfill(response=answer, json=state | {"camera": camera})

    phone.page.route("**/api/v1/state", gone)
    phone.page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    expect(phone.page.locator("#setup")).to_contain_text("It was pulled out.")


def test_what_is_typed_on_the_page_of_a_player_stays_while_another_form_is_sent(
    station: StationProcess, open_screen: Open
):
    station.finish_game("Ana", "Ben")
    phone = open_screen(station.url, path="/history/player?name=Ana")
    page = phone.page
    page.locator("details summary", has_text="Names").tap()
    page.locator("#to").fill("Anna")
    page.locator("input[name=colour][value=green]").check(force=True)
    phone.tap("Save")  # who chooses a colour alone has to choose a sign, says the browser
    expect(page.locator("input[name=sign]").first).to_be_focused()
    expect(page.locator("#fault")).to_be_hidden()
    page.locator("input[name=sign]").first.check(force=True)
    phone.tap("Save")
    expect(page.locator("h1 .own-green")).to_be_visible()
    expect(page.locator("#to")).to_be_visible()
    expect(page.locator("#to")).to_have_value("Anna")
    page.locator("input[name=sign]").last.check(force=True)
    phone.tap("Rename")
    expect(page.locator("h1")).to_have_text("Anna")
    expect(page.locator("#to")).to_have_value("Anna")
    expect(page.locator("input[name=sign]").last).to_be_checked()
    phone.tap("Save")
    page.wait_for_load_state()
    expect(page.locator("h1")).to_have_text("Anna")
