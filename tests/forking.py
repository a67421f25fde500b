"""The process that forks stations for tests: see tests/forked.py. Its argument: the number of a socket."""

import contextlib
import gc
import json
import os
import selectors
import socket
import sys
import tempfile
import time
import traceback
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

import station.commands.run  # noqa: F401 - what `yacht run` loads later
from station.advice.apart import WAIT_S, Apart, OnProgress
from station.app import Station  # noqa: F401 - the same
from station.camera.opened_camera import OpenedCamera
from station.cli import main
from station.config import load_settings
from station.copy_trial import try_copy
from station.store import backups, store
from tests.kept import keep_trays
from vision.threads import use_threads

ASKED_MOST_BYTES = 1 << 17


@cache
def _draw_tray(seed: int) -> None:
    """Have the tray of a seed at hand. No thread comes along into a fork, so none may be needed here."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "station.toml")
        file.write_text(f"[simulated]\nseed = {seed}\n", encoding="utf-8")
        with OpenedCamera(load_settings(file, camera="simulated", data=Path(folder))).camera:
            pass


def _serve(asking: socket.socket) -> None:
    """Fork a station whenever one is asked for, and tell how each ended, until nobody is there to ask."""
    running: dict[int, tuple[int, int]] = {}
    with selectors.DefaultSelector() as selector:
        selector.register(asking, selectors.EVENT_READ)
        while True:
            for key, _ in selector.select():
                if key.fd in running:
                    selector.unregister(key.fd)
                    _tell_end(key.fd, *running.pop(key.fd))
                    continue
                message, fds, _, _ = socket.recv_fds(asking, ASKED_MOST_BYTES, 3)
                if not message:
                    return
                output, errors, ended = fds
                asked = json.loads(message)
                if asked["seed"] is not None:
                    _draw_tray(asked["seed"])
                process = os.fork()
                if process == 0:
                    _become_station(asked, output, errors)
                os.close(output)
                os.close(errors)
                asking.send(str(process).encode())
                watched = os.pidfd_open(process)
                running[watched] = (process, ended)
                selector.register(watched, selectors.EVENT_READ)


def _tell_end(watched: int, process: int, ended: int) -> None:
    """Write down the exit code of a process that has ended."""
    os.close(watched)
    _, status = os.waitpid(process, 0)
    with contextlib.suppress(BrokenPipeError):
        os.write(ended, str(os.waitstatus_to_exitcode(status)).encode())
    os.close(ended)


def _never_done(_: Apart, tell: OnProgress, *_work: object) -> NoReturn:
    """Work that takes no time of the processor, and ends with the station."""
    while True:
        tell(0.0)
        time.sleep(WAIT_S)


def _become_station(asked: dict[str, Any], output: int, errors: int) -> NoReturn:
    """Be `yacht` from here on."""
    code = 1
    try:
        os.dup2(output, 1)
        os.dup2(errors, 2)
        sys.stdout = open(1, "w", buffering=1, encoding="utf-8", closefd=False)  # noqa: SIM115 - of a number
        sys.stderr = open(2, "w", buffering=1, encoding="utf-8", closefd=False)  # noqa: SIM115 - the same
        os.closerange(3, os.sysconf("SC_OPEN_MAX"))
        os.environ.clear()
        os.environ.update(asked["environ"])
        os.chdir(asked["cwd"])
        sys.argv = asked["argv"]
        if not asked["works_out"]:
            Apart.call = _never_done  # type: ignore[method-assign]
            backups.tried = store.tried = try_copy
        main()
    except SystemExit as error:
        code = error.code if isinstance(error.code, int) else 1
    except BaseException:  # noqa: BLE001 - nothing may come back into the process that forks
        traceback.print_exc()
    finally:
        os._exit(code)


if __name__ == "__main__":
    use_threads(1)
    keep_trays(setattr)
    gc.collect()
    gc.freeze()
    _serve(socket.socket(fileno=int(sys.argv[1])))
