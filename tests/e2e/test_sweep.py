"""A share of `make -C lab bench ARGS=sweep`: nothing sticks out, scrolls sideways, is cut off or torn."""

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from messages.catalogue import languages
from tests.e2e import sweep
from tests.e2e.helpers import Open, StationProcess, another_game, step
from tests.e2e.sweep import Table

Size = tuple[int, int]

SHARE = (
    ("de", True, (Table("yacht-1938", 12),), ((320, 568), (1280, 800), (1080, 1920))),
    ("fr", True, (Table("double-cameroon", 2),), ((360, 740), (1920, 1080))),
    ("en", False, (Table("shared-roll", 5),), ((740, 360), (3840, 2160))),
)


@pytest.mark.parametrize(("language", "typefaces", "tables", "sizes"), SHARE)
def test_share_of_the_sweep(
    chromium: Browser,
    station: StationProcess,
    language: str,
    typefaces: bool,  # noqa: FBT001 - of the parameters above
    tables: tuple[Table, ...],
    sizes: tuple[Size, ...],
):
    looks = sweep.sweep(chromium, station, tables, sizes, [language], typefaces=typefaces)
    assert looks.looked >= len(sizes) * (4 * len(tables) + len(sweep.OTHERS))
    assert not looks.found, "\n".join(f"{each.where}: {each.sentence}" for each in looks.found)


FAULTS = {
    "torn: ": "width: 2em; overflow-wrap: anywhere",
    "scrolls sideways: ": "width: 120vw",
    "outside: ": "position: fixed; left: -30px",
    "cut off: ": "height: 10px; overflow: hidden",
    "shortened without": "width: 3em; overflow: hidden; text-overflow: ellipsis; white-space: nowrap",
}


def test_what_the_sweep_looks_for_is_found(standing: StationProcess, open_screen: Open):
    screen = open_screen(standing.url, path="/history")
    screen.see("h1")
    assert sweep.faults(screen.page, (360, 740), overlaps=False) == []
    for kind, style in FAULTS.items():
        screen.page.evaluate("(style) => { document.querySelector('h1').style.cssText = style; }", style)
        found = sweep.faults(screen.page, (360, 740), overlaps=False)
        assert any(each.startswith(kind) for each in found), (kind, found)


@contextmanager
def at(chromium: Browser, url: str, size: Size, language: str = "de") -> Iterator[Page]:
    """A page at a size that shows no movement."""
    with sweep.screen(chromium, url, language) as page:
        page.set_viewport_size({"width": size[0], "height": size[1]})
        yield page


CUT = """(words) => words.filter((word) => {
    const [whole, room] = [word, word.parentElement].map((each) => each.getBoundingClientRect());
    return word.scrollWidth > word.clientWidth
        || whole.bottom > room.bottom + 1 || whole.right > room.right + 1;
}).map((word) => word.textContent)"""


def cut(page: Page, words: str) -> list[str]:
    """Which of these elements have no room for what stands in them, or none where they stand."""
    found: list[str] = page.locator(words).evaluate_all(CUT)
    return found


def letters(page: Page, words: str) -> list[float]:
    """How high the letters of these elements are, in pixels."""
    sizes = "(words) => words.map((word) => parseFloat(getComputedStyle(word).fontSize))"
    found: list[float] = page.locator(words).evaluate_all(sizes)
    return found


def score_all(station: StationProcess, faces: tuple[int, ...], players: int) -> int:
    """Each player writes these dice where they pay most; the version a screen has to show then."""
    for seat in range(players):
        state = station.do("enter_roll", faces=list(faces))
        potentials = {box: points or 0 for box, points in state["players"][seat]["potentials"].items()}
        state = station.do("score_box", category=max(potentials, key=potentials.__getitem__))
    return int(state["version"])


WORDS = r"""() => [...document.querySelectorAll("main *")]
    .filter((each) => each.checkVisibility({ opacityProperty: true }) && !each.closest(".vh, .many .missing"))
    .filter((each) => [...each.childNodes].some((part) => part.nodeType === 3 && /\p{L}{2}/u.test(part.data)))
    .map((each) => [each.textContent, parseFloat(getComputedStyle(each).fontSize)])"""
"""What stands on the television and is no figure, each with the height of its letters."""


def test_the_television_is_read_from_three_metres_in_every_language(
    chromium: Browser, played: StationProcess
):
    for table in (Table("yatzy", 12), Table("yacht-1938", 4), Table("triple-yahtzee", 6), Table("yamb", 6)):
        version = sweep.lay(played, table)
        for language in languages():
            with (
                step(f"{table}, {language}"),
                at(chromium, f"{played.url}/tv", (1920, 1080), language) as page,
            ):
                sweep.shows(page, version)
                assert len(set(letters(page, "[scope=row] .word"))) == 1, "labels have one size"
                assert [each for each in page.evaluate(WORDS) if 0 < each[1] < 28] == []
                figures = min(letters(page, ".score, .potential, .total td"))
                assert table.rules != "yacht-1938" or figures >= 0.05 * 1080
                assert cut(page, "[scope=row] .word") == []


