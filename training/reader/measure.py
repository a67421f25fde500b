"""The two networks on makers of whom nothing taught, picture by picture, beside today's reader.

What the networks see at every size is kept in a file, and everything else is worked out from it, by the code
that reads: with the true number of dice, with one fewer and one more, where every sure answer is wrong, and
with none told. A threshold is never judged on a maker whose pictures it was fitted to.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from bench import promise
from training.reader.sources import Picture
from vision.picture import load
from vision.reader import Reader
from vision.two_networks.faces import Seen
from vision.two_networks.places import LONG_SIDES, Place
from vision.two_networks.reader import TwoNetworks
from vision.two_networks.verdict import Verdict, settled

LEVELS = (0.5, 0.7, 0.9)
MOST_DICE = 40
WANTED = 0.005
"""Of all pictures no more are to be expected read surely and wrongly, whatever number of dice is told."""
EMPTY = 0.05
"""A picture in which nothing is likelier to be a die is called empty."""
LEAST_READY, NEVER = 0.5, 2.0
HEAD = "| pictures of | number | every face right | " + " | ".join(
    f"sure and right, {level} (wrong)" for level in LEVELS
) + " | by a threshold of the others | one fewer, one more: sure | number not told | today |"  # fmt: skip


@dataclass(frozen=True, slots=True)
class Row:
    """One picture: its maker and group, its truth, and what both readers said.

    told: the verdict with the true number of dice. astray: those with one fewer and one more. untold: that
    without a number. today: faces and whether they were ready, if today's reader was asked.
    """

    maker: str
    group: str
    faces: tuple[int, ...]
    told: Verdict
    astray: tuple[Verdict, ...]
    untold: Verdict
    today: tuple[tuple[int, ...], bool] | None

    @property
    def right(self) -> bool:
        """Whether every face is."""
        return self.told.faces == self.faces

    @property
    def untold_right(self) -> bool:
        """Whether every face is, without the number told."""
        return self.untold.faces == self.faces

    @property
    def wrongly_sure(self) -> float:
        """How sure the networks are of the surest wrong answer, 0 where they gave none."""
        wrong = [one.sure for one in self.astray]
        wrong += [] if self.right else [self.told.sure]
        wrong += [] if self.untold_right else [self.untold.sure]
        return max(wrong, default=0.0)


def read_all(networks: TwoNetworks, pictures: Iterable[Picture], kept: Path, shared: Path) -> None:
    """Write what the networks see, a line a picture, into the file `kept`; go on where it ended."""
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
    """Write what the reader that ships says, told the number of dice, into the file `kept`."""
    done = {line["file"] for line in _lines(kept)}
    with kept.open("a", encoding="utf-8") as lines:
        for picture in pictures:
            name = str(picture.path.relative_to(shared))
            if name in done or not 0 < len(picture.faces) <= MOST_DICE:
                continue
            reading = Reader(len(picture.faces)).read(load(picture.path))
            reasons = [str(reason) for reason in reading.reasons]
            line = {"file": name, "status": reading.status, "faces": reading.faces, "reasons": reasons}
            lines.write(json.dumps(line) + "\n")
            lines.flush()


def rows(pictures: Iterable[Picture], kept: Path, today: Path, shared: Path) -> list[Row]:
    """What was kept of both readers, with the truth; pictures of too many dice are left out."""
    mine, ships = ({one["file"]: one for one in _lines(path)} for path in (kept, today))
    told = []
    for picture in pictures:
        name = str(picture.path.relative_to(shared))
        if name not in mine or len(picture.faces) > MOST_DICE:
            continue
        looks = [from_json(mine[name]["seen"][str(side)]) for side in LONG_SIDES]
        count, said = len(picture.faces), ships.get(name)
        other = (tuple(sorted(said["faces"])), said["status"] == "ready") if said else None
        astray = tuple(settled(looks, n) for n in (count - 1, count + 1) if n > 0)
        verdicts = settled(looks, count or 1), astray, settled(looks, None)
        told.append(Row(picture.maker, picture.group, tuple(sorted(picture.faces)), *verdicts, other))
    return told


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


def fitted(told: Sequence[Row]) -> float:
    """The least sureness from which on a reading is ready, by the pictures of `told`."""
    answers = [promise.Verdict(one.wrongly_sure, one.wrongly_sure > 0) for one in told]
    return min(max(promise.least_confidence(answers, WANTED), LEAST_READY), NEVER)


def table(told: Sequence[Row]) -> Iterator[str]:
    """What both readers make of pictures, in Markdown: for each group and for all; then the bounds."""
    with_dice = [one for one in told if one.faces]
    groups = sorted({one.group for one in with_dice})
    limit = {
        maker: fitted([one for one in told if one.maker != maker])
        for maker in {one.maker for one in with_dice}
    }
    yield from (HEAD, "|---" * (HEAD.count("|") - 1) + "|")
    for group in groups:
        yield _line(group, [one for one in with_dice if one.group == group], limit)
    yield _line("**all**", with_dice, limit)
    yield ""
    answers = [promise.Verdict(one.told.sure, not one.right) for one in with_dice]
    yield promise.table([("number told", answers)], LEVELS)
    yield ""
    bare = [one for one in told if not one.faces]
    called = [sum(one.told.likeliest < EMPTY for one in some) for some in (bare, with_dice)]
    yield f"Called empty: {called[0]} of {len(bare)} without a die, {called[1]} of {len(with_dice)} with one."


def _line(name: str, told: Sequence[Row], limit: dict[str, float]) -> str:
    cells = [name, str(len(told)), _percent(sum(one.right for one in told), told)]
    cells += [_sure([(one.right, one.told.sure >= level) for one in told]) for level in LEVELS]
    cells.append(_sure([(one.right, one.told.sure >= limit[one.maker]) for one in told]))
    astray = [sum(any(v.sure >= level for v in one.astray) for one in told) for level in LEVELS]
    cells.append(", ".join(map(str, astray)))
    cells.append(_sure([(one.untold_right, one.untold.sure >= limit[one.maker]) for one in told]))
    cells.append(_sure([(one.today[0] == one.faces, one.today[1]) for one in told if one.today]))
    return f"| {' | '.join(cells)} |"


def _sure(told: Sequence[tuple[bool, bool]]) -> str:
    """The share that is right and sure, and in brackets how many are wrong and sure."""
    wrong = sum(sure and not right for right, sure in told)
    return f"{_percent(sum(right and sure for right, sure in told), told)} ({wrong})" if told else ""


def _percent(part: int, told: Sequence[object]) -> str:
    return f"{100 * part / len(told):.0f} %" if told else ""


def thresholds(told: Sequence[Row]) -> dict[str, object]:
    """What `vision.two_networks.verdict.thresholds` reads, and by what it was fitted."""
    makers = sorted({one.maker for one in told})
    return {"ready": fitted(told), "empty": EMPTY, "wanted": WANTED, "pictures": len(told), "makers": makers}
