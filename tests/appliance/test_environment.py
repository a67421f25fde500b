"""What `make` makes its environment with: a Python that is served, and what apt has brought since."""

import ast
import importlib
import pkgutil
import re
import sys
import tomllib
from pathlib import Path

import pytest

from release import pins
from release.site import PACKAGES
from tests.appliance.helpers import ROOT, call

HERE = f"{sys.version_info.major}.{sys.version_info.minor}"


def stub(folder: Path, *changes: str) -> Path:
    """This Python under another name: modules of `folder` are the system's, and `changes` are made first."""
    program = folder / "python3"
    (folder / "sitecustomize.py").write_text("\n".join(("import platform, struct, sys", *changes)))
    program.write_text(f'#!/bin/sh\nPYTHONPATH={folder} exec {sys.executable} "$@"\n')
    program.chmod(0o755)
    return program


def make(python: Path, folder: Path) -> tuple[int, str]:
    """Make the environment; nothing is installed in it yet."""
    environment = folder / "venv"
    done = call("make", f"PYTHON={python}", f"VENV={environment}", f"{environment}/made.done", cwd=ROOT)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (
            "sys.version_info = (3, 15, 0, 'final', 0); platform.python_version = lambda: '3.15.0'",
            "3.15.0, 64",
        ),
        (
            "sys.version_info = (3, 10, 2, 'final', 0); platform.python_version = lambda: '3.10.2'",
            "3.10.2, 64",
        ),
        ("struct.calcsize = lambda _: 4", ", 32-bit"),
        ("platform.machine = lambda: 'armv7l'", "on armv7l"),
        ("platform.libc_ver = lambda: ('', '')", "no glibc"),
        ("platform.python_implementation = lambda: 'PyPy'", "This is PyPy"),
    ],
)
def test_a_python_or_machine_that_is_not_served_is_told_so_before_anything_is_made(tmp_path, change, reason):
    code, output = make(stub(tmp_path, change), tmp_path)
    assert code
    assert "Yacht Station runs on 64-bit Debian 12 or newer" in output
    assert "with Python 3.11 to 3.14. This is " in output
    assert reason in output
    assert not (tmp_path / "venv").exists()
    installed = call(
        "make", "install", f"PYTHON={tmp_path / 'python3'}", f"DESTDIR={tmp_path}/root", cwd=ROOT
    )
    assert installed.returncode
    assert reason in installed.stderr
    assert not (tmp_path / "root").exists()


def test_every_python_that_is_served_has_its_pins_and_stands_in_the_readme():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    listed = {line.rpartition(" ")[2] for line in project["classifiers"] if re.search(r":: 3\.\d+$", line)}
    assert set(pins.PYTHONS) == listed
    assert project["requires-python"] == ">=3.11,<3.15"
    served = call(
        sys.executable, "-c", "import served; print(served.PYTHONS, served.MACHINES)", cwd=ROOT / "systemd"
    )
    assert (
        served.stdout.strip()
        == f"{tuple((3, int(each[2:])) for each in pins.PYTHONS)} {tuple(reversed(pins.MACHINES))}"
    )
    assert "`python3` (3.11 to 3.14)" in (ROOT / "README.md").read_text(encoding="utf-8")
    assert HERE in pins.PYTHONS


def test_the_container_is_made_of_debian_and_all_that_the_program_needs():
    """`make -C lab chroot` carries it out; what is easily forgotten in it is found here."""
    file = (ROOT / "Containerfile").read_text(encoding="utf-8")
    taken = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    assert re.findall(r"^FROM (.+)$", file, re.MULTILINE) == ["debian:trixie-slim"], (
        "of no registry in particular"
    )
    for package in PACKAGES:
        assert f"COPY {package} {package}/\n" in file
        assert f"!{package}" in taken
    script = (ROOT / "systemd/debian-packages.sh").read_text(encoding="utf-8")
    (needed,) = re.findall(r'^runtime\)\n.*\n    packages="(.+)"$', script, re.MULTILINE)
    assert f"python3 python3-venv {needed} " in file
    assert "--require-hashes --requirement requirements/run.txt" in file


@pytest.mark.slow
def test_an_environment_sees_what_apt_brought_after_it_was_made(tmp_path):
    python, settings = stub(tmp_path), tmp_path / "venv/pyvenv.cfg"
    assert make(python, tmp_path)[0] == 0
    assert "include-system-site-packages = false" in settings.read_text()
    kept = tmp_path / "venv/kept"
    kept.touch()
    (tmp_path / "picamera2.py").touch()
    assert make(python, tmp_path)[0] == 0
    assert "include-system-site-packages = true" in settings.read_text()
    assert kept.exists(), "what was installed has gone"
    made_s = settings.stat().st_mtime_ns
    assert make(python, tmp_path)[0] == 0
    assert settings.stat().st_mtime_ns == made_s, "it is made again each time"


@pytest.mark.thorough
def test_no_isinstance_of_a_protocol_depends_on_the_python():
    """Up to 3.11 a data member is asked of the object, from 3.12 on it is looked for in its class."""
    with_data = [
        f"{path.relative_to(ROOT)}: {node.name}"
        for room in ("bench", *PACKAGES)
        for path in (ROOT / room).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
        and any("runtime_checkable" in ast.unparse(each) for each in node.decorator_list)
        and any(
            isinstance(each, ast.AnnAssign | ast.Assign) or getattr(each, "decorator_list", ())
            for each in node.body
        )
    ]
    assert with_data == []


@pytest.mark.thorough
def test_every_module_can_be_loaded():
    """Of most of them some test says more; what nothing tests is found here."""
    options = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["pytest"]
    packages = [
        each for each in options["ini_options"]["testpaths"] if (ROOT / each / "__init__.py").exists()
    ]
    assert "station" in packages
    for package in map(importlib.import_module, packages):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not module.name.endswith("__main__"):
                importlib.import_module(module.name)
