"""The station on the virtual Pi as those see it who stand before it: systemd, its API, buttons and lamps.

Runs there, with nothing but Python's own library.
"""

import json
import re
import subprocess
import time
import tomllib
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

ADDRESS = "http://127.0.0.1:8080"
SETTINGS = Path("/etc/yacht-station/station.toml")
PINS = Path("/run/pins")
_PATIENCE = re.search(r"yacht\.patience=(\d+)", Path("/proc/cmdline").read_text())
PATIENCE = int(_PATIENCE[1]) if _PATIENCE else 1
"""All is waited for that many times as long as usual."""


SILENT_S = 300
"""So long libcamera's virtual camera may keep the station from answering while it is opened: on one machine
17 s, on another 82."""


def sh(*words: str, check: bool = True, **more: Any) -> str:
    """Run a program; returns what it printed."""
    done = subprocess.run(words, capture_output=True, text=True, check=False, **more)
    if check and done.returncode:
        raise RuntimeError(f"{' '.join(words)}: {done.stdout[-1500:]}{done.stderr[-1500:]}")
    printed: str = done.stdout
    return printed


def until(what: str, holds: Callable[[], Any], deadline_s: float = 90) -> Any:
    """Wait until something holds; returns it. Raises TimeoutError naming it."""
    deadline_s *= PATIENCE
    end = time.monotonic() + deadline_s
    while time.monotonic() < end:
        try:
            if found := holds():
                return found
        except (OSError, urllib.error.URLError):
            pass
        time.sleep(0.02)
    raise TimeoutError(f"{what}: not within {deadline_s:g} s; the state is {quietly(state)}")


def quietly(ask: Callable[[], Any]) -> Any:
    """The answer, or the error as words."""
    try:
        return ask()
    except Exception as error:  # noqa: BLE001 - it goes into a message
        return repr(error)


def ask(path: str, body: dict[str, Any] | None = None) -> Any:
    """GET, or POST with a body; the JSON that comes back."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(ADDRESS + path, data, {"Content-Type": "application/json"})  # noqa: S310 - http
    with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310 - as above
        return json.load(answer)


def state() -> dict[str, Any]:
    """The state of the table."""
    shown: dict[str, Any] = ask("/api/v1/state")
    return shown


def command(command: str, **fields: Any) -> dict[str, Any]:
    """Send a command; returns the new state."""
    shown: dict[str, Any] = ask("/api/v1/commands", {"command": command, **fields})
    return shown


class VirtualPanel:
    """The simulated header: presses buttons and looks at lamps by the wiring the station has."""

    def __init__(self) -> None:
        pins = json.loads(
            sh("/opt/yacht-station/venv/bin/python", "-c",
               "from station import config; from pathlib import Path;"
               f"print(config.load_settings(Path('{SETTINGS}')).pins.model_dump_json())")
        )  # fmt: skip
        self.buttons = {f"hold-{i}": pin for i, pin in enumerate(pins["hold_buttons"], 1)}
        self.buttons["confirm"] = pins["confirm_button"]
        self.lamps = {f"hold-{i}": pin for i, pin in enumerate(pins["hold_lamps"], 1)}
        self.lamps["confirm"] = pins["confirm_lamp"]

    def press(self, name: str, for_s: float = 0.12) -> None:
        """Close a contact, with two bounces, and open it again."""
        pull = PINS / f"sim_gpio{self.buttons[name]}" / "pull"
        for level in ("pull-down", "pull-up", "pull-down"):
            pull.write_text(level)
            time.sleep(0.001)
        time.sleep(for_s)
        pull.write_text("pull-up")
        time.sleep(0.05)

    def burns(self, name: str) -> bool:
        """Whether a lamp has current."""
        return (PINS / f"sim_gpio{self.lamps[name]}" / "value").read_text().strip() == "1"

    def press_to_lamp_s(self, name: str) -> float:
        """Press a hold button and measure until its lamp changes."""
        before = self.burns(name)
        pull = PINS / f"sim_gpio{self.buttons[name]}" / "pull"
        start = time.monotonic()
        pull.write_text("pull-down")
        while self.burns(name) == before:
            if time.monotonic() - start > 10:
                raise TimeoutError(f"the lamp {name} did not follow its button")
        taken_s = time.monotonic() - start
        time.sleep(0.1)
        pull.write_text("pull-up")
        time.sleep(0.1)
        return taken_s


def settings(text: str) -> None:
    """Write the settings and start the station anew with them."""
    tomllib.loads(text)
    SETTINGS.write_text(text)
    start_s = time.monotonic()
    sh("systemctl", "restart", "yacht-station")
    until("the station answers", state, SILENT_S)
    print(f"restarted in {time.monotonic() - start_s:.1f} s", flush=True)


def show(*names: str) -> dict[str, str]:
    """What systemd says about the service."""
    lines = sh("systemctl", "show", "yacht-station", *(f"-p{name}" for name in names)).splitlines()
    return dict(line.split("=", 1) for line in lines)


def warnings() -> str:
    """Warnings and errors the station has logged."""
    return sh(
        "journalctl", "-b", "-u", "yacht-station", "-p", "warning", "--no-pager", "-n", "20", "-o", "cat"
    )
