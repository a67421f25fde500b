"""The two networks on makers of whom nothing taught, picture by picture, beside today's reader.

Both are asked with the true number of dice, with one fewer and one more, where every sure answer is wrong,
and with none told. What the networks see at every size is kept in a file, and their answers are worked out
from it, by the code that reads. A threshold is never judged on a maker whose pictures it was fitted to.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from bench import promise
from lab.training.reader.sources import Picture
from lab.two_networks.faces import Seen
from lab.two_networks.places import LONG_SIDES, Place
from lab.two_networks.reader import TwoNetworks
from lab.two_networks.verdict import Verdict, settled
from vision.picture import load
from vision.reader import Reader
from vision.reading import Status

LEVELS = (0.5, 0.7, 0.9)
MOST_DICE = 40
WANTED = 0.01
"""The largest expected share of pictures that are read surely and wrongly, with any given number of dice."""
EMPTY = 0.25
"""Empty pictures show nothing likelier to be a die than this part of the least likely one of others."""
LEAST_READY, NEVER = 0.5, 2.0
HEAD = "| pictures of | number | every face right | " + " | ".join(
    f"sure and right, {level} (wrong)" for level in LEVELS
) + " | by a threshold of the others | one fewer or more: sure | number not told "  # fmt: skip
HEAD += "| today | one fewer or more: sure | number not told |"


@dataclass(frozen=True, slots=True)
class Today:
    """The result of today's reader for a picture: the faces, and whether it was sure of them.

    with_count, without_count: with the true number of dice, with none. astray: sure with one fewer or more.
    """

    with_count: tuple[tuple[int, ...], bool]
    astray: bool
    without_count: tuple[tuple[int, ...], bool]


@dataclass(frozen=True, slots=True)
class Row:
    """One picture: its maker and group, its truth, and both readers' results.

    with_count, astray, without_count: as in `Today`, but verdicts. today: None if today's reader did not run.
    """

    maker: str
    group: str
    faces: tuple[int, ...]
    with_count: Verdict
    astray: tuple[Verdict, ...]
    without_count: Verdict
    today: Today | None

    @property
    def right(self) -> bool:
        """Whether every face is right with the number of dice."""
        return self.with_count.faces == self.faces

    @property
    def right_without_count(self) -> bool:
        """Whether every face is right without the number of dice."""
        return self.without_count.faces == self.faces

    @property
    def wrongly_sure(self) -> float:
        """The sureness of the surest wrong answer; 0 for none."""
        wrong = [one.sure for one in self.astray]
        wrong += [] if self.right else [self.with_count.sure]
        wrong += [] if self.right_without_count else [self.without_count.sure]
        return max(wrong, default=0.0)


def read_all(networks: TwoNetworks, pictures: Iterable[Picture], kept: Path, shared: Path) -> None:
    """Write the networks' output, a line a picture, into the file `kept`; continues where it ended."""
    done = {line["file"] for line in _lines(kept)}
    with kept.open("a", encoding="utf-8") as lines:
        for picture in pictures:
            name = str(picture.path.relative_to(shared))
            if name in done:
                continue
            image = np.asarray(cv2.imread(str(picture.path)), np.uint8)
            seen = {str(side): as_json(networks.look(image, side)) for side in LONG_SIDES}
            lines.write(json.dumps({"file": name, "seen": seen}) + "\n")
            lines.flush()


def read_today(pictures: Sequence[Picture], kept: Path, shared: Path) -> None:
    """Write the results of the shipped reader into the file `kept`; continues where it ended."""
    done = {line["file"] for line in _lines(kept)}
    with kept.open("a", encoding="utf-8") as lines:
        for picture in pictures:
            name = str(picture.path.relative_to(shared))
            count = len(picture.faces)
            if name in done or not 0 < count < MOST_DICE:
                continue
            image = load(picture.path)
            counts = {"told": count, "fewer": max(1, count - 1), "more": count + 1, "untold": None}
            results = {question: Reader(dice).read(image).to_json() for question, dice in counts.items()}
            lines.write(json.dumps({"file": name, **results}) + "\n")
            lines.flush()


def rows(pictures: Iterable[Picture], kept: Path, today: Path, shared: Path) -> list[Row]:
    """The stored results of both readers, with the truth; pictures of too many dice are left out."""
    mine, ships = ({one["file"]: one for one in _lines(path)} for path in (kept, today))
    found = []
    for picture in pictures:
        name = str(picture.path.relative_to(shared))
        if name not in mine or len(picture.faces) >= MOST_DICE:
            continue
        looks = [from_json(mine[name]["seen"][str(side)]) for side in LONG_SIDES]
        count = len(picture.faces)
        astray = tuple(settled(looks, n) for n in (count - 1, count + 1) if n > 0)
        verdicts = settled(looks, count or 1), astray, settled(looks, None)
        today_said = _of_today(ships[name], count) if name in ships else None
        found.append(Row(picture.maker, picture.group, tuple(sorted(picture.faces)), *verdicts, today_said))
    return found


