"""Every pinned package can be had for a Pi: as a wheel for aarch64, or from apt."""

import json
import sys
import tomllib

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.appliance.helpers import ROOT, call, need_index

FROM_APT = {
    # Its wheels stop at Python 3.12, and Raspberry Pi OS and Debian 13 bring it as python3-lgpio.
    "lgpio",
    # Needs libcamera's bindings, which no index has; Raspberry Pi OS brings both as python3-picamera2.
    "picamera2",
}
# glibc of Debian 12 is 2.36, so every manylinux up to that is fine.
PLATFORMS = [f"manylinux_2_{minor}_aarch64" for minor in range(17, 37)] + ["manylinux2014_aarch64"]


def pinned(python: str) -> list[Requirement]:
    """The lines of constraints.txt that hold for this Python on a Pi."""
    lines = [line.split("#")[0].strip() for line in (ROOT / "constraints.txt").read_text().splitlines()]
    requirements = [Requirement(line) for line in lines if line]
    surroundings = {"python_version": python, "platform_machine": "aarch64", "sys_platform": "linux"}
    return [r for r in requirements if r.marker is None or r.marker.evaluate(surroundings)]


@pytest.mark.slow
@pytest.mark.parametrize("python", ["3.11", "3.13"])
def test_every_pinned_package_has_a_wheel_for_a_pi(python, tmp_path):
    need_index(tmp_path)
    wanted = [f"{r.name}{r.specifier}" for r in pinned(python) if canonicalize_name(r.name) not in FROM_APT]
    resolved = call(
        *(sys.executable, "-m", "pip", "install", "--quiet", "--dry-run", "--no-deps", "--ignore-installed"),
        *("--only-binary=:all:", "--implementation", "cp", "--python-version", python),
        *(argument for platform in PLATFORMS for argument in ("--platform", platform)),
        *("--target", tmp_path / "none", "--report", tmp_path / "report.json", *wanted),
    )
    assert resolved.returncode == 0, resolved.stderr
    report = json.loads((tmp_path / "report.json").read_text())
    found = {canonicalize_name(item["metadata"]["name"]) for item in report["install"]}
    assert found == {canonicalize_name(Requirement(line).name) for line in wanted}


def test_a_package_is_pinned_once_for_each_python():
    for python in ("3.11", "3.12", "3.13"):
        names = [canonicalize_name(r.name) for r in pinned(python)]
        assert len(names) == len(set(names))
        assert all(str(r.specifier).startswith("==") for r in pinned(python))


def test_everything_the_project_asks_for_is_pinned_or_from_apt():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"].values()
    asked = {
        canonicalize_name(Requirement(line).name)
        for line in [*project["dependencies"], *(line for extra in extras for line in extra)]
    }
    assert asked - FROM_APT <= {canonicalize_name(r.name) for r in pinned("3.13")}
