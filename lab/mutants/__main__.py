"""`make mutants`: small changes of rules, game and features that neither types nor tests notice.

mutmut makes them: beside each function it writes one copy for every small change, and one of them runs at a
time. mypy checks all copies at once. Those that pass are tried with the quick tests and the doctests, each
in a process of its own (`forked_tests.py`). A change that no test reaches, because it runs at import, is
tried alone: as a file of a copy of the project, with all tests. Survivors are then tried with the tests
that read the sources, which notice a missing or an unused key.

`explained.toml` lists the permitted survivors, each with the reason why no test can notice it; an entry
that is noticed after all, or no longer exists, is reported too. Exit code: 0 if every survivor is
explained. `ARGS="station/rules/dice.py"` tries the changes in such files only. Results are stored in a
file; `ARGS=--resume` uses them and tries the rest: after an interruption, or with new tests.
`ARGS=--figures` counts the files that are complete. `ARGS="--sample 200"` tries that many at random and
estimates the share of survivors: minutes instead of hours.

Functions with decorators (properties, caches) and module code are not changed: mutmut cannot.
"""

import argparse
import ast
import difflib
import hashlib
import json
import math
import os
import random
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from mutmut.__main__ import copy_also_copy_files, copy_src_dir, create_mutants
from mutmut.configuration import config
from mutmut.mutation.trampoline import set_mutant_under_test

from bench.project_copy import copy_of_the_project
from lab.mutants.forked_tests import CORES, Verdict

ROOT = Path(__file__).parents[2]
COPIES = ROOT / "mutants"
VERDICTS = ROOT / ".mutants.jsonl"
"""What became of each change (`Mutant.key`), a line of JSON each, written as soon as it is known."""
EXPLAINED = Path(__file__).with_name("explained.toml")
PACKAGES = ("station/rules", "station/game", "station/features")
OPTIONS = (*("-q", "-m", "not slow and not browser and not photos", "--hypothesis-profile=ci"),)
CHECK = ("--no-warn-unused-ignores", "--output", "json", "--cache-dir", str(ROOT / ".mypy_cache" / "mutants"))
HANGS_S = 1800
ALIVE = (Verdict.LIVES, Verdict.UNREACHED)
SURE = 1.96
"""Standard deviations to either side within which 95 % of a normal distribution lie."""
READING = ("tests/messages/test_catalogues.py",)
"""Tests that read the sources; they do not work while all copies are in one file."""
TESTS = (*PACKAGES, "tests/rules", "tests/game", "tests/commands", "tests/table")
MARK, CLASS = "__mutmut_", "ǁ"
"""What mutmut sets before the number of a copy, and between the parts of a method's name."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change: `was` in that line of the file becomes `becomes`.

    name: of the copy, with its module. function: the name that all copies of one function share.
    span: the lines of the copy, from 1, without the last. code: the function, changed. text: the whole file.
    """

    file: str
    line: int
    was: str
    becomes: str
    name: str
    function: str
    span: tuple[int, int]
    code: str
    text: str

    @property
    def key(self) -> str:
        """What the change is known by from one run to the next."""
        return hashlib.sha256(f"{self.file} {self.function}\n{self.code}".encode()).hexdigest()

    @property
    def change(self) -> tuple[str, str, str]:
        """What an explanation names."""
        return self.file, self.was, self.becomes

    def __str__(self) -> str:
        return f"{self.file}:{self.line}\n    - {self.was}\n    + {self.becomes}"


