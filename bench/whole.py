"""The whole table, for our reader or any other that is a command: photographs, renders, simulated trays.

`make bench ARGS='reader --reader "CMD"'` reads with CMD; with other options only, with ours. CMD is called
with `--dice N` and the paths of pictures, and prints for each picture one JSON object a line, as `yacht read
--json` does: at least `file`, `status` (`ready` or not) and `faces`; `reasons` and `ms` if it has them.
`--photographs FOLDER` takes those that a manifest.csv there lists (`bench.reader.photographs`) instead of
those beside the project. `--half tuned` (or `kept`) takes only the sources of one half: a change of the
reader is looked at with the first; the second is measured when the change is done. Which source is in which
half follows from its name alone. `--simulated N` draws that many pictures of every simulated case. `--unsure
FILE` writes a page that lists every picture that is not right, by its name, with the answer.

Right: ready and every face true, or refused where not every die can be read. One fewer, one more expected:
how often it is ready all the same, though a die was struck out or invented.
"""

import argparse
import hashlib
import json
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from bench import promise
from bench.reader import DICE_MAX, SHARED, LabelledPicture, photographs, renders
from simulator.cases import CASES, example
from vision.picture import load
from vision.reader import Reader
from vision.reading import Status

HALVES = ("tuned", "kept")
READ = {"photos": photographs, "renders": renders, "renders2": renders}
FIRST_SEED = 40_000
AT_ONCE = 50
"""Pictures handed to a command at once."""


@dataclass(frozen=True, slots=True)
class ReadResult:
    """What a reader says of one picture. ms: nan where it does not say."""

    ready: bool
    faces: tuple[int, ...]
    reasons: tuple[str, ...] = ()
    ms: float = np.nan
    empty: bool = False


ReadAll = Callable[[Sequence[Path], int], list[ReadResult]]
"""Reads pictures in which this many dice are expected."""


def ours(paths: Sequence[Path], dice: int) -> list[ReadResult]:
    """What our reader says."""
    readings = [Reader(dice, clock=time.thread_time).read(load(path)) for path in paths]
    return [_result(reading.to_json()) for reading in readings]


def by_command(command: str) -> ReadAll:
    """A reader that is a command; it is called with at most AT_ONCE pictures."""

    def read(paths: Sequence[Path], dice: int) -> list[ReadResult]:
        results: dict[str, ReadResult] = {}
        for start in range(0, len(paths), AT_ONCE):
            some = [str(path) for path in paths[start : start + AT_ONCE]]
            call = [*shlex.split(command), "--dice", str(dice), *some]
            try:
                out = subprocess.run(call, stdout=subprocess.PIPE, text=True, check=False).stdout
            except OSError as error:
                sys.exit(f"The reader cannot be run: {error}.")
            try:
                results |= {one["file"]: _result(one) for one in map(json.loads, out.splitlines())}
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                sys.exit(f"What the reader prints is no reading as 'yacht read --json' prints it: {error!r}.")
        # a picture without a line is not read
        return [
            results.get(str(path), ReadResult(ready=False, faces=(), reasons=("nothing said",)))
            for path in paths
        ]

    return read


def _result(found: dict[str, object]) -> ReadResult:
    faces, reasons, ms = found.get("faces", []), found.get("reasons", []), found.get("ms", np.nan)
    status = found["status"]
    return ReadResult(
        status == Status.READY.value,
        tuple(sorted(int(face) for face in faces)),  # type: ignore[attr-defined]
        tuple(str(reason) for reason in reasons),  # type: ignore[attr-defined]
        float(ms),  # type: ignore[arg-type]
        status == Status.EMPTY.value,
    )


def half_of(name: str) -> str:
    """To which half the set `name` belongs.

    >>> half_of("Auto-Yahtzee"), half_of("DiceDetection")
    ('kept', 'tuned')
    """
    return HALVES[hashlib.sha1(name.encode(), usedforsecurity=False).digest()[0] % 2]


def beside_the_project() -> Iterator[LabelledPicture]:
    """The photographs and renders there."""
    for folder, source in READ.items():
        if (SHARED / folder).is_dir():
            yield from source(SHARED / folder)
        else:
            print(f"The folder {folder}/ is not beside the project: nothing to read.")


def simulated(each: int, folder: Path) -> Iterator[LabelledPicture]:
    """That many pictures of every case of the simulated tray, drawn into the folder."""
    for name, case in CASES.items():
        for seed in range(FIRST_SEED, FIRST_SEED + each):
            made, path = example(name, seed), folder / f"{name.replace(' ', '-')}-{seed}.png"
            cv2.imwrite(str(path), made.image)
            faces = tuple(sorted(die.face for die in made.dice))
            # wrong numbers of dice are tried with every picture anyhow
            if made.expected_dice == max(1, len(faces)) or not faces:
                yield LabelledPicture(path, f"simulated {name}", faces, readable=case.to_be_read or not faces)


