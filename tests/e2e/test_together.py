"""All together: phones keep dice of one throw, a tablet plays for who has none, the wall shows all copies."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.e2e.examine import examine
from tests.e2e.helpers import PATIENCE_MS, Open, Save, Screen, StationProcess, throw_and_confirm
from tests.e2e.test_hosting import become_host

COLOURS = ("red", "green", "blue", "white", "black")
READY = re.compile("^Ready$")
TEN = ("Ana", "Ben", "Cleo", "Dana", "Emil", "Fritzi", "Gül", "Hugo", "Ines", "Jonas")


@pytest.fixture(scope="module")
def coloured_station(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StationProcess]:
    """A station with five dice of five colours."""
    process = StationProcess(tmp_path_factory.mktemp("coloured"), dice=COLOURS)
    yield process
    process.stop()


@pytest.fixture
def coloured(coloured_station: StationProcess) -> Iterator[StationProcess]:
    """The same, whose last game is over."""
    yield coloured_station
    coloured_station.do("end_game")


def seated(open_screen: Open, station: StationProcess, name: str) -> Screen:
    """A player's phone."""
    phone = open_screen(station.url)
    phone.page.request.post(f"{station.url}/api/v1/room/seat", data={"name": name})
    phone.page.reload()
    return phone


def faces_by_colour(dice: list[dict[str, Any]]) -> dict[str, int]:
    return {die["colour"]: die["face"] for die in dice}


def held(screen: Screen, slot: int) -> None:
    """Touch a die of the own copy, and see it held."""
    die = screen.page.locator(f".hold[data-slot='{slot}']")
    expect(die).to_be_enabled(timeout=PATIENCE_MS)
    die.tap()
    expect(die).to_have_attribute("aria-pressed", "true", timeout=PATIENCE_MS)


def heading(screen: Screen, name: str) -> None:
    expect(screen.page.locator(".whose")).to_have_text(f"{name}'s dice", timeout=PATIENCE_MS)


def test_a_round_with_two_phones_and_a_tablet(coloured: StationProcess, open_screen: Open, save: Save):
    coloured.do("start_game", players=["Ana", "Ben", "Cleo"], rules="shared-roll")
    ana, ben = (seated(open_screen, coloured, name) for name in ("Ana", "Ben"))
    tablet, wall = open_screen(coloured.url, "tablet"), open_screen(coloured.url, "tv", path="/tv")
    tablet.says("All together: roll all five dice")
    throw_and_confirm(tablet, coloured)
    first = faces_by_colour(coloured.state()["dice"])
    assert set(first) == set(COLOURS)

    for phone in (ana, ben):
        phone.says(coloured.state()["waiting_for"])  # it knows that the roll is confirmed
    held(ana, 1)
    ana.tap(READY)
    ben.says("waiting for Ben and Cleo")
    ana.tap("Not ready after all")
    ana.tap(READY)
    held(ben, 2)
    held(ben, 4)
    heading(ben, "Ben")
    ben.tap("Cleo: keeps dice")
    heading(ben, "Cleo")
    ben.tap("Ben: keeps dice")
    heading(ben, "Ben")
    examine(ben)
    save(ben, "together-phone-light")
    expect(wall.page.locator(".copies .is-ready")).to_have_text(re.compile("Ana"))
    expect(wall.page.locator(".copies .copy .held")).to_have_count(3)
    save(wall, "together-tv-light")
    ben.tap(READY)
    heading(tablet, "Cleo")
    examine(tablet)
    save(tablet, "together-tablet-light")
    tablet.tap(READY)

    before = coloured.state()["players"]
    throw_and_confirm(tablet, coloured)
    state = coloured.state()
    second = faces_by_colour(state["dice"])
    for number, kept in ((0, {1}), (1, {2, 4}), (2, set())):
        colours = {die["colour"] for die in before[number]["dice"] if die["slot"] in kept}
        now = faces_by_colour(state["players"][number]["dice"])
        assert now == {colour: (first if colour in colours else second)[colour] for colour in COLOURS}


def test_boxes_are_picked_and_written_when_all_are_ready(
    coloured: StationProcess, open_screen: Open, save: Save
):
    coloured.do("start_game", players=["Ana", "Ben", "Cleo"], rules="shared-roll")
    for throw in range(3):
        coloured.do("enter_roll", faces=[1, 2, 2, 3, 5 + throw % 2])
        for player in coloured.state()["waits_for"] if throw < 2 else ():
            coloured.do("ready", player=player)
    ana, ben = (seated(open_screen, coloured, name) for name in ("Ana", "Ben"))
    tablet = open_screen(coloured.url, "tablet")
    ana.says("Pick a box, then press Ready")
    expect(ana.page.get_by_role("button", name="Pick a box first")).to_be_disabled()
    picked = ana.page.locator("button.potential[aria-pressed='true']")
    expect(picked, "the box that the table's buttons offer is not picked").to_have_count(0)
    ana.slow_line(300)
    ana.tap(re.compile("in Yacht for Ana"))
    ana.tap(re.compile("in Choice for Ana"))
    expect(picked).to_have_attribute("data-category", "choice", timeout=PATIENCE_MS)
    save(ana, "together-pick-phone-light")
    ana.tap(READY)
    ben.tap(re.compile("in 1s for Ben"))
    ben.tap(READY)
    assert coloured.state()["players"][0]["boxes"]["choice"] is None, (
        "nothing is written before all are ready"
    )
    heading(tablet, "Cleo")
    tablet.tap(re.compile("in 2s for Cleo"))
    tablet.tap(READY)
    tablet.says("All together: roll all five dice")
    written = [
        {category for category, points in player["boxes"].items() if points is not None}
        for player in coloured.state()["players"]
    ]
    assert written == [{"choice"}, {"ones"}, {"twos"}]


