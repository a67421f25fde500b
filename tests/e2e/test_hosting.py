"""A host is made at the table: the number on the station's own screen, typed on the phone that asks."""

import re
from functools import partial
from pathlib import Path

from playwright.sync_api import Route, expect

from simulator.cases import example
from tests.e2e.examine import examine
from tests.e2e.helpers import Open, Screen, StationProcess
from vision.picture import encode_jpeg


def become_host(phone: Screen, station: StationProcess, path: str = "/setup") -> None:
    """Ask on the setup page, and type what stands in the terminal."""
    phone.page.goto(station.url + path)
    phone.tap("Become host")
    phone.see("#number").fill(station.number())
    phone.tap("Become host")
    expect(phone.page.locator("#host .lead")).to_contain_text("This screen is host.")


def test_the_first_host_the_roles_and_the_end_of_a_session(station: StationProcess, open_screen: Open):
    tv = open_screen(station.url, "tv", path="/tv")
    phone = open_screen(station.url, path="/setup")
    expect(phone.page.locator("#host")).to_contain_text("There is no host yet")
    phone.tap("Become host")
    tv.see("#host-request")
    phone.see("#number")
    examine(tv)
    examine(phone)
    phone.tap("Never mind")  # a request ends by itself, and examining takes long where the machine is slow
    expect(tv.page.locator("#host-request")).to_be_hidden()
    expect(phone.page.locator("#number")).to_have_count(0)  # its button is called the same
    phone.tap("Become host")
    tv.see("#host-request")
    (number,) = re.findall(r"\d{6}", tv.see(".request-number").inner_text())
    phone.see("#number").fill("000000" if number != "000000" else "111111")
    phone.tap("Become host")
    fault = phone.page.locator("#host .fault")
    expect(fault).to_contain_text("not the number the station shows")
    for _ in range(2):
        phone.page.wait_for_event("response", lambda answer: answer.url.endswith("/api/v1/room"))
    expect(fault).to_contain_text("not the number the station shows")  # no look takes it away
    phone.see("#number").fill(number)
    phone.tap("Become host")
    expect(phone.page.locator("#host .lead")).to_contain_text("This screen is host.")
    expect(tv.page.locator("#host-request")).to_be_hidden()
    examine(phone)

    station.do("start_game", players=["Ana", "Ben"], rules="yacht-1938")
    phone.tap("Each screen only for its own seat", role="radio")
    guest = open_screen(station.url, path="/join")
    guest.tap("Ben")
    guest.says("Ana: roll")
    phone.page.reload()
    row = phone.page.locator(".screen").filter(has_text="Ben")
    expect(row).to_have_count(1)
    row.get_by_role("button", name="Sign out").tap()
    expect(row).to_have_count(0)
    expect(guest.page.get_by_role("button", name=re.compile("^Roll"))).to_have_count(0)
    expect(guest.page.locator("#problem")).to_contain_text("is just watching")
    examine(guest)
    guest.page.get_by_role("link", name="Take a seat with this screen").tap()
    guest.tap("Ana")
    guest.tap(re.compile("^Roll"))
    guest.says("right?")


