"""What the big screen shows of the real dice: each cut out of the picture, and the last throw again."""

from base64 import b64encode
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from io import BytesIO
from itertools import pairwise
from typing import Annotated

from flask import Blueprint, Response, abort
from pydantic import BaseModel, Field

from station.camera.moments import Moments
from station.table.table import Table
from vision.slow_motion import LASTS_S, Box, Shot, cropped
from web.core.endpoints import endpoint

KEPT_S = 3600
"""A die of one throw does not change; its address names the throw."""

KEPT_WH = 640, 360
"""Pixels of a film that is kept."""


class DieAsked(BaseModel):
    """Which die. roll: any word, another one for another throw, so that browsers may keep it.

    pictures: as a tray of the state has it, for a throw in another home.
    """

    slot: Annotated[int, Field(ge=0, le=99, examples=[1])] = 1
    roll: Annotated[str, Field(max_length=40)] = ""
    pictures: Annotated[str, Field(max_length=40)] = ""


@dataclass(frozen=True, slots=True)
class FilmStill:
    """One picture of a throw."""

    at_s: Annotated[float, Field(description="Seconds from the beginning of the throw.")]
    jpeg: Annotated[str, Field(description="In base64.")]
    shown_s: Annotated[float, Field(description="Seconds from the beginning of the film, in slow motion.")]
    box: Annotated[
        Box,
        Field(description="What is shown of it then: left, top, width and height, as shares of the picture."),
    ]


@dataclass(frozen=True, slots=True)
class Film:
    """The last throw that was confirmed, from its first die on; no pictures where the camera saw none."""

    lasts_s: Annotated[float, Field(description="How long the film lasts, its last picture included.")]
    pictures: tuple[FilmStill, ...]


def animated(film: Sequence[Shot]) -> bytes:
    """A film of two pictures or more in slow motion, as an animated WebP."""
    from PIL import Image  # noqa: PLC0415 - Pillow takes memory, and few films are kept

    ends = [*(each.shown_s for each in film), LASTS_S]
    shown_ms = [round(1000 * (after - one)) for one, after in pairwise(ends)]
    first, *others = [Image.fromarray(cropped(each, KEPT_WH)[:, :, ::-1]) for each in film]
    out = BytesIO()
    first.save(out, "WEBP", save_all=True, append_images=others, duration=shown_ms, loop=0, quality=70)
    return out.getvalue()


def create(table: Table, moments: Moments, die_picture: Callable[[str, int], bytes | None]) -> Blueprint:
    """The blueprint. die_picture: the picture of a die that a feature has, by name and slot."""
    api = Blueprint("moments", __name__, url_prefix="/api/v1")

    @api.get("/die.jpg")
    @endpoint(gives="A die as it lies, upright.", kind="image/jpeg", errors=(404,))
    def die(query: DieAsked) -> Response:
        """One of the dice that are shown, cut out of the camera's picture."""
        slot, named = query.slot, query.roll or query.pictures
        if query.pictures:
            jpeg = die_picture(query.pictures, slot)
        else:
            die = table.lying(slot)
            jpeg = None if die is None else moments.die_jpeg(die.x, die.y)
        if jpeg is None:
            abort(HTTPStatus.NOT_FOUND)
        response = Response(jpeg, mimetype="image/jpeg")
        response.headers["Cache-Control"] = f"private, max-age={KEPT_S}" if named else "no-store"
        return response

    @api.get("/film")
    @endpoint()
    def film() -> Film:
        """The last throw that was confirmed, for slow motion."""
        return Film(
            LASTS_S,
            tuple(
                FilmStill(each.at_s, b64encode(each.jpeg).decode(), each.shown_s, each.box)
                for each in moments.film()
            ),
        )

    @api.get("/film.webp")
    @endpoint(gives="The last throw in slow motion.", kind="image/webp", errors=(404,))
    def film_file() -> Response:
        """The last throw as a file to keep; the station itself keeps none."""
        pictures = moments.film()
        if not pictures:
            abort(HTTPStatus.NOT_FOUND)
        response = Response(animated(pictures), mimetype="image/webp")
        response.headers["Cache-Control"] = "no-store"
        return response

    return api
