"""A real nginx or Caddy in front of a station, set up by what `docs/proxy.md` says."""

import os
import re
import shutil
import socket
import subprocess
from pathlib import Path
from typing import Self

import pytest

from tests.conftest import ROOT
from tests.integrations.mosquitto import free_port, until

PATHS = f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin"
PROGRAMS = {name: shutil.which(name, path=PATHS) for name in ("nginx", "caddy")}


def documented(name: str) -> str:
    """What stands in the page of that proxy."""
    text = (ROOT / "docs" / "proxy.md").read_text(encoding="utf-8")
    found = re.search(
        rf"^```{'caddyfile' if name == 'caddy' else name}\n(.*?)^```", text, re.DOTALL | re.MULTILINE
    )
    assert found is not None, name
    return found[1]


class ProxyServer:
    """Listens on every address of this machine. lost: a line of the configuration that is left out."""

    def __init__(self, name: str, folder: Path, station_port: int, lost: str = "") -> None:
        program = PROGRAMS[name]
        if program is None:
            pytest.skip(f"there is no {name} here (make test installs it)")
        self.port, self._folder = free_port(), folder
        config = folder / f"{name}.conf"
        lines = documented(name).replace("127.0.0.1:8080", f"127.0.0.1:{station_port}").splitlines()
        assert not lost or any(lost in line for line in lines), lost
        text = "\n".join(line for line in lines if not lost or lost not in line)
        if name == "nginx":
            text = _nginx(text.replace("listen 80;", f"listen {self.port};"), folder)
            command = [program, "-c", str(config), "-p", str(folder), "-e", str(folder / "errors.log")]
        else:
            names = f"http://yacht.example.org:{self.port}, http://localhost:{self.port}"
            text = text.replace("yacht.example.org, http://localhost", names)
            text = f"{{\n admin off\n auto_https off\n}}\n{text}"
            command = [program, "run", "--config", str(config), "--adapter", "caddyfile"]
        config.write_text(text + "\n", encoding="utf-8")
        environ = {**os.environ, "HOME": str(folder), "XDG_DATA_HOME": str(folder)}
        with (folder / f"{name}.log").open("wb") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log, env=environ)

    def __enter__(self) -> Self:
        until(self._answers)
        return self

    def _answers(self) -> bool:
        logs = [path.read_text(errors="replace") for path in self._folder.glob("*.log")]
        assert self._process.poll() is None, logs
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def __exit__(self, *exc: object) -> None:
        self._process.terminate()
        self._process.wait()


def _nginx(server: str, folder: Path) -> str:
    """What Debian's nginx.conf has around it, in a folder of its own and without modules."""
    places = "".join(
        f"{kind}_temp_path {folder}/{kind};\n"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    user = "user root;\n" if os.geteuid() == 0 else ""
    return (
        f"{user}daemon off;\npid {folder}/nginx.pid;\nevents {{}}\n"
        f"http {{\naccess_log off;\n{places}{server}\n}}"
    )