def test_a_player_is_offered_nothing_in_the_turn_of_another(buttoned: StationProcess, open_screen: Open):
    phone, guest = open_screen(buttoned.url), open_screen(buttoned.url)
    become_host(phone, buttoned)
    buttoned.do("start_game", players=["Ana", "Ben"], rules="yacht-1938")
    # Who may not keep the score gets no seat by asking.
    guest.says("Ana: roll")
    guest.tap("Menu")
    guest.tap("Who keeps the score")
    guest.page.get_by_label("Name").fill("Zoe")
    guest.tap("I keep the score")
    expect(guest.page.locator("dialog .fault")).to_contain_text("Only the host")
    assert "Zoe" not in phone.page.request.get(f"{buttoned.url}/api/v1/room").json()["seats"]
    guest.page.goto(f"{buttoned.url}/join")
    guest.tap("Ben")
    guest.says("Ana: roll")
    phone.tap("Each screen only for its own seat", role="radio")
    throw = guest.page.get_by_role("button", name=re.compile("^Roll"))
    expect(throw).to_have_count(0)  # another's turn
    do = partial(phone.page.request.post, f"{buttoned.url}/api/v1/commands")
    assert do(data={"command": "enter_roll", "faces": [1, 2, 3, 4, 6]}).ok
    guest.says("Ana: tap what you keep")
    expect(guest.page.locator("button.potential, .table-buttons, #roll button:enabled")).to_have_count(0)
    assert do(data={"command": "score_box", "category": "choice"}).ok
    guest.says("Ben: roll")
    expect(throw).to_have_count(1)
    assert do(data={"command": "undo"}).ok
    guest.says("Ana: tap what you keep")
    expect(throw).to_have_count(0)
    guest.tap("Menu")
    guest.tap("Players")
    expect(guest.page.locator("dialog input")).to_have_count(1)  # the own name, and no other's
    expect(guest.page.locator("dialog .names button:enabled")).to_have_count(0)
    guest.page.get_by_label("Player 2", exact=True).fill("Benno")
    guest.tap("Rename")
    expect(guest.page.get_by_label("Player 2", exact=True)).to_have_value("Benno")
    expect(guest.page.get_by_role("button", name="Rename")).to_have_count(0)
    guest.page.keyboard.press("Escape")
    guest.tap("Menu")
    guest.tap("Hints")
    own = guest.page.get_by_role("group", name="Benno", exact=True)
    expect(own.get_by_role("checkbox").first).to_be_enabled()
    expect(guest.page.get_by_role("group", name="Ana", exact=True)).to_have_count(0)


def test_dice_that_lie_still_are_counted_only_by_who_may_play(tmp_path: Path, open_screen: Open):
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    for number in range(10):  # as many as dice need to be seen at rest
        (pictures / f"{number}.jpg").write_bytes(encode_jpeg(example("plain", seed=1).image))
    station = StationProcess(tmp_path, camera=str(pictures), buttons="page")
    try:
        phone, guest = open_screen(station.url), open_screen(station.url)
        become_host(phone, station)
        station.do("start_game", players=["Ana", "Ben"], rules="yacht-1938")
        guest.page.goto(f"{station.url}/join")
        guest.tap("Ben")
        guest.says("Ana:")
        phone.tap("Each screen only for its own seat", role="radio")
        expect(guest.page.locator(".table-buttons")).to_have_count(0)
        phone.page.goto(station.url)
        count = "Count these dice anyway"  # they lay there before the game began
        phone.tap(count)
        phone.tap(re.compile("^Score .* in Choice"))
        phone.says("Ben: roll")
        expect(guest.page.get_by_role("button", name=count)).to_be_enabled()
        guest.tap(count)
        guest.tap(re.compile("^Score .* in Choice"))
        phone.says("Ana: roll")
        expect(phone.page.get_by_role("button", name=count)).to_be_enabled()
        expect(guest.page.get_by_role("button", name=count)).to_have_count(0)
    finally:
        station.stop()


def test_the_host_deletes_a_game_and_what_somebody_added(station: StationProcess, open_screen: Open):
    station.finish_game("Ana")
    phone = open_screen(station.url, path="/history/1")
    phone.see("details.danger summary").tap()
    phone.tap("Delete this game")
    expect(phone.page.locator("main")).to_contain_text("There is no host yet")
    become_host(phone, station)
    phone.page.goto(f"{station.url}/history/1")
    phone.see("details.danger summary").tap()
    phone.tap("Delete this game")
    expect(phone.page).to_have_url(re.compile("/history#aside$"))
    expect(phone.page.locator("#aside")).to_contain_text("They can be put back for 30 days.")
    expect(phone.page.locator("#aside")).to_contain_text("Ana")
    examine(phone)
    phone.tap(re.compile("^Put back"))
    expect(phone.page.locator("tfoot")).to_contain_text("19")

    # So does what somebody added go.
    stranger = {"name": "A stranger", "on": True}
    guest = open_screen(station.url, path="/join")
    assert guest.page.request.post(f"{station.url}/api/v1/room/hints", data=stranger).ok
    phone.page.goto(f"{station.url}/setup")
    phone.page.locator("#host summary").tap()
    row = phone.page.locator("#host details .screen").filter(has_text="A stranger")
    expect(row).to_contain_text("wants hints")
    examine(phone)
    row.get_by_role("button", name="Remove").tap()
    expect(row).to_have_count(0)
    expect(phone.page.locator("#host details")).to_contain_text("Nothing yet.")

    # What was changed is not said to be undone where the look after it fails.
    phone.see(".screens")
    phone.page.route("**/api/v1/room/screens", lambda route: route.abort(), times=1)
    with phone.page.expect_response("**/api/v1/room/screens"), phone.page.expect_event("requestfailed"):
        phone.page.locator("input[name=who-plays][value=seated]").check(force=True)
    expect(phone.page.locator("#host .fault")).to_have_count(0)


