"""Debian's Firefox, driven by its own line for tests: Marionette, JSON over TCP, messages with their length.

Playwright drives only a Firefox of its own build; for a first look at each page few commands are enough.
"""

import json
import re
import socket
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

from tests.e2e.helpers import PATIENCE_S, SIZES

FIREFOX = Path("/usr/bin/firefox-esr")
LEFT = "was interrupted while the page was loading"
"""What Firefox says of a live line when the test goes on to the next page: no fault of the page it left."""

PREFERENCES = """
user_pref("marionette.port", 0);
user_pref("intl.accept_languages", "en");
user_pref("ui.prefersReducedMotion", 1);
user_pref("network.captive-portal-service.enabled", false);
user_pref("network.connectivity-service.enabled", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("app.normandy.enabled", false);
user_pref("extensions.update.enabled", false);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("browser.aboutwelcome.enabled", false);
user_pref("services.settings.server", "data:,#remote-settings-dummy/v1");
"""
"""It asks nobody outside, and listens on a port that the system chooses."""

ERRORS = """
    const [seen] = arguments;
    return Services.console.getMessageArray()
        .filter((each) => each instanceof Ci.nsIScriptError && !(each.flags & each.warningFlag))
        .filter((each) => each.sourceName.startsWith(seen))
        .map((each) => `${each.errorMessage} (${each.sourceName}:${each.lineNumber})`);
"""
"""What its console has of errors in files of an address."""


class Firefox:
    """One window without a screen. Errors of a page are kept until they are read."""

    def __init__(self, folder: Path) -> None:
        """folder: for its profile."""
        (folder / "user.js").write_text(PREFERENCES)
        words = [str(FIREFOX), "--headless", "--no-remote", "--marionette", "--remote-allow-system-access"]
        self._process = subprocess.Popen(
            [*words, "--profile", str(folder), "about:blank"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={
                "HOME": str(folder),
                "PATH": "/usr/bin:/bin",
                "MOZ_HEADLESS_WIDTH": "4000",
                "MOZ_HEADLESS_HEIGHT": "3000",
            },
        )
        self._last = 0
        port = folder / "MarionetteActivePort"
        self._until(lambda: port.exists() and port.read_text(), "it does not start")
        self._line = socket.create_connection(("127.0.0.1", int(port.read_text())), timeout=PATIENCE_S)
        self._receive()
        self._request("WebDriver:NewSession", capabilities={})

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._line.close()
        self._process.terminate()
        self._process.wait(PATIENCE_S)

    def open(self, address: str, size: str | tuple[int, int] = "tv") -> None:
        """Load a page at a size."""
        width, height = SIZES[size] if isinstance(size, str) else size
        self._until(lambda: self._has_size(width, height), f"the page is not {width} x {height}")
        self._request("WebDriver:Navigate", url=address)

    def _has_size(self, width: int, height: int) -> bool:
        """Whether the page has it; else ask for it by what the frame takes now, which grows at the start."""
        inner, frame = self.run(
            "return [[innerWidth, innerHeight], [outerWidth - innerWidth, outerHeight - innerHeight]]"
        )
        if inner == [width, height]:
            return True
        self._request("WebDriver:SetWindowRect", width=width + frame[0], height=height + frame[1])
        return False

    def run(self, script: str, *arguments: Any) -> Any:
        """What a script returns in the page; a promise is awaited."""
        return self._request("WebDriver:ExecuteScript", script=script, args=list(arguments))["value"]

    def until(self, script: str) -> None:
        """Wait until it returns something true."""
        self._until(lambda: self.run(script), script)

    def faults(self, address: str) -> list[str]:
        """Errors of scripts and style sheets that come from an address."""
        self._request("Marionette:SetContext", value="chrome")
        try:
            found: list[str] = self.run(ERRORS, address)
        finally:
            self._request("Marionette:SetContext", value="content")
        return [each for each in found if LEFT not in each]

    def _until(self, condition: Callable[[], Any], what: str) -> None:
        until = time.monotonic() + PATIENCE_S
        while not condition():
            assert time.monotonic() < until, what
            assert self._process.poll() is None, "it has ended"
            time.sleep(0.05)

    def _request(self, command: str, **words: Any) -> Any:
        self._last += 1
        message = json.dumps([0, self._last, command, words]).encode()
        self._line.sendall(b"%d:%b" % (len(message), message))
        _, number, error, result = self._receive()
        assert number == self._last
        assert error is None, f"{command}: {error}"
        return result

    def _receive(self) -> Any:
        """The next message."""
        text = b""
        while not (length := re.match(rb"(\d+):", text)):
            text += self._line.recv(1)
        rest = int(length[1])
        parts = []
        while rest:
            parts.append(self._line.recv(rest))
            assert parts[-1], "it has hung up"
            rest -= len(parts[-1])
        return json.loads(b"".join(parts))
