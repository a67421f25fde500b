"""The seven steps of the first start. Each may be cut off anywhere, and done again from its beginning.

What is missing is raised as FailedError with a sentence; who called tries again later.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from messages.atomic_write import replace_file
from messages.errors import FailedError
from station.card.files import PreparedCard

PORT = 8080
"""Where the station's pages are, once it is there."""

CLOUD_INIT_S = 1800.0
"""Who is not done so long after the start is not waited for."""

Run = Callable[[tuple[str, ...], Mapping[str, str]], tuple[int, str]]
"""Runs a program with more of an environment: its exit code, and all that it printed."""


@dataclass(frozen=True, slots=True)
class Machine:
    """The Pi that is being set up. root: "/", or a folder that stands for it.

    sync: has all that was written on the card when it returns; until then a power cut leaves names alone.
    """

    card: Path
    root: Path
    run: Run
    now: Callable[[], float]
    answers: Callable[[], bool]
    sync: Callable[[], None]

    @property
    def state_folder(self) -> Path:
        """What the first start keeps until it is over."""
        return self.root / "var/lib/yacht-first-start"

    @property
    def shared(self) -> Path:
        """The files of the program that lie outside its packages: units, scripts, list of packages."""
        (shared,) = (self.state_folder / "program").glob("*.data/data/share/yacht-station")
        return shared

    @property
    def wheels(self) -> Path:
        """The Python packages that were fetched."""
        return self.state_folder / "wheels"


def run(words: tuple[str, ...], more: Mapping[str, str]) -> tuple[int, str]:
    """Run a program of the system; without our own PYTHONPATH, which is for this program alone."""
    environ = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environ |= {"LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive", **more}
    done = subprocess.run(  # noqa: S603 - calls of our own
        words, env=environ, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
    )
    return done.returncode, done.stdout.decode(errors="replace")


