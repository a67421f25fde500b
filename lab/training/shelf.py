"""Drawn scenes kept on disk by the shard, so that both networks learn from the same pictures."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from lab.training.scenes import DieTruth, Face, Scene, State, Wish, draw_scene

WISH = Wish(dice=(2, 9))


def draw_shard(seed: int, shard: int, count: int, wish: Wish = WISH) -> list[Scene]:
    """Freshly drawn scenes, the same for the same numbers."""
    rng = np.random.default_rng([seed, shard])
    return [draw_scene(rng, wish) for _ in range(count)]


def _face(held: dict[str, Any]) -> Face:
    x, y = held.get("foot", (0.0, 0.0))
    return Face(np.array(held["corners"]), held["angle_deg"], (x, y))


def _die(held: dict[str, Any]) -> DieTruth:
    more = {name: held[name] for name in ("tilt_deg", "visible") if name in held}
    thrown = State(held.get("thrown", State.FLAT))
    sides = tuple(map(_face, held["sides"]))
    return DieTruth(held["value"], State(held["state"]), _face(held["top"]), sides, thrown, **more)


def save(scenes: list[Scene], path: Path) -> None:
    """Write scenes of one size to an npz: `images` (n, h, w, 3) uint8 and `truth`, a JSON text."""
    path.parent.mkdir(parents=True, exist_ok=True)
    truth = [{"dice": [asdict(die) for die in scene.dice], "things": scene.things} for scene in scenes]
    text = json.dumps(truth, default=lambda array: np.round(array, 2).tolist())
    np.savez(path, images=np.array([scene.image for scene in scenes]), truth=np.array(text))


def load(path: Path) -> list[Scene]:
    """Scenes as saved (corners to a hundredth of a pixel)."""
    with np.load(path) as held:
        images, truth = held["images"], json.loads(str(held["truth"]))
    return [
        Scene(
            image,
            tuple(map(_die, scene["dice"])),
            tuple((x, y, size) for x, y, size in scene["things"]),
        )
        for image, scene in zip(images, truth, strict=True)
    ]


def shards(folder: Path, seed: int, count: int, scenes: int) -> list[Path]:
    """Paths of `count` shards of `scenes` scenes each in `folder`; drawn where they are missing."""
    paths = [folder / f"scenes_{seed}_{shard:02d}.npz" for shard in range(count)]
    for shard, path in enumerate(paths):
        if not path.exists():
            save(draw_shard(seed, shard, scenes), path)
    return paths
