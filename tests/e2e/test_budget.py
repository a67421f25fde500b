"""What a first visit costs: at most 150 kB over the wire, at most 60 kB of it script, all from the house;
and what the first sheet needs besides comes while people are still in the lobby.

How long it takes is a matter of the machine: `make bench` measures that (bench/page.py).
"""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Response

from messages.catalogue import languages
from tests.e2e.helpers import PATIENCE_MS, Screen, StationProcess

pytestmark = [pytest.mark.browser, pytest.mark.slow]

ALL_BYTES, SCRIPT_BYTES = 150_000, 60_000


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StationProcess]:
    process = StationProcess(tmp_path_factory.mktemp("station"))
    process.do("start_game", players=["Ana", "Ben", "Cleo", "Dora"], rules="world-51")
    process.do("enter_roll", faces=[1, 2, 3, 4, 6])
    yield process
    process.stop()


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize(
    "path", ["/", "/tv", "/join", "/setup", "/setup/rules", "/setup/calibrate", "/history", "/health"]
)
def test_first_load(
    chromium: Browser, table: StationProcess, path: str, language: str, capsys: pytest.CaptureFixture[str]
):
    context = chromium.new_context(locale=language, viewport={"width": 360, "height": 740})
    context.set_default_timeout(PATIENCE_MS)
    answers: list[Response] = []
    page = context.new_page()
    page.on("response", lambda answer: answers.append(answer))  # noqa: PLW0108 - it wants a function of its own
    page.goto(table.url + path)
    page.wait_for_function(
        "() => document.querySelector('#sheet td, .tv-sheets td, #join button, .card, .checks, .lead')"
    )
    if path in {"/", "/tv"}:
        page.wait_for_function("() => [...document.images].some((image) => image.naturalWidth > 0)")
    whole = script = 0
    for answer in tuple(answers):  # a live picture goes on bringing more
        assert answer.url.removeprefix("blob:").startswith(table.url)
        if answer.url.endswith("/api/v1/events") or answer.url.startswith("blob:"):
            continue
        size = answer.request.sizes()
        cost = size["responseBodySize"] + size["responseHeadersSize"]
        whole += cost
        script += cost if answer.request.resource_type == "script" else 0
    context.close()
    with capsys.disabled():
        print(f"\n{path} ({language}): {whole / 1000:.0f} kB, script {script / 1000:.0f} kB", end=" ")  # noqa: T201
    assert whole <= ALL_BYTES
    assert script <= SCRIPT_BYTES


@pytest.mark.parametrize("path", ["/", "/tv"])
def test_the_first_sheet_is_ready_before_the_game(
    station: StationProcess, open_screen: Callable[..., Screen], path: str
):
    screen = open_screen(station.url, path=path)
    screen.until("""() => ["rehearsal.js", "signs.woff2", "signs-more.woff2"].every((file) =>
        performance.getEntriesByType("resource").some((each) => each.name.endsWith(file)))""")
    assert not screen.page.query_selector_all(".sheet, main > [inert]"), "nothing of it stays"