def main(words: Sequence[str]) -> int:
    """Run all, or the changes in the files named only; print what lives."""
    parser = argparse.ArgumentParser(prog="make mutants", description="What no type and no test notices.")
    parser.add_argument("files", nargs="*", help="only the changes in these (default: all)")
    parser.add_argument("--resume", action="store_true", help="what was noticed before is not tried again")
    parser.add_argument(
        "--tests", action="append", metavar="PATH", help="by these tests only: a first sieve, for --resume"
    )
    parser.add_argument("--figures", action="store_true", help="of the files tried whole so far; try nothing")
    parser.add_argument("--sample", type=int, metavar="N", help="try N of them only, chosen at random")
    parser.add_argument("--seed", type=int, help="which N: the same ones for the same seed and sources")
    wanted = parser.parse_args(words)
    if wanted.files:
        config().only_mutate = wanted.files
    if not (wanted.resume or wanted.figures):
        VERDICTS.unlink(missing_ok=True)
    mutants = made()
    typed = well_typed(mutants)
    print(f"{len(mutants)} changes, {len(mutants) - len(typed)} of them noticed by mypy", flush=True)
    if wanted.sample:
        chosen = random.Random(wanted.seed).sample(typed, min(wanted.sample, len(typed)))  # noqa: S311 - no secret
        alive = unnoticed(chosen, wanted.tests)
        unexplained = [each for each in alive if not explained(each)]
        print(*unexplained, sep="\n")
        share = len(typed) / len(mutants)
        print(estimate(len(alive), len(chosen), share))
        print("without the explained ones", estimate(len(unexplained), len(chosen), share))
        return 0
    alive = unnoticed([] if wanted.figures else typed, wanted.tests)
    before = verdicts()
    if wanted.figures:
        alive = [each for each in typed if before.get(each.key) in ALIVE]
    unexplained = [each for each in alive if not explained(each)]
    print(*unexplained, sep="\n")
    tried = [each for each in mutants if each not in typed or each.key in before]
    whole = {each.file for each in mutants} - {each.file for each in set(mutants) - set(tried)}
    idle = {each for each in one_by_one() - {each.change for each in alive} if each[0] in whole}
    for file, was, becomes in sorted(idle):
        print(f"{file}: explained, but noticed or not there any more\n    - {was}\n    + {becomes}")
    print_figures([each for each in tried if each.file in whole], alive)
    print(f"{len(alive) - len(unexplained)} of the {len(alive)} that live are explained")
    return 1 if unexplained or idle else 0


@cache
def explanations() -> dict[str, list[dict[str, str]]]:
    """What `lab/mutants/explained.toml` says."""
    return tomllib.loads(EXPLAINED.read_text(encoding="utf-8"))


def one_by_one() -> set[tuple[str, str, str]]:
    """The changes that are explained, each by itself."""
    return {(each["file"], each["was"], each["becomes"]) for each in explanations()["explained"]}


def explained(mutant: Mutant) -> bool:
    """Whether there is a reason why it may live: its own, or that of all changes of its kind."""
    kinds = [(each["part"], each["becomes"]) for each in explanations()["kind"]]
    alike = any(mutant.was.replace(part, becomes, 1) == mutant.becomes for part, becomes in kinds)
    return alike or mutant.change in one_by_one()


def estimate(alive: int, tried: int, share: float) -> str:
    """What the survivors of a sample tell of all changes; `share` of all are such as were chosen from.

    The interval is Wilson's (Journal of the American Statistical Association 22, 1927).
    """
    rate, weight = alive / tried, SURE**2 / tried
    half = SURE * math.sqrt(rate * (1 - rate) / tried + weight / (4 * tried))
    low, high = ((rate + weight / 2 + side * half) / (1 + weight) for side in (-1, 1))
    return (
        f"{alive} of {tried} chosen at random live: {share * rate:.1%} of all changes "
        f"(95 % interval {share * low:.1%} to {share * high:.1%})"
    )


def print_figures(mutants: Iterable[Mutant], alive: Iterable[Mutant]) -> None:
    """Changes and survivors of each file, each package and all."""
    made_, live = (Counter(part for each in all_ for part in parts(each)) for all_ in (mutants, alive))
    for part in sorted(made_):
        print(f"{made_[part]:6} changes {live[part]:4} live {live[part] / made_[part]:6.1%}  {part}")


def parts(mutant: Mutant) -> tuple[str, ...]:
    """What the change is counted for."""
    package = next(each for each in PACKAGES if mutant.file.startswith(each))
    return (mutant.file, f"{package}/", "station/")


# -- making them -------------------------------------------------------------------------------------


def made() -> list[Mutant]:
    """All changes, with the copies of the functions in the folder of mutmut."""
    shutil.rmtree(COPIES, ignore_errors=True)
    COPIES.mkdir()
    os.chdir(ROOT)
    set_mutant_under_test("mutant_generation")
    copy_src_dir()
    copy_also_copy_files()
    create_mutants(CORES)
    files = sorted(path for package in PACKAGES for path in (COPIES / package).rglob("*.py"))
    return [mutant for path in files for mutant in mutants_of(str(path.relative_to(COPIES)))]


def mutants_of(file: str) -> Iterator[Mutant]:
    """The changes of one file."""
    copies = (COPIES / file).read_text(encoding="utf-8").splitlines()
    source = (ROOT / file).read_text(encoding="utf-8").splitlines()
    module = file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    wanted = originals("\n".join(source))
    for node in functions("\n".join(copies)):
        stem, mark, number = node.name.rpartition(MARK)
        if not mark or number == "orig":
            continue
        owner, name = stem.split(CLASS)[1:] if CLASS in stem else ("", stem.removeprefix("x_"))
        at, end = wanted[owner, name]
        old = source[at:end]
        new = [line.replace(node.name, name, 1) for line in copies[node.lineno - 1 : node.end_lineno]]
        hunks = [*difflib.unified_diff(old, new, n=0)][2:]
        was, becomes = (" ".join(line[1:].strip() for line in hunks if line[0] == sign) for sign in "-+")
        first = next((i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), len(new))
        span = (node.lineno, (node.end_lineno or node.lineno) + 1)
        text = "\n".join([*source[:at], *new, *source[end:], ""])
        name, function, code = f"{module}.{node.name}", f"{module}.{stem}", "\n".join(new)
        yield Mutant(file, at + first + 1, was, becomes, name, function, span, code, text)


