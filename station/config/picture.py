"""The picture of a live camera, and the tray that is drawn where there is none."""

from typing import Annotated, Literal

from pydantic import Field

from station.config.group import Group

Side = Annotated[int, Field(ge=240, le=4608, multiple_of=2, json_schema_extra={"unit": "px"})]


class Picture(Group):
    """The picture of a live camera. What a camera cannot do of it, health says."""

    size: Annotated[
        tuple[Side, Side] | None,
        Field(
            title="Size",
            description="Width and height, before the picture is turned; left out: 1280 by 720.",
        ),
    ] = None
    fps: Annotated[
        float | None,
        Field(
            ge=5,
            le=60,
            title="Pictures a second",
            description="Left out: 20 of a Pi camera, 30 of a USB camera.",
            json_schema_extra={"unit": "1/s"},
        ),
    ] = None
    rotation: Annotated[
        Literal[0, 90, 180, 270],
        Field(title="Rotation", description="Degrees clockwise; 180 for a camera that hangs upside down."),
    ] = 0
    mirrored: Annotated[
        bool, Field(title="Mirrored", description="Left and right change places, as after a mirror.")
    ] = False
    flicker_hz: Annotated[
        Literal[0, 50, 60],
        Field(
            title="Mains",
            description="50 or 60 where lamps show as bands in the picture; 0 leaves it to the camera.",
            json_schema_extra={"unit": "Hz"},
        ),
    ] = 0
    hdr: Annotated[
        bool,
        Field(title="HDR", description="Several exposures in one, for a tray with hard light (Pi 5)."),
    ] = False
    exposure: Annotated[
        Literal["normal", "short"],
        Field(title="Exposure", description="short: less smear when dice roll, and more noise."),
    ] = "normal"
    exposure_ms: Annotated[
        float | None,
        Field(
            ge=0.1,
            le=200,
            title="Exposure time",
            description="How long each picture is exposed; the gain follows the light. Left out: the camera "
            "chooses.",
            json_schema_extra={"unit": "ms"},
        ),
    ] = None
    number: Annotated[
        int | None,
        Field(
            ge=0,
            le=9,
            title="Camera number",
            description="Which of several Pi or USB cameras, from 0; left out: the one that camera names.",
        ),
    ] = None


class Simulated(Group):
    """The simulated tray."""

    fps: Annotated[
        float,
        Field(ge=1, le=60, title="Frames", description="Frames a second.", json_schema_extra={"unit": "1/s"}),
    ] = 15.0
    pace: Annotated[
        float,
        Field(ge=0.1, le=20, title="Pace", description="2 lets hand and dice move twice as fast."),
    ] = 1.0
    seed: Annotated[
        int | None, Field(ge=0, title="Seed", description="The same seed gives the same dice.")
    ] = None
    dice: Annotated[
        tuple[str, ...],
        Field(min_length=1, max_length=10, title="Dice", description="Their looks, repeated as needed."),
    ] = ("white",)
    scale: Annotated[
        Literal["table", "lawn"],
        Field(title="Scale", description="lawn: dice of 10 cm, and the camera 2.5 m above them."),
    ] = "table"
