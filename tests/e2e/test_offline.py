"""A screen on which the station was seen once says that it is gone, and when it is back."""

from pathlib import Path

from playwright.sync_api import expect

from tests.e2e.helpers import PATIENCE_MS, Open, StationProcess

KEPT = """async (text) => {
    const words = async () => (await caches.match("/offline"))?.text();
    while (!(await words())?.includes(text)) await new Promise((done) => setTimeout(done, 50));
}"""
"""Waits until the browser keeps the page with these words."""


def test_the_page_for_when_the_station_does_not_answer(tmp_path: Path, open_screen: Open):
    """In the language that the screen took last, and as dark."""
    station = StationProcess(tmp_path)
    port = int(station.url.rpartition(":")[2])
    screen = open_screen(station.url, locale="de", service_workers="allow")
    screen.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    screen.page.evaluate(KEPT, "Die Station")
    chosen = {"language": "fr", "theme": "dark"}
    screen.context.add_cookies([{"name": each, "value": chosen[each], "url": station.url} for each in chosen])
    screen.page.reload()
    screen.page.evaluate(KEPT, "La station")
    station.stop()
    screen.page.goto(f"{station.url}/history")
    expect(screen.page.locator("h1")).to_have_text("La station ne répond pas")
    expect(screen.page.locator("html")).to_have_attribute("data-theme", "dark")
    assert screen.page.evaluate(
        "document.fonts.ready.then(() => document.fonts.check('16px \"Yacht Sans\"'))"
    )
    station = StationProcess(tmp_path, port=port)
    try:
        expect(screen.page.locator("h1")).to_have_text("Parties passées", timeout=PATIENCE_MS)
    finally:
        station.stop()
