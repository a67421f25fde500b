"""The board's pages in a real browser, at the sizes they are made for, fed as by a broker."""

import re
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from board import steps
from board.app import Board
from station.config import parse
from tests.board.telling import game_over, state


@pytest.fixture
def board(tmp_path: Path) -> Iterator[Board]:
    made = Board(parse({"data": tmp_path, "host": "127.0.0.1", "board": {"port": 0, "title": "The club"}}))
    made.start()
    yield made
    made.stop()


@pytest.mark.browser
def test_an_evening_is_seen_on_every_screen_and_led_from_one(board: Board, open_screen, save):
    (url,) = board.addresses
    names = ["Ana", "Ben", "Cleo", "Dora", "Maximilian-Charlotte", "Emil"]
    leads = open_screen(url, "phone", path="/organise")
    leads.page.get_by_label("Name of the competition").fill("Autumn cup")
    leads.tap("Start")
    leads.page.get_by_label("New names, one per line").fill("\n".join(names))
    leads.tap("Add")
    leads.tap("Draw the next round")
    online = ("yacht/1/attic/availability", b"online")
    board.hall.receive([online, state("attic", 1, {"Ana": 30, "Emil": 12})])
    television = open_screen(url, "tv")
    television.see("text=attic")
    television.see("text=3 games to go")
    leads.page.get_by_label("Ben", exact=True).fill("210")
    leads.page.get_by_label("Maximilian-Charlotte", exact=True).fill("180")
    leads.page.locator("li", has=leads.page.get_by_label("Ben", exact=True)).get_by_role(
        "button", name="Save"
    ).click()
    television.see("text=2 games to go")  # by the live line
    board.hall.receive([game_over("attic", 9, 1, {"Ana": 200, "Emil": 190})])
    television.see("text=1 game to go")
    phone = open_screen(url, "phone")
    phone.see("text=Maximilian-Charlotte")
    phone.page.get_by_role("link", name="Evening").click()
    phone.see("text=from the table")
    for screen in (television, phone, leads):
        wide, there = screen.page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        assert wide <= there
    save(television, "board")
    for path in ("standings", "round-1"):
        with urllib.request.urlopen(f"{url}/evening/1/{path}.pdf") as answer:  # noqa: S310 - our own http
            assert answer.read(5) == b"%PDF-"
    board.hall.take(steps.UndoStep())
    television.see("text=2 games to go")
    board.hall.draw()  # in a round robin what is open is made up later
    television.see("text=5 games to go")
    television.see("text=From earlier rounds")


@pytest.mark.browser
def test_what_is_typed_for_one_game_outlasts_what_is_saved_of_another(board: Board, open_screen):
    (url,) = board.addresses
    board.hall.take(steps.Open(title="Cup", system="swiss"))
    board.hall.take(*(steps.Enter(name=name) for name in ("Ana", "Ben", "Cleo", "Dora")))
    board.hall.draw()  # Ana and Cleo, Ben and Dora
    page = (leads := open_screen(url, "tablet", path="/organise")).page

    def typed(name: str) -> str:
        return page.get_by_label(name, exact=True).input_value()

    def new_names() -> str:
        return page.locator("#names").input_value()

    def save(name: str) -> None:
        with page.expect_navigation():
            page.locator("li", has=page.get_by_label(name, exact=True)).get_by_role(
                "button", name="Save"
            ).click()

    leads.see("text=Round 1")
    page.get_by_label("Dora", exact=True).fill("140")
    page.locator("#names").fill("Emil")
    page.locator("li", has=page.get_by_label("Dora", exact=True)).get_by_label("Decided by").select_option(
        "won1"
    )
    page.get_by_label("Ana", exact=True).fill("210")
    page.get_by_label("Cleo", exact=True).fill("180")
    save("Ana")
    assert [typed(each) for each in ("Ana", "Cleo", "Ben", "Dora")] == ["210", "180", "", "140"]
    assert (new_names(), board.hall.last_step) == ("Emil", 7)
    save("Dora")  # of Ben there is nothing
    leads.see("text=Type in everyone")
    assert (typed("Dora"), new_names()) == ("140", "Emil")
    page.get_by_label("Ben", exact=True).fill("150")
    page.get_by_label("Ana", exact=True).fill("999")
    board.hall.take(steps.SetResult(round=0, seating=0, points=(211, 181)))  # by another organiser
    save("Ben")
    assert [typed(each) for each in ("Ana", "Ben", "Dora")] == ["211", "150", "140"]
    with page.expect_navigation():
        page.get_by_role("button", name="Add").click()
    assert new_names() == ""
    assert board.hall.evening.competition.entrants[-1].name == "Emil"


@pytest.mark.browser
def test_the_hall_while_the_board_is_away_and_when_it_begins_anew(board: Board, open_screen):
    (url,) = board.addresses
    online = ("yacht/1/attic/availability", b"online")
    board.hall.receive([online, state("attic", 1, {"Ana": 30, "Emil": 12})])
    television, phone = open_screen(url, "tv"), open_screen(url, "phone")
    for screen, beside in ((television, True), (phone, False)):
        screen.see("text=attic")
        screen.context.set_offline(True)
        banner = screen.see("#line").bounding_box()
        tables, side = (screen.see(each).bounding_box() for each in ("#tables", "#competition"))
        assert banner["y"] + banner["height"] <= min(tables["y"], side["y"]), "above all of it"
        assert (side["x"] > tables["x"]) is beside, "where it always stands"
    event = 'event: board\ndata: {"tables": [], "evening": null}\n\n'
    line = re.compile("/api/v1/board/live")
    television.page.route(line, lambda route: route.fulfill(body=event, content_type="text/event-stream"))
    television.context.set_offline(False)
    television.see("text=No tables yet")


@pytest.mark.browser
def test_the_organiser_sees_what_changes_and_loses_nothing(board: Board, open_screen):
    (url,) = board.addresses
    board.hall.take(steps.Open(title="Cup", system="swiss"))
    board.hall.take(*(steps.Enter(name=name) for name in ("Ana", "Ben", "Cleo", "Dora")))
    board.hall.draw()  # Ana and Cleo, Ben and Dora
    page = (leads := open_screen(url, "tablet", path="/organise")).page
    points = page.get_by_label("Dora", exact=True)
    points.fill("17")  # and stays in it
    board.hall.receive([game_over("attic", 9, 1, {"Xenia": 200, "Yann": 190})])
    leads.see("text=attic: Xenia 200")
    assert points.input_value() == "17"
    assert points.evaluate("field => field === document.activeElement")
    # What was refused is said until another step is taken, and what was typed for it stays.
    with page.expect_navigation():
        page.locator("li", has=points).get_by_role("button", name="Save").click()
    leads.see(".fault")
    board.hall.receive([game_over("attic", 19, 2, {"Xenia": 4, "Yann": 5})])
    leads.see("text=attic: Xenia 4")
    assert page.locator(".fault").count() == 1
    assert points.input_value() == "17"
    board.hall.take(steps.Enter(name="Emil"))  # by another organiser
    leads.see("text=5 take part")
    assert page.locator(".fault").count() == 0
    assert points.input_value() == "17"
