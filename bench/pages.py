"""`python -m bench.pages [NAME…]`: measures, and writes the tables, with date and machine, into the docs.

Without a name that is the reader; `rest`, `page` and `memory` are sections of the bench. Each table stands
between `<!-- bench NAME -->` and `<!-- end -->`.
"""

import importlib
import io
import re
import sys
from collections.abc import Iterable
from contextlib import redirect_stdout
from datetime import UTC, datetime
from pathlib import Path

import cv2
import numpy as np

from bench.__main__ import SECTIONS, machine
from bench.baselines import BASELINES
from bench.reader import ReaderCount, measure, promised, reliability, sources, table

ROOT = Path(__file__).parent.parent
GROUPS = {
    "five white dice in a box, 1080p": ("seanwieser/Auto-Yahtzee",),
    "many colours on white, small and recompressed": ("nell-byler/dice_detection",),
    "oblique webcam on wood, blurred": ("matteop65/Dice_Detection_Recognition",),
}
OTHERS = "handheld, on carpet, wood, fabric, from nine more sources"


def placed(text: str, name: str, body: str) -> str:
    r"""The text with `body` between the marks of that name; ValueError where there are none.

    >>> placed("a <!-- bench x -->old<!-- end --> b", "x", "new")
    'a <!-- bench x -->\n\nnew\n\n<!-- end --> b'
    """
    begin = f"<!-- bench {name} -->"
    found, count = re.subn(
        f"{re.escape(begin)}.*?<!-- end -->",
        lambda _: f"{begin}\n\n{body}\n\n<!-- end -->",
        text,
        count=1,
        flags=re.DOTALL,
    )
    if not count:
        raise ValueError(f"There is no '{begin}' to write to.")
    return found


def _row(name: str, counts: Iterable[ReaderCount]) -> str:
    mine = list(counts)
    pictures, right = sum(c.pictures for c in mine), sum(c.right for c in mine)
    ms = np.median(np.concatenate([c.ms for c in mine]))
    others = [f"{sum(c.baselines[name].right for c in mine)} of {pictures}" for name in BASELINES]
    wrong, unsure = sum(c.wrong for c in mine), sum(c.unsure for c in mine)
    return f"| {name} | {right} of {pictures} | {wrong} | {unsure} | {ms:.0f} ms | {' | '.join(others)} |"


def short(photos: dict[str, ReaderCount], renders: dict[str, ReaderCount]) -> str:
    """The table of the README."""
    named = {source for group in GROUPS.values() for source in group}
    rows = [_row(name, (photos[source] for source in group)) for name, group in GROUPS.items()]
    rows.append(_row(OTHERS, (count for source, count in photos.items() if source not in named)))
    rows.append(_row("rendered trays: touching, leaning, hands, clutter, hard light", renders.values()))
    head = "| pictures | right | sure but wrong | unsure | median | blobs | outlines |"
    return "\n".join([head, "|---|---|---|---|---|---|---|", *rows])


def reader(when: str) -> dict[str, str]:
    """The tables of the reader, that of the README first."""
    cv2.setNumThreads(1)
    counts = {name: measure(pictures) for name, pictures in sources()}
    photos, renders = counts["photos"], counts["renders"]
    when = f"{when}, one OpenCV thread."
    return {
        "short": f"{short(photos, renders)}\n\n{when}",
        "photos": f"{when}\n\n{table(photos)}",
        "renders": table(renders),
        "reliability": reliability(photos | renders),
        "promise": promised(photos | renders),
    }


def printed(section: str) -> str:
    """What a section of the bench prints."""
    with redirect_stdout(io.StringIO()) as output:
        importlib.import_module(SECTIONS[section]).run()
    return output.getvalue().strip()


def main() -> None:
    """Measure what the command line names, and write it."""
    when = f"Measured on {datetime.now(UTC):%Y-%m-%d}, {machine()}"
    for section in sys.argv[1:] or ("reader",):
        bodies = reader(when) if section == "reader" else {section: f"{when}.\n\n{printed(section)}"}
        for name, body in bodies.items():
            path = ROOT / ("README.md" if name == "short" else "docs/measurements.md")
            path.write_text(placed(path.read_text(encoding="utf-8"), name, body), encoding="utf-8")


if __name__ == "__main__":
    main()
