"""What the oldest browsers that are promised lack (docs/decisions/no-node.md), and what stands in for it."""

from playwright.sync_api import expect

from tests.e2e.helpers import Open, Screen, StationProcess

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
    played: StationProcess, open_screen: Open
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


def test_flexible_boxes_stand_apart_where_the_browser_knows_no_gap(played: StationProcess, open_screen: Open):
    screen = without(NO_GAPS, open_screen(played.url, path=NOTHING), "/setup")
    screen.see(".card")
    between = """(boxes) => {
        const { children } = document.querySelector(boxes);
        const [one, other] = [...children].map((each) => each.getBoundingClientRect());
        return Math.max(other.left - one.right, other.top - one.bottom); }"""
    screen.until(f"() => ({between})('.links:has(> :nth-child(2))') >= 10 && ({between})('.choice-row') >= 8")


NOTE = "#too-old"
AT_ONCE = "() => document.getAnimations().forEach((each) => each.finish())"
"""Lets what an animation waits for be so now."""


def test_a_browser_that_cannot_read_the_scripts_says_so_and_leads_to_the_plain_sheet(
    played: StationProcess, open_screen: Open
):
    screen = open_screen(played.url, "tv", path=NOTHING)
    newer = "\n#!newer than any browser"
    for path in ("/", "/tv", "/join", "/setup"):
        screen.page.route(
            "**/api.js", lambda route: route.fulfill(body=newer, content_type="text/javascript"), times=1
        )
        screen.page.goto(played.url + path)
        screen.until("() => document.getAnimations().length")
        expect(screen.page.locator(NOTE)).to_be_hidden()
        screen.page.evaluate(AT_ONCE)
        expect(screen.page.locator(NOTE)).to_have_text(
            "This screen is too old for the live sheet; here is a plain one that reloads by itself."
        )
        screen.page.locator(NOTE).get_by_role("link").click()
        expect(screen.page).to_have_url(f"{played.url}/tv?plain")
        screen.faults.clear()  # that it could not be read
        screen.page.goto(played.url + path)
        expect(screen.page.locator(NOTE)).to_have_count(0)


SMALL = """() => [...document.querySelectorAll("h1, p, th, td")]
    .filter((each) => each.textContent.trim() && each.getClientRects().length)
    .map((each) => parseFloat(getComputedStyle(each).fontSize) / innerHeight).sort()[0]"""


def test_the_plain_sheet_fits_a_television_can_be_read_from_three_metres_and_loads_itself_anew(
    played: StationProcess, open_screen: Open
):
    screen = open_screen(played.url, "tv", path="/tv?plain")
    for rules, players in (("yacht-1938", 2), ("yahtzee", 4), ("yatzy", 4), ("yacht-1938", 12)):
        played.do("start_game", players=[f"Player {number}" for number in range(players)], rules=rules)
        screen.page.reload()
        for width, height in ((1920, 1080), (1366, 768)):
            screen.page.set_viewport_size({"width": width, "height": height})
            assert screen.page.evaluate(
                "() => document.body.scrollHeight <= innerHeight && document.body.scrollWidth <= innerWidth"
            )
            assert screen.page.evaluate(SMALL) >= 0.0249
        played.do("end_game")
    played.do("start_game", players=["Ana", "Ben"], rules="yacht-1938")
    expect(screen.page.locator("h1")).to_contain_text("Ana: roll")
    played.do("enter_roll", faces=[1, 2, 3, 4, 6])
    played.do("score_box", category="choice")
    expect(screen.page.locator("h1")).to_contain_text("Ben: roll")
