"""Stations in processes that the standard library's fork server forks, with what they need loaded already.

Loading Python's modules and drawing the empty tray takes 1.4 s of the processor, three quarters of a start,
and the tests start a hundred and fifty stations. `YACHT_SHORTCUTS=0` starts each as a person does.
"""

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NoReturn

LOADED = "tests.shortcuts.loaded_station"


class ForkedProcess:
    """`yacht` with these arguments, its own name first. As much of `subprocess.Popen` as tests need."""

    def __init__(
        self,
        command: Sequence[str],
        environ: dict[str, str],
        *,
        cwd: Path | None = None,
        errors: Path | None = None,
        background: bool = True,
    ) -> None:
        """errors: the file to which standard error is appended; by default it goes to `stdout`.

        background: whether advice is worked out and copies are tried in processes of their own. Else advice
        is never ready, and copies are tried in the station's process.
        """
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload([LOADED])
        reader, writer = context.Pipe(duplex=False)
        call = (list(command), environ, cwd or Path.cwd(), writer, errors, background)
        self._process = context.Process(target=_become_station, args=call, daemon=True)
        self._process.start()
        writer.close()
        self.stdout = os.fdopen(os.dup(reader.fileno()), encoding="utf-8")
        reader.close()
        self.pid = self._process.pid or 0

    @property
    def returncode(self) -> int | None:
        """The exit code; None while it runs."""
        return self._process.exitcode

    def poll(self) -> int | None:
        """The same."""
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """The exit code, once it has ended. Raises subprocess.TimeoutExpired."""
        self._process.join(timeout)
        if self.returncode is None:
            raise subprocess.TimeoutExpired(f"station {self.pid}", timeout or 0.0)
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Send it a signal, unless it has ended."""
        if self.returncode is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        """Send SIGTERM."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """Send SIGKILL."""
        self.send_signal(signal.SIGKILL)


def _become_station(
    command: list[str],
    environ: dict[str, str],
    cwd: Path,
    output: Connection,
    errors: Path | None,
    background: bool,  # noqa: FBT001 - arguments of a process are by position
) -> None:
    """In the forked process: `yacht` from here on."""
    if LOADED not in sys.modules:
        raise ImportError(f"{LOADED} is not loaded: the folder of the project was not the current one")
    os.dup2(output.fileno(), 1)
    os.dup2(1 if errors is None else os.open(errors, os.O_WRONLY | os.O_APPEND | os.O_CREAT), 2)
    output.close()
    sys.stdout = os.fdopen(1, "w", buffering=1, encoding="utf-8", closefd=False)
    sys.stderr = os.fdopen(2, "w", buffering=1, encoding="utf-8", closefd=False)
    os.environ.clear()
    os.environ.update(environ)
    os.chdir(cwd)
    sys.argv = command

    from station.cli import main  # noqa: PLC0415 - loaded in the server, and the tests need none of it

    if not background:
        _stay_in_this_process()
    main()


def _stay_in_this_process() -> None:
    from station.advice.apart import WAIT_S, Apart, OnProgress  # noqa: PLC0415 - as above
    from station.copy_trial import try_copy  # noqa: PLC0415
    from station.store import backups, store  # noqa: PLC0415

    def never_done(_: Apart, progress: OnProgress, *_work: object) -> NoReturn:
        while True:
            progress(0.0)  # raises when the station stops
            time.sleep(WAIT_S)

    Apart.call = never_done  # type: ignore[method-assign]
    backups.tried = store.tried = try_copy
