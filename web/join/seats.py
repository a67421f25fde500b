"""Seats, the host and hints over HTTP: `/api/v1/room`. A screen is known by its cookie alone."""

import secrets
from typing import Annotated

from flask import Blueprint, Response, jsonify, render_template, request
from pydantic import Field

from station.screens.room import Room
from web.core.json_body import json_body
from web.core.request_models import Body, Name

COOKIE = "screen"
YEAR_S = 31_536_000


class Sit(Body):
    """Take the seat of a player, or with null give it up."""

    name: Name | None


class Pin(Body):
    """The host's PIN."""

    pin: Annotated[str | None, Field(max_length=8)] = None


class Pass(Body):
    """Who is host from now on."""

    to: Name


class Hints(Body):
    """Hints of a player, for their own eyes or (tv) their consent to the big screen."""

    name: Name
    on: Annotated[bool, Field(strict=True)]
    tv: Annotated[bool, Field(strict=True)] = False


class Switch(Body):
    """On or off."""

    on: Annotated[bool, Field(strict=True)]


def token() -> str | None:
    """The token of the screen that asks."""
    found = request.cookies.get(COOKIE)
    return found if found and len(found) <= 64 else None  # noqa: PLR2004 - ours have 32 characters


class _Screens:
    """Reads who asks, and answers with the room as this screen sees it."""

    def __init__(self, room: Room) -> None:
        self.room = room

    def answer(self, mark: str | None) -> Response:
        response = jsonify(self.room.public()[1] | {"you": self.room.of(mark)})
        if mark is not None:
            response.set_cookie(COOKIE, mark, max_age=YEAR_S, httponly=True, samesite="Lax", path="/")
        return response

    @staticmethod
    def mine() -> str:
        return token() or secrets.token_urlsafe(24)


def create(room: Room) -> tuple[Blueprint, Blueprint]:
    """Blueprints of the seats and of the host."""
    screens = _Screens(room)
    return _seats(screens, room), _host(screens, room)


def _seats(screens: _Screens, room: Room) -> Blueprint:
    seats = Blueprint("seats", __name__)

    @seats.get("/join")
    def page() -> str:
        return render_template("join.html")

    @seats.get("/api/v1/room")
    def look() -> Response:
        return screens.answer(token())

    @seats.post("/api/v1/room/seat")
    def sit() -> Response:
        mark = screens.mine()
        room.sit(mark, Sit.model_validate(json_body()).name)
        return screens.answer(mark)

    @seats.post("/api/v1/room/hints")
    def hints() -> Response:
        wanted = Hints.model_validate(json_body())
        room.set_hints(wanted.name, on=wanted.on, tv=wanted.tv)
        return screens.answer(screens.mine())

    @seats.post("/api/v1/room/voice")
    def voice() -> Response:
        mark = screens.mine()
        room.set_voice(mark, on=Switch.model_validate(json_body()).on)
        return screens.answer(mark)

    return seats


def _host(screens: _Screens, room: Room) -> Blueprint:
    hosts = Blueprint("hosts", __name__, url_prefix="/api/v1/room")

    @hosts.post("/host")
    def host() -> Response:
        mark = screens.mine()
        room.claim_host(mark, Pin.model_validate(json_body()).pin or "")
        return screens.answer(mark)

    @hosts.post("/pin")
    def pin() -> Response:
        mark = screens.mine()
        wanted = Pin.model_validate(json_body()).pin
        room.check_host(mark)
        room.set_pin(mark, wanted)
        return screens.answer(mark)

    @hosts.post("/pass")
    def pass_on() -> Response:
        wanted = Pass.model_validate(json_body())
        mark = screens.mine()
        room.check_host(mark)
        room.pass_host(mark, wanted.to)
        return screens.answer(mark)

    @hosts.post("/set-up")
    def set_up() -> Response:
        mark = screens.mine()
        room.check_host(mark)
        room.set_up()
        return screens.answer(mark)

    @hosts.post("/only-seated")
    def only_seated() -> Response:
        wanted = Switch.model_validate(json_body())
        mark = screens.mine()
        room.check_host(mark)
        room.set_only_seated(on=wanted.on)
        return screens.answer(mark)

    return hosts
