"""Draws what the virtual camera sees: one turn on the simulated tray, as numbered pictures.

`python -m lab.virtual_pi.frames DIR` writes DIR/frames/0.jpg and so on, and DIR/frames.json with the
faces of each roll. libcamera's virtual camera shows them over and over, as fast as they are asked for.
"""

import json
import random
import sys
from pathlib import Path

from simulator import SimulatedTray
from vision.picture import encode_jpeg

ROLLS = (((6, 6, 4, 3, 1), ()), ((6, 5, 2), (6, 6)), ((6, 3), (6, 6, 5)))
"""For each throw of the turn the faces thrown, and those of the dice that stay."""
FPS = 3.0
REST_FRAMES = 8


class Clock:
    """Time that passes when somebody waits."""

    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        """Seconds since the start."""
        return self.now_s

    def sleep(self, seconds: float) -> None:
        """Let them pass."""
        self.now_s += seconds


def draw(folder: Path) -> int:
    """Write the pictures of a turn; returns how many."""
    clock = Clock()
    tray = SimulatedTray(random.Random(7), fps=FPS, clock=clock, sleep=clock.sleep)  # noqa: S311 - dice
    (folder / "frames").mkdir(parents=True, exist_ok=True)
    number, rolls = 0, []
    with tray:
        for thrown, kept in ROLLS:
            places = _places([die.face for die in tray.truth()], kept)
            tray.throw(thrown, keep=places)
            rest = 0
            while rest < REST_FRAMES:
                frame = tray.read()
                if frame is None:
                    continue
                rest += not tray.moving
                picture = encode_jpeg(frame.image, quality=92)
                (folder / "frames" / f"{number}.jpg").write_bytes(picture)
                number += 1
            rolls.append({"faces": [die.face for die in tray.truth()], "kept": list(kept)})
    (folder / "frames.json").write_text(json.dumps({"rolls": rolls, "frames": number}))
    return number


def _places(lying: list[int], kept: tuple[int, ...]) -> list[int]:
    """Where the dice with these faces lie, from the left."""
    places: list[int] = []
    for face in kept:
        places.append(next(i for i, one in enumerate(lying) if one == face and i not in places))
    return places


if __name__ == "__main__":
    draw(Path(sys.argv[1]))
