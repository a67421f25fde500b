"""`yacht record`: frames and what is known of them, into a folder."""

import random
from contextlib import nullcontext
from pathlib import Path

import click

from messages.message import Message
from station.commands.language import say
from station.commands.numbers import BoundedNumber


@click.command("record")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--camera", default="simulated", show_default=True, metavar="SPEC", help="As for 'yacht run'.")
@click.option(
    "--seconds",
    type=BoundedNumber(0.1, 3600),
    default=10.0,
    show_default=True,
    help="Other cameras: how long.",
)
@click.option("--throws", type=click.IntRange(1, 500), default=3, show_default=True,
              help="Simulated tray: how many throws.")  # fmt: skip
@click.option("--dice", type=click.IntRange(1, 10), default=5, show_default=True, help="Dice in play.")
@click.option("--style", "styles", multiple=True, metavar="NAME", help="Simulated tray: looks of the dice.")
@click.option("--case", "cases", multiple=True, metavar="NAME",
              help="Simulated tray: stills of this hard case, no throws; 'all' for every one.")  # fmt: skip
@click.option(
    "--count", type=click.IntRange(1, 10000), default=1, show_default=True, help="Stills of each case."
)
@click.option("--seed", type=int, help="Simulated tray: the same seed gives the same recording.")
@click.option("--png", is_flag=True, help="Without loss, about five times as large.")
def command(
    *,
    folder: Path,
    camera: str,
    seconds: float,
    throws: int,
    dice: int,
    styles: tuple[str, ...],
    cases: tuple[str, ...],
    count: int,
    seed: int | None,
    png: bool,
) -> None:
    """Write the frames of a camera to FOLDER, with labels.jsonl beside them.

    With the simulated tray (the default) the labels hold the truth: faces, places and colours of all
    dice, and whether they move. With a real camera they hold the times only.
    """
    from messages.errors import BadInputError, FailedError
    from simulator.cases import CASES, example
    from simulator.recordings import record_examples, record_throws
    from simulator.styles import STYLES
    from station.camera.camera_factory import open_camera
    from vision.cameras.recording import Recorder, record_camera

    unknown = [name for name in styles if name not in STYLES]
    if unknown:
        raise BadInputError("yacht/record/no-style", code="input/bad", style=unknown[0], known=tuple(STYLES))
    names = tuple(CASES) if "all" in cases else cases
    strange = [name for name in names if name not in CASES]
    if strange:
        raise BadInputError("simulated/no_case", name=strange[0], cases=tuple(CASES))
    if camera != "simulated" and (styles or cases or seed is not None):
        raise BadInputError("yacht/record/simulated-only", code="input/bad")
    source = None if camera == "simulated" else open_camera(camera)
    # The camera first: where it fails, nothing has been made.
    with source or nullcontext(), Recorder(folder, suffix="png" if png else "jpg") as recorder:
        if source is not None:
            record_camera(source, recorder, seconds)
        elif names:
            first = seed or 0
            record_examples(recorder, lambda name, number: example(name, first + number), names, count)
        else:
            rng = random.Random(seed)  # noqa: S311 - dice of a game, no secrets
            looks = tuple(STYLES[name] for name in styles) or (STYLES["white"],)
            record_throws(recorder, rng, throws, dice=dice, styles=looks)
    if recorder.count == 0:
        raise FailedError("yacht/record/no-picture", code="station/failed", camera=camera)
    say(Message("yacht/record/done", count=recorder.count, folder=str(folder)))
