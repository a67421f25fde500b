"""A club's evening at a real broker: a pairing comes to its table and its end to the hall."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from board.app import Board
from board.pages.figures import DASH
from station.config import parse
from tests.e2e.examine import examine
from tests.e2e.helpers import Open, Save, StationProcess
from tests.integrations.mosquitto import Mosquitto, needed, until

pytestmark = needed


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    with Mosquitto(tmp_path / "broker") as running:
        yield running


@pytest.fixture
def board(tmp_path: Path, broker: Mosquitto) -> Iterator[Board]:
    line = {"host": "127.0.0.1", "port": broker.port, "station": "club"}
    settings = {"data": tmp_path / "club", "host": "127.0.0.1", "mqtt": line, "board": {"port": 0}}
    made = Board(parse(settings))
    made.start()
    yield made
    made.stop()


@pytest.fixture
def attic(tmp_path: Path, broker: Mosquitto) -> Iterator[StationProcess]:
    (tmp_path / "attic").mkdir()
    line = f'[mqtt]\nhost = "127.0.0.1"\nport = {broker.port}\nstation = "attic"\n'
    process = StationProcess(tmp_path / "attic", settings=line)
    yield process
    process.stop()


def test_a_pairing_comes_to_its_table_and_its_end_to_the_hall(
    board: Board, attic: StationProcess, open_screen: Open, save: Save
):
    (url,) = board.addresses
    until(lambda: any(each.there for each in board.hall.tables()))
    hall, leads = open_screen(url, "tv"), open_screen(url, "tablet", path="/organise")
    table = open_screen(attic.url)
    table.see("#player-0")
    system = leads.page.get_by_label("Who plays whom")
    fields = {
        "round-robin": ["meetings"],
        "swiss": ["rounds"],
        "knockout": [],
        "seatings": ["rounds", "size"],
    }
    for each, names in fields.items():  # only what it needs
        system.select_option(each)
        visible = leads.page.locator("#new .only input:visible")
        assert [one.get_attribute("name") for one in visible.all()] == names
    system.select_option("round-robin")
    leads.page.get_by_label("Name of the competition").fill("Autumn cup")
    leads.tap("Start")
    leads.page.get_by_label("New names, one per line").fill("Ana\nBen\nCleo")
    leads.tap("Add")
    leads.tap("Draw the next round")
    expect(leads.page.locator("#rounds .typed-score")).to_contain_text("open, shown at its table")
    pair = board.hall.next_games("club")["attic"].players
    expect(hall.page.locator(".doing")).to_have_text(f"Next: {DASH.join(pair)}")

    expect(table.page.locator(".pairing")).to_contain_text("Autumn cup, round 1")
    expect(table.page.locator(".pairing .pair b")).to_have_text(list(pair))
    examine(table)
    save(table, "pairing")
    table.tap("Start the game")
    table.says(f"{pair[0]}: ")
    assert [player["name"] for player in attic.state()["players"]] == list(pair)
    expect(hall.page.locator(".doing")).to_have_text(f"{pair[0]} is rolling")
    letters = "(element) => parseFloat(getComputedStyle(element).fontSize)"
    assert hall.page.locator(".hall-table li").first.evaluate(letters) >= 40

    for _ in range(2):
        attic.do("enter_roll", faces=[6, 6, 6, 6, 6])
        attic.do("score_box", category="yacht")
    attic.do("end_game", winners=[0])
    moment = hall.page.locator("#moment")
    expect(moment).to_contain_text(f"attic{pair[0]} wins")
    expect(hall.page.locator(".unclaimed")).to_contain_text("ended early")
    examine(hall)
    save(hall, "hall")
    result = leads.page.locator("#unclaimed")  # by the live line
    result.get_by_role("button", name="This game").click()
    expect(leads.page.locator("#rounds .typed-score")).to_contain_text("from the table")
    expect(hall.page.locator(".unclaimed")).to_have_count(0)

    # The next round is sent to the table that shows the end of this one.
    board.hall.draw()
    after = board.hall.next_games("club")["attic"].players
    expect(table.page.locator(".pairing .pair b")).to_have_text(list(after))
    expect(table.page.get_by_role("button", name="Rematch")).to_have_count(0)
    table.tap("Start the game")
    table.says(f"{after[0]}: ")
