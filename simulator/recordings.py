"""Recordings of the simulated tray: throws and hard cases, each with its truth."""

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from simulator.cases import Example
from simulator.scene import DieStyle, Scene
from simulator.simulated_tray import SimulatedTray
from simulator.styles import STYLES
from simulator.throw_motion import TrayMoment
from simulator.truth import die_truth
from vision.cameras.recording import Recorder
from vision.frame import Frame


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
    moment = tray.current_moment()
    state = state_of(moment)
    label: dict[str, Any] = {
        "frame": frame.number,
        "time_s": round(frame.time_s, 4),
        "throw": number,
        "state": state,
        "faces": None,
        "lying": sorted(die.face for die in moment.lying),
    }
    if state == "settled":
        label["faces"] = sorted(die.face for die in moment.lying)
        label["dice"] = [die_truth(tray.view, die).to_json() for die in moment.lying]
    return label


def state_of(moment: TrayMoment) -> str:
    """``covered`` (a hand comes, is there or goes), ``moving``, ``settled`` or ``empty``."""
    if moment.hand is not None:
        return "covered"
    if moment.moving:
        return "moving"
    return "settled" if moment.lying else "empty"


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
                    "asked": made.expected_dice,
                    "statuses": sorted(made.expected.statuses),
                    "reasons": sorted(made.expected.reasons),
                    "faces": None if made.expected.faces is None else list(made.expected.faces),
                    "dice": [die.to_json() for die in made.dice],
                },
            )
