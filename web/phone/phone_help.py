"""Before a phone is the camera: what it warns of, and its stand (`/phone`, `/api/v1/mounting/stand`)."""

from typing import Annotated, Literal
from urllib.parse import urlsplit

from flask import Blueprint, render_template
from pydantic import BaseModel, Field

from calibration.usual import USUAL_DIE_MM
from station.camera.mounting import CARD_MM, BookStand, book_stand, measured
from web.core.endpoints import endpoint
from web.setup.https_routes import Https, camera_address

Length = Annotated[float, Field(gt=0, le=5000, allow_inf_nan=False)]
Share = Annotated[float, Field(gt=0, le=1, allow_inf_nan=False)]


class StandQuery(BaseModel):
    """What the phone showed of something known from a height, and the tray.

    The share is that of the picture's longer side: of the card's long side, of a die's edge, or of a ruler.
    """

    known: Annotated[Literal["card", "die", "ruler"], Field(description="What lies there.")] = "card"
    share: Annotated[Share, Field(description="Of the picture's longer side that it takes.")] = 1.0
    ratio: Annotated[Share, Field(description="Shorter side of the picture to the longer one.")] = 9 / 16
    at_mm: Annotated[Length, Field(description="Lens above the table.")] = 300.0
    ruler_mm: Annotated[Length, Field(description="How much of a ruler is seen.")] = 300.0
    die_mm: Annotated[Length, Field(description="Edge of a die.")] = USUAL_DIE_MM
    long_mm: Annotated[Length, Field(description="Longer side of the tray, inside.")] = 240.0
    short_mm: Annotated[Length, Field(description="Shorter side of the tray, inside.")] = 180.0


def stand_of(query: StandQuery) -> BookStand:
    """The stand for that phone. Raises BadInputError for what cannot be."""
    length_mm = {"card": CARD_MM, "die": query.die_mm, "ruler": query.ruler_mm}[query.known]
    from_mm = query.at_mm - (query.die_mm if query.known == "die" else 0)
    phone = measured(query.share, query.ratio, length_mm=length_mm, from_mm=from_mm)
    return book_stand(phone, (query.long_mm, query.short_mm), die_mm=query.die_mm)


def create(https: Https | None) -> Blueprint:
    """The blueprint."""
    pages = Blueprint("phone_help", __name__)

    @pages.get("/phone")
    def page() -> str:
        camera = camera_address(https)
        house = https is not None and not https.makes_own
        site = "192.168.1.20:8443" if camera is None else urlsplit(camera).netloc
        return render_template("phone_help.html", camera=camera, house=house, site=site)

    @pages.get("/api/v1/mounting/stand")
    @endpoint(errors=())
    def stand(query: StandQuery) -> BookStand:
        """How high a phone's stand has to be, by what it shows of a bank card, a die or a ruler."""
        return stand_of(query)

    return pages
