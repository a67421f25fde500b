"""`make release VERSION=0.2.0`: number and notes, every check, wheel, source, list of parts, hashes, a trial.

With VERSION the tree has to be clean; number and notes are written, `make check` and `make test` have to
pass, and both become a commit with a tag. Without it nothing is written, and this commit is built.
Everything lies in `dist/` afterwards.
"""

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from packaging.requirements import Requirement
from packaging.version import Version

from release import trial, update_file
from release.notes import SEMVER, NotReleasableError, current, notes, numbered
from release.pins import PYTHONS
from release.source import ROOT, write_out
from release.wheels import lines

DIST = ROOT / "dist"
PROJECT, CHANGES = ROOT / "pyproject.toml", ROOT / "CHANGELOG.md"
BUILD = "from setuptools.build_meta import build_{0}; build_{0}({1!r})"


def git(*arguments: str) -> str:
    """What git says. Raises CalledProcessError."""
    done = subprocess.run(("git", *arguments), cwd=ROOT, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def write(version: str, checks: list[str]) -> None:
    """Write number and notes, let the checks pass, commit and tag. If they fail the files stay.

    Raises NotReleasableError and CalledProcessError.
    """
    if git("status", "--porcelain"):
        raise NotReleasableError("commit first: something here is in no commit")
    changed = (PROJECT, CHANGES, ROOT / "changelog.d")
    try:
        PROJECT.write_text(numbered(PROJECT.read_text(encoding="utf-8"), version), encoding="utf-8")
        section = ("build", "--yes", "--version", version, "--date", f"{datetime.now(UTC):%F}")
        subprocess.run((sys.executable, "-m", "towncrier", *section), cwd=ROOT, check=True)
        notes(CHANGES.read_text(encoding="utf-8"), version)  # there has to be something to say
        for target in checks:
            subprocess.run(("make", target), cwd=ROOT, check=True)
    except BaseException:
        git("restore", "--staged", "--worktree", *map(str, changed))
        raise
    git("commit", "--quiet", "--message", f"Release {version}", *map(str, changed))
    git("tag", "--annotate", f"v{version}", "--message", f"Yacht Station {version}")


def build(commit: str, into: Path) -> tuple[Path, Path]:
    """Wheel and source of a commit, by the setuptools of this environment."""
    environ = {**os.environ, "SOURCE_DATE_EPOCH": git("show", "--no-patch", "--format=%ct", commit)}
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder)
        write_out(commit, source)
        for kind in ("sdist", "wheel"):
            call = (sys.executable, "-c", BUILD.format(kind, str(into)))
            subprocess.run(call, cwd=source, check=True, env=environ, capture_output=True)
    return next(into.glob("*.whl")), next(into.glob("*.tar.gz"))


def constraints(pins: Path) -> tuple[str, ...]:
    """What pipx is bound to, for every Python: the numpy that OpenCV asks for.

    An environment of pipx sees nothing of apt's, which needs the older one beside Python 3.11.
    """
    newest = {"python_version": PYTHONS[-1]}
    wanted = (Requirement(line) for line in lines(pins))
    return tuple(
        f"{each.name}{each.specifier}"
        for each in wanted
        if each.marker is None or each.marker.evaluate(newest)
    )


def pins_before(version: str, folder: Path) -> Path | None:
    """What the release before this one was pinned to, laid into a folder; None where it is the first."""
    tags = git("tag", "--list", "v*", "--merged", "HEAD").split()
    earlier = [tag for tag in tags if SEMVER.fullmatch(tag[1:]) and Version(tag[1:]) < Version(version)]
    if not earlier:
        return None
    found = folder / "run.txt"
    tag = max(earlier, key=lambda each: Version(each[1:]))
    found.write_text(git("show", f"{tag}:requirements/run.txt") + "\n", encoding="utf-8")
    return found


def hashes(folder: Path) -> str:
    """Of every file, as `sha256sum --check` reads them."""
    files = sorted(each for each in folder.iterdir() if each.is_file())
    return "".join(f"{hashlib.sha256(each.read_bytes()).hexdigest()}  {each.name}\n" for each in files)


def main() -> int:
    """Make the release; 1 with a sentence where it cannot be."""
    wanted = argparse.ArgumentParser(prog="make release", description=__doc__)
    wanted.add_argument(
        "version", nargs="?", help="the number of the release; left out: the one of this commit"
    )
    wanted.add_argument("--checks", default="check test", help="the targets of make that have to pass before")
    arguments = wanted.parse_args()
    try:
        if arguments.version:
            write(arguments.version, arguments.checks.split())
        version = current(PROJECT.read_text(encoding="utf-8"))
        section = notes(CHANGES.read_text(encoding="utf-8"), version)
        shutil.rmtree(DIST, ignore_errors=True)
        DIST.mkdir()
        wheel, _ = build("HEAD", DIST)
        (DIST / "NOTES.md").write_text(section, encoding="utf-8")
        pins = ROOT / "requirements" / "run.txt"
        shutil.copyfile(pins, DIST / "requirements.txt")
        (DIST / "constraints.txt").write_text("\n".join((*constraints(pins), "")), encoding="utf-8")
        (DIST / "sbom.json").write_text(trial.fresh(wheel, DIST / "requirements.txt"), encoding="utf-8")
        with tempfile.TemporaryDirectory() as folder:
            update_file.make(DIST, version, wheel, section, pins, pins_before(version, Path(folder)))
        (DIST / "SHA256SUMS").write_text(hashes(DIST), encoding="utf-8")
    except NotReleasableError as error:
        sys.stderr.write(f"release: {error}.\n")
        return 1
    except subprocess.CalledProcessError as error:
        sys.stderr.write(f"release: {error}\n{error.stderr or ''}\n")
        return 1
    sys.stdout.write(f"Yacht Station {version}, tried in a fresh environment: {DIST}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
