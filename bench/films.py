"""Throws on film: whether the right roll is offered, how long after the dice rest, and never a wrong one.

Films (`photos/video/list.csv`) and rendered sequences (`renders*/sequence/labels.jsonl`) beside the project.
Each is read as the station reads its camera: every frame in order, the number of dice known, nothing else.
Right: what was offered while the dice lay is what lay there; of a throw in which a die leans or cannot be
seen nothing may be offered. Rest is the frame in which the last die is at rest, seconds are of the film. ms:
of the processor, for a frame.
"""

import csv
import json
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from bench.reader import SHARED
from vision.cameras.recorded import frames_of, stills, video
from vision.frame import Frame
from vision.reader import Reader
from vision.reading import Reading, Status
from vision.stream import StreamReader


@dataclass(frozen=True, slots=True)
class LabelledFilm:
    """A throw and its truth. rest: first and last frame in which the dice lie; fps: frames a second."""

    name: str
    path: Path
    faces: tuple[int, ...]
    rest: tuple[int, int]
    fps: float
    readable: bool = True

    def frames(self) -> Iterator[Frame]:
        """Its frames, in order."""
        return frames_of(stills(self.path, fps=self.fps) if self.path.is_dir() else video(self.path))


@dataclass(slots=True)
class Offered:
    """What a film gave. after_s: from rest to the right offer; wrong: frames that offered anything else."""

    right: bool = False
    wrong: int = 0
    after_s: float = np.nan
    ms: list[float] = field(default_factory=list)
    last: Reading = field(default_factory=lambda: Reading(Status.EMPTY))


def films(folder: Path) -> Iterator[LabelledFilm]:
    """The filmed throws of a folder with a list.csv."""
    with (folder / "list.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            first, last = map(int, row["rest_frames"].split("-"))
            faces = tuple(sorted(map(int, row["faces_at_rest"].split("-"))))
            yield LabelledFilm(row["file"], folder / row["file"], faces, (first, last), float(row["fps"]))


def sequences(folder: Path) -> Iterator[LabelledFilm]:
    """The rendered throws of a folder with a labels.jsonl."""
    by_film: dict[str, list[dict]] = {}  # type: ignore[type-arg]
    for line in (folder / "labels.jsonl").read_text(encoding="utf-8").splitlines():
        one = json.loads(line)
        by_film.setdefault(one["sequence"], []).append(one)
    for name, frames in by_film.items():
        end = frames[-1]
        readable = not end["final_n_cocked"] and all(die.get("legible", True) for die in end["dice"])
        faces = tuple(sorted(end["final_values"]))
        rest = (int(end["settle_frame"]), len(frames) - 1)
        fps = 1.0 / (float(frames[1]["time_s"]) - float(frames[0]["time_s"]))
        yield LabelledFilm(name, folder / name, faces, rest, fps, readable=readable)


def watch(film: LabelledFilm) -> Offered:
    """Read the film as a stream."""
    stream = StreamReader(Reader(len(film.faces), clock=time.thread_time))
    offered = Offered()
    for frame in film.frames():
        reading = stream.feed(frame)
        offered.ms.append(reading.ms)
        if reading.status is Status.READY:
            right = film.readable and reading.faces == film.faces
            offered.wrong += not right
            if right and not offered.right:
                offered.right, offered.after_s = True, (frame.number - film.rest[0]) / film.fps
        if film.rest[0] <= frame.number <= film.rest[1]:
            offered.last = reading
    return offered


def _row(film: LabelledFilm, offered: Offered) -> str:
    right = "yes" if offered.right else "no" if film.readable else "refused"
    reasons = ", ".join(reason.value for reason in offered.last.reasons) if not offered.right else ""
    after = f"{offered.after_s:.2f}" if offered.right else ""
    times = f"{np.median(offered.ms):.1f} | {max(offered.ms):.0f}"
    return f"| {film.name} | {len(offered.ms)} | {right} | {offered.wrong} | {after} | {times} | {reasons} |"


def run() -> None:
    """Print the table for the films and sequences beside the project."""
    cv2.setNumThreads(1)
    there: list[LabelledFilm] = []
    if (SHARED / "photos" / "video").is_dir():
        there += films(SHARED / "photos" / "video")
    for folder in sorted(SHARED.glob("renders*/sequence")):
        there += sequences(folder)
    if not there:
        print("There is no film beside the project: nothing to read.")
        return
    print("| throw | frames | right roll offered | wrong offers | after rest, s | ms | most ms | at rest |")
    print("|---" * 8 + "|")
    for film in there:
        print(_row(film, watch(film)), flush=True)
