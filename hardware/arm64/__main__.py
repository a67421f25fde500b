"""`make arm64`: reads, advises and counts on an emulated Pi, compares with this machine, fills in the docs.

`ARGS=--kept` compares what the last run left in the cache. `ARGS=install` installs the station there instead,
tries it and runs quick tests.
"""

import os
import platform
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

from packaging.requirements import Requirement

from hardware.arm64.verdict import Difference, compare, counted, estimates, load
from hardware.pages import DOCS, filled
from hardware.virtual_pi.wheels import FILES, lines, pinned, pip_arguments

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
SUITE, PYTHON, PROCESSOR = "trixie", "3.13", "cortex-a72"


def cache() -> Path:
    """Where Debian, wheels and results stay."""
    home = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))
    return Path(os.environ.get("YACHT_CACHE", home / "yacht-station"))


def install(folder: Path) -> None:
    """Unpack what a station needs, as wheels for a Pi; one that is missing ends it."""
    if (folder / "done").exists():
        return
    run = {Requirement(line).name for line in lines(FILES[0])}
    wanted = [f"{each.name}{each.specifier}" for each in pinned(PYTHON, "aarch64") if each.name in run]
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
    _call(*pip, *pip_arguments(PYTHON, "aarch64"), *wanted)
    (folder / "done").touch()


def try_here(out: Path) -> None:
    """The trial on this processor."""
    _call(sys.executable, "-m", "hardware.arm64.trial", str(out))


def try_there(folder: Path, out: Path, marks: Path) -> None:
    """The trial on the emulated one, in one process; its instructions are counted."""
    root = Path(_told(str(HERE / "root.sh"), SUITE))
    packages, plugin = folder / f"arm64-wheels-{PYTHON}", folder / "count.so"
    install(packages)
    _call("gcc", "-shared", "-fPIC", "-O2", "-o", str(plugin), str(HERE / "count.c"))
    marks.unlink(missing_ok=True)
    emulated = ("qemu-aarch64", "-cpu", PROCESSOR, "-L", str(root), "-plugin", f"{plugin},out={marks}")
    python = (str(root / "usr" / "bin" / f"python{PYTHON}"), "-m", "hardware.arm64.trial", str(out), "2")
    _call(*emulated, *python, PYTHONPATH=f"{ROOT}:{packages}", PYTHONDONTWRITEBYTECODE="1")


def installed() -> None:
    """Have `make install` install the station there, and try what it installed."""
    _call(str(HERE / "install.sh"), SUITE, sys.executable)


def sentence(found: Difference) -> str:
    """What the comparison gave, for the docs."""
    there, here = (
        f"Python {PYTHON} on {PROCESSOR}",
        f"Python {platform.python_version()} on {platform.machine()}",
    )
    return (
        f"{datetime.now(tz=UTC):%Y-%m-%d}, Debian {SUITE}, {there}, against {here}:\n"
        f"of {found.readings} readings and {found.hints} hints {len(found.other)} differ in what they say;\n"
        f"readings with another last digit of a place, an angle or a confidence: {found.slightly}."
    )


def main() -> int:
    """Do it, write it down, and say what differs; 1 if something does."""
    if "install" in sys.argv:
        installed()
        return 0
    folder = cache()
    here, there, marks = (folder / f"arm64-{name}" for name in ("here.jsonl", "there.jsonl", "marks.txt"))
    if "--kept" not in sys.argv:
        folder.mkdir(parents=True, exist_ok=True)
        try_here(here)
        try_there(folder, there, marks)
    found = compare(load(here), load(there))
    counts = counted(load(there), [int(line) for line in marks.read_text(encoding="ascii").splitlines()])
    for page, name, text in (
        ("virtual-pi.md", "arm64", sentence(found)),
        ("build.md", "estimates", estimates(counts)),
    ):
        path = DOCS / page
        path.write_text(filled(path.read_text(encoding="utf-8"), {name: text}), encoding="utf-8")
        sys.stdout.write(f"{text}\n")
    for name in found.other:
        sys.stdout.write(f"differs: {name}\n")
    return 1 if found.other else 0


def _call(*words: str, **environ: str) -> None:
    """Run a program; it has to end well."""
    one_thread = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    subprocess.run(words, check=True, cwd=ROOT, env={**os.environ, **one_thread, **environ})  # noqa: S603 - our own


def _told(*words: str) -> str:
    """The line a program of ours prints."""
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout.strip()  # noqa: S603 - our own


if __name__ == "__main__":
    sys.exit(main())
