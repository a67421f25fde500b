"""A new station takes over the games of an old one, on the first page of its setup."""

import re
import urllib.request
from pathlib import Path

from playwright.sync_api import expect

from tests.e2e.examine import examine
from tests.e2e.helpers import PATIENCE_S, Open, Screen, StationProcess, another_game, more
from tests.e2e.test_hosting import become_host


def backup_of(station: StationProcess, target: Path) -> Path:
    request = urllib.request.Request(f"{station.url}/api/v1/backup", headers={"Cookie": station.host()})  # noqa: S310 - our own
    with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:  # noqa: S310 - our own
        target.write_bytes(answer.read())
    return target


def put_back(screen: Screen, file: Path) -> None:
    """Choose the file, press the button, say yes."""
    screen.page.locator("#backup").set_input_files(file)
    screen.tap("Put the backup back")
    screen.see("dialog[open]")
    screen.page.locator("dialog .first").tap()


def players(screen: Screen) -> list[str]:
    """Who is in the history, as the page has it."""
    screen.page.goto(f"{screen.url}/history")
    screen.see("h1")
    return sorted(set(screen.page.locator(".who [translate=no]").all_inner_texts()))


def test_games_come_over_and_nothing_is_lost(tmp_path: Path, station: StationProcess, open_screen: Open):
    (tmp_path / "old").mkdir()
    old = StationProcess(tmp_path / "old")
    try:
        old.finish_game("Oma", "Opa")
        backup = backup_of(old, tmp_path / "old.sqlite3")
    finally:
        old.stop()
    station.finish_game("Ana", "Ben")

    screen = open_screen(station.url, path="/setup")
    become_host(screen, station)
    screen.see("details.more summary").tap()
    wrong = tmp_path / "holiday.sqlite3"
    for content in (b"", b"GIF89a, and no games at all", backup.read_bytes()[:3000]):
        wrong.write_bytes(content)
        put_back(screen, wrong)
        expect(screen.page.locator("#setup .fault")).to_be_visible()
        fault = screen.page.locator("#setup .fault").inner_text()
        assert re.search(r"\w+ \w+.*\.$", fault), fault
        assert "Traceback" not in fault
        examine(screen)
        screen.page.reload()
        screen.see("details.more summary").tap()
    assert players(screen) == ["Ana", "Ben"], "a file that will not do changes nothing"

    screen.page.goto(f"{station.url}/setup")
    screen.see("details.more summary").tap()
    put_back(screen, backup)
    done = screen.page.locator(".good")
    expect(done).to_contain_text("The games from before are in")
    kept = done.inner_text().rsplit(" in ", 1)[1].rstrip(".")
    assert players(screen) == ["Oma", "Opa"]

    # The games of before are whole in the file the page named.
    (before,) = (station.folder / "data").rglob(Path(kept).name)
    screen.page.goto(f"{station.url}/setup")
    screen.see("details.more summary").tap()
    put_back(screen, before)
    expect(done).to_be_visible()
    assert players(screen) == ["Ana", "Ben"]


def test_who_lost_last_is_not_chosen_where_nobody_has_lost(
    tmp_path: Path, station: StationProcess, open_screen: Open
):
    """A copy without a game was put back while the form said that the loser starts."""
    backup = backup_of(station, tmp_path / "fresh.sqlite3")
    station.finish_game("Ana", "Ben")
    table = open_screen(station.url)
    another_game(table)
    more(table)
    table.page.locator("#starter").select_option("loser")
    request = urllib.request.Request(  # noqa: S310 - our own
        f"{station.url}/api/v1/restore",
        backup.read_bytes(),
        {"Cookie": station.host(), "Content-Type": "application/vnd.sqlite3"},
    )
    urllib.request.urlopen(request, timeout=PATIENCE_S).close()  # noqa: S310 - our own
    table.until("() => document.body.dataset.phase === 'lobby'")
    expect(table.page.locator("#starter")).to_have_value("first")
    table.page.locator("#player-0").fill("Ana")
    table.tap("Start the game")
    table.says("Ana: roll")
