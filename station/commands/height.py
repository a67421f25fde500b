"""`yacht height`: how high the camera has to hang above the tray."""

import json
from dataclasses import asdict
from typing import Any

import click

from calibration.usual import USUAL_DIE_MM
from messages.errors import BadInputError
from messages.message import Message
from station.camera import mounting
from station.commands.language import say, words
from station.commands.options import JSON_OPTION


class SizeType(click.ParamType[tuple[float, float]]):
    """Two lengths or angles, as in 240x180."""

    name = "size"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[float, float]:
        """Both numbers in the order given."""
        del param, ctx
        if isinstance(value, tuple):
            return value
        try:
            first, second = str(value).lower().split("x")
            return float(first), float(second)
        except ValueError:
            raise BadInputError("yacht/height/no-size", code="input/bad", size=str(value)) from None


@click.command("height")
@click.option("--tray", type=SizeType(), default="240x180", show_default=True, metavar="LxW",
              help="Inside of the tray in mm.")  # fmt: skip
@click.option("--lens", "lens_id", default="pi3", show_default=True, metavar="ID",
              help="The camera: " + ", ".join(each.id for each in mounting.LENSES) + ".")  # fmt: skip
@click.option("--angle", type=SizeType(), metavar="AxB",
              help="Instead of --lens: degrees the camera sees across and along.")  # fmt: skip
@click.option("--at", "at_mm", type=float, metavar="MM", help="Say what it sees from this height instead.")
@click.option("--die", "die_mm", type=float, default=USUAL_DIE_MM, show_default=True, metavar="MM",
              help="Edge of a die.")  # fmt: skip
@JSON_OPTION
def command(
    *,
    tray: tuple[float, float],
    lens_id: str,
    angle: tuple[float, float] | None,
    at_mm: float | None,
    die_mm: float,
    as_json: bool,
) -> None:
    """Print how high the camera has to hang to see the whole tray, and how large the dice are then."""
    camera = (
        mounting.lens(lens_id)
        if angle is None
        else mounting.CameraOptics("own", words(Message("yacht/height/own")), *angle, 0, "--angle")
    )
    lowest_mm = mounting.height_mm(camera, tray, die_mm=die_mm)
    seen = mounting.place(camera, tray, lowest_mm if at_mm is None else at_mm, die_mm=die_mm)
    warned = mounting.warnings(camera, seen, tray)
    if as_json:
        click.echo(
            json.dumps({"lens": camera.id, **asdict(seen), "warnings": [str(warning) for warning in warned]})
        )
        return
    long_mm, short_mm = sorted(tray, reverse=True)
    if at_mm is None:
        tray_mm, height_mm = f"{long_mm:g} x {short_mm:g}", f"{seen.height_mm:.0f}"
        say(Message("yacht/height/hang", camera=camera.title, tray=tray_mm, height=height_mm))
    say(
        Message(
            "yacht/height/sees",
            height=f"{seen.height_mm:.0f}",
            seen=f"{seen.seen_mm[0]:.0f} x {seen.seen_mm[1]:.0f}",
            die=f"{die_mm:g}",
            pixels=f"{seen.die_px:.0f}",
            lean=f"{seen.lean_deg:.0f}",
        )
    )
    for sentence in warned:
        say(sentence)