@dataclass(slots=True)
class WholeCount:
    """What came out for one set. fewer, more: of how many, and how often it was ready."""

    right: int = 0
    wrong: int = 0
    unsure: int = 0
    fewer: list[bool] = field(default_factory=list)
    more: list[bool] = field(default_factory=list)
    ms: list[float] = field(default_factory=list)

    def add(self, other: "WholeCount") -> None:
        """Count the other's pictures too."""
        for name in self.__slots__:
            setattr(self, name, getattr(self, name) + getattr(other, name))

    def line(self, name: str) -> str:
        """A row of the table."""
        pictures = self.right + self.wrong + self.unsure
        known = [one for one in self.ms if np.isfinite(one)]
        time = f"{np.median(known):.0f} | {np.percentile(known, 99):.0f}" if known else "|"
        share = f"{self.right} ({self.right / pictures:.1%})"
        silent = " | ".join(f"{sum(one)} of {len(one)}" if one else "" for one in (self.fewer, self.more))
        return f"| {name} | {pictures} | {share} | {self.wrong} | {self.unsure} | {silent} | {time} |"


def measure(some: Iterable[LabelledPicture], read: ReadAll) -> tuple[dict[str, WholeCount], list[str]]:
    """One Count for each set, and a line for every picture that is not right, or is with another count."""
    by_dice: dict[int, list[LabelledPicture]] = {}
    for picture in some:
        by_dice.setdefault(len(picture.faces), []).append(picture)
    counts: dict[str, WholeCount] = {}
    lines = []
    for dice, there in sorted(by_dice.items()):
        for picture, result in zip(there, read([one.path for one in there], max(1, dice)), strict=True):
            count = counts.setdefault(picture.name, WholeCount())
            count.ms.append(result.ms)
            lines += _judged(picture, result, count)
        whole = [one for one in there if one.readable and one.legible and one.faces]
        for other, name in ((dice - 1, "fewer"), (dice + 1, "more")):
            if 0 < other <= DICE_MAX:
                for picture, result in zip(whole, read([one.path for one in whole], other), strict=True):
                    getattr(counts[picture.name], name).append(result.ready)
                    if result.ready:
                        lines.append(_line(picture, result, f"**ready**, {other} expected"))
    return counts, sorted(lines)


def _judged(picture: LabelledPicture, result: ReadResult, count: WholeCount) -> list[str]:
    if picture.right(result.faces, ready=result.ready, empty=result.empty):
        count.right += 1
        return []
    count.wrong += result.ready
    count.unsure += not result.ready
    answer = (
        "**ready**"
        if result.ready
        else ", ".join(result.reasons) or ("empty" if result.empty else "not ready")
    )
    return [_line(picture, result, answer)]


def _line(picture: LabelledPicture, result: ReadResult, result_text: str) -> str:
    there, read = ("-".join(map(str, faces)) or "none" for faces in (picture.faces, result.faces))
    return f"| {picture.name} | {picture.path.name} | {there} | {read} | {result_text} |"


def table(counts: dict[str, WholeCount]) -> str:
    """The counts as a Markdown table, their sum, and what it promises."""
    every = WholeCount()
    for count in counts.values():
        every.add(count)
    head = "| set | pictures | right | sure but wrong | unsure | one fewer: ready | one more: ready "
    head += "| ms | p99 ms |"
    lines = [count.line(name) for name, count in sorted(counts.items())]
    if not lines:
        return "There are no pictures to read."
    most = promise.most_wrong(every.wrong, every.right + every.wrong + every.unsure)
    bound = f"Of pictures like these at most {most:.2%} are read surely but wrongly (95 % certain)."
    return "\n".join([head, "|---" * 9 + "|", *lines, every.line("**all**"), "", bound])


def page(lines: Sequence[str]) -> str:
    """The page of what is not right: pictures by name only, for most may not be copied."""
    head = ["# Pictures that are not read rightly", "", "| set | picture | there | read | said |"]
    return "\n".join([*head, "|---" * 5 + "|", *lines, ""])


def run(arguments: tuple[str, ...] = ()) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="make bench ARGS=reader", description=__doc__)
    parser.add_argument("--reader", help="a command; left out: ours")
    parser.add_argument("--photographs", type=Path, help="a folder of photographs with a manifest.csv")
    parser.add_argument("--half", choices=HALVES, help="only the sources of this half")
    parser.add_argument("--simulated", type=int, default=0, help="pictures of every simulated case")
    parser.add_argument("--unsure", type=Path, help="write the page of what is not right there")
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    read = by_command(options.reader) if options.reader else ours
    with tempfile.TemporaryDirectory() as folder:
        if options.photographs:
            some = list(photographs(options.photographs))
        else:
            some = list(beside_the_project()) if SHARED.is_dir() else []
            some = [one for one in some if options.half in {None, half_of(one.name)}]
        drawn = simulated(options.simulated, Path(folder))
        some += [one for one in drawn if options.half in {None, half_of(one.name)}]
        counts, lines = measure(some, read)
    print(table(counts))
    if options.unsure:
        options.unsure.write_text(page(lines), encoding="utf-8")


if __name__ == "__main__":
    run(tuple(sys.argv[1:]))
