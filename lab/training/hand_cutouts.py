"""Hands cut out of permitted renders, by what differs from their empty trays, to be laid elsewhere."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from bench.holdout import held_out
from lab.training.hand_drawing import PX_PER_MM, Hand

Image = NDArray[np.uint8]

WIDE = 640
"""Pixels across the picture that a hand is cut from."""
SAME, SHADOW, GREY = 12.0, 1.05, 0.22
"""Grey levels that are no difference; a shadow makes nothing brighter, and all colours darker alike."""
ARM_PX = 500
"""How far an arm goes on beyond the rim where its picture ends."""


def of_renders(folder: Path) -> Iterator[Hand]:
    """The hands of still renders that may teach; `folder` is that of the strata."""
    for stratum in ("hand", "clutter"):
        for line in (folder / stratum / "labels.jsonl").read_text().splitlines():
            label = json.loads(line)
            if label.get("hand") and not held_out(f"{stratum}/{label['file']}"):
                shown, empty = (
                    cv2.imread(str(folder / stratum / name))
                    for name in (label["file"], label["station"] + "_ref.jpg")
                )
                yield _cut_out(np.asarray(shown, np.uint8), np.asarray(empty, np.uint8), label)


def _cut_out(shown: Image, empty: Image, truth: dict[str, Any]) -> Hand:
    """The hand of one picture (h, w, 3) whose empty tray (h, w, 3) and labels are known."""
    zoom = WIDE / shown.shape[1]
    size = (WIDE, round(shown.shape[0] * zoom))
    small, bare = (
        np.asarray(cv2.resize(one, size, interpolation=cv2.INTER_AREA), np.uint8) for one in (shown, empty)
    )
    mask = _marks(small, bare)
    for die in truth["dice"]:
        if die["top_visible"] > 0.3:
            x0, y0, x1, y1 = (round(value * zoom) for value in die["bbox"])
            mask[max(0, y0 - 3) : y1 + 4, max(0, x0 - 3) : x1 + 4] = cv2.GC_BGD
    cv2.grabCut(small, mask, None, np.zeros((1, 65)), np.zeros((1, 65)), 4, cv2.GC_INIT_WITH_MASK)
    own = np.isin(mask, (cv2.GC_FGD, cv2.GC_PR_FGD)).astype(np.uint8)
    own = cv2.morphologyEx(own, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    _, label, stats, _ = cv2.connectedComponentsWithStats(own)
    cover = (label == 1 + stats[1:, cv2.CC_STAT_AREA].argmax()).astype(np.uint8)
    light, cover = (cv2.copyMakeBorder(one, *[ARM_PX] * 4, cv2.BORDER_REPLICATE) for one in (small, cover))
    inside = cv2.distanceTransform(cover, cv2.DIST_L2, 3)
    inside[:ARM_PX], inside[-ARM_PX:], inside[:, :ARM_PX], inside[:, -ARM_PX:] = 0, 0, 0, 0
    y, x = np.unravel_index(int(inside.argmax()), inside.shape)
    scale = 10 * PX_PER_MM / (truth["px_per_cm"] * zoom)
    light, soft = (
        cv2.resize(one.astype(np.float32), None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        for one in (light, cover)
    )
    return Hand(light, soft, (float(x) * scale, float(y) * scale))


def _marks(shown: Image, empty: Image) -> Image:
    """(h, w) what is surely background, probably background (shadow) and probably hand, for `cv2.grabCut`."""
    one, other = (cv2.GaussianBlur(picture, (0, 0), 1.5).astype(np.float32) for picture in (shown, empty))
    differs = np.abs(one - other).max(2)
    share = (one + 8) / (other + 8)
    most = share.max(2)
    shadow = (most < SHADOW) & (most - share.min(2) < GREY * most)
    marks = np.where(shadow, cv2.GC_PR_BGD, cv2.GC_PR_FGD)
    return np.where(differs < SAME, cv2.GC_BGD, marks).astype(np.uint8)
