"""What one screen shows and sends while others act: late answers, another past, another game."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Route, expect

from tests.e2e.helpers import Open, Screen, StationProcess, choose_rules, chosen_rules
from tests.e2e.late_answers import knows_that_it_announces, sent_alone
from tests.e2e.test_hosting import become_host

MOVED_ON = "The table has moved on meanwhile; look again, then decide."


def refused(screen: Screen) -> None:
    expect(screen.page.locator("#refusal")).to_have_text(MOVED_ON)


def test_an_answer_to_a_question_of_before_does_not_count(game: StationProcess, open_screen: Open):
    phone = open_screen(game.url)
    phone.says("Ana: roll")
    phone.tap("Enter dice by hand")
    for face in (1, 2, 3, 4, 5):
        phone.page.locator(f"dialog .face[data-face='{face}']").tap()
    game.do("enter_roll", faces=[5, 5, 5, 2, 2])
    game.do("score_box", category="full-house")
    phone.says("Ben: roll")
    phone.tap("Take this roll")
    refused(phone)
    assert game.state()["throws_done"] == 0, "Ana's roll is not Ben's"

    game.do("enter_roll", faces=[1, 1, 2, 2, 3])
    phone.tap("Fix a die")
    phone.tap("Correct die 5, read as 3")
    game.do("score_box", category="choice")
    game.do("enter_roll", faces=[4, 4, 4, 4, 4])
    phone.says("Ana: tap what you keep")
    phone.page.locator("dialog .face[data-face='5']").tap()
    refused(phone)
    assert [die["face"] for die in game.state()["dice"]] == [4, 4, 4, 4, 4]


def test_a_refusal_is_said_no_longer_than_it_is_true(buttoned: StationProcess, open_screen: Open):
    """The clock of the page stands, so that a refusal cannot end by its age."""
    buttoned.do("start_game", players=["Ana", "Ben"], rules="yacht-1938")
    phone = open_screen(buttoned.url)
    phone.stop_clock("Ana: roll")
    phone.tap("Table button confirm")
    refusal = phone.page.locator("#refusal")
    expect(refusal).not_to_be_empty()
    buttoned.do("rename_player", player=1, name="Bea")
    phone.until("(version) => Number(document.body.dataset.version) >= version", buttoned.state()["version"])
    phone.page.clock.fast_forward(5000)
    expect(refusal, "Ana has still to throw").not_to_be_empty()
    buttoned.do("enter_roll", faces=[1, 2, 3, 4, 6])
    phone.says("Ana: tap what you keep")
    phone.page.clock.fast_forward(3000)
    expect(refusal).to_be_empty()


def test_the_box_of_somebody_who_sits_elsewhere_meanwhile_is_not_anothers(
    game: StationProcess, open_screen: Open
):
    for _ in range(2):
        game.do("enter_roll", faces=[6, 6, 6, 2, 2])
        game.do("score_box", category="sixes")
    phone = open_screen(game.url)
    phone.tap("Sixes: what it pays")
    expect(phone.page.locator("dialog .why")).to_contain_text("Ana")
    game.do("move_player", player=0, to=1)
    phone.until("(version) => Number(document.body.dataset.version) >= version", game.state()["version"])
    phone.tap(re.compile("Correct this box.*Ana"))
    for face in (6, 1, 1, 1, 1):
        phone.page.locator(f"dialog .face[data-face='{face}']").tap()
    phone.tap("Take this roll")
    refused(phone)
    assert [player["total"] for player in game.state()["players"]] == [18, 18]


def test_the_second_of_two_boxes_is_for_the_same_dice(played: StationProcess, open_screen: Open):
    played.do("start_game", players=["Ana", "Ben"], rules="double-cameroon")
    played.do("enter_roll", faces=[2, 2, 2, 2, 2, 2, 5, 5, 5, 5])
    phone = open_screen(played.url)

    def another_screen_undoes(route: Route) -> None:
        answer = route.fetch()
        if answer.ok:
            played.do("undo")
            phone.says("Ana: tap what you keep")
        route.fulfill(response=answer)

    phone.tap(re.compile("in Five-of-a-kind for Ana"))
    phone.page.route("**/api/v1/commands", another_screen_undoes, times=1)
    phone.tap("Score 50 and 20")
    refused(phone)
    assert not any(played.state()["players"][0]["boxes"].values())


def test_a_page_left_open_follows_a_station_with_another_past(tmp_path: Path, open_screen: Open):
    first = StationProcess(tmp_path)
    for _ in range(60):
        first.do("add_player", name="Ana")
        first.do("undo")
    phone = open_screen(first.url)
    phone.until("() => document.body.dataset.version > 100")
    first.stop()
    other = tmp_path / "other"
    other.mkdir()
    second = StationProcess(other, port=int(first.url.rsplit(":", 1)[1]))
    try:
        phone.until("() => document.body.dataset.version < 50")
    finally:
        second.stop()


SPOKEN = """
window.spoken = [];
speechSynthesis.speak = ({ text }) => spoken.push(text);
speechSynthesis.cancel = () => spoken.splice(0);
"""
"""A voice that keeps what it was to say and was not broken off; `said` is emptied by what is."""


def test_a_record_is_said_once_and_after_who_won(station: StationProcess, open_screen: Open):
    host = open_screen(station.url)
    become_host(host, station)
    ours = Path("examples/quick-yacht.toml").read_text(encoding="utf-8")
    rules = host.page.request.post(f"{station.url}/api/v1/rules", data={"text": ours}).json()["id"]

    def game(*faces: int) -> None:
        state = station.do("start_game", players=["Ana"], rules=rules)
        for category in state["players"][0]["boxes"]:
            station.do("enter_roll", faces=faces)
            station.do("score_box", category=category)

    for _ in range(3):
        game(1, 2, 2, 3, 4)
    speaker = open_screen(station.url, "tablet")
    speaker.context.add_init_script(SPOKEN)
    assert speaker.page.request.post(f"{station.url}/api/v1/room/voice", data={"on": True}).ok
    speaker.page.reload()
    knows_that_it_announces(speaker)
    speaker.says("Ana has")
    tv = open_screen(station.url, "tv", path="/tv")
    game(6, 6, 6, 6, 6)
    expect(tv.page.locator(".record")).to_have_text(re.compile("A new record"))
    speaker.until("() => spoken.length === 2")
    won, record = speaker.page.evaluate("spoken")
    assert (won[:7], record[:12]) == ("Ana has", "A new record")
    speaker.page.reload()
    expect(speaker.page.locator(".record")).to_have_text(re.compile("A new record"))
    station.do("rematch")
    speaker.says("Ana: roll")
    station.do("undo")
    expect(speaker.page.locator(".record")).to_have_text(re.compile("A new record"))
    station.do("rematch")  # what was to be said by then has been
    speaker.says("Ana: roll")
    assert not [each for each in speaker.page.evaluate("spoken") if "record" in each]


PLAYED = """
window.notes = [];
OscillatorNode.prototype.start = function () { notes.push(this.frequency.value); };
"""
"""Loudspeakers that keep what they were to play."""


@pytest.mark.parametrize("path", ["/", "/tv"])
def test_the_notes_of_whose_turn_begins_are_played_once_also_at_the_start(
    station: StationProcess, open_screen: Open, path: str
):
    speaker = open_screen(station.url, "tablet")
    speaker.context.add_init_script(SPOKEN + PLAYED)
    bells = {"name": "Ana", "colour": "red", "sign": "star", "jingle": "bells"}
    assert speaker.page.request.post(f"{station.url}/api/v1/people/profile", data=bells).ok
    assert speaker.page.request.post(f"{station.url}/api/v1/room/voice", data={"on": True}).ok
    speaker.page.goto(station.url + path)
    knows_that_it_announces(speaker)
    speaker.until("() => document.body.dataset.version >= 0")
    speaker.page.locator("h1, #waiting").first.tap()  # before, a browser plays nothing
    rung = "(times) => notes.filter((each) => each === 1047).length === times"
    station.do("start_game", players=["Ana", "Ben"], rules="yacht-1938")
    speaker.says("Ana: roll")
    speaker.until(rung, 1)
    for name, times in (("Ben", 1), ("Ana", 2)):
        station.do("enter_roll", faces=[5, 5, 5, 2, 2])
        speaker.until("() => notes.includes(392)")  # of the roll
        speaker.page.evaluate("notes.splice(notes.indexOf(392), 1)")
        speaker.until(rung, 1)
        station.do("score_box", category="full-house")
        speaker.says(f"{name}: roll")
        speaker.until(rung, times)


def test_a_seat_page_left_open_or_gone_back_to_gives_nobodys_seat(game: StationProcess, open_screen: Open):
    phone = open_screen(game.url, path="/join")
    phone.page.route("**/api/v1/events*", lambda route: route.abort())  # it wakes, and has no line yet
    phone.page.reload()
    phone.see("text=Ben")
    game.do("rename_player", player=1, name="Benedikt")
    phone.tap("Ben")
    expect(phone.page.locator(".fault")).to_have_text("Ben has left the table.")
    assert phone.page.request.get(f"{game.url}/api/v1/room").json()["you"]["seat"] is None
    # A browser keeps pages that are gone back to as they were left, scripts and all.
    game.do("rename_player", player=1, name="Cleo")
    phone.page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    phone.tap("Cleo")
    phone.says("Ana: roll")
    assert phone.page.request.get(f"{game.url}/api/v1/room").json()["you"]["seat"] == "Cleo"


def test_past_games_on_a_phone_that_slept_are_those_of_now(station: StationProcess, open_screen: Open):
    """The clock of the page goes on by itself only; without a station what is shown stays."""
    phone = open_screen(station.url, path="/history")
    phone.page.clock.install()
    phone.page.reload()
    phone.see("text=No game has been finished here yet")

    def sleep(milliseconds: int) -> None:
        for hidden in (True, False):
            phone.page.evaluate(
                """(hidden) => {
                    Object.defineProperty(document, "hidden", { configurable: true, value: hidden });
                    document.dispatchEvent(new Event("visibilitychange")); }""",
                hidden,
            )
            if hidden:
                phone.page.clock.fast_forward(milliseconds)

    station.finish_game("Ana")
    phone.context.set_offline(True)
    sleep(120_000)
    phone.see("text=No game has been finished here yet")
    phone.context.set_offline(False)
    sleep(120_000)
    phone.see(".games >> text=Ana")
    # A rematch takes nothing back.
    table = open_screen(station.url)
    table.tap("Rematch")
    expect(table.page.locator("#live")).to_have_text("Ana: roll all five dice")


def test_house_rules_deleted_on_another_screen_are_not_begun_with(station: StationProcess, open_screen: Open):
    """What the form shows is what a game is begun by."""
    host, phone = open_screen(station.url), open_screen(station.url)
    become_host(host, station)
    ours = Path("examples/quick-yacht.toml").read_text(encoding="utf-8")
    kept = host.page.request.post(f"{station.url}/api/v1/rules", data={"text": ours}).json()["id"]
    choose_rules(phone, kept)
    assert host.page.request.delete(f"{station.url}/api/v1/rules/{kept}").ok
    expect(phone.page.locator(f"#rules option[value='{kept}']")).to_have_count(0)
    offered = chosen_rules(phone)
    phone.page.locator("#player-0").fill("Ana")
    phone.tap("Start the game")
    phone.says("Ana: roll")
    assert station.state()["rules"] == offered
    # A refusal is said in the language of the screen.
    host.page.request.post(f"{station.url}/api/v1/room/pin", data={"pin": "4711"})
    guest = open_screen(station.url, path="/setup", locale="de")
    guest.see("#pin").fill("1234")
    guest.tap("Ich leite das Spiel")
    expect(guest.page.locator(".fault:visible")).to_have_text("Das ist nicht die PIN der Spielleitung.")


def test_a_screen_without_a_network_says_so_at_once_and_catches_up(game: StationProcess, open_screen: Open):
    """The line of before may seem whole for half a minute; what the device knows is asked about at once."""
    phone, television = open_screen(game.url), open_screen(game.url, "tv", path="/tv")
    for screen in (phone, television):
        screen.says("Ana: roll")
        screen.context.set_offline(True)
        expect(screen.page.locator("#line")).to_be_visible()
    game.do("enter_roll", faces=[5, 5, 5, 2, 2])
    for screen in (phone, television):
        screen.context.set_offline(False)
        screen.says("Ana: tap what you keep")
        expect(screen.page.locator("#line")).to_be_hidden()


def test_the_television_says_why_nothing_can_be_confirmed(game: StationProcess, open_screen: Open):
    """A lost camera: who looks at the big screen would throw and wait."""
    why = "No picture from the USB camera. Unplug it and plug it in again."
    state = game.state()
    state |= {"problem": why, "camera": {"name": "USB camera", "ok": False, "message": why}}
    television = open_screen(game.url, "tv", path="/tv")
    sent_alone(television, state)
    expect(television.page.locator("#facts")).to_contain_text(why)
    expect(television.page.locator(".chip")).to_have_count(0)  # no camera sees that the tray is empty

    # A roll is read as the dice lie: above the sheet, on the buttons and beside them alike.
    state = game.state()
    die = state["reading"]["dice"][0] if state["reading"]["dice"] else {"colour": "red", "held": False}
    lie = [die | {"slot": slot, "face": face} for slot, face in enumerate((5, 4, 1, 1, 6), start=1)]
    seen = {"status": "ready", "fresh": True, "faces": [1, 1, 4, 5, 6], "dice": lie}
    state |= {"reading": state["reading"] | seen, "turn": "unconfirmed"}
    for path in ("/", "/tv"):
        screen = open_screen(game.url, "tablet", path=path)
        sent_alone(screen, state)
        expect(screen.page.locator(".chip")).to_contain_text("Read: 5 4 1 1 6")
