"""A part of the tray that people mark in the picture; it belongs to the profile in use."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from station.contract.fields import Body

if TYPE_CHECKING:
    from calibration.profile import CalibrationProfile
    from vision.reading import Reading

Corners = tuple[tuple[float, float], ...]
"""Corners (x, y) in pixels, in order."""
Pixel = Annotated[float, Field(ge=-10_000, le=100_000, allow_inf_nan=False)]


class MarkArea(Body):
    """Mark it by its corners; null: there is none."""

    corners: Annotated[list[tuple[Pixel, Pixel]] | None, Field(min_length=3, max_length=12)]


@dataclass(frozen=True, slots=True)
class Area:
    """The description of one area by its feature.

    step: `/api/v1/calibration/STEP` marks it; summary: what the API says of that; takes: what it brings.
    view: the part of a `calibration_view`, by the corners in the picture. of, marked: its corners in a
    profile, and the profile with others. read: a reading, by the dice in it.
    """

    step: str
    summary: str
    takes: type[MarkArea]
    view: Callable[[Corners | None], object]
    of: "Callable[[CalibrationProfile], Corners | None]"
    marked: "Callable[[CalibrationProfile, Corners | None], CalibrationProfile]"
    read: "Callable[[Reading, Corners | None], Reading]"
