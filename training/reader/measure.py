"""The two networks on makers of whom nothing taught, picture by picture, beside today's reader."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from training.reader.reading import ENOUGH, LONG_SIDES, Networks, Verdict, as_json, from_json, surest, verdict
from training.reader.sources import Picture
from vision.picture import load
from vision.reader import Reader

THRESHOLDS = (0.5, 0.7, 0.9)
MOST_DICE = 40
SURE_BY_TODAY = 1.0
HEAD = "| pictures of | number | every face right | " + " | ".join(
    f"sure and right, {threshold} (wrong)" for threshold in THRESHOLDS
) + " | today: right (wrong) |"  # fmt: skip


@dataclass(frozen=True, slots=True)
class Row:
    """One picture: its group, its truth, and what both readers said."""

    name: str
    group: str
    faces: tuple[int, ...]
    networks: Verdict
    today: Verdict | None


def read_all(networks: Networks, pictures: Iterable[Picture], kept: Path, shared: Path) -> None:
    """Write what the networks see, a line a picture, into the file `kept`; go on where it ended."""
    done = {json.loads(line)["file"] for line in kept.read_text().splitlines()} if kept.exists() else set()
    with kept.open("a", encoding="utf-8") as lines:
        for picture in pictures:
            name = str(picture.path.relative_to(shared))
            if name in done:
                continue
            image = np.asarray(cv2.imread(str(picture.path)), np.uint8)
            seen = {}
            for side in LONG_SIDES:
                look = networks.faces(image, networks.places(image, side))
                seen[str(side)] = as_json(look)
                if picture.faces and verdict(look, len(picture.faces)).sure >= ENOUGH:
                    break
            lines.write(json.dumps({"file": name, "seen": seen}) + "\n")
            lines.flush()


def read_today(pictures: Sequence[Picture], kept: Path, shared: Path) -> None:
    """Write what the reader that ships says, told the number of dice, into the file `kept`."""
    done = {json.loads(line)["file"] for line in kept.read_text().splitlines()} if kept.exists() else set()
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
    """What was kept of both readers, with the truth; pictures without dice are left out."""
    mine = {one["file"]: one for one in _lines(kept)}
    ships = {one["file"]: one for one in _lines(today)} if today.exists() else {}
    told = []
    for picture in pictures:
        name = str(picture.path.relative_to(shared))
        if name not in mine or not 0 < len(picture.faces) <= MOST_DICE:
            continue
        looks = [verdict(from_json(seen), len(picture.faces)) for seen in mine[name]["seen"].values()]
        said = ships.get(name)
        other = (
            Verdict(tuple(sorted(said["faces"])), SURE_BY_TODAY if said["status"] == "ready" else 0.0)
            if said
            else None
        )
        told.append(Row(name, picture.group, tuple(sorted(picture.faces)), surest(looks), other))
    return told


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def table(told: Sequence[Row]) -> list[str]:
    """A line for each group of pictures and one for all, in Markdown."""
    groups = sorted({one.group for one in told})
    lines = [_line(group, [one for one in told if one.group == group]) for group in groups]
    return [HEAD, "|---" * (HEAD.count("|") - 1) + "|", *lines, _line("all", told)]


def _line(name: str, told: Sequence[Row]) -> str:
    right = sum(one.networks.faces == one.faces for one in told)
    cells = [name, str(len(told)), _percent(right, told)]
    for threshold in THRESHOLDS:
        sure = [one for one in told if one.networks.sure >= threshold]
        good = sum(one.networks.faces == one.faces for one in sure)
        cells.append(f"{_percent(good, told)} ({len(sure) - good})")
    ready = [one for one in told if one.today and one.today.sure]
    good = sum(bool(one.today and one.today.faces == one.faces) for one in ready)
    cells.append(f"{_percent(good, told)} ({len(ready) - good})")
    return f"| {' | '.join(cells)} |"


def _percent(part: int, told: Sequence[Row]) -> str:
    return f"{100 * part / len(told):.0f} %" if told else ""
