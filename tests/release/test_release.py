"""What a release is made of: wheel and source hold everything, and the wheel runs far from the checkout."""

import os
import subprocess
import sys
import tomllib
import zipfile
from configparser import ConfigParser
from pathlib import Path

import pytest

from release import notes, trial
from release.__main__ import build, constraints, git, hashes
from release.site import PACKAGES
from tests.conftest import ROOT

NOT_RUN = {"web/core/calibrate_parts.d.ts", "web/core/parts.d.ts", "web/core/types.d.ts"}
"""Read by the checks of the scripts alone."""


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    build("HEAD", folder)
    return folder


def listed(*folders: str) -> set[str]:
    call = ["git", "ls-tree", "-r", "--name-only", "HEAD", "--", *folders]
    return set(subprocess.run(call, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split())


@pytest.mark.slow
def test_the_wheel_holds_every_file_of_the_product_and_no_other(dist: Path):
    with zipfile.ZipFile(next(dist.glob("*.whl"))) as wheel:
        held = {
            name.partition(".data/data/share/yacht-station/")[2] or name
            for name in wheel.namelist()
            if ".dist-info/" not in name
        }
        about = [name for name in wheel.namelist() if name.endswith("METADATA")]
        metadata = wheel.read(about[0]).decode()
        (points,) = (name for name in wheel.namelist() if name.endswith("entry_points.txt"))
        found = ConfigParser()
        found.read_string(wheel.read(points).decode())
    assert held == listed(*PACKAGES, "systemd", "requirements/run.txt") - NOT_RUN
    project = tomllib.loads(git("show", "HEAD:pyproject.toml"))[
        "project"
    ]  # in a release, not that of the folder
    assert f"Version: {project['version']}\n" in metadata
    assert dict(found["yacht.extra"]) == project["entry-points"]["yacht.extra"]


@pytest.mark.slow
def test_the_wheel_shows_its_pages_far_from_the_checkout(dist: Path, tmp_path: Path):
    """Its own files alone; what it needs is this environment's. `make release` does it in one of its own."""
    unpacked = tmp_path / "unpacked"
    with zipfile.ZipFile(next(dist.glob("*.whl"))) as wheel:
        wheel.extractall(unpacked)
    start = f"import sys; sys.path.insert(0, {str(unpacked)!r}); import station.cli as cli;"
    start += f"assert cli.__file__.startswith({str(unpacked)!r}); cli.main()"
    trial.pages([sys.executable, "-c", start], tmp_path)


def test_pipx_is_bound_to_one_numpy_that_opencv_takes():
    """OpenCV asks for numpy 2; the older one is for what apt brings on a Pi, which pipx does not see."""
    found = constraints(ROOT / "requirements" / "run.txt")
    names = [line.partition("==")[0] for line in found]
    assert sorted(set(names)) == sorted(names)
    assert "numpy==2" in "\n".join(found)
    assert not [line for line in found if ";" in line]


@pytest.mark.slow
def test_hashes_are_those_that_are_checked_with(dist: Path):
    (dist / "SHA256SUMS").unlink(missing_ok=True)
    (dist / "SHA256SUMS").write_text(hashes(dist))
    checked = subprocess.run(
        ["sha256sum", "--check", "--strict", "SHA256SUMS"], cwd=dist, capture_output=True, check=False
    )
    assert checked.returncode == 0, checked.stderr


@pytest.mark.parametrize("version", ["0.1.0", "0.0.9", "0.2", "1.0.0rc1", "v0.2.0", "0.2.0 ", "", "two"])
def test_a_number_that_is_not_higher_or_no_number_is_refused(version: str):
    with pytest.raises(notes.NotReleasableError, match=r"0\.1\.0"):
        notes.numbered('version = "0.1.0"\n', version)


def test_a_version_with_nothing_to_say_is_refused():
    for changes in ("# Changes\n", "# Changes\n\n## 0.2.0 (2026-11-22)\n\n## 0.1.0 (2026-11-21)\n\n- All.\n"):
        with pytest.raises(notes.NotReleasableError, match=r"CHANGELOG"):
            notes.notes(changes, "0.2.0")


def test_the_next_section_is_made_of_every_fragment():
    """Each of a known kind: towncrier refuses any other file in changelog.d."""
    draft = ("build", "--draft", "--version", "99.0.0", "--date", "2026-11-28")
    made = subprocess.run(
        [sys.executable, "-m", "towncrier", *draft], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    fragments = {path.name: path.read_text().strip() for path in (ROOT / "changelog.d").glob("*.*.md")}
    assert {name for name, text in fragments.items() if f"{text.removeprefix('- ')}\n" not in made} == set()


@pytest.mark.slow
def test_what_was_not_committed_is_not_released(tmp_path: Path):
    copy = tmp_path / "copy"
    subprocess.run(["git", "clone", "-q", "--shared", str(ROOT), str(copy)], check=True)
    (copy / "README.md").write_text("Changed.")
    refused = subprocess.run(
        [sys.executable, "-m", "release", "99.0.0"],
        cwd=copy,
        env=os.environ | {"PYTHONPATH": str(copy)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (refused.returncode, refused.stderr) == (
        1,
        "release: commit first: something here is in no commit.\n",
    )
