"""A newer release on a stick: setup says so, the station installs it, and goes back where it must."""

import re
import socket
import sys
from pathlib import Path

import pytest
from playwright.sync_api import expect

from station.testing.station_process import StationProcess
from tests.appliance.helpers import SYSTEMD
from tests.e2e.examine import examine
from tests.e2e.helpers import PATIENCE_MS, Open
from tests.e2e.test_hosting import become_host
from tests.e2e.test_through_an_update import OLD, marked
from tests.updates.releases import cut_short, whole

AS_SYSTEMD = f"""
import signal, subprocess, sys
signals = []
def stop(*_):
    signals.append(1)
    child.terminate()
signal.signal(signal.SIGTERM, stop)
while not signals:
    child = subprocess.Popen([sys.executable, "-P", {str(SYSTEMD / "start.py")!r}, *sys.argv[1:]])
    child.wait()
"""
"""Starts the station again whenever it ends, as its unit does."""


def test_a_release_on_a_stick_is_installed_and_one_that_does_not_answer_is_left_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest, open_screen: Open
):
    stick, made = tmp_path / "stick", tmp_path / "made"
    stick.mkdir()
    program = tmp_path / "as_systemd.py"
    program.write_text(AS_SYSTEMD, encoding="utf-8")
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "data"))
    monkeypatch.setenv("YACHT_STICK", str(stick))
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    station = StationProcess(tmp_path, port=port, program=(sys.executable, str(program)))
    request.addfinalizer(station.stop)
    station.do("start_game", players=["Ana", "Ben"], rules="yacht-1938")

    table = open_screen(station.url)
    table.says("Ana: roll")
    screen = open_screen(station.url, path="/setup")
    card = screen.page.locator("#update")
    expect(card).to_contain_text(re.compile(r"Version \d+\.\d+\.\d+ is running"))
    release = whole(made, "99.0.0", {"web/core/other.css": "/* New. */"})
    release.rename(stick / release.name)
    expect(card).to_contain_text("A newer version is there, on the stick: 99.0.0.")
    expect(card).to_contain_text("The host can install it.")
    become_host(screen, station)
    examine(screen)
    marked(screen)
    marked(table)
    screen.tap("Install version 99.0.0")
    screen.page.locator("dialog .first").tap()
    expect(screen.page.locator(".good").first).to_contain_text("Version 99.0.0 is starting")
    for each in (screen, table):
        each.until(f"() => !({OLD})()")
    expect(card).to_contain_text("Version 99.0.0 is running.")
    table.says("Ana: roll")

    broken = whole(made, "99.1.0", {"station/app.py": "raise SystemExit(2)\n"})
    cut_short(broken)
    broken.rename(stick / broken.name)
    expect(card).to_contain_text("yacht-station-99.1.0.zip is damaged")
    expect(card.locator(".fault")).to_be_visible()
    (stick / broken.name).unlink()
    broken = whole(made, "99.1.0", {"station/app.py": "raise SystemExit(2)\n"})
    screen.page.locator("#release").set_input_files(broken)
    screen.tap("Send the file")
    expect(card).to_contain_text("A newer version is there: 99.1.0.")
    screen.tap("Install version 99.1.0")
    screen.page.locator("dialog .first").tap()
    expect(card).to_contain_text("Version 99.1.0 did not answer", timeout=PATIENCE_MS)
    expect(card).to_contain_text("Version 99.0.0 is running.")
    table.says("Ana: roll")