def test_numbers_and_heads_of_many_columns_can_be_read(chromium: Browser, played: StationProcess):
    # A third column counts three times: 150 beside 100, for three players nine times across.
    played.do("start_game", players=list(sweep.NAMES[:3]), rules="triple-yahtzee")
    for faces in ((6, 6, 6, 6, 6), (6, 6, 6, 6, 6), (2, 3, 4, 5, 6)):
        score_all(played, faces, 3)
    state = played.do("enter_roll", faces=[6, 6, 6, 6, 6])
    assert state["players"][2]["boxes"]["thrice-yacht"] == 150
    for typefaces in (True, False):
        with sweep.screen(chromium, f"{played.url}/tv", "de", typefaces=typefaces) as page:
            sweep.shows(page, state["version"])
            for size in ((360, 740), (1024, 768), (1920, 1080)):
                assert not sweep.faults(page, size)

    # Halves of a sheet with 24 columns beside each other would have numbers of a hundredth of the height.
    for rules, size in (("yamb", (1920, 1080)), ("triple-yahtzee", (1280, 720))):
        played.do("end_game")
        played.do("start_game", players=list(sweep.NAMES[:6]), rules=rules)
        score_all(played, (6, 6, 6, 6, 6), 6)
        played.do("enter_roll", faces=[2, 3, 4, 5, 6])
        with step(rules), at(chromium, f"{played.url}/tv", size) as page:
            page.locator(".score").first.wait_for()
            assert not sweep.faults(page, size)
            assert min(letters(page, ".score, .potential")) >= 0.022 * size[1]
            upper, lower = page.evaluate("""() => [...document.querySelectorAll(
                ".tv-sheets tbody tr:first-child")]
                .map((row) => [...row.children].map((cell) => Math.round(cell.offsetLeft)))""")
            assert upper == lower, "columns stand below each other"

    played.do("end_game")
    played.do("start_game", players=["Ana", "Ben"], rules="yamb")
    for size, path in (((1280, 720), "/tv"), ((1024, 768), "/")):
        for language in languages():
            with step(f"{path}, {language}"), at(chromium, played.url + path, size, language) as page:
                page.locator(".columns th").first.wait_for()
                assert cut(page, ".columns .fit-words") == []
                heads = letters(page, ".columns .fit-words")
                assert len(heads) in {8, 16}
                assert min(heads) >= 9.5


LONG_NAMES = ("Großmutter Annelies", "Elisabeth-Charlotte", "Opa Heinrich", "Maximiliane", "Jo", "Ana")


def test_names_of_who_has_won_stand_whole_beside_the_star(chromium: Browser, played: StationProcess):
    """In letters that are as small as it takes, also where each of two words takes a line."""
    for names, winners, where in (
        (("Großmutter Annelies", "Ben", "Clémentine"), [0], (((1280, 720), "/tv"), ((390, 844), "/"))),
        (LONG_NAMES, range(6), (((1920, 1080), "/tv"), ((1180, 820), "/"))),
        (LONG_NAMES[:4], range(4), (((1920, 1080), "/tv?look=paper"),)),
        (LONG_NAMES[:2], range(2), (((390, 844), "/"),)),
    ):
        played.do("start_game", players=list(names), rules="yahtzee")
        score_all(played, (5, 5, 5, 2, 2), len(names) if len(winners) > 1 else 1)
        played.do("end_game", winners=list(winners))
        for size, path in where:
            with step(f"{len(names)} at {path}"), at(chromium, played.url + path, size) as page:
                page.locator(".won").first.wait_for()
                assert cut(page, ".player .word, .podium .word") == []


NAMES_BELOW = f"""() => {{
    const words = [...document.querySelectorAll(".player .name, .player .word")];
    return !({CUT})(words).length && words.every((word) => {{
        const {{ left, right }} = word.getBoundingClientRect();
        return left > 0 && right <= innerWidth && word.scrollHeight <= word.clientHeight; }}); }}"""