def test_a_player_acts_for_the_own_copy_where_a_host_watches(station: StationProcess, open_screen: Open):
    station.do("start_game", players=["Ana", "Ben"], rules="shared-roll")
    ana, ben = (seated(open_screen, station, name) for name in ("Ana", "Ben"))
    station.do("enter_roll", faces=[1, 2, 3, 4, 5])
    become_host(ana, station)
    ana.page.request.post(f"{station.url}/api/v1/room/pin", data={"pin": "4711"})
    ana.page.goto(station.url)
    for screen, other, may in ((ben, "Ana", False), (ana, "Ben", True)):
        screen.tap(f"{other}: keeps dice")
        heading(screen, other)
        screen.page.locator(".hold[data-slot='2']").tap()
        if not may:
            expect(screen.page.locator("#refusal")).to_contain_text("Ana decides", timeout=PATIENCE_MS)
    ben.until("() => document.querySelector('.who') !== null")
    ben.tap("Ben: keeps dice")
    expect(ben.page.locator(".hold[data-slot='2']")).to_have_attribute("aria-pressed", "true")
    assert not any(die["held"] for die in station.state()["players"][0]["dice"])


def test_what_is_said_on_the_felt_can_be_read(played: StationProcess, open_screen: Open):
    """That dice of one colour go by their place, and that who came late plays from the next round."""
    played.do("start_game", players=["Ana", "Ben"], rules="shared-roll")
    phone = seated(open_screen, played, "Ben")
    throw_and_confirm(phone, played)
    phone.see("#problem .aside")
    examine(phone)
    played.do("add_player", name="Cleo")
    late = seated(open_screen, played, "Cleo")
    late.see("#roll .aside")
    examine(late)


def test_long_names_stand_whole_and_undo_beside_ready(played: StationProcess, open_screen: Open):
    """On the wall a name has two lines; on a phone a line more would hide boxes."""
    names = ["Großmutter Annelies", "Elisabeth-Charlotte", "Maximiliane-Sophie", "Jo"]
    played.do("start_game", players=names, rules="shared-roll")
    played.do("enter_roll", faces=[1, 2, 3, 4, 5])
    phone, wall = open_screen(played.url), open_screen(played.url, "tv", path="/tv")
    expect(wall.page.locator(".copy-name")).to_have_text(names)
    cut = wall.page.evaluate("""() => [...document.querySelectorAll(".copy-name")]
        .filter((name) => name.scrollWidth > name.clientWidth).map((name) => name.textContent)""")
    assert cut == []
    phone.see("#steps .first")
    ready, undo = (
        phone.page.locator(f"#steps {each}").bounding_box() for each in (".first", ".undo:last-child")
    )
    assert ready
    assert undo
    assert undo["x"] + undo["width"] < ready["x"]
    assert ready["y"] == pytest.approx(undo["y"], abs=8)
    examine(phone)


def test_ten_players_can_be_read(coloured: StationProcess, open_screen: Open, save: Save):
    rules = coloured.get("/api/v1/rules")["rules"]
    most = next(each for each in rules if each["id"] == "shared-roll")["players_max"]
    names = TEN[:most]
    coloured.do("start_game", players=names, rules="shared-roll")
    coloured.do("enter_roll", faces=[1, 2, 3, 4, 5])
    phone, wall = seated(open_screen, coloured, "Hugo"), open_screen(coloured.url, "tv", path="/tv")
    heading(phone, "Hugo")
    phone.says(f"waiting for {len(names)} players")
    examine(phone)
    expect(wall.page.locator(".copies > li")).to_have_count(len(names))
    cut = wall.page.evaluate(
        "() => [...document.querySelectorAll('.copies > li')]"
        ".filter(li => li.scrollHeight > li.clientHeight + 1).length"
    )
    assert cut == 0
    save(phone, "together-ten-phone-light")
    save(wall, "together-ten-tv-light")


def test_a_phone_that_looked_up_another_copy_shows_its_own_in_the_next_round(
    played: StationProcess, open_screen: Open
):
    played.do("start_game", players=["Ana", "Ben"], rules="shared-roll")
    ben = seated(open_screen, played, "Ben")
    for turn, box in enumerate(("ones", "twos")):
        for _ in range(3):
            played.do("enter_roll", faces=[1, 2, 3, 4, 6])
            if played.state()["phase"] == "holding":
                heading(ben, "Ben")
                for player in (0, 1):
                    played.do("ready", player=player)
        heading(ben, "Ben")
        if not turn:
            ben.tap(re.compile("^Ana"))
            heading(ben, "Ana")
        for player in (0, 1):
            played.do("score_box", category=box, player=player)
            played.do("ready", player=player)