def test_a_setup_page_left_open_follows_the_other_screens(station: StationProcess, open_screen: Open):
    """Else who is host no longer is offered all that the station refuses, and new guests are not listed."""
    station.do("start_game", players=["Ana", "Ben"], rules="yacht-1938")
    phone, tablet = open_screen(station.url), open_screen(station.url, "tablet")
    become_host(phone, station)
    become_host(tablet, station)
    screens = phone.page.locator(".screen")
    expect(screens).to_have_count(2)
    phone.see("#pin").fill("12")
    guest = open_screen(station.url, path="/join")
    guest.tap("Ben")
    expect(screens.filter(has_text="Ben")).to_have_count(1)
    expect(phone.page.locator("#pin")).to_have_value("12")
    tablet.tap("Each screen only for its own seat", role="radio")
    expect(phone.page.get_by_role("radio", name="Each screen only for its own seat")).to_be_checked()
    tablet.see("#pin").fill("4711")
    tablet.tap("Set a PIN")
    expect(phone.page.get_by_role("button", name="I am the host")).to_be_visible()
    expect(phone.page.locator("#host")).to_contain_text("A PIN protects")
    expect(screens).to_have_count(0)


def test_a_number_that_is_typed_stays_whatever_happens_meanwhile_and_is_never_a_pin(
    station: StationProcess, open_screen: Open
):
    phone = open_screen(station.url, path="/setup")
    phone.tap("Become host")
    number = phone.page.locator("#number")
    fault = phone.page.locator("#host .fault")
    expect(number).to_be_visible()
    # A request that nobody answers is said to be over. Time ends it, not this page.
    phone.page.evaluate(
        """() => fetch("/api/v1/room/ask", {
            method: "POST", headers: {"content-type": "application/json"}, body: '{"on": false}'
        })"""
    )
    expect(fault).to_have_text("Nobody answered. Ask again.")
    phone.tap("Become host")
    expect(number).to_be_visible()
    expect(fault).to_have_count(0)
    # While a screen asks it looks again and again, unasked; a look that fails is nothing that was not done.
    number.press_sequentially("12")
    phone.page.route("**/api/v1/room", lambda route: route.abort())
    expect(fault).to_have_text("No connection to the station.")
    phone.page.unroute("**/api/v1/room")
    expect(fault).to_have_count(0)
    expect(number).to_have_value("12")
    expect(number).to_be_focused()
    number.fill("")
    # Others ask, too.
    asking = [2]

    def several(route: Route) -> None:
        if not asking:
            route.continue_()
            return
        others = {"asking": asking[0]}
        answer = route.fetch()
        route.fulfill(response=answer, json=answer.json() | others)

    phone.page.route("**/api/v1/room", several)
    expect(fault).to_be_visible()
    number.press_sequentially("1")
    asking[0] = 1
    expect(fault).to_have_count(0)
    number.press_sequentially("2")
    expect(number).to_have_value("12")
    asking.clear()  # to take the route away would do so under an answer that is on its way

    # Somebody at the table says yes meanwhile.
    phone.page.evaluate(
        """(number) => fetch("/api/v1/room/number", {
            method: "POST", body: JSON.stringify({ number }), headers: { "content-type": "application/json" },
        })""",
        station.number(),
    )
    expect(phone.page.locator("#host .lead")).to_contain_text("This screen is host.")
    expect(phone.page.locator("#pin")).to_have_value("")

    phone.page.locator("#pin").fill("4711")
    phone.page.locator("#pin").press("Enter")
    other = open_screen(station.url, path="/setup")
    other.page.locator("#pin").fill("4711")
    other.page.locator("#pin").press("Enter")
    expect(other.page.locator("#host .lead")).to_contain_text("This screen is host.")
    expect(other.page.locator("#pin")).to_have_value("")