def _of_today(result: dict[str, Any], count: int) -> Today:
    faces, sure = (
        {question: result[question][what] for question in ("told", "fewer", "more", "untold")}
        for what in ("faces", "status")
    )
    ready = {question: status == Status.READY for question, status in sure.items()}
    with_count, without_count = ((tuple(faces[question]), ready[question]) for question in ("told", "untold"))
    return Today(with_count, ready["more"] or (count > 1 and ready["fewer"]), without_count)


def _lines(path: Path) -> list[dict[str, Any]]:
    return (
        [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []
    )


def as_json(seen: Sequence[Seen]) -> list[dict[str, Any]]:
    """For a file in which looks are kept."""
    return [
        {
            "x": round(one.place.x, 1),
            "y": round(one.place.y, 1),
            "size": round(one.place.size, 1),
            "heat": round(one.place.heat, 4),
            "odds": [round(v, 5) for v in one.odds],
        }
        for one in seen
    ]


def from_json(kept: Sequence[dict[str, Any]]) -> tuple[Seen, ...]:
    """As it was kept."""
    return tuple(Seen(Place(k["x"], k["y"], k["size"], k["heat"]), tuple(k["odds"])) for k in kept)


def fitted(measured: Sequence[Row]) -> float:
    """The least sureness from which on a reading is ready, by the pictures of `measured`."""
    answers = [promise.Verdict(one.wrongly_sure, one.wrongly_sure > 0) for one in measured]
    return min(max(promise.least_confidence(answers, WANTED), LEAST_READY), NEVER)


def fitted_empty(measured: Sequence[Row]) -> float:
    """How likely a die something may be in an empty picture, by the pictures of `measured`."""
    return EMPTY * min((one.with_count.likeliest for one in measured if one.faces), default=0.0)


def table(measured: Sequence[Row]) -> Iterator[str]:
    """What both readers make of pictures, in Markdown: for each group and for all; then the bounds."""
    with_dice = [one for one in measured if one.faces]
    groups = sorted({one.group for one in with_dice})
    limit = {
        maker: fitted([one for one in measured if one.maker != maker])
        for maker in {one.maker for one in with_dice}
    }
    yield from (HEAD, "|---" * (HEAD.count("|") - 1) + "|")
    for group in groups:
        yield _line(group, [one for one in with_dice if one.group == group], limit)
    yield _line("**all**", with_dice, limit)
    yield ""
    answers = [promise.Verdict(one.with_count.sure, not one.right) for one in with_dice]
    yield promise.table([("number told", answers)], LEVELS)
    yield ""
    bare = [one for one in measured if not one.faces]
    empty = {maker: fitted_empty([one for one in with_dice if one.maker != maker]) for maker in limit}
    called = sum(one.with_count.likeliest < empty.get(one.maker, fitted_empty(with_dice)) for one in bare)
    missed = sum(one.with_count.likeliest < empty[one.maker] for one in with_dice)
    yield f"Called empty: {called} of {len(bare)} without a die, {missed} of {len(with_dice)} with one."


def _line(name: str, measured: Sequence[Row], limit: dict[str, float]) -> str:
    cells = [name, str(len(measured)), _percent(sum(one.right for one in measured), measured)]
    cells += [_sure([(one.right, one.with_count.sure >= level) for one in measured]) for level in LEVELS]
    cells.append(_sure([(one.right, one.with_count.sure >= limit[one.maker]) for one in measured]))
    astray = [sum(any(v.sure >= level for v in one.astray) for one in measured) for level in LEVELS]
    cells.append(", ".join(map(str, astray)))
    cells.append(
        _sure([(one.right_without_count, one.without_count.sure >= limit[one.maker]) for one in measured])
    )
    today = [(one.today, one.faces) for one in measured if one.today]
    cells.append(_sure([(result.with_count[0] == faces, result.with_count[1]) for result, faces in today]))
    cells.append(str(sum(result.astray for result, _ in today)))
    cells.append(
        _sure([(result.without_count[0] == faces, result.without_count[1]) for result, faces in today])
    )
    return f"| {' | '.join(cells)} |"


def _sure(measured: Sequence[tuple[bool, bool]]) -> str:
    """The share that is right and sure, and in brackets how many are wrong and sure."""
    wrong = sum(sure and not right for right, sure in measured)
    return (
        f"{_percent(sum(right and sure for right, sure in measured), measured)} ({wrong})" if measured else ""
    )


def _percent(part: int, measured: Sequence[object]) -> str:
    return f"{100 * part / len(measured):.0f} %" if measured else ""


def thresholds(measured: Sequence[Row]) -> dict[str, object]:
    """What `lab.two_networks.verdict.thresholds` reads, and by what it was fitted."""
    makers = sorted({one.maker for one in measured})
    limits = {"ready": fitted(measured), "empty": fitted_empty(measured)}
    return {**limits, "wanted": WANTED, "pictures": len(measured), "makers": makers}
