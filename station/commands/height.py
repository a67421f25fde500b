"""`yacht height`: how high the camera has to hang above the tray."""

import json
from dataclasses import asdict
from typing import Any

import click

from messages.errors import BadInputError
from station.camera import mounting
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
            raise BadInputError(f"{value!r} is no size; write it as 240x180.") from None


@click.command("height")
@click.option("--tray", type=SizeType(), default="240x180", show_default=True, metavar="LxW",
              help="Inside of the tray in mm.")  # fmt: skip
@click.option("--lens", "lens_id", default="pi3", show_default=True, metavar="ID",
              help="The camera: " + ", ".join(each.id for each in mounting.LENSES) + ".")  # fmt: skip
@click.option("--angle", type=SizeType(), metavar="AxB",
              help="Instead of --lens: degrees the camera sees across and along.")  # fmt: skip
@click.option("--at", "at_mm", type=float, metavar="MM", help="Say what it sees from this height instead.")
@click.option("--die", "die_mm", type=float, default=16, show_default=True, metavar="MM",
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
        else mounting.CameraOptics("own", "This camera", *angle, 0, "--angle")
    )
    lowest_mm = mounting.height_mm(camera, tray, die_mm=die_mm)
    seen = mounting.place(camera, tray, lowest_mm if at_mm is None else at_mm, die_mm=die_mm)
    warned = mounting.warnings(camera, seen, tray)
    if as_json:
        click.echo(
            json.dumps({"lens": camera.id, **asdict(seen), "warnings": [str(each) for each in warned]})
        )
        return
    long_mm, short_mm = sorted(tray, reverse=True)
    if at_mm is None:
        click.echo(
            f"{camera.title} over a tray of {long_mm:g} x {short_mm:g} mm: hang the lens "
            f"{seen.height_mm:.0f} mm above the floor of the tray, or a little higher."
        )
    click.echo(
        f"From {seen.height_mm:.0f} mm it sees {seen.seen_mm[0]:.0f} x {seen.seen_mm[1]:.0f} mm; a die of "
        f"{die_mm:g} mm is {seen.die_px:.0f} pixels wide in a picture of 1280, and is seen "
        f"{seen.lean_deg:.0f}° from the side in a corner."
    )
    for sentence in warned:
        click.echo(sentence)
