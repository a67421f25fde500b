"""What requests to `/api/v1/calibration` bring."""

from typing import Annotated

from pydantic import Field, StringConstraints

from station.contract.area import Pixel
from station.contract.fields import Body, Face

ProfileName = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=40)]


class FindTray(Body):
    """Find the tray by its markers, or by its corners (pixels, clockwise from the top left) and width."""

    corners: Annotated[list[tuple[Pixel, Pixel]] | None, Field(min_length=4, max_length=4)] = None
    width_mm: Annotated[float | None, Field(gt=0, le=5000, allow_inf_nan=False)] = None
    marker_mm: Annotated[float | None, Field(ge=5, le=200, allow_inf_nan=False)] = None


class EmptyTray(Body):
    """Learn the empty tray. surely_empty: a person has looked; what looks like dice is a pattern."""

    surely_empty: Annotated[bool, Field(strict=True)] = False


class CalibrationStep(Body):
    """A step that needs to be told nothing."""


class SaveProfile(Body):
    """Keep the profile under a name and use it."""

    name: ProfileName = "table"


class ChooseProfile(Body):
    """Use a profile by its key; null: the one whose tray the picture shows."""

    key: Annotated[str | None, Field(max_length=60)] = None


class ThrowShows(Body):
    """What lies there really: faces of the dice that were read, from left to right, null for what is no die.

    missed: faces of dice that were not read at all.
    """

    faces: Annotated[list[Face | None], Field(max_length=20)]
    missed: Annotated[tuple[Face, ...], Field(max_length=10)] = ()
