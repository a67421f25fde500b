"""Where pictures of dice come from, who made them, and what may teach.

Pictures lie in a folder beside the project (`shared`) and are never copied into it. They are split by maker,
never by picture: the dice, tables and cameras of one maker are the same in all of that maker's pictures.
"""

import csv
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

MAY_TEACH = frozenset({"MIT", "BSD-3-Clause", "Apache-2.0", "CC BY 4.0"})
OWN_MAKE, OWN_LICENCE = "renders", "made for this project"
ORIGINS = {
    "rune55": "github.com/N3VERS4YDIE/dice-recognition, Roboflow set Rune55 v3",
    "game-boards": "github.com/Epanemu/GameDiceRecognition, Roboflow set Dice v3",
}
SEEN_ENOUGH = 0.5  # a die of which more is hidden is left out of the lesson, neither die nor background
PIPS_TO_DIE = {2: 1.9, 3: 1.9, 4: 1.65, 5: 1.65, 6: 1.65}
"""From a box round the pips to one round the die, seen at an angle; a lone pip tells nothing."""


@dataclass(frozen=True, slots=True)
class Die:
    """A die's box: middle and size in pixels; its top face, or None where it is no lesson in faces."""

    face: int | None
    x: float
    y: float
    w: float
    h: float

    @property
    def size(self) -> float:
        """The longer side of the box in pixels."""
        return max(self.w, self.h)


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture and its truth.

    group: pictures alike, all of one maker.
    faces: all top faces, sorted; empty where there is no die. dice: those with a box. doubtful: places that
    are neither a lesson in dice nor in background. boxed: whether every die in it is in one of the two.
    things: what is no die for certain, and may be taken for one.
    """

    path: Path
    maker: str
    group: str
    licence: str
    origin: str
    faces: tuple[int, ...]
    dice: tuple[Die, ...]
    doubtful: tuple[Die, ...] = ()
    boxed: bool = True
    things: tuple[Die, ...] = ()

    @property
    def may_teach(self) -> bool:
        """Whether its licence, or its being made for this project, permits to teach with it."""
        return self.licence in MAY_TEACH or self.maker == OWN_MAKE


def credits_for(pictures: Sequence[Picture]) -> dict[str, dict[str, object]]:
    """For each maker: from where, under which licence, how many pictures; what a notice has to name."""
    count = Counter(one.maker for one in pictures)
    makers = {one.maker: one for one in sorted(pictures, key=lambda picture: picture.maker)}
    return {
        maker: {"origin": one.origin, "licence": one.licence, "pictures": count[maker]}
        for maker, one in makers.items()
    }


def teaching(shared: Path, held_out: frozenset[str]) -> tuple[Picture, ...]:
    """All pictures that may teach, without those of the makers held out."""
    everything = (*photographs(shared), *boxed_photographs(shared), *renders(shared))
    return tuple(p for p in everything if p.may_teach and p.boxed and p.maker not in held_out)


def measuring(shared: Path, held_out: frozenset[str]) -> tuple[Picture, ...]:
    """Photographs by makers of whom nothing taught: those held out and those who permit no teaching."""
    everything = (*photographs(shared), *boxed_photographs(shared))
    return tuple(p for p in everything if not p.may_teach or p.maker in held_out)


def photographs(shared: Path) -> Iterator[Picture]:
    """The pictures of photos/manifest.csv; the maker is the folder's first part (`nell-byler`)."""
    folder = shared / "photos"
    with (folder / "manifest.csv").open(newline="", encoding="utf-8") as rows:
        for row in csv.DictReader(rows):
            boxes = json.loads(row["boxes"]) if row["boxes"] else []
            dice = _whole(boxes, row["box_kind"])
            maker = row["file"].split("__")[0]
            yield Picture(
                folder / row["file"],
                maker,
                maker,
                row["licence"],
                row["source_repo"],
                tuple(int(face) for face in row["faces"].split("-") if face),
                dice,
                boxed=len(dice) == int(row["n_dice"]),
            )


def _whole(boxes: list[list[float]], kind: str) -> tuple[Die, ...]:
    """Boxes of whole dice; where they go round pips, the dice of a picture are taken to be of one size."""
    if kind != "pips of top face":
        return tuple(Die(int(face), x + w / 2, y + h / 2, w, h) for face, x, y, w, h in boxes)
    sizes = [PIPS_TO_DIE[int(face)] * max(w, h) for face, _, _, w, h in boxes if int(face) in PIPS_TO_DIE]
    if not sizes:
        return ()
    side = median(sizes)
    return tuple(Die(int(face), x + w / 2, y + h / 2, side, side) for face, x, y, w, h in boxes)


def boxed_photographs(shared: Path, side_px: int = 640) -> Iterator[Picture]:
    """The pictures of photos2/boxes.csv, all of them squares of `side_px`."""
    folder = shared / "photos2"
    dice: dict[tuple[str, str], list[Die]] = {}
    with (folder / "boxes.csv").open(newline="", encoding="utf-8") as rows:
        for row in csv.DictReader(rows):
            x, y, w, h = (side_px * float(row[name]) for name in ("cx", "cy", "w", "h"))
            dice.setdefault((row["file"], row["group"]), []).append(Die(int(row["face"]), x, y, w, h))
    for (file, group), boxes in dice.items():
        faces = tuple(sorted(int(die.face) for die in boxes if die.face))
        maker = file.split("/")[0]
        yield Picture(folder / file, maker, group, "CC BY 4.0", ORIGINS[maker], faces, tuple(boxes))


def renders(shared: Path) -> Iterator[Picture]:
    """Path-traced pictures; of throws a third of the frames in which the dice lie still."""
    for labels in sorted(shared.glob("renders*/*/labels.jsonl")):
        for line in labels.read_text(encoding="utf-8").splitlines():
            label = json.loads(line)
            thrown = label["stratum"] == "sequence"
            if label["stratum"] == "charuco" or (
                thrown and (label["frame"] % 3 or label["state"] == "moving")
            ):
                continue
            yield _render(labels.parent, label)


def _render(folder: Path, label: dict[str, Any]) -> Picture:
    dice: list[Die] = []
    doubtful: list[Die] = []
    for die in label["dice"]:
        x0, y0, x1, y1 = die["bbox"]
        flat = die["readable"] and die.get("legible", True)
        box = Die(
            int(die["value"]) if flat else None, (x0 + x1) / 2, (y0 + y1) / 2, float(x1 - x0), float(y1 - y0)
        )
        seen = float(die.get("die_visible", die["top_visible"]))
        (dice if seen >= SEEN_ENOUGH and die["in_frame"] else doubtful).append(box)
    faces = tuple(sorted(int(value) for value in label["values"] or ()))
    group = f"{OWN_MAKE}/{label['stratum']}"
    return Picture(
        folder / label["file"], OWN_MAKE, group, OWN_LICENCE, "", faces, tuple(dice), tuple(doubtful)
    )


def single_dice(shared: Path, held_out: frozenset[str]) -> Iterator[Picture]:
    """Cut-outs with one die each (photos/crops), for the face network alone."""
    folder = shared / "photos" / "crops"
    with (folder / "manifest.csv").open(newline="", encoding="utf-8") as rows:
        for row in csv.DictReader(rows):
            maker, face = row["file"].split("__")[0], int(row["face"])
            if maker.startswith("chaseelliott") and maker not in held_out:
                yield Picture(
                    folder / row["file"], maker, maker, "MIT", row["source_repo"], (face,), (), boxed=False
                )
