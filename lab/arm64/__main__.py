"""`make arm64`: reads, advises and counts on an emulated Pi, compares with this machine, fills in the docs.

`ARGS=--kept` compares what the last run left in the cache. `ARGS=install` installs the station there instead,
tries it and runs quick tests. `bookworm` besides does either on Debian 12, and leaves the docs as they are.
"""

import os
import platform
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

from packaging.requirements import Requirement

from hardware.pages import DOCS, filled
from lab.arm64.verdict import Difference, compare, counted, estimates, load
from release.wheels import FILES, lines, pinned, pip_arguments

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
PYTHONS = {"trixie": "3.13", "bookworm": "3.11"}
"""Of each Debian there is; the first is the one the docs tell of."""
PROCESSOR = "cortex-a72"


def cache() -> Path:
    """Where Debian, wheels and results stay."""
    home = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))
    return Path(os.environ.get("YACHT_CACHE", home / "yacht-station"))


def install(python: str, folder: Path) -> None:
    """Unpack what a station needs for a Python, as wheels for a Pi; one that is missing ends it."""
    if (folder / "done").exists():
        return
    run = {Requirement(line).name for line in lines(FILES[0])}
    wanted = [f"{each.name}{each.specifier}" for each in pinned(python, "aarch64") if each.name in run]
    pip = (
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--upgrade",
        "--target",
        str(folder),
    )
    _call(*pip, *pip_arguments(python, "aarch64"), *wanted)
    (folder / "done").touch()


def try_here(out: Path) -> None:
    """The trial on this processor."""
    _call(sys.executable, "-m", "lab.arm64.trial", str(out))


def try_there(suite: str, folder: Path, out: Path, marks: Path) -> None:
    """The trial on the emulated one, in one process; its instructions are counted."""
    python = PYTHONS[suite]
    root = Path(_output(str(HERE / "root.sh"), suite))
    packages, plugin = folder / f"arm64-wheels-{python}", folder / "count.so"
    install(python, packages)
    _call("gcc", "-shared", "-fPIC", "-O2", "-o", str(plugin), str(HERE / "count.c"))
    marks.unlink(missing_ok=True)
    emulated = ("qemu-aarch64", "-cpu", PROCESSOR, "-L", str(root), "-plugin", f"{plugin},out={marks}")
    trial = (str(root / "usr" / "bin" / f"python{python}"), "-m", "lab.arm64.trial", str(out), "2")
    _call(*emulated, *trial, PYTHONPATH=f"{ROOT}:{packages}", PYTHONDONTWRITEBYTECODE="1")


def installed(suite: str) -> None:
    """Have `make install` install the station there, and try what it installed."""
    _call(str(HERE / "emulated.sh"), str(HERE / "install.sh"), suite, sys.executable)


def sentence(suite: str, found: Difference) -> str:
    """What the comparison gave, for the docs."""
    there, here = (
        f"Python {PYTHONS[suite]} on {PROCESSOR}",
        f"Python {platform.python_version()} on {platform.machine()}",
    )
    return (
        f"{datetime.now(tz=UTC):%Y-%m-%d}, Debian {suite}, {there}, against {here}:\n"
        f"of {found.readings} readings and {found.hints} hints {len(found.other)} differ in what they say;\n"
        f"readings with another last digit of a place, an angle or a confidence: {found.slightly}."
    )


def main() -> int:
    """Do it, write it down, and say what differs; 1 if something does."""
    documented = next(iter(PYTHONS))
    suite = next((each for each in PYTHONS if each in sys.argv), documented)
    if "install" in sys.argv:
        installed(suite)
        return 0
    folder = cache()
    of = "" if suite == documented else f"-{suite}"
    here, there, marks = (
        folder / f"arm64-{name}" for name in ("here.jsonl", f"there{of}.jsonl", f"marks{of}.txt")
    )
    if "--kept" not in sys.argv:
        folder.mkdir(parents=True, exist_ok=True)
        try_here(here)
        try_there(suite, folder, there, marks)
    found = compare(load(here), load(there))
    counts = counted(load(there), [int(line) for line in marks.read_text(encoding="ascii").splitlines()])
    for path, name, text in (
        (HERE.parent / "docs" / "virtual-pi.md", "arm64", sentence(suite, found)),
        (DOCS / "build.md", "estimates", estimates(counts)),
    ):
        if suite == documented:
            path.write_text(filled(path.read_text(encoding="utf-8"), {name: text}), encoding="utf-8")
        sys.stdout.write(f"{text}\n")
    for name in found.other:
        sys.stdout.write(f"differs: {name}\n")
    return 1 if found.other else 0


def _call(*words: str, **environ: str) -> None:
    """Run a program; it has to end well."""
    one_thread = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    subprocess.run(words, check=True, cwd=ROOT, env={**os.environ, **one_thread, **environ})


def _output(*words: str) -> str:
    """The line a program of ours prints."""
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout.strip()


if __name__ == "__main__":
    sys.exit(main())
