"""`yacht read`: reads dice from pictures, folders and videos."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from messages.errors import BadInputError, CameraError
from messages.message import Message
from station.commands.language import say, words
from station.commands.numbers import BoundedNumber

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    from numpy.typing import NDArray

    from vision.corrections import Correction
    from vision.frame import Camera, Frame
    from vision.reader import Reader
    from vision.reading import DieReading, Reading


class DiceCount(click.ParamType["int | None"]):
    """A number of dice, 1 to 40, or `any`, which becomes None: a picture in which nobody knows."""

    name = "dice"
    COUNTS = range(1, 41)

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> int | None:
        """Fails with what it should be instead."""
        if value == "any":
            return None
        if value not in map(str, self.COUNTS):
            least, most = self.COUNTS[0], self.COUNTS[-1]
            self.fail(words(Message("yacht/usage/between", least=least, most=most)), param, ctx)
        return int(value)


@click.command("read")
@click.argument("paths", metavar="PATH...", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--dice",
    type=DiceCount(),
    metavar="N|any",
    default="5",
    show_default=True,
    help="Dice that are expected: 1 to 40, or 'any' for a picture in which nobody knows.",
)
@click.option("--profile", type=click.Path(path_type=Path), help="What 'yacht calibrate' wrote.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@click.option("--stream", is_flag=True, help="Read a folder of numbered pictures as a film.")
@click.option(
    "--fps",
    type=BoundedNumber(0.1, 1000),
    default=15.0,
    show_default=True,
    help="With --stream: pictures a second.",
)
@click.option("--every-frame", is_flag=True, help="Of a film: every frame, not only the rolls.")
@click.option(
    "--check", "corrections", type=click.Path(path_type=Path), help="Read a folder of kept corrections again."
)
def command(
    paths: tuple[Path, ...],
    *,
    dice: int | None,
    profile: Path | None,
    as_json: bool,
    stream: bool,
    fps: float,
    every_frame: bool,
    corrections: Path | None,
) -> int:
    """Read dice from pictures, folders or videos."""
    if not paths and corrections is None:
        context = click.get_current_context()
        param = next(each for each in context.command.params if each.name == "paths")
        raise click.MissingParameter(ctx=context, param=param)
    from station import resources

    threads = resources.bound()  # before numpy and OpenCV are loaded

    from calibration.profile import CalibrationProfile
    from calibration.profile_files import load_empty_tray
    from vision.reader import Reader
    from vision.threads import use_threads

    use_threads(threads.opencv)
    known = CalibrationProfile.load(profile) if profile else None
    empty = load_empty_tray(profile, known) if profile and known else None
    reader = Reader(dice, known, empty=empty)
    failed = False
    if corrections is not None:
        _check(corrections, Reader(1), as_json=as_json)  # crops: a profile knows nothing of them
    for path in paths:
        try:
            for name, reading, frame in _readings(
                path, reader, stream=stream, fps=fps, every_frame=every_frame
            ):
                if isinstance(reading, BadInputError):
                    click.echo(f"yacht: {words(reading.message)}", err=True)
                    failed = True
                elif as_json:
                    place = {} if frame is None else {"frame": frame.number, "time_s": round(frame.time_s, 4)}
                    click.echo(json.dumps({"file": name, **reading.to_json(), **place}))
                else:
                    say(_sentence(name, reading, frame))
        except (BadInputError, CameraError) as error:  # the latter of a picture in the middle of a film
            click.echo(f"yacht: {words(error.message)}", err=True)
            failed = True
    return 2 if failed else 0


def _check(folder: Path, reader: "Reader", *, as_json: bool) -> None:
    """Print what is read today of every die that was corrected, and how many are right now."""
    from vision.corrections import load_corrections
    from vision.picture import load
    from vision.reading import Status

    right = total = 0
    for correction in load_corrections(folder):
        reading = reader.read(load(correction.path))
        good = reading.status is Status.READY and reading.faces == (correction.face,)
        right, total = right + good, total + 1
        if as_json:
            found = {"file": str(correction.path), "truth": correction.face, "was": correction.read}
            result = {"status": reading.status.value, "faces": list(reading.faces), "right": good}
            click.echo(json.dumps(found | result))
        else:
            say(_checked(correction, reading))
    if not as_json:
        say(Message("yacht/read/rightly", right=right, total=total))


def _checked(correction: "Correction", reading: "Reading") -> Message:
    no_die = Message("yacht/read/no-die")
    return Message(
        "yacht/read/checked",
        file=str(correction.path),
        truth=correction.face,
        was=correction.read or no_die,
        status=_status(reading),
        now=" ".join(map(str, reading.faces)) or no_die,
    )


def _status(reading: "Reading") -> Message:
    return Message(f"yacht/read/status/{reading.status.value}")


def _readings(
    path: Path, reader: "Reader", *, stream: bool, fps: float, every_frame: bool
) -> "Iterator[tuple[str, Reading | BadInputError, Frame | None]]":
    """(name, reading or what is wrong with that file, further entries) for everything in a path."""
    from pictures.files import is_foreign
    from vision.cameras.recorded import VIDEOS, picture_files, stills, video

    if path.is_dir() and not stream:
        pictures = picture_files(path)
        if not pictures:
            raise BadInputError("camera/recording/no_pictures", code="input/bad", folder=str(path))
        for picture in pictures:
            yield str(picture), _still(picture, reader), None
    elif path.is_dir():
        for other in filter(is_foreign, picture_files(path)):
            yield str(other), _still(other, reader), None  # which says so
        yield from _film(path, stills(path, fps=fps), reader, every_frame=every_frame)
    elif path.suffix.lower() in VIDEOS:
        yield from _film(path, video(path), reader, every_frame=every_frame)
    else:
        yield str(path), _still(path, reader), None


def _still(path: Path, reader: "Reader") -> "Reading | BadInputError":
    from vision.picture import load_to_read

    try:
        image, smaller = load_to_read(path)
        _check_shape(reader, image)
        return reader.read(image).enlarged(smaller)
    except BadInputError as error:
        return error


def _check_shape(reader: "Reader", image_bgr: "NDArray[np.uint8]") -> None:
    """Raise BadInputError where the reader's profile was made for pictures of another shape.

    One of the same shape but another size the reader scales its profile to.
    """
    if reader.profile is not None:
        reader.profile.for_picture((image_bgr.shape[1], image_bgr.shape[0]))


def _film(
    path: Path, recording: "Camera", reader: "Reader", *, every_frame: bool
) -> "Iterator[tuple[str, Reading, Frame]]":
    """Every frame's reading, or only those at which another roll became ready.

    Raises BadInputError at the end of a film that was cut short.
    """
    from vision.cameras.recorded import frames_of
    from vision.film_header import cut_short
    from vision.reading import Status
    from vision.stream import StreamReader

    live = StreamReader(reader)
    offered: tuple[DieReading, ...] = ()
    for frame in frames_of(recording):
        _check_shape(reader, frame.image)
        reading = live.feed(frame)
        if every_frame:
            yield str(path), reading, frame
        elif reading.status is Status.READY and not _same_roll(offered, reading.dice):
            offered = reading.dice
            yield str(path), reading, frame
        elif reading.status is Status.EMPTY:
            offered = ()
    if path.is_file() and cut_short(path):
        raise BadInputError("vision/picture/cut_short", name=str(path))


def _same_roll(before: "tuple[DieReading, ...]", now: "tuple[DieReading, ...]") -> bool:
    """Whether the dice still lie as they were offered (a hand only passed over them)."""
    from vision.track import same_place

    return len(before) == len(now) and all(
        old.face == die.face and same_place(old, die) for old, die in zip(before, now, strict=True)
    )


def _sentence(name: str, reading: "Reading", frame: "Frame | None") -> Message:
    where = name if frame is None else Message("yacht/read/at", file=name, time=frame.time_s)
    what = Message("yacht/read/told", where=where, status=_status(reading))
    if reading.reasons:
        reasons = tuple(reason.value.replace("_", " ") for reason in reading.reasons)
        what = Message("yacht/read/why", what=what, reasons=reasons)
    faces = " ".join(map(str, reading.faces))
    return Message("yacht/read/faces", what=what, faces=faces) if faces else what
