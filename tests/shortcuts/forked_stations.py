"""Stations that are forked from a process which has loaded all that a station needs, and drawn its tray.

Each is a process of its own all the same, with the arguments, the environment and the files of `yacht run`.
To load Python's modules and to draw an empty tray is three quarters of the processor time of a start, 1.4 s,
and the tests start a hundred and fifty stations. How one starts by itself is tested in tests/process.
"""

import atexit
import contextlib
import json
import os
import selectors
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import IO

ROOT = Path(__file__).parent.parent


class ForkedProcess:
    """`yacht` with these arguments, its own name first. As much of `subprocess.Popen` as tests need."""

    def __init__(
        self,
        command: Sequence[str],
        environ: dict[str, str],
        *,
        cwd: Path | None = None,
        stderr: IO[bytes] | None = None,
        seed: int | None = None,
        works_out: bool = True,
    ) -> None:
        """stderr: where it prints errors, where not as the rest into `stdout`. seed: of a simulated tray.

        works_out: chances and values that do not ship, in processes of low priority; else that is begun and
        never ends, and copies that are put back are tried in the station's own process.
        """
        output, output_there = os.pipe()
        self._ended, ended_there = os.pipe()
        errors = output_there if stderr is None else stderr.fileno()
        asked = {"argv": list(command), "environ": environ, "cwd": str(cwd or Path.cwd()), "seed": seed}
        asked["works_out"] = works_out
        server = _server()
        socket.send_fds(server, [json.dumps(asked).encode()], [output_there, errors, ended_there])
        os.close(output_there)
        os.close(ended_there)
        self.stdout = open(output, encoding="utf-8")  # noqa: PTH123, SIM115 - of a number; who reads it closes it
        self.returncode: int | None = None
        self.pid = int(server.recv(64))

    def wait(self, timeout: float | None = None) -> int:
        """The exit code, once it has ended. Raises subprocess.TimeoutExpired."""
        with selectors.DefaultSelector() as selector:
            if self.returncode is None:
                selector.register(self._ended, selectors.EVENT_READ)
                if not selector.select(timeout):
                    raise subprocess.TimeoutExpired(f"station {self.pid}", timeout or 0.0)
                self.returncode = int(os.read(self._ended, 64))
                os.close(self._ended)
        return self.returncode

    def poll(self) -> int | None:
        """The exit code; None while it runs."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.wait(0)
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Send it a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End it."""
        self.send_signal(signal.SIGKILL)


@cache
def _server() -> socket.socket:
    """The process that forks, one for this process; it ends with it."""
    here, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    environ = {**os.environ, "PYTHONUNBUFFERED": "1", "OMP_NUM_THREADS": "1"}
    server = subprocess.Popen(
        [sys.executable, "-m", "tests.forking", str(there.fileno())],
        pass_fds=[there.fileno()],
        stdin=subprocess.DEVNULL,
        env=environ,
        cwd=ROOT,
    )
    there.close()

    def close() -> None:
        here.close()
        server.wait()

    atexit.register(close)
    return here