def functions(source: str) -> list[ast.FunctionDef]:
    """Every function of a source, those within classes too."""
    return [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef)]


def originals(source: str) -> dict[tuple[str, str], tuple[int, int]]:
    """(class or "", function) -> its lines, from 0."""
    found = {}
    for node in ast.parse(source).body:
        inside = node.body if isinstance(node, ast.ClassDef) else [node]
        owner = node.name if isinstance(node, ast.ClassDef) else ""
        for each in inside:
            if isinstance(each, ast.FunctionDef):
                found[owner, each.name] = (each.lineno - 1, each.end_lineno or each.lineno)
    return found


# -- noticing them -----------------------------------------------------------------------------------


def well_typed(mutants: list[Mutant]) -> list[Mutant]:
    """The mutants that pass mypy. It reads all copies at once, each of them a function of its own."""
    packages = [word for package in PACKAGES for word in ("-p", package.replace("/", "."))]
    output = subprocess.run(
        [sys.executable, "-m", "mypy", *CHECK, *packages],
        cwd=COPIES, capture_output=True, text=True, check=False,
    ).stdout  # fmt: skip
    errors = {
        (each["file"], each["line"]) for each in map(json.loads, filter(str.strip, output.splitlines()))
    }
    return [each for each in mutants if not any((each.file, line) in errors for line in range(*each.span))]


def unnoticed(mutants: list[Mutant], tests: Sequence[str] | None = None) -> list[Mutant]:
    """The mutants that no quick test notices. tests: the tests to run; by default all."""
    before = verdicts()
    if not mutants:
        return []
    open_ = [each for each in mutants if before.get(each.key) not in {Verdict.NOTICED, Verdict.HANGS}]
    open_.sort(key=lambda each: each.key in before)  # what was not tried yet goes first
    with tempfile.TemporaryDirectory() as folder:
        tasks = Path(folder) / "tasks.json"
        tasks.write_text(json.dumps([(each.name, each.function, each.key, str(each)) for each in open_]))
        environ = environment() | {"YACHT_MUTANTS": str(tasks), "YACHT_VERDICTS": str(VERDICTS)}
        command = [sys.executable, "-m", "pytest", "-p", "lab.mutants.forked_tests", "--rootdir", "."]
        subprocess.run([*command, "-s", *OPTIONS, *(tests or TESTS)], cwd=COPIES, env=environ, check=True)
        so_far = verdicts()
        copy = copy_of_the_project(Path(folder) / "project")
        for each in () if tests else open_:
            if so_far[each.key] == Verdict.UNREACHED:
                try_alone(each, copy, TESTS)
            elif so_far[each.key] == Verdict.LIVES:
                try_alone(each, copy, READING)
    now = verdicts()
    return [each for each in mutants if now[each.key] in ALIVE]


def verdicts() -> dict[str, str]:
    """Key of a change -> what became of it, as far as it was tried."""
    lines = VERDICTS.read_text(encoding="utf-8").splitlines() if VERDICTS.exists() else ()
    return {each["key"]: each["verdict"] for each in map(json.loads, lines)}


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


def try_alone(mutant: Mutant, copy: Path, tests: Sequence[str]) -> None:
    """Write down whether one of these tests notices the change in a copy of the project."""
    command = [sys.executable, "-B", "-m", "pytest", "-x", *OPTIONS, *tests]
    verdict = Verdict.HANGS
    with changed(copy, mutant), suppress(subprocess.TimeoutExpired):
        ended = subprocess.run(
            command, cwd=copy, env=environment(), capture_output=True, check=False, timeout=HANGS_S
        )
        verdict = Verdict.NOTICED if ended.returncode else Verdict.LIVES
    with VERDICTS.open("a", encoding="utf-8") as file:
        file.write(json.dumps({"key": mutant.key, "verdict": verdict}) + "\n")


def environment() -> dict[str, str]:
    """That of the tests, which look beside the project for worked examples."""
    return {"YACHT_SHARED": str(ROOT.parent / "shared"), **os.environ}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
