"""A real station in a process of its own, driven over HTTP."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Self

from station.testing.station_process import states
from tests.shortcuts import SHORTCUTS
from tests.shortcuts.forked_stations import ForkedProcess

DEADLINE_S = 120.0
"""A condition that has not come true by then never will; passing tests wait far less."""

SETTINGS = """
[simulated]
fps = 10
pace = 8
seed = {seed}
"""


class RunningStation:
    """`yacht run` on a free port with the simulated tray, its hand eight times as fast as a person's.

    Ten pictures a second: with thirty, dice that settle are looked at eight times instead of three.
    """

    def __init__(
        self,
        data: Path,
        *arguments: str,
        seed: int = 1,
        environ: dict[str, str] | None = None,
        settings: str = "",
        forked: bool = SHORTCUTS,
        background: bool = True,
    ) -> None:
        """forked: from a process that has loaded what all stations need; else as a person starts it.

        background: as of ForkedProcess.
        """
        path = data.with_suffix(".toml")
        path.write_text(SETTINGS.format(seed=seed) + settings, encoding="utf-8")
        options = ["--port", "0", "--host", "127.0.0.1", "--data", str(data), "--config", str(path)]
        self.log = data.with_suffix(".log").open("ab")
        command = ["run", "--camera", "simulated", "--buttons", "none", *options, *arguments]
        environment = {**os.environ, "OMP_NUM_THREADS": "1", **(environ or {})}
        self.process: ForkedProcess | subprocess.Popen[str]
        if forked:
            self.process = ForkedProcess(
                ["yacht", *command], environment, errors=Path(self.log.name), background=background
            )
        else:
            self.process = subprocess.Popen(
                [sys.executable, "-c", "from station.cli import main; main()", *command],
                stdout=subprocess.PIPE,
                stderr=self.log,
                text=True,
                env=environment,
            )
        self.lines: list[str] = []
        self.browser = urllib.request.build_opener()
        self.url = self._url()

    def _url(self) -> str:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.append(line.rstrip())
            if line.startswith("Open:"):
                return line.split()[1]
        raise AssertionError(f"the station did not start: {self.lines}, {Path(self.log.name).read_text()}")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        if self.process.poll() is None:
            self.kill()
        self.close()

    def close(self) -> None:
        assert self.process.stdout is not None
        self.process.stdout.close()
        self.log.close()

    def kill(self) -> None:
        """As if the plug were pulled."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(DEADLINE_S)

    def get(self, path: str) -> Any:
        with (
            self._telling(),
            urllib.request.urlopen(self.url + path, timeout=DEADLINE_S) as answer,  # noqa: S310 - our own http
        ):
            return json.load(answer)

    @contextlib.contextmanager
    def _telling(self) -> Iterator[None]:
        """Add to a connection that was closed what became of the station."""
        try:
            yield
        except ConnectionError as error:
            log = Path(self.log.name).read_text(errors="replace")
            error.add_note(f"exit code {self.process.poll()}, last words: {log[-2000:]}")
            raise

    def state(self) -> dict[str, Any]:
        state: dict[str, Any] = self.get("/api/v1/state")
        return state

    def send(self, command: str, **fields: Any) -> dict[str, Any]:
        """Carry out a command that must succeed; the new state."""
        status, answer = self.try_to(command, **fields)
        assert status == 200, answer
        return answer

    def try_to(self, command: str, **fields: Any) -> tuple[int, dict[str, Any]]:
        """Status and answer of a command."""
        return self.post("/api/v1/commands", {"command": command, **fields})

    def post(self, path: str, fields: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        """Status and answer of a request."""
        request = urllib.request.Request(  # noqa: S310 - our own http
            self.url + path, json.dumps(fields).encode(), {"content-type": "application/json"}
        )
        try:
            with self._telling(), self.browser.open(request, timeout=DEADLINE_S) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            with contextlib.closing(error):
                return error.code, json.load(error)

    def wait_for(self, what: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The first state of which `what` is true."""
        state: dict[str, Any] = {}
        with self._telling():
            for state in states(self.url, DEADLINE_S):
                if what(state):
                    return state
        raise AssertionError(state)
