"""A screen on which the station was seen once says that it is gone, and when it is back."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.e2e.helpers import PATIENCE_MS, Screen, StationProcess

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_the_page_for_when_the_station_does_not_answer(tmp_path: Path, open_screen: Callable[..., Screen]):
    station = StationProcess(tmp_path)
    port = int(station.url.rpartition(":")[2])
    screen = open_screen(station.url, locale="de", service_workers="allow")
    screen.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    station.stop()
    screen.page.goto(f"{station.url}/history")
    expect(screen.page.locator("h1")).to_have_text("Die Station antwortet nicht")
    assert screen.page.evaluate(
        "document.fonts.ready.then(() => document.fonts.check('16px \"Yacht Sans\"'))"
    )
    station = StationProcess(tmp_path, port=port)
    try:
        expect(screen.page.locator("h1")).to_have_text("Frühere Spiele", timeout=PATIENCE_MS)
    finally:
        station.stop()
