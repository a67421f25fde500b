"""Dice that a person corrected: kept as crops with the truth, so that the reader can be tried on them again.

A folder of corrections holds one PNG for each and `corrections.jsonl`, a JSON object a line:
`{"file": "000001.png", "face": 4, "read": 6}`, where `read` is null when the reader saw no die. Nothing here
ever leaves the machine; whether anything is kept at all is the station's setting.
"""

import errno
import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from messages.errors import BadInputError, FailedError, os_error_as

LIST = "corrections.jsonl"
CROP_EDGES = 3.0
"""Width of a crop in edges of the die: enough floor round it to find it again."""


@dataclass(frozen=True, slots=True)
class Correction:
    """One die. path: its crop. face: what it shows, 1-6. read: what was read then, None for no die."""

    path: Path
    face: int
    read: int | None


def save_correction(
    folder: Path,
    image_bgr: NDArray[np.uint8],
    center: tuple[float, float],
    size: float,
    face: int,
    read: int | None,
) -> Correction:
    """Keep the die at `center` (x, y) with top edge `size` (px of the picture) and its true face.

    image_bgr: (h, w, 3) uint8. Raises FailedError when the folder cannot be written.
    """
    half = max(8, round(size * CROP_EDGES / 2))
    x, y = (round(v) for v in center)
    crop = image_bgr[max(0, y - half) : y + half, max(0, x - half) : x + half]
    if crop.size == 0 or not 1 <= face <= 6:
        raise BadInputError("vision/correction/impossible")
    with os_error_as(lambda why: FailedError("vision/correction/unwritable", folder=str(folder), why=why)):
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{_next_number(folder):06d}.png"
        _, data = cv2.imencode(".png", crop)
        path.write_bytes(data.tobytes())
        _add(folder / LIST, json.dumps({"file": path.name, "face": face, "read": read}))
    return Correction(path, face, read)


def _add(listed: Path, text: str) -> None:
    """Add a line, whole or not at all: half of one would spoil the next too. Raises OSError."""
    line, done = f"{text}\n".encode(), 0
    with listed.open("ab", buffering=0) as file:
        begun = file.tell()
        try:
            done = file.write(line)
        finally:
            if done < len(line):
                file.truncate(begun)
    if done < len(line):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def _next_number(folder: Path) -> int:
    """One that no crop has and none had that is still in the list: crops may be thrown away by hand."""
    listed = folder / LIST
    seen = listed.read_text(encoding="utf-8", errors="replace") if listed.exists() else ""
    seen += " ".join(path.name for path in folder.glob("*.png"))
    return 1 + max(map(int, re.findall(r"([0-9]{1,9})\.png", seen)), default=0)


def load_corrections(folder: Path) -> Iterator[Correction]:
    """All corrections in a folder, oldest first, without those whose crop was thrown away.

    Raises BadInputError when there are none or a line is damaged.
    """
    path = folder / LIST
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        raise BadInputError("vision/correction/none", folder=str(folder), list=LIST) from None
    for number, line in enumerate(lines, 1):
        try:
            entry: Any = json.loads(line)
            face, read, name = int(entry["face"]), entry["read"], Path(str(entry["file"])).name
        except (ValueError, KeyError, TypeError):
            raise BadInputError("vision/correction/damaged", line=number, path=str(path)) from None
        if not 1 <= face <= 6 or not (read is None or isinstance(read, int)):
            raise BadInputError("vision/correction/no_face", line=number, path=str(path))
        if (folder / name).exists():
            yield Correction(folder / name, face, read)
