"""`make mutants`: the small changes of the rules and the game that neither a test nor a type notices.

mutmut changes each function in every small way it knows and runs the quick tests on it, within one process
that has imported everything already. What survives that is tried again by itself, as a file of a copy of the
project: by mypy, then by the tests from the start, with the doctests and those of the commands. So a change
in what happens at import, or in a type, is noticed as well.

`bench/mutants.toml` lists the survivors that may live, each with the reason why no test can tell it. An
entry whose change is noticed, or cannot be made any more, is told too. Exit code: 0 when every survivor is
explained.

Functions with decorators (properties, caches) and code of modules are not changed: mutmut cannot.
"""

import ast
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from queue import Queue

ROOT = Path(__file__).parent.parent
EXPLAINED = Path(__file__).with_suffix(".toml")
CORES = 2
QUICK = "not slow and not browser and not photos"
LAST_LOOK = ("tests/rules", "tests/game", "tests/table", "tests/commands", "station/rules", "station/game")
CLASS = "ǁ"
"""What mutmut sets between the parts of a method's name."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change: `was` in that line of the file becomes `becomes`. text: the whole file, changed."""

    file: str
    line: int
    was: str
    becomes: str
    text: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}\n    - {self.was}\n    + {self.becomes}"


def main() -> int:
    """Run all; print what lives."""
    shutil.rmtree(ROOT / "mutants", ignore_errors=True)
    shared = os.environ.get("YACHT_SHARED", str(ROOT.parent / "shared"))
    subprocess.run(
        [sys.executable, "-m", "mutmut", "run", "--max-children", str(CORES)],
        cwd=ROOT,
        env={**os.environ, "YACHT_SHARED": shared},
        check=True,
    )
    names, total = left()
    print(f"\n{total} changes, {len(names)} of them are looked at again", flush=True)
    copies: Queue[Path] = Queue()
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(CORES) as pool:
        for number in range(CORES):
            copies.put(copy_of_the_project(Path(folder) / str(number)))
        mutants = [mutant(name) for name in names]
        verdicts = pool.map(lambda each: survives(each, copies), mutants)
        alive = [each for each, lives in zip(mutants, verdicts, strict=True) if lives]
    explained = {
        (each["file"], each["was"], each["becomes"])
        for each in tomllib.loads(EXPLAINED.read_text(encoding="utf-8")).get("explained", [])
    }
    found = {(each.file, each.was, each.becomes) for each in alive}
    unexplained = [each for each in alive if (each.file, each.was, each.becomes) not in explained]
    print(*unexplained, sep="\n")
    for idle in sorted(explained - found):
        print(f"{idle[0]}: explained, but noticed or not there any more\n    - {idle[1]}\n    + {idle[2]}")
    share = len(alive) / total if total else 0
    print(
        f"{total} changes: {len(alive)} live ({share:.1%}), {len(alive) - len(unexplained)} of them explained"
    )
    return 1 if unexplained or explained - found else 0


def left() -> tuple[list[str], int]:
    """The names of the mutants that no test noticed or ran, and how many there are in all."""
    listed = subprocess.run(
        [sys.executable, "-m", "mutmut", "results", "--all", "true"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    told = [line.strip().rpartition(": ") for line in listed.splitlines() if "__mutmut_" in line]
    return [name for name, _, verdict in told if verdict in {"survived", "no tests", "suspicious"}], len(told)


def mutant(name: str) -> Mutant:
    """The change of that name, which holds module, class and function."""
    shown = subprocess.run(
        [sys.executable, "-m", "mutmut", "show", name], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    head = next(number for number, line in enumerate(shown) if line.startswith("--- "))
    file, hunk = shown[head][4:], shown[head + 3 :]
    mangled = name.partition("__mutmut_")[0].rpartition(".")[2]
    owner, function = mangled.split(CLASS)[1:] if CLASS in mangled else ("", mangled.removeprefix("x_"))
    indent = "    " if owner else ""
    source = (ROOT / file).read_text(encoding="utf-8")
    lines = source.splitlines()
    old, new = ([f"{indent}{line[1:]}".rstrip() for line in hunk if line[:1] != sign] for sign in "+-")
    first = next(
        at
        for start in starts(source, owner, function)
        for at in range(start, len(lines))
        if lines[at : at + len(old)] == old
    )
    text = "\n".join([*lines[:first], *new, *lines[first + len(old) :], ""])
    at = first + next(number for number, line in enumerate(hunk) if line[:1] != " ")
    was, becomes = (" ".join(line[1:].strip() for line in hunk if line[:1] == sign) for sign in "-+")
    return Mutant(file, at + 1, was, becomes, text)


def starts(source: str, owner: str, function: str) -> Iterator[int]:
    """The lines, numbered from 0, where a function of that name begins, in that class if one is named."""
    for node in ast.parse(source).body:
        inside = node.body if isinstance(node, ast.ClassDef) and node.name == owner else []
        for each in inside if owner else [node]:
            if isinstance(each, ast.FunctionDef) and each.name == function:
                yield each.lineno - 1


def copy_of_the_project(folder: Path) -> Path:
    """What git knows of it, as it is now."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in listed.splitlines():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).exists():
            shutil.copyfile(ROOT / name, folder / name)
    return folder


@contextmanager
def changed(copy: Path, mutant: Mutant) -> Iterator[None]:
    """The copy with the change made, until the end of the block."""
    file = copy / mutant.file
    before = file.read_text(encoding="utf-8")
    file.write_text(mutant.text, encoding="utf-8")
    try:
        yield
    finally:
        file.write_text(before, encoding="utf-8")


def survives(mutant: Mutant, copies: "Queue[Path]") -> bool:
    """Whether neither mypy nor a test notices the change, looked for in one of the copies."""
    copy = copies.get()
    try:
        with changed(copy, mutant):
            types = [sys.executable, "-m", "mypy", "-p", "station.rules", "-p", "station.game"]
            tests = [sys.executable, "-B", "-m", "pytest", "-q", "-x", "-m", QUICK, *LAST_LOOK]
            return all(passes(command, copy) for command in (types, tests))
    finally:
        copies.put(copy)


def passes(command: list[str], folder: Path) -> bool:
    """Whether a program ends well within five minutes; one that hangs has noticed, too."""
    environ = {**os.environ, "YACHT_SHARED": os.environ.get("YACHT_SHARED", str(ROOT.parent / "shared"))}
    try:
        ended = subprocess.run(
            command, cwd=folder, env=environ, capture_output=True, check=False, timeout=300
        )
    except subprocess.TimeoutExpired:
        return False
    return ended.returncode == 0


if __name__ == "__main__":
    sys.exit(main())
