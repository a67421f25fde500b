"""Every hard case of the simulated tray by name, drawn from fresh seeds: what the reader makes of it.

`make -C lab bench ARGS=simulated` draws 2,000 pictures (an hour on a slow machine). Fewer, other seeds,
single cases or a part of it: `ARGS="simulated --pictures 530 --first-seed 7000 --case glare --part 1/4"`.
The last lines are the bound that fresh pictures give (bench/promise.py): no seed of theirs taught anything.

Right: what the case demands (simulator/cases.py): read and every face true, or refused in
the right status. Right reason: refused and the reason that the case names is given. Wrong: ready, and it
should not be or a face is false. Unsure: not ready though all could be read.
"""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from bench import promise
from simulator.cases import CASES, Example, example
from vision.reader import Reader
from vision.reading import Reading, Status

PICTURES = 2000
FIRST_SEED = 10_000
"""Far from the seeds of the golden frames and of the tests."""


@dataclass(slots=True)
class Count:
    """What came out for one case."""

    pictures: int = 0
    right: int = 0
    wrong: int = 0
    unsure: int = 0
    reason: int = 0
    coloured: int = 0
    colours: int = 0


def judge(made: Example, reading: Reading, count: Count) -> None:
    """Add one reading to the count of its case."""
    count.pictures += 1
    accepted = made.expected.accepts(reading)
    ready = reading.status is Status.READY
    if CASES[made.case].to_be_read:
        count.right += accepted
        count.wrong += ready and not accepted
        count.unsure += not ready
    else:
        count.right += not ready
        count.wrong += ready
        count.reason += accepted
    for die in reading.dice:
        near = [
            one
            for one in made.dice
            if one.legible and np.hypot(*np.subtract(one.center, die.center)) < 0.3 * one.size
        ]
        count.colours += len(near[:1])
        count.coloured += bool(near) and near[0].colour is die.colour


def pictures(names: list[str], count: int, first_seed: int, part: tuple[int, int]) -> Iterator[Example]:
    """The examples: `count` in all, shared among the cases; of these the part k of n."""
    number = 0
    for seed in range(first_seed, first_seed + -(-count // len(names))):
        for name in names:
            if number < count and number % part[1] == part[0] - 1:
                yield example(name, seed)
            number += 1


def table(counts: dict[str, Count]) -> str:
    """The counts as a Markdown table; the last lines sum up what is to be read and what to be refused."""
    read, refused = Count(), Count()
    lines = ["| case | pictures | right | wrong | unsure | right reason |", "|---|---|---|---|---|---|"]
    for name, count in counts.items():
        total = read if CASES[name].to_be_read else refused
        for field in ("pictures", "right", "wrong", "unsure", "reason", "coloured", "colours"):
            setattr(total, field, getattr(total, field) + getattr(count, field))
        lines.append(_line(name, count, to_be_read=CASES[name].to_be_read))
    lines.append(_line("**all to be read**", read, to_be_read=True))
    lines.append(_line("**all to be refused**", refused, to_be_read=False))
    named, right = read.colours + refused.colours, read.coloured + refused.coloured
    most = promise.most_wrong(read.wrong + refused.wrong, read.pictures + refused.pictures)
    lines += ["", f"Of pictures like these at most {most:.2%} are ready and wrong (95 % certain)."]
    lines += ["", f"Colours of bodies: {right} of {named} named rightly ({right / max(named, 1):.1%})."]
    return "\n".join(lines)


def _line(name: str, count: Count, *, to_be_read: bool) -> str:
    n = max(count.pictures, 1)
    share = "" if to_be_read else f"{count.reason} ({count.reason / n:.1%})"
    return (
        f"| {name} | {count.pictures} | {count.right} ({count.right / n:.1%}) | {count.wrong} "
        f"| {count.unsure if to_be_read else ''} | {share} |"
    )


def measure(made: Iterator[Example]) -> dict[str, Count]:
    """Read every picture; one Count for each case, in the order of the register."""
    counts = {name: Count() for name in CASES}
    for one in made:
        judge(one, Reader(one.expected_dice).read(one.image), counts[one.case])
    return {name: count for name, count in counts.items() if count.pictures}


def run(arguments: tuple[str, ...] = ()) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m lab.bench.simulated", description=__doc__)
    parser.add_argument("--pictures", type=int, default=PICTURES)
    parser.add_argument("--first-seed", type=int, default=FIRST_SEED)
    parser.add_argument("--case", action="append", choices=list(CASES), help="only this one; may be repeated")
    parser.add_argument("--part", default="1/1", help="k/n: only the k-th of n parts of the pictures")
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    k, n = (int(number) for number in options.part.split("/"))
    print(table(measure(pictures(options.case or list(CASES), options.pictures, options.first_seed, (k, n)))))


if __name__ == "__main__":
    import sys

    run(tuple(sys.argv[1:]))
