"""The page `/rescue` and its API: what is wrong with the games, and the ways out, a button each."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from flask import Blueprint, render_template, request
from pydantic import BaseModel

from messages.errors import RefusalError
from messages.message import Message
from station.contract.view import Text
from station.screens.room import Room
from web.core.endpoints import endpoint
from web.core.i18n import sentence
from web.join.seats import token

if TYPE_CHECKING:
    from collections.abc import Callable

    from station.rescue import Rescue


@dataclass(frozen=True, slots=True)
class WayOut:
    """One way out: what to choose it by, what it brings."""

    choice: str
    told: Text


@dataclass(frozen=True, slots=True)
class Ways:
    """What is wrong with the games, null while all is well; the ways out; whether more are looked for."""

    trouble: Text | None
    offers: tuple[WayOut, ...]
    looking: bool


@dataclass(frozen=True, slots=True)
class Rescued:
    """`kept`: the file that has what was there before; null where there was nothing."""

    kept: str | None


class Chosen(BaseModel):
    """One of the ways out."""

    choice: str


def create(
    rescue: "Rescue | None", room: Room, restored: "Callable[[], None]"
) -> tuple[Blueprint, Blueprint]:
    """Page and API. restored: called when games, seats and rules were replaced."""
    pages = Blueprint("rescue", __name__)
    api = Blueprint("rescue_api", __name__, url_prefix="/api/v1")

    def choose(choice: str) -> Rescued:
        # On a station that nobody has protected an evening must not end here: no choice throws anything away.
        room.check_settings(token())
        if rescue is None:
            raise RefusalError("rescue/not-offered")
        path = rescue.choose(choice)
        restored()
        return Rescued(None if path is None else path.name)

    def page(done: Message | None) -> str:
        ways = None if rescue is None else rescue.ways()
        return render_template("rescue.html", ways=ways, done=done, sentence=sentence)

    @pages.get("/rescue")
    def look() -> str:
        return page(None)

    @pages.post("/rescue")
    def take() -> str:
        file = choose(request.form.get("choice", "")).kept
        return page(Message("rescue/done") if file is None else Message("rescue/kept", file=file))

    @api.get("/rescue")
    @endpoint()
    def ways() -> Ways:
        """What is wrong with the games, and what can be done."""
        if rescue is None:
            return Ways(None, (), looking=False)
        found = rescue.ways()
        offers = tuple(WayOut(offer.choice, offer.outcome) for offer in found.offers)
        return Ways(found.trouble, offers, found.looking)

    @api.post("/rescue")
    @endpoint(errors=(403, 422, 503))
    def chosen(wanted: Chosen) -> Rescued:
        """Take one of the ways out."""
        return choose(wanted.choice)

    return pages, api
