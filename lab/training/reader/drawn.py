"""Scenes drawn by ray tracing (`training.scenes`) to teach with: dice of any material, things beside them.

They have what photographs lack: marbled and dark dice, small ones, dice seen at an angle, and things of which
it is certain that they are no dice.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import cv2
import numpy as np

from lab.training.reader.sources import OWN_LICENCE, OWN_MAKE, SEEN_ENOUGH, Die, Picture
from lab.training.scenes import DieTruth, Scene, State, Wish, draw_scene

WISHES = {
    "above": Wish(size_wh=(480, 360), edge_px=(20, 120), dice=(1, 8), clutter=0.7),
    "small": Wish(size_wh=(320, 240), edge_px=(9, 26), dice=(2, 9), clutter=0.6),
    "angle": Wish(size_wh=(480, 360), edge_px=(20, 100), dice=(1, 7), tilt_deg=(28.0, 58.0)),
}
SCENES = 400
"""Of each kind."""


def drawn(folder: Path, seed: int, scenes: int = SCENES) -> Iterator[Picture]:
    """So many pictures of each kind, drawn into the folder where they are missing."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, (kind, wish) in enumerate(WISHES.items()):
        for scene in range(scenes):
            path = folder / f"{kind}-{seed}-{scene}.png"
            if not path.with_suffix(".json").exists():
                _draw(path, np.random.default_rng([seed, number, scene]), wish)
            yield _picture(path, f"{OWN_MAKE}/drawn {kind}")


def _draw(path: Path, rng: np.random.Generator, wish: Wish) -> None:
    scene = draw_scene(rng, wish)
    cv2.imwrite(str(path), scene.image)
    path.with_suffix(".json").write_text(json.dumps(truth(scene)), encoding="utf-8")


def truth(scene: Scene) -> dict[str, list[dict[str, object]]]:
    """The dice of a scene, those that are no lesson, and the things, as boxes."""
    hidden = [die.visible < SEEN_ENOUGH for die in scene.dice]
    boxes = [asdict(_box(die)) for die in scene.dice]
    return {
        "dice": [box for box, no_lesson in zip(boxes, hidden, strict=True) if not no_lesson],
        "doubtful": [box for box, no_lesson in zip(boxes, hidden, strict=True) if no_lesson],
        "things": [asdict(Die(None, x, y, size, size)) for x, y, size in scene.things],
    }


def _box(die: DieTruth) -> Die:
    """Round all sides in sight. What leans, is stacked or unclear is a die, but no lesson in faces."""
    corners = np.concatenate([side.corners for side in (die.top, *die.sides)])
    (left, top), (right, bottom) = corners.min(0).tolist(), corners.max(0).tolist()
    face = die.value if die.state is State.FLAT else None
    return Die(face, (left + right) / 2, (top + bottom) / 2, right - left, bottom - top)


def _picture(path: Path, group: str) -> Picture:
    truth = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    dice, doubtful, things = (
        tuple(Die(**box) for box in truth[name]) for name in ("dice", "doubtful", "things")
    )
    faces = tuple(sorted(die.face for die in dice if die.face))
    return Picture(path, OWN_MAKE, group, OWN_LICENCE, "", faces, dice, doubtful, things=things)
