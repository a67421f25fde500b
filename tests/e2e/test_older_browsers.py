"""What the oldest browsers that are promised lack (docs/decisions/no-node.md), and what stands in for it."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.e2e.helpers import Screen, StationProcess

pytestmark = [pytest.mark.browser, pytest.mark.slow]

NOTHING = "/manifest.webmanifest"

NO_DIALOGS = """
for (const each of ["showModal", "close", "open"]) delete HTMLDialogElement.prototype[each];
delete window.HTMLDialogElement;
"""
"""As Safari up to 15.3 has it."""

NO_GAPS = """
CSS.supports = () => false;
document.addEventListener("readystatechange", () => {
    const style = new CSSStyleSheet();
    style.replaceSync("* { gap: 0 !important; }");
    document.adoptedStyleSheets = [style];
}, { once: true });
"""
"""As Chromium up to 83 has it, for flexible boxes."""


def without(script: str, screen: Screen, path: str = "/") -> Screen:
    """A page in a browser without something; the screen shows nothing of ours yet."""
    screen.page.add_init_script(script)
    screen.page.goto(screen.url + path)
    return screen


def test_a_dialog_opens_keeps_the_keyboard_and_closes_where_the_browser_knows_none(
    played: StationProcess, open_screen: Callable[..., Screen]
):
    screen = without(NO_DIALOGS, open_screen(played.url, path=NOTHING))
    dialog = screen.page.locator("#dialog")
    screen.tap("Menu")
    expect(dialog).to_be_visible()
    expect(dialog.get_by_role("button", name="Close")).to_be_focused()
    screen.page.locator(".top button").first.focus()
    expect(dialog.get_by_role("button", name="Close")).to_be_focused()
    covered = "() => document.elementFromPoint(5, innerHeight - 5).className"
    assert screen.page.evaluate(covered) == "dialog-ground"
    screen.page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(dialog).to_be_empty()
    assert screen.page.evaluate(covered) != "dialog-ground"
    screen.tap("Menu")
    dialog.get_by_role("button", name="Close").tap()
    expect(dialog).to_be_hidden()


def test_flexible_boxes_stand_apart_where_the_browser_knows_no_gap(
    played: StationProcess, open_screen: Callable[..., Screen]
):
    screen = without(NO_GAPS, open_screen(played.url, path=NOTHING), "/setup")
    screen.see(".card")
    between = """(boxes) => {
        const { children } = document.querySelector(boxes);
        const [one, other] = [...children].map((each) => each.getBoundingClientRect());
        return Math.max(other.left - one.right, other.top - one.bottom); }"""
    screen.until(f"() => ({between})('.links:has(> :nth-child(2))') >= 10 && ({between})('.choice-row') >= 8")
