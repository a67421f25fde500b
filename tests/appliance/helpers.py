"""What the tests of the appliance share."""

import os
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
SYSTEMD = ROOT / "systemd"
SERVICES = ("yacht-station.service", "yacht-backup.service", "yacht-kiosk.service", "yacht-stick@.service")
UNITS = (*SERVICES, "yacht-backup.timer")
PROGRAM = "opt/yacht-station"


def call(*arguments: object, **settings: object) -> subprocess.CompletedProcess[str]:
    """Run a program to its end; its output is text, its exit code is the caller's to judge."""
    environ = {**os.environ, "LC_ALL": "C.UTF-8", **settings.pop("environ", {})}
    return subprocess.run(
        [str(a) for a in arguments], env=environ, capture_output=True, text=True, check=False, **settings
    )


def need(program: str) -> None:
    """Skip the test where a program is missing that only some machines have."""
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not on this machine")


@cache
def _index_answers() -> bool:
    """Whether pip, as this machine has it set up, reaches a package index; asked once."""
    with tempfile.TemporaryDirectory() as folder:
        probe = call(sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", folder, "segno==1.6.6")
        return probe.returncode == 0


def need_index() -> None:
    """Skip the test where pip reaches no package index."""
    if not _index_answers():
        pytest.skip("pip reaches no package index from here")


def stub_root(folder: Path) -> Path:
    """A root with this machine's standard units, ours, and programs that exist but do nothing."""
    shutil.copytree("/lib/systemd/system", folder / "usr/lib/systemd/system", symlinks=True)
    (folder / "lib").symlink_to("usr/lib")
    ours = folder / "etc/systemd/system"
    ours.mkdir(parents=True)
    for unit in UNITS:
        shutil.copy(SYSTEMD / unit, ours)
    for program in (
        f"{PROGRAM}/venv/bin/python",
        f"{PROGRAM}/kiosk.sh",
        f"{PROGRAM}/stick.sh",
        "usr/bin/cage",
    ):
        (folder / program).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy("/bin/true", folder / program)
    return folder
