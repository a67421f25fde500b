"""`make without FEATURE=stakes`: types and quick tests of a copy without a feature, some, or `all`.

A copy of the project is made, with a git of its own. The feature's folder and its tests are deleted from it,
and its lines in `station/features/listed.py`; so are tools and tests that import it, themselves or by another
of them. Tests that only play by it have the mark `needs_feature` and are left out (`tests/conftest.py`).
What is installed is this checkout's; scripts are looked at where `make check` has brought what that takes.
`FEATURE=turns` takes two away, one after the other, others with each commit; `ARGS=--types` looks at types
only. Other options are pytest's, `ARGS="-k log"`.
"""

import argparse
import ast
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import venv
from pathlib import Path

from bench.project_copy import copy_of_the_project

ROOT = Path(__file__).parent.parent
FEATURES = Path("station", "features")
TESTS = Path("tests", "features")
QUICK = "not slow and not thorough and not browser and not photos"


def listed() -> tuple[str, ...]:
    """The names of all features: each has a folder."""
    return tuple(sorted(path.parent.name for path in (ROOT / FEATURES).glob("*/__init__.py")))


def taken_away(folder: Path, names: tuple[str, ...]) -> None:
    """Delete these features from the project in the folder."""
    lines = (folder / FEATURES / "listed.py").read_text(encoding="utf-8").splitlines(keepends=True)
    for name in names:
        for place in (FEATURES, TESTS):
            shutil.rmtree(folder / place / name, ignore_errors=True)
        imported = re.compile(rf"from station\.features\.{name}\.feature import (\w+)\n")
        classes = [found[1] for line in lines if (found := imported.fullmatch(line))]
        lines = [
            line
            for line in lines
            if not imported.fullmatch(line) and line.strip() not in [f"{each}()," for each in classes]
        ]
    (folder / FEATURES / "listed.py").write_text("".join(lines), encoding="utf-8")
    for path in users(folder, names):
        (folder / path).unlink()


def users(folder: Path, names: tuple[str, ...]) -> list[Path]:
    """Tools and tests that import these features, themselves or by another tool or test."""
    asks = {
        ".".join(path.relative_to(folder).with_suffix("").parts): _imported(path)
        for room in ("bench", "lab", "tests")
        for path in (folder / room).rglob("*.py")
    }
    gone = {".".join((*FEATURES.parts, name)) for name in names}
    found: set[str] = set()
    while more := {
        module
        for module, imports in asks.items()
        if module not in found and any(each in found or _within(each, gone) for each in imports)
    }:
        found |= more
    return sorted(Path(*module.split(".")).with_suffix(".py") for module in found)


def _imported(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{each.name}" for each in node.names)}
        elif isinstance(node, ast.Import):
            found |= {each.name for each in node.names}
    return found


def _within(module: str, packages: set[str]) -> bool:
    return any(f"{module}.".startswith(f"{each}.") for each in packages)


def environment(folder: Path) -> Path:
    """A Python for the project there, with what is installed here but this checkout itself."""
    venv.create(folder, symlinks=True)
    packages = next(folder.glob("lib/python*/site-packages"))
    paths = [sysconfig.get_path("purelib"), *(path for path in sys.path if path.endswith("dist-packages"))]
    (packages / "installed.pth").write_text("\n".join(paths) + "\n", encoding="utf-8")
    return folder / "bin" / "python"


def turns() -> list[tuple[str, ...]]:
    """Two features, by the number of commits."""
    printed = subprocess.run(
        ["git", "rev-list", "--count", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    every = listed()
    return [(every[(2 * int(printed.stdout) + more) % len(every)],) for more in range(2)]


def green(names: tuple[str, ...], options: list[str], *, types: bool) -> bool:
    """Whether types and quick tests say nothing without these features. types: only these."""
    with tempfile.TemporaryDirectory(prefix="without-") as kept:
        folder = copy_of_the_project(Path(kept, "project"))
        taken_away(folder, names)
        for call in (("init", "-q"), ("add", "-A")):
            subprocess.run(["git", *call], cwd=folder, check=True)
        if (cache := ROOT / ".mypy_cache").is_dir():
            shutil.copytree(cache, folder / ".mypy_cache")
        python = environment(Path(kept, "environment"))
        environ = os.environ | {"YACHT_WITHOUT": " ".join(names), "YACHT_SHARED": str(_shared())}
        environ.pop("PYTHONDONTWRITEBYTECODE", None)
        spread = ["--dist", "loadfile", "--no-loadscope-reorder", "--numprocesses", "2"]
        tests = ["-q", "-m", QUICK, *(options or spread)]
        ways: dict[str, list[Path | str]] = {"types": [python, "-m", "mypy"]}
        if (scripts := ROOT / "node_modules").is_dir():
            (folder / "node_modules").symlink_to(scripts)
            ways["types of the API"] = [python, "-m", "tests.web.browser_types"]
            ways["types of scripts"] = ["node_modules/.bin/tsc"]
        if not types:
            ways["quick tests"] = [python, "-m", "pytest", *tests]
        went = {
            way: subprocess.run(call, cwd=folder, env=environ, check=False).returncode == 0
            for way, call in ways.items()
        }
    summary = ", ".join(f"{way} {'green' if well else 'RED'}" for way, well in went.items())
    print(f"without {' and '.join(names)}: {summary}", flush=True)
    return all(went.values())


def _shared() -> Path:
    return Path(os.environ.get("YACHT_SHARED", ROOT.parent / "shared"))


def main() -> None:
    """Take away what is named, in one copy, and leave with 1 where something is not green."""
    parser = argparse.ArgumentParser(prog="python -m bench.without")
    parser.add_argument("features", nargs="+", choices=[*listed(), "all", "turns"])
    parser.add_argument("--types", action="store_true", help="leave the tests out")
    chosen, options = parser.parse_known_args()
    together = listed() if "all" in chosen.features else tuple(chosen.features)
    tries = turns() if "turns" in chosen.features else [together]
    went = [green(names, options, types=chosen.types) for names in tries]
    sys.exit(0 if all(went) else 1)


if __name__ == "__main__":
    main()
