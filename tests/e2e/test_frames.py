"""The television's page in a frame of another page, as a card of Home Assistant shows it."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.e2e.helpers import StationProcess


@contextmanager
def dashboard() -> Iterator[HTTPServer]:
    """A page at another address; `/?URL` has that in a frame."""

    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = f'<!doctype html><iframe src="{self.path.partition("?")[2]}"></iframe>'.encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Page) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def test_a_page_shows_the_game_in_a_frame_only_where_the_settings_name_it(
    chromium: Browser, tmp_path: Path
) -> None:
    with dashboard() as named, dashboard() as stranger:
        home = f"http://localhost:{named.server_port}"
        station = StationProcess(tmp_path, settings=f'frames = ["{home}"]\n')
        context = chromium.new_context()
        try:
            page = context.new_page()
            page.goto(f"{home}/?{station.url}/tv")
            station.do("start_game", players=["Ana", "Ben"], rules="yacht-1938")
            frame = page.frame_locator("iframe")
            expect(frame.locator("body")).to_contain_text("Ana")
            station.do("enter_roll", faces=[5, 5, 5, 2, 2])
            station.do("score_box", category="full-house")
            expect(frame.locator("body")).to_contain_text("19")  # live, without a cookie

            with page.expect_console_message(lambda message: "frame-ancestors" in message.text):
                page.goto(f"http://localhost:{stranger.server_port}/?{station.url}/tv")
        finally:
            context.close()
            station.stop()
