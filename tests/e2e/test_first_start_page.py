"""The page of the first start in a browser: it moves on by itself, and leads to the station."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import expect

from messages.message import Message
from station.card import page
from tests.e2e.examine import OPTIONS, _axe
from tests.e2e.helpers import Open, Save

STATION = "<!doctype html><html lang=en><title>Station</title><h1>Yacht Station</h1></html>"


class Station(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(STATION.encode())

    def log_message(self, *_: object) -> None:
        """Quiet."""


@contextmanager
def serving(handler: type[BaseHTTPRequestHandler]) -> Iterator[ThreadingHTTPServer]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def station(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Where the page will lead to."""
    with serving(Station) as server:
        monkeypatch.setattr(page, "PORT", server.server_port)
        yield f"http://127.0.0.1:{server.server_port}/"


def test_it_moves_on_by_itself_says_what_is_missing_and_opens_the_station(
    station: str, open_screen: Open, save: Save
):
    progress = [page.StartProgress(1)]
    with serving(page.handler(lambda: progress[-1], "en", lambda: "yacht")) as server:
        screen = open_screen(f"http://127.0.0.1:{server.server_port}")
        expect(screen.page.locator("#step")).to_have_text("1 of 7: looking at the card")
        screen.page.evaluate("window.same = true")
        progress.append(page.StartProgress(4))
        expect(screen.page.locator("#step")).to_have_text("4 of 7: installing packages")
        _axe(screen, OPTIONS)
        save(screen, "first-start-phone-light")
        progress.append(page.StartProgress(4, Message("card/trouble/internet")))
        expect(screen.page.get_by_role("alert")).to_contain_text("The internet cannot be reached.")
        assert screen.page.evaluate("window.same")
        save(screen, "first-start-missing-phone-light")
        _axe(screen, OPTIONS)
        progress.append(page.StartProgress(7))
        expect(screen.page.get_by_role("alert")).to_have_count(0)
        progress.append(page.StartProgress(7, done=True))
        screen.page.wait_for_url(station)
        screen.foreign.clear()  # it is meant to go there


def test_a_telephone_that_slept_until_the_page_was_gone_finds_the_station(station: str, open_screen: Open):
    with serving(page.handler(lambda: page.StartProgress(6), "en", lambda: "yacht")) as server:
        screen = open_screen(f"http://127.0.0.1:{server.server_port}")
        expect(screen.page.locator("#step")).to_have_text("6 of 7: installing the program")
    screen.page.wait_for_url(station)
    screen.faults.clear()  # the browser notes that the page was gone
    screen.foreign.clear()
