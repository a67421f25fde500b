"""What a first visit costs: at most 150 kB over the wire, at most 60 kB of it script, all from the house;
and what the first sheet needs besides comes while people are still in the lobby. The rule sets come once.

How long it takes is a matter of the machine: `make bench` measures that (bench/page.py).
"""

import time
import zlib
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from messages.catalogue import languages
from tests.e2e.helpers import PATIENCE_MS, ROOT, Open, StationProcess, another_game, start_by_tapping
from web.core.i18n import of_browser

ALL_BYTES, SCRIPT_BYTES = 150_000, 60_000
WORDS = "/words/"
LONGEST = max(languages(), key=lambda language: len(zlib.compress(of_browser(language))))
"""Only its words tell a language from another here: up to 2 kB."""


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StationProcess]:
    process = StationProcess(tmp_path_factory.mktemp("station"))
    process.do("start_game", players=["Ana", "Ben", "Cleo", "Dora"], rules="world-51")
    process.do("enter_roll", faces=[1, 2, 3, 4, 6])
    yield process
    process.stop()


@pytest.mark.parametrize(
    "path", ["/", "/tv", "/join", "/setup", "/setup/rules", "/setup/calibrate", "/history", "/health"]
)
def test_first_load(chromium: Browser, table: StationProcess, path: str, capsys: pytest.CaptureFixture[str]):
    context = chromium.new_context(locale=LONGEST, viewport={"width": 360, "height": 740})
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    # Over the browser's own line: what Playwright counts waits for ever where one of its events is missing.
    network = context.new_cdp_session(page)
    responses: dict[str, tuple[str, str]] = {}
    cost: dict[str, float] = {}

    def took(event: dict[str, Any]) -> None:
        cost[event["requestId"]] = event.get("encodedDataLength", 0)  # with its headers

    def answered(event: dict[str, Any]) -> None:
        responses[event["requestId"]] = event["response"]["url"], event["type"]

    network.on("Network.responseReceived", answered)
    network.on("Network.loadingFinished", took)
    network.on("Network.loadingFailed", took)  # a picture whose place the next one took
    network.send("Network.enable")
    page.goto(table.url + path)
    page.wait_for_function(
        "() => document.querySelector('#sheet td, .tv-sheets td, #join button, .card, .checks, .lead')"
    )
    if path in {"/", "/tv"}:
        page.wait_for_function("() => [...document.images].some((image) => image.naturalWidth > 0)")
    counted = {
        request: kind
        for request, (url, kind) in responses.items()  # a live picture goes on bringing more
        if not url.endswith("/api/v1/events") and not url.startswith(("blob:", "data:"))
    }
    assert all(url.removeprefix("blob:").startswith((table.url, "data:")) for url, _ in responses.values())
    until = time.monotonic() + PATIENCE_MS / 1000
    while not counted.keys() <= cost.keys():
        assert time.monotonic() < until, [responses[each] for each in counted.keys() - cost.keys()]
        page.wait_for_timeout(20)
    whole = sum(cost[request] for request in counted)
    # The words come as a script, and are none.
    written = {
        request
        for request, kind in counted.items()
        if kind == "Script" and WORDS not in responses[request][0]
    }
    script = sum(cost[request] for request in written)
    context.close()
    with capsys.disabled():
        print(f"\n{path}: {whole / 1000:.0f} kB, script {script / 1000:.0f} kB", end=" ")  # noqa: T201
    assert whole <= ALL_BYTES
    assert script <= SCRIPT_BYTES


LISTS = """() => performance.getEntriesByType("resource").filter(({ name }) => name.endsWith("/api/v1/rules"))
    .map((each) => each.transferSize > each.encodedBodySize)"""
"""Whether the body came over the wire, for each request of the page for the rule sets."""


def test_the_first_sheet_is_ready_before_the_game_and_the_rule_sets_come_once(
    station: StationProcess, open_screen: Open
):
    for path in ("/tv", "/"):
        screen = open_screen(station.url, path=path)
        screen.until("""() => ["rehearsal.js", "signs.woff2", "signs-more.woff2"].every((file) =>
            performance.getEntriesByType("resource").some((each) => each.name.endsWith(file)))""")
        assert not screen.page.query_selector_all(".sheet, main > [inert]"), "nothing of it stays"
    screen.see("#lobby form")
    start_by_tapping(screen, ["Ana"])
    station.do("enter_roll", faces=[1, 2, 3, 4, 6])
    station.do("end_game")
    another_game(screen)
    screen.see("#lobby form")
    assert screen.page.evaluate(LISTS) == [True]
    screen.page.reload()
    another_game(screen)
    screen.see("#lobby form")
    assert screen.page.evaluate(LISTS) == [False]
    text = (ROOT / "examples" / "quick-yacht.toml").read_text(encoding="utf-8")
    kept = screen.page.context.request.post(f"{station.url}/api/v1/rules", data={"text": text}).json()["id"]
    expect(screen.page.locator("#rules option").last).to_have_attribute("value", kept)
    assert screen.page.evaluate(LISTS) == [False, True]
