"""A real station process for benchmarks and browser tests, and the browser they open it with."""

import json
import os
import re
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any

YACHT = Path(sys.executable).parent / "yacht"
CHROMIUM = Path("/usr/bin/chromium")
FEATURES_OFF = (
    *("WebUIOmniboxPopup", "WebUIOmniboxAimPopup"),
    *("AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades", "AimEnabled"),
    *("HttpsFirstBalancedModeAutoEnable", "LensOverlay", "MediaRouter", "PaintHolding", "OptimizationHints"),
    *("ThirdPartyStoragePartitioning", "AvoidCorsURLLoaderRestartOnRedirect", "TcpPortRandomizationWin"),
    *("NetworkTimeServiceQuerying", "PreconnectToSearch"),
)
"""Parts of Chromium that no screen of a home shows: with every window it opens two hidden pages for the list
under its address bar, in processes of their own (0.75 s of processor time, most of it beside a page's first
seconds). The others are Playwright's, named again since only the last switch of that name counts."""
CHROMIUM_ARGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-features=" + ",".join(FEATURES_OFF),
)
SIZES = {"phone": (360, 740), "tablet": (1024, 768), "tv": (1920, 1080), "tv4k": (3840, 2160)}
PATIENCE_S = 120.0
"""How long anything is awaited before it counts as not coming, on however busy a machine."""
PATIENCE_MS = PATIENCE_S * 1000


def states(url: str, seconds: float = PATIENCE_S) -> Iterator[dict[str, Any]]:
    """The states of a station as it sends them, that of now first. Ends after that many seconds.

    To ask again and again takes as much of the processor as all the rest that a station does meanwhile.
    """
    until_s = time.monotonic() + seconds
    with urllib.request.urlopen(f"{url}/api/v1/events", timeout=seconds) as line:  # noqa: S310 - our own
        name = b""
        for row in line:
            if row.startswith(b"event: "):
                name = row[7:].strip()
            elif row.startswith(b"data: ") and name == b"state":
                yield json.loads(row[6:])
            if time.monotonic() > until_s:
                return


def processor_s(process: int) -> float:
    """Seconds of processor time a process has used so far, all its threads together (proc(5))."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class StationProcess:
    """`yacht run` with the simulated tray, as a family would start it, only faster and with known dice."""

    def __init__(
        self,
        folder: Path,
        *,
        seed: int = 7,
        port: int = 0,
        settings: str = "",
        dice: Sequence[str] = ("white",),
        pace: float = 3.0,
        fps: int = 10,
        program: Sequence[str] = (str(YACHT),),
        camera: str = "simulated",
        buttons: str = "none",
    ) -> None:
        """fps: each picture of dice that settle is read, which costs more than all else."""
        self.folder, self.seed = folder, seed
        config = folder / "station.toml"
        looks = f"dice = {json.dumps(list(dice))}\n"
        simulated = f"[simulated]\nseed = {seed}\npace = {pace}\nfps = {fps}\n{looks}"
        config.write_text(f"{settings}{simulated}", encoding="utf-8")
        command = [
            *program,
            "run",
            *("--camera", camera, "--buttons", buttons, "--host", "127.0.0.1"),
            *("--port", str(port), "--data", str(folder / "data"), "--config", str(config)),
        ]
        environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONUNBUFFERED": "1"}
        self.process = self.begun(command, environment)
        self.url = ""
        self._started = threading.Event()
        self.lines: list[str] = []
        self._numbers_read = 0
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()
        if not self._started.wait(PATIENCE_S) or not self.url:
            self.stop()
            raise AssertionError("the station did not start: " + "".join(self.lines))

    def begun(self, command: list[str], environment: dict[str, str]) -> Any:
        """The process that carries out this command in its folder, as `subprocess.Popen` has it."""
        return subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=environment,
            cwd=self.folder,
        )

    def _listen(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.append(line)
            found = re.search(r"http://[^/\s]+:\d+", line)
            if found and not self.url:
                self.url = found[0]
                self._started.set()
        self._started.set()

    def stop(self) -> None:
        """End it as systemd would."""
        self.process.terminate()
        try:
            self.process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait(PATIENCE_S)
        self._listener.join(PATIENCE_S)
        if self.process.stdout:
            self.process.stdout.close()

    def number(self) -> str:
        """The number for a screen that asks to be host, as the terminal shows it; each is read once."""
        until_s = time.monotonic() + PATIENCE_S
        while time.monotonic() < until_s:
            found = [line for line in self.lines if line.startswith("A screen asks to be host")]
            if len(found) > self._numbers_read:
                self._numbers_read = len(found)
                return found[-1].split()[-1]
            time.sleep(0.05)
        raise AssertionError("no number in the terminal: " + "".join(self.lines))

    def host(self) -> str:
        """Make a screen host that knows no browser; its cookie, for a request of its own."""
        jar = CookieJar()
        opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))
        for path, body in (("ask", {"on": True}), ("number", None)):
            content = json.dumps({"number": self.number()} if body is None else body).encode()
            request = urllib.request.Request(  # noqa: S310 - our own
                f"{self.url}/api/v1/room/{path}", content, {"Content-Type": "application/json"}
            )
            with opener.open(request, timeout=PATIENCE_S) as answer:
                answer.read()
        return "; ".join(f"{each.name}={each.value}" for each in jar)

    def state(self) -> dict[str, Any]:
        """The state as the API gives it."""
        with urllib.request.urlopen(f"{self.url}/api/v1/state", timeout=PATIENCE_S) as answer:  # noqa: S310 - our own
            state: dict[str, Any] = json.load(answer)
        return state

    def wait_for(self, what: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The first state of which `what` is true. Raises TimeoutError with the last one."""
        state: dict[str, Any] = {}
        for state in states(self.url):
            if what(state):
                return state
        raise TimeoutError(state)

    def get(self, path: str, *none: int) -> dict[str, Any] | None:
        """What an address of the API gives; None for an answer with one of the codes `none`."""
        try:
            with urllib.request.urlopen(self.url + path, timeout=PATIENCE_S) as answer:  # noqa: S310 - our own
                found: dict[str, Any] = json.load(answer)
        except urllib.error.HTTPError as error:
            if error.code in none:
                return None
            raise
        return found

    def do(self, command: str, **fields: Any) -> dict[str, Any]:
        """A command over HTTP; it has to succeed."""
        body = json.dumps({"command": command, **fields}).encode()
        request = urllib.request.Request(  # noqa: S310 - our own
            f"{self.url}/api/v1/commands", body, {"Content-Type": "application/json"}
        )
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:  # noqa: S310 - our own
                state: dict[str, Any] = json.load(answer)
        except urllib.error.HTTPError as error:
            error.add_note(error.read().decode(errors="replace"))  # why it was refused
            raise
        return state