def test_names_and_sentences_stand_whole_in_a_game(
    chromium: Browser, played: StationProcess, open_screen: Open
):
    sweep.lay(played, Table("yatzy", 12))
    screen = open_screen(played.url)
    expect(screen.page.locator(".player .name")).to_have_count(12)
    for size in ((1280, 800), (1920, 1080)):
        screen.page.set_viewport_size({"width": size[0], "height": size[1]})
        screen.until(NAMES_BELOW)
    played.do("end_game")

    # Beside their chances on a small television, in the height of the dice.
    names = ["Maximilian K", "Wilhelmine S", "Konstantin P", "Elisabeth-Charlotte"]
    known = {"chances": [0.25] * 4, "errors": [], "message": "", "holds": [], "boxes": [], "expected": []}
    television = open_screen(played.url, "tv", path="/tv")
    television.page.route("**/api/v1/odds", lambda route: route.fulfill(json=known))
    television.page.set_viewport_size({"width": 1280, "height": 720})
    played.do("start_game", players=names, rules="yacht-1938")
    expect(television.page.locator(".odds-name")).to_have_text(names)
    assert cut(television.page, ".odds-name") == []
    high = "() => ['.tv-odds', '.tv-top'].map((each) => document.querySelector(each).scrollHeight)"
    odds, top = television.page.evaluate(high)
    assert odds <= top
    played.do("end_game")

    # In the line of a stream.
    played.do("start_game", players=[*LONG_NAMES[:3], "Maximiliane-Sophie", *LONG_NAMES[4:]], rules="yahtzee")
    score_all(played, (5, 5, 5, 2, 2), 6)
    played.do("enter_roll", faces=[5, 5, 5, 2, 2])
    played.do("set_held", slots=[1, 2, 3])
    bar = open_screen(played.url, "tv", path="/tv?look=bar", locale="de")
    bar.page.set_viewport_size({"width": 1920, "height": 160})
    bar.says("wirf die anderen zwei Würfel")
    line = bar.page.locator("#waiting").bounding_box()
    assert line
    assert line["y"] >= 0
    assert line["y"] + line["height"] <= 160
    played.do("end_game")

    # German has long words for three and four of a kind: letters of nearly one size all the same.
    played.do("start_game", players=["Ana", "Ben"], rules="yahtzee")
    with at(chromium, played.url, (390, 844)) as page:
        page.locator(".all .row-head").first.wait_for(state="attached")
        sizes = letters(page, ".all .row-head .fit-words")
        assert min(sizes) > 0.9 * max(sizes), sizes


def test_accents_of_capitals_stand_whole(played: StationProcess, open_screen: Open):
    """They stand higher than lines that are close to each other are."""
    played.do("start_game", players=["Ana", "Equipe", "Équipe", "Ben"], rules="yacht-1938")
    for size, path in (("tv", "/tv"), ("tablet", "/")):
        screen = open_screen(played.url, size, path=path)
        screen.see(".player .word")
        heads = screen.page.locator(".sheet").first.locator(".player")
        tops = []
        for seat in (1, 2):
            with Image.open(io.BytesIO(heads.nth(seat).screenshot())) as picture:
                dark = picture.convert("L").point(lambda level: 255 * (level < 140))
                box = dark.getbbox()
            assert box is not None
            tops.append(box[1])
        plain, accented = tops
        assert plain - accented >= 2, tops


def test_a_great_throw_covers_no_totals_and_the_television_cannot_be_scrolled(
    played: StationProcess, open_screen: Open
):
    played.do("start_game", players=["Elisabeth-Charlotte", "Opa Heinrich", "Jo", "Ana"], rules="yacht-1938")
    television = open_screen(played.url, "tv", path="/tv", motion="reduce")
    television.says("Elisabeth-Charlotte: roll")
    played.do("enter_roll", faces=[4, 4, 4, 4, 4])
    television.see("#again p")
    again, total, edges = television.page.evaluate("""() => {
        const rect = (node) => node.getBoundingClientRect();
        return [rect(document.querySelector(".again")).bottom, rect(document.querySelector(".total")).top,
            [...document.querySelectorAll(".player")].map((cell) =>
                rect(cell.querySelector(".word")).top - rect(cell).top)]; }""")
    assert again < total
    assert min(edges) > 3, "names keep off the edge"
    # It wanders by itself.
    television.page.locator("#main").evaluate("(main) => { main.style.transform = 'translate(5px, 4px)'; }")
    television.until("() => document.querySelector('#main').getBoundingClientRect().left > 0")
    assert television.page.evaluate("() => { scrollTo(9, 9); return [scrollX, scrollY]; }") == [0, 0]


def test_a_page_that_was_scrolled_begins_at_its_top_when_the_screen_is_turned(
    standing: StationProcess, open_screen: Open
):
    sweep.lay(standing, Table("yacht-1938", 2))
    sweep.finish(standing)
    screen = open_screen(standing.url)
    another_game(screen)
    screen.page.evaluate("scrollTo(0, 100000)")
    screen.until("() => scrollY > 0")
    screen.page.set_viewport_size({"width": 1280, "height": 800})
    screen.until("() => scrollY === 0")


def test_playwright_switches_nothing_off_that_we_switch_on_again(chromium: Browser):
    processes = chromium.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
    (process,) = [each["id"] for each in processes if each["type"] == "browser"]
    line = Path(f"/proc/{process}/cmdline").read_text(encoding="utf-8").replace("\0", " ")
    *others, last = [set(each.split(",")) for each in re.findall(r"--disable-features=(\S+)", line)]
    assert others, "Playwright gives no list any more"
    assert not {each for each in set().union(*others) - last if not each.startswith("ms")}  # of Edge alone