def answers() -> bool:
    """Whether the station on this machine shows its page."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{PORT}/", timeout=30):
            return True
    except OSError:
        return False


def read_card(folder: Path) -> PreparedCard:
    """What the card says. Raises FailedError where it cannot be read."""
    try:
        return PreparedCard(**json.loads((folder / "card.json").read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError) as error:
        raise FailedError("card/trouble/damaged") from error


def look(machine: Machine) -> None:
    """See whether the card is whole, and whether the program runs on this system."""
    card = read_card(machine.card)
    try:
        whole = hashlib.sha256((machine.card / card.wheel).read_bytes()).hexdigest() == card.sha256
    except OSError as error:
        raise FailedError("card/trouble/damaged") from error
    if not whole:
        raise FailedError("card/trouble/damaged")
    code, output = machine.run(("python3", str(machine.shared / "systemd/served.py")), {})
    if code:
        raise FailedError("card/trouble/system", what=output.strip())


def network(machine: Machine) -> None:
    """See whether there is a way out of this machine, by IPv4 or IPv6."""
    for name in ("route", "ipv6_route"):
        file = machine.root / "proc/net" / name
        for line in file.read_text().splitlines() if file.exists() else ():
            words = line.split()
            if words[1:2] == words[7:8] == ["0" * 8] or (words[:2] == ["0" * 32, "00"] and words[-1] != "lo"):
                return
    raise FailedError("card/trouble/network")


def clock(machine: Machine) -> None:
    """See whether the time is right: a Pi has no clock of its own, and https needs a right one."""
    synchronized = (machine.root / "run/systemd/timesync/synchronized").exists()
    if not synchronized and machine.now() < read_card(machine.card).prepared:
        raise FailedError("card/trouble/clock")


def packages(machine: Machine) -> None:
    """Have Debian's packages installed; one that was cut off is finished first.

    cloud-init may be installing what Imager wished for: it would give up where it finds apt taken.
    """
    cloud_init = machine.root / "run/cloud-init"
    over = any((cloud_init / name).exists() for name in ("result.json", "disabled"))
    if cloud_init.exists() and not over and _up_s(machine) < CLOUD_INIT_S:
        raise FailedError("card/trouble/busy")
    _apt(machine, "dpkg", "--configure", "-a")
    _apt(machine, "apt-get", "update", "-qq", "--error-on=any")
    _apt(machine, "apt-get", "install", "-y", "-qq", "--fix-broken")
    _apt(machine, "sh", str(machine.shared / "systemd/debian-packages.sh"), "appliance", "python3")


def _up_s(machine: Machine) -> float:
    return float((machine.root / "proc/uptime").read_text().split()[0])


def python_packages(machine: Machine) -> None:
    """Download the Python packages, each as pinned by its hash, unless it is there already."""
    pip = machine.state_folder / "pip"
    if not (pip / "whole").exists():
        shutil.rmtree(pip, ignore_errors=True)
        _checked(machine.run(("python3", "-m", "venv", str(pip)), {}))
        machine.sync()
        replace_file(pip / "whole", b"")
    pins = machine.shared / "requirements/run.txt"
    _checked(
        machine.run(
            (
                str(pip / "bin/python"), "-m", "pip", "download", "--quiet", "--disable-pip-version-check",
                "--no-deps", "--only-binary=:all:", "--require-hashes", "--dest", str(machine.wheels),
                "--requirement", str(pins),
            ),
            {},
        )
    )  # fmt: skip


def install(machine: Machine) -> None:
    """Install the station from the card and what was fetched, and start it."""
    card = read_card(machine.card)
    settings = machine.root / "etc/yacht-station/station.toml"
    if card.language and not settings.exists():
        text = (machine.shared / "systemd/station.toml").read_text(encoding="utf-8")
        language = f'language = "{card.language}"'
        replace_file(settings, text.replace('# language = "en"', language, 1).encode(), 0o644)
    environ = {
        "WHEEL": str(machine.card / card.wheel),
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": str(machine.wheels),
    }
    code, output = machine.run(("sh", str(machine.shared / "systemd/install.sh")), environ)
    if code:
        missing = trouble(output)
        if missing.code == "card/trouble/hash":  # what was fetched has been damaged since
            python_packages(machine)
        raise missing


def start(machine: Machine) -> None:
    """See whether the station answers. What was only needed until then goes."""
    if not machine.answers():
        raise FailedError("card/trouble/start")
    for folder in (machine.wheels, machine.state_folder / "pip"):
        shutil.rmtree(folder, ignore_errors=True)


STEPS: Mapping[str, Callable[[Machine], None]] = {
    "look": look,
    "network": network,
    "clock": clock,
    "packages": packages,
    "python": python_packages,
    "install": install,
    "start": start,
}
"""The steps in their order, by the names of their texts."""

_SIGNS = (
    ("full", re.compile(r"no space left|enough free space", re.IGNORECASE)),
    ("clock", re.compile(r"not yet valid|not valid yet", re.IGNORECASE)),
    (
        "internet",
        re.compile(
            r"resolv|name resolution|could not connect|cannot initiate the connection|unreachable"
            r"|no route to host|newconnectionerror|max retries exceeded|timed out|failed to establish"
            r"|connection (failed|broken|refused|reset)|failed to fetch|temporary failure",
            re.IGNORECASE,
        ),
    ),
    ("busy", re.compile(r"could not get lock|unable to acquire the dpkg", re.IGNORECASE)),
    ("hash", re.compile(r"do not match the hashes", re.IGNORECASE)),
)
"""What programs print, and which trouble it is; the first that is found."""

_MISSING = re.compile(
    r"(?:unable to locate package|no matching distribution found for|package '?)\s*([\w.+-]+?)"
    r"(?='? has no installation candidate|==|\s|$)",
    re.IGNORECASE,
)


def trouble(output: str) -> FailedError:
    """What a program that failed was missing, by what it printed.

    >>> str(trouble("E: Unable to locate package libgl1"))
    'The package libgl1 is not to be had at the moment.'
    """
    for name, sign in _SIGNS:
        if sign.search(output):
            return FailedError(f"card/trouble/{name}")
    missing = _MISSING.search(output)
    if missing:
        return FailedError("card/trouble/package", name=missing[1])
    lines = [line for line in output.splitlines() if line.strip()]
    return FailedError("card/trouble/failed", what=lines[-1].strip() if lines else "?")


def _checked(result: tuple[int, str]) -> None:
    code, output = result
    if code:
        raise trouble(output)


def _apt(machine: Machine, *words: str) -> None:
    _checked(machine.run(words, {}))
