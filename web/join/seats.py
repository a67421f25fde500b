"""Seats, the host and hints over HTTP: `/api/v1/room`. A screen is known by its cookie alone."""

import secrets
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Annotated

from flask import Blueprint, Response, render_template, request
from pydantic import ConfigDict, Field

from station.contract.fields import Body, Name
from station.screens.room import PublicRoom, Room, You
from web.core.endpoints import answer, endpoint

COOKIE = "screen"
YEAR_S = 31_536_000


class Sit(Body):
    """Take the seat of a player, or with null give it up."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"name": "Ana"}]})
    name: Name | None


class Pin(Body):
    """The host's PIN."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"pin": "4711"}]})
    pin: Annotated[str | None, Field(max_length=8)] = None


class Pass(Body):
    """Who is host from now on."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"to": "Ben"}]})
    to: Name


class Hints(Body):
    """Hints of a player, for their own eyes or (tv) their consent to the big screen."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"name": "Ana", "on": True}]})
    name: Name
    on: Annotated[bool, Field(strict=True)]
    tv: Annotated[bool, Field(strict=True)] = False


class Switch(Body):
    """On or off."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"on": True}]})
    on: Annotated[bool, Field(strict=True)]


@dataclass(frozen=True, slots=True)
class KnownRoom(PublicRoom):
    """The room as every screen sees it."""

    known: Annotated[tuple[str, ...], Field(description="Who has played here, the latest first.")]


@dataclass(frozen=True, slots=True)
class RoomShape(KnownRoom):
    """The room, and under `you` what concerns this screen."""

    you: You


def token() -> str | None:
    """The token of the screen that asks."""
    found = request.cookies.get(COOKIE)
    return found if found and len(found) <= 64 else None  # noqa: PLR2004 - ours have 32 characters


class _Screens:
    """Reads who asks, and answers with the room as this screen sees it."""

    def __init__(self, room: Room, known: Callable[[], tuple[str, ...]]) -> None:
        self.room, self.known = room, known

    def answer(self, mark: str | None) -> Response:
        response = answer(
            RoomShape(**asdict(self.room.public()[1]), known=self.known(), you=self.room.of(mark))
        )
        if mark is not None:
            response.set_cookie(COOKIE, mark, max_age=YEAR_S, httponly=True, samesite="Lax", path="/")
        return response

    @staticmethod
    def mine() -> str:
        return token() or secrets.token_urlsafe(24)


def create(room: Room, *, known: Callable[[], tuple[str, ...]]) -> tuple[Blueprint, Blueprint]:
    """Blueprints of the seats and of the host. known: names of those who have played here."""
    screens = _Screens(room, known)
    return _seats(screens, room), _host(screens, room)


def _seats(screens: _Screens, room: Room) -> Blueprint:
    seats = Blueprint("seats", __name__)

    @seats.get("/join")
    def page() -> str:
        return render_template("join.html")

    @seats.get("/api/v1/room")
    @endpoint(gives=RoomShape)
    def look() -> Response:
        """Who sits where."""
        return screens.answer(token())

    @seats.post("/api/v1/room/seat")
    @endpoint(gives=RoomShape, errors=(403, 503))
    def sit(wanted: Sit) -> Response:
        """Take a seat, or leave it."""
        mark = screens.mine()
        room.sit(mark, wanted.name)
        return screens.answer(mark)

    @seats.post("/api/v1/room/hints")
    @endpoint(gives=RoomShape, errors=(403, 503))
    def hints(wanted: Hints) -> Response:
        """Hints of a player."""
        room.set_hints(wanted.name, on=wanted.on, tv=wanted.tv)
        return screens.answer(screens.mine())

    @seats.post("/api/v1/room/voice")
    @endpoint(gives=RoomShape, errors=(403, 503))
    def voice(wanted: Switch) -> Response:
        """Let this screen speak."""
        mark = screens.mine()
        room.set_voice(mark, on=wanted.on)
        return screens.answer(mark)

    return seats


def _host(screens: _Screens, room: Room) -> Blueprint:
    hosts = Blueprint("hosts", __name__, url_prefix="/api/v1/room")

    def host_of() -> str:
        mark = screens.mine()
        room.check_host(mark)
        return mark

    @hosts.post("/host")
    @endpoint(gives=RoomShape, errors=(403, 503))
    def host(wanted: Pin) -> Response:
        """Become host by the PIN."""
        mark = screens.mine()
        room.claim_host(mark, wanted.pin or "")
        return screens.answer(mark)

    @hosts.post("/pin")
    @endpoint(gives=RoomShape, errors=(403, 503))
    def pin(wanted: Pin) -> Response:
        """Set or remove the host's PIN."""
        mark = host_of()
        room.set_pin(mark, wanted.pin)
        return screens.answer(mark)

    @hosts.post("/pass")
    @endpoint(gives=RoomShape, errors=(403, 422, 503))
    def pass_on(wanted: Pass) -> Response:
        """Pass the host's role on."""
        mark = host_of()
        room.pass_host(mark, wanted.to)
        return screens.answer(mark)

    @hosts.post("/set-up")
    @endpoint(gives=RoomShape, errors=(403, 503))
    def set_up() -> Response:
        """The first-run pages are through."""
        mark = host_of()
        room.set_up()
        return screens.answer(mark)

    @hosts.post("/only-seated")
    @endpoint(gives=RoomShape, errors=(403, 503))
    def only_seated(wanted: Switch) -> Response:
        """Let others only look."""
        mark = host_of()
        room.set_only_seated(on=wanted.on)
        return screens.answer(mark)

    return hosts
