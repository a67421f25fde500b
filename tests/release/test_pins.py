"""Every package of a station can be had for a Pi: as a wheel for aarch64, or from apt."""

import json
import platform
import subprocess
import sys
import tomllib

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from release import pins, wheels
from release.sbom import needed
from release.wheels import FILES, lines, pinned, pip_arguments
from tests.appliance.helpers import ROOT, call, need_index

FROM_APT = {
    # Its wheels stop at Python 3.12; Raspberry Pi OS brings it as python3-lgpio (a plain Debian does not).
    "lgpio",
    # Needs libcamera's bindings, which no index has; Raspberry Pi OS brings both as python3-picamera2.
    "picamera2",
}


@pytest.mark.slow
@pytest.mark.parametrize("python", ["3.11", "3.13"])
def test_every_package_of_a_station_has_a_wheel_for_a_pi(python, tmp_path):
    need_index()
    of_a_station = {Requirement(line).name for path in FILES[:2] for line in lines(path)}
    wanted = [
        f"{r.name}{r.specifier}"
        for r in pinned(python, "aarch64")
        if r.name in of_a_station and canonicalize_name(r.name) not in FROM_APT
    ]
    resolved = call(
        *(sys.executable, "-m", "pip", "install", "--quiet", "--dry-run", "--no-deps", "--ignore-installed"),
        *pip_arguments(python, "aarch64"),
        *("--target", tmp_path / "none", "--report", tmp_path / "report.json", *wanted),
    )
    assert resolved.returncode == 0, resolved.stderr
    report = json.loads((tmp_path / "report.json").read_text())
    found = {
        canonicalize_name(each["metadata"]["name"]): each["download_info"]["archive_info"]["hashes"]["sha256"]
        for each in report["install"]
    }
    assert set(found) == {canonicalize_name(Requirement(line).name) for line in wanted}
    text = "".join(path.read_text() for path in FILES)
    assert [name for name, each in found.items() if f"--hash=sha256:{each}" not in text] == []


@pytest.mark.parametrize(("given", "machine"), [(("aarch64",), "aarch64"), ((), platform.machine())])
def test_wheels_are_fetched_for_the_machine_that_is_named_or_for_this_one(monkeypatch, given, machine):
    calls = []

    def run(call, *, check):
        calls.append(call)
        assert not check
        return subprocess.CompletedProcess(call, 0)

    monkeypatch.setattr(wheels.subprocess, "run", run)
    assert wheels.main("3.13", "somewhere", *given) == 0
    (call,) = calls
    assert {word for word in call if word.startswith("manylinux")} == set(wheels.platforms(machine))


def test_a_package_is_pinned_once_for_each_python():
    for python in pins.PYTHONS:
        names = [canonicalize_name(r.name) for r in pinned(python, "aarch64")]
        assert len(names) == len(set(names))
        assert all(str(r.specifier).startswith("==") for r in pinned(python, "aarch64"))


@pytest.mark.parametrize(
    ("needs", "told"),
    [
        ("numpy>=2; python_version >= '3.14'", None),  # not here
        ("numpy>=2; extra == 'fast'", None),
        ("numpy>=1", None),
        ("numpy>=2", "flask wants numpy>=2"),
        ("nowhere", "flask wants nowhere"),
    ],
)
def test_what_a_package_needs_is_looked_for_among_the_others(needs: str, told: str | None):
    found = [{"metadata": {"name": "flask", "version": "3.1.3", "requires_dist": [needs]}}]
    found.append({"metadata": {"name": "numpy", "version": "1.26.4"}})
    if told is None:
        pins.check(found, "3.13", "aarch64")
    else:
        with pytest.raises(pins.UnmetError, match=told):
            pins.check(found, "3.13", "aarch64")


def test_the_table_of_pythons_is_that_of_the_pins():
    found = {
        (python, machine): [
            {"metadata": {"name": each.name, "version": str(each.specifier)[2:]}}
            for each in pinned(python, machine, FILES[:1])
        ]
        for python in pins.PYTHONS
        for machine in pins.MACHINES
    }
    (table,) = pins.MARKS.findall(pins.TABLE.read_text(encoding="utf-8"))
    assert table == pins.table(found)


def test_every_pin_has_the_hashes_of_its_wheels():
    for path in FILES:
        text = path.read_text().replace("\\\n", " ").splitlines()
        assert len(list(lines(path))) == sum(" --hash=sha256:" in line for line in text)


def test_what_a_station_needs_is_pinned_for_it_alone():
    run = {canonicalize_name(Requirement(line).name) for line in lines(FILES[0])}
    needs = set(needed("yacht-station")) - {"yacht-station"} - {"pytz"}  # only below Python 3.9
    assert needs <= run


def test_everything_the_project_asks_for_is_pinned_or_from_apt():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"].values()
    asked = {
        canonicalize_name(Requirement(line).name)
        for line in [*project["dependencies"], *(line for extra in extras for line in extra)]
    }
    assert asked - FROM_APT <= {canonicalize_name(r.name) for r in pinned("3.13", "aarch64")}
