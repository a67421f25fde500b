"""Many pages of one browser: they share one line, since a browser opens six connections to a host at most."""

from typing import Any

from playwright.sync_api import Page, expect

from tests.e2e.helpers import PATIENCE_MS, Open, Screen, StationProcess

PAGES = 8
SHOWS = "(version) => Number(document.body.dataset.version) >= version"
TURN = """(state) => {
    Object.defineProperty(document, "hidden", { configurable: true, value: state === "hidden" });
    document.dispatchEvent(new Event("visibilitychange"));
}"""


def opened(first: Screen, count: int, path: str = "/") -> list[Page]:
    """The page of the screen, and more of the same browser."""
    pages = [first.page]
    for _ in range(count - 1):
        pages.append(first.context.new_page())
        pages[-1].on("pageerror", lambda error: first.faults.append(str(error)))
        pages[-1].goto(first.url + path)
    return pages


def all_show(pages: list[Page], state: dict[str, Any]) -> None:
    """Wait until each of them shows this state."""
    for page in pages:
        page.wait_for_function(SHOWS, arg=state["version"], timeout=PATIENCE_MS, polling=50)


def test_pages_of_one_browser_share_a_line(game: StationProcess, open_screen: Open):
    game.do("enter_roll", faces=[1, 2, 3, 4, 6])
    pages = opened(open_screen(game.url), PAGES)
    all_show(pages, game.state())
    for page in pages:
        first = page.locator("#roll .hold").first
        held = first.get_attribute("aria-pressed")
        first.tap()
        expect(first).not_to_have_attribute("aria-pressed", str(held))
        all_show(pages, game.state())
    # The others stay live when the page that has the line goes.
    pages.pop().close()
    all_show(pages, game.do("set_held", slots=[1, 2]))
    pages[1].goto(f"{game.url}/history")
    all_show([pages[0], *pages[2:]], game.do("set_held", slots=[1]))


def test_a_hidden_page_gives_its_line_up_and_pages_that_cannot_talk_each_have_one(
    game: StationProcess, open_screen: Open
):
    phone = open_screen(game.url)
    phone.says("Ana: roll")
    with phone.page.expect_event("requestfailed", lambda gone: gone.url.endswith("/api/v1/events")):
        phone.page.evaluate(TURN, "hidden")
    state = game.do("enter_roll", faces=[1, 2, 3, 4, 6])
    expect(phone.page.locator("#line")).to_be_hidden()
    phone.page.evaluate(TURN, "visible")
    all_show([phone.page], state)
    phone.context.add_init_script("delete window.BroadcastChannel")
    pages = opened(phone, 2)
    pages[0].reload()
    all_show(pages, game.do("set_held", slots=[1]))
