"""A real PostgreSQL in a folder and on a port of its own."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Self

import pytest

from tests.integrations.mosquitto import free_port

FOUND = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))
"""Where Debian keeps its programs, the newest last."""
PROGRAMS = str(FOUND[-1]) if FOUND else os.path.dirname(shutil.which("initdb") or "")  # noqa: PTH120
needed = pytest.mark.skipif(not PROGRAMS, reason="there is no postgresql here (make test installs it)")
PASSWORD = "not a secret"  # noqa: S105 - of a server that lives for one test


class Postgresql:
    """The server; `start` and `kill` as often as one likes. As root it runs as its own user."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="yacht-postgresql-"))
        self.port = free_port()
        self.password_file = self.folder / "password"
        self.password_file.write_text(f"{PASSWORD}\n", encoding="utf-8")
        self._user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        if self._user:
            shutil.chown(self.folder, "postgres")
            shutil.chown(self.password_file, "postgres")
        self._data = self.folder / "data"
        self._run("initdb", "-D", str(self._data), "-U", "yacht", "-A", "scram-sha-256", "--no-sync",
                  "--pwfile", str(self.password_file))  # fmt: skip

    def _run(self, program: str, *arguments: str) -> None:
        subprocess.run(
            [*self._user, f"{PROGRAMS}/{program}", *arguments],
            check=True, capture_output=True, cwd=self.folder, env={**os.environ, "LC_ALL": "C.UTF-8"},
        )  # fmt: skip

    @property
    def url(self) -> str:
        return f"postgresql://yacht@127.0.0.1:{self.port}/postgres"

    def start(self) -> None:
        options = (
            f"-p {self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={self.folder}"
            " -c fsync=off"  # it is the server that is killed, never the machine
        )
        self._run(
            "pg_ctl", "-D", str(self._data), "-w", "-l", str(self.folder / "log"), "-o", options, "start"
        )

    def kill(self) -> None:
        """As if the plug were pulled."""
        self._run("pg_ctl", "-D", str(self._data), "-m", "immediate", "stop")

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *exc: object) -> None:
        if (self._data / "postmaster.pid").exists():
            self.kill()
        shutil.rmtree(self.folder)
