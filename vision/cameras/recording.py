"""Writes frames and what is known about them into a folder: pictures, and labels.jsonl beside them."""

import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import cv2
import numpy as np
from numpy.typing import NDArray

from station.errors import BadInputError, FailedError
from vision.cameras.simulated.cases import Example
from vision.cameras.simulated.scene import DieStyle, Scene
from vision.cameras.simulated.styles import STYLES
from vision.cameras.simulated.throw import Moment
from vision.cameras.simulated.tray import SimulatedTray
from vision.cameras.simulated.truth import die_truth
from vision.frame import Camera, EndOfRecording, Frame

LABELS = "labels.jsonl"
JPEG_QUALITY = 90


class Recorder:
    """A folder that is being filled. suffix: ``jpg`` or ``png``; quality: of JPEG, 1-100.

    Without a single frame it is no recording: the labels go again, so that the folder may be named once more.
    Raises BadInputError when the folder has a recording already, FailedError when it cannot be written.
    """

    def __init__(self, folder: Path, *, suffix: str = "jpg", quality: int = JPEG_QUALITY) -> None:
        self._folder, self._suffix, self._quality = folder, suffix, quality
        self.count = 0
        if (folder / LABELS).exists():
            raise BadInputError(f"There is a recording in {folder} already; choose another folder.")
        with _sentence(folder):
            folder.mkdir(parents=True, exist_ok=True)
            self._labels = (folder / LABELS).open("x", encoding="utf-8")

    def add(self, image: NDArray[np.uint8], label: Mapping[str, Any]) -> None:
        """Write one picture, (h, w, 3) uint8 BGR, and what is known of it."""
        name = f"{self.count:05d}.{self._suffix}"
        _, data = cv2.imencode(f".{self._suffix}", image, [cv2.IMWRITE_JPEG_QUALITY, self._quality])
        with _sentence(self._folder):
            (self._folder / name).write_bytes(data.tobytes())
            self._labels.write(json.dumps({"file": name, **label}) + "\n")
            self._labels.flush()
        self.count += 1

    def __enter__(self) -> Self:
        """Itself."""
        return self

    def __exit__(self, *exc: object) -> None:
        """Close the labels."""
        self._labels.close()
        if self.count == 0:
            (self._folder / LABELS).unlink(missing_ok=True)


class _sentence:  # noqa: N801 - reads as a phrase: with _sentence(folder)
    """Turns what the file system says into a FailedError."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __enter__(self) -> None:
        """Nothing to prepare."""

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        """Translate."""
        if isinstance(error, OSError):
            raise FailedError(
                f"{self._folder} cannot be written ({error.strerror}); check the place and its free space."
            ) from None


def record_camera(camera: Camera, recorder: Recorder, seconds: float) -> None:
    """Everything a started camera gives for so long (on its clock); nothing is known of what it shows."""
    first_s = None
    silent = 0
    while silent < 10:
        try:
            frame = camera.read(timeout_s=1.0)
        except EndOfRecording:
            return
        if frame is None:
            silent += 1
            continue
        silent = 0
        first_s = frame.time_s if first_s is None else first_s
        if frame.time_s - first_s > seconds:
            return
        recorder.add(frame.image, {"frame": frame.number, "time_s": round(frame.time_s - first_s, 4)})


class VirtualClock:
    """Seconds that pass only while somebody sleeps: recording a minute takes as long as drawing it."""

    def __init__(self) -> None:
        self._now_s = 0.0

    def __call__(self) -> float:
        """Now."""
        return self._now_s

    def sleep(self, seconds: float) -> None:
        """Let time pass."""
        self._now_s += seconds


def record_throws(
    recorder: Recorder,
    rng: random.Random,
    throws: int,
    *,
    dice: int = 5,
    styles: Sequence[DieStyle] = (STYLES["white"],),
    scene: Scene | None = None,
    fps: float = 15.0,
    rest_s: float = 0.8,
) -> None:
    """Throws in the simulated tray, with the truth of every frame.

    Every throw but the first keeps some dice. rest_s: how long the camera goes on when all lie.
    """
    clock = VirtualClock()
    tray = SimulatedTray(rng, dice=dice, styles=styles, scene=scene, fps=fps, clock=clock, sleep=clock.sleep)
    with tray:
        for number, frame in _frames(tray, rng, throws, round(rest_s * fps)):
            recorder.add(frame.image, _label(tray, frame, number))


def _frames(tray: SimulatedTray, rng: random.Random, throws: int, rest: int) -> Iterator[tuple[int, Frame]]:
    def next_frames(count: int, number: int) -> Iterator[tuple[int, Frame]]:
        for _ in range(count):
            frame = tray.read(timeout_s=60)
            if frame is not None:
                yield number, frame

    yield from next_frames(2, 0)
    for number in range(1, throws + 1):
        there = len(tray.truth())
        tray.throw(keep=tuple(rng.sample(range(there), rng.randint(1, there - 1))) if there > 1 else ())
        while tray.moving:
            yield from next_frames(1, number)
        yield from next_frames(rest, number)


def _label(tray: SimulatedTray, frame: Frame, number: int) -> dict[str, Any]:
    shown = tray.shown()
    state = state_of(shown)
    label: dict[str, Any] = {
        "frame": frame.number,
        "time_s": round(frame.time_s, 4),
        "throw": number,
        "state": state,
        "faces": None,
        "lying": sorted(die.face for die in shown.lying),
    }
    if state == "settled":
        label["faces"] = sorted(die.face for die in shown.lying)
        label["dice"] = [die_truth(tray.view, die).to_json() for die in shown.lying]
    return label


def state_of(shown: Moment) -> str:
    """``covered`` (a hand comes, is there or goes), ``moving``, ``settled`` or ``empty``."""
    if shown.hand is not None:
        return "covered"
    if shown.moving:
        return "moving"
    return "settled" if shown.lying else "empty"


def record_examples(
    recorder: Recorder, make: Callable[[str, int], Example], names: Sequence[str], count: int
) -> None:
    """`count` stills of each named hard case, with their truth and what a reader should say."""
    for name in names:
        for seed in range(count):
            made = make(name, seed)
            recorder.add(
                made.image,
                {
                    "case": name,
                    "seed": seed,
                    "asked": made.asked,
                    "statuses": sorted(made.expected.statuses),
                    "reasons": sorted(made.expected.reasons),
                    "faces": None if made.expected.faces is None else list(made.expected.faces),
                    "dice": [die.to_json() for die in made.dice],
                },
            )
