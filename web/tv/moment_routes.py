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

from station.camera.moments import Moments, Still
from station.table.table import Table
from web.core.endpoints import endpoint

KEPT_S = 3600
"""A die of one throw does not change; its address names the throw."""

SLOWER = 2.5
"""Times as long as it took; as long as on the big screen."""

LAST_MS = 2500
"""How long the last picture stays."""


class DieAsked(BaseModel):
    """Which die. roll: any word, another one for another throw, so that browsers may keep it.

    pictures: as a tray of the state has it, for a throw in another home.
    """

    slot: Annotated[int, Field(ge=0, le=99, examples=[1])] = 1
    roll: Annotated[str, Field(max_length=40)] = ""
    pictures: Annotated[str, Field(max_length=40)] = ""


@dataclass(frozen=True, slots=True)
class FilmStill:
    """One picture of a throw: seconds from its beginning, and a JPEG in base64."""

    at_s: float
    jpeg: str


@dataclass(frozen=True, slots=True)
class Film:
    """The last seconds of the last throw that was confirmed; no pictures where the camera saw none."""

    pictures: tuple[FilmStill, ...]


def animated(film: Sequence[Still]) -> bytes:
    """A film of two pictures or more in slow motion, as an animated WebP."""
    from PIL import Image  # noqa: PLC0415 - Pillow takes memory, and few films are kept

    shown_ms = [round(1000 * SLOWER * (after.at_s - one.at_s)) for one, after in pairwise(film)]
    first, *others = [
        Image.open(BytesIO(each.jpeg), formats=["JPEG"])  # noqa: TID251 - made here, and never stored
        for each in film
    ]
    out = BytesIO()
    first.save(
        out, "WEBP", save_all=True, append_images=others, duration=[*shown_ms, LAST_MS], loop=0, quality=70
    )
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
            seen = table.lying(slot)
            jpeg = None if seen is None else moments.die_jpeg(seen.x, seen.y)
        if jpeg is None:
            abort(HTTPStatus.NOT_FOUND)
        response = Response(jpeg, mimetype="image/jpeg")
        response.headers["Cache-Control"] = f"private, max-age={KEPT_S}" if named else "no-store"
        return response

    @api.get("/film")
    @endpoint()
    def film() -> Film:
        """The last throw that was confirmed, for slow motion."""
        return Film(tuple(FilmStill(each.at_s, b64encode(each.jpeg).decode()) for each in moments.film()))

    @api.get("/film.webp")
    @endpoint(gives="The last throw in slow motion.", kind="image/webp", errors=(404,))
    def kept() -> Response:
        """The last throw as a file to keep; the station itself keeps none."""
        pictures = moments.film()
        if len(pictures) < 2:  # noqa: PLR2004 - else nothing moves
            abort(HTTPStatus.NOT_FOUND)
        response = Response(animated(pictures), mimetype="image/webp")
        response.headers["Cache-Control"] = "no-store"
        return response

    return api
