"""Seats, the host and hints over HTTP: `/api/v1/room`. A screen is known by its cookie alone."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from http import HTTPStatus
from typing import Annotated, Any

from flask import Blueprint, Response, current_app, g, render_template, request
from pydantic import ConfigDict, Field

from station.contract.fields import Body, Name
from station.screens.roles import Role
from station.screens.room import Room
from station.screens.sessions import Session
from station.screens.shown import PublicRoom, You
from web.core import origin
from web.core.endpoints import answer, endpoint

OLD_COOKIE = "screen"
"""The name of the cookie before it had the station's number."""
YEAR_S = 31_536_000


class Sit(Body):
    """Take the seat of a player, or with null give it up."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"name": "Ana"}]})
    name: Name | None


class Pin(Body):
    """The host's PIN."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"pin": "4711"}]})
    pin: Annotated[str | None, Field(max_length=8)] = None


class Number(Body):
    """What the station shows while a screen asks to be host."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"number": "271828"}]})
    number: Annotated[str, Field(min_length=1, max_length=12)]


class Given(Body):
    """What a screen may do."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"role": "scorekeeper"}]})
    role: Role


class Pass(Body):
    """Who is host from now on."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"to": "Ben"}]})
    to: Name


class Scorekeeper(Body):
    """Who keeps the score, a seat; with null nobody does, and all play."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"name": "Cleo"}]})
    name: Name | None


class Hints(Body):
    """Hints of a player, for their own eyes or (tv) their consent to the big screen."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"name": "Ana", "on": True}]})
    name: Name
    on: Annotated[bool, Field(strict=True)]
    tv: Annotated[bool, Field(strict=True)] = False


class Voice(Body):
    """Whether this screen speaks, or the television (tv)."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"on": True}]})
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
    played: Annotated[tuple[str, ...], Field(description="By which rule sets, the latest first.")]


@dataclass(frozen=True, slots=True)
class RoomShape(KnownRoom):
    """The room, and under `you` what concerns this screen."""

    you: You


@dataclass(frozen=True, slots=True)
class Screens:
    """Every screen the station has to do with."""

    screens: tuple[Session, ...]


def token_in(cookies: Mapping[str, str], room: Room) -> str | None:
    """The token among the cookies of a request; None where there is none that the station gave out."""
    found = (cookies.get(name) for name in (room.cookie, OLD_COOKIE))
    return next(filter(room.knows, found), None)


def token() -> str | None:
    """The token of this screen; None for one that the station did not give out."""
    return token_in(request.cookies, current_app.extensions["room"])


def source() -> str:
    """The address from which something is added; "" for a host, whom no bound of an address holds."""
    room: Room = current_app.extensions["room"]
    return "" if room.of(token()).host else origin.address()


class _Screens:
    """Identifies the screen, and answers with the room as it sees it."""

    def __init__(self, room: Room, lately: Callable[[], dict[str, Any]]) -> None:
        self.room, self.lately = room, lately

    def answer(self) -> Response:
        mark = self.mine()
        you = self.room.of(mark, beside=origin.beside())
        response = answer(RoomShape(**asdict(self.room.public()[1]), **self.lately(), you=you))
        if request.method == "POST":  # who only looks is known when it comes again
            self.room.saw(mark, origin.address(), request.headers.get("User-Agent", ""))
        return self.known_by(mark, response)

    def known_by(self, mark: str, response: Response) -> Response:
        """The answer, with the token by which the screen is known from then on."""
        response.set_cookie(
            self.room.cookie, mark, max_age=YEAR_S, httponly=True, samesite="Strict", path="/"
        )
        return response

    def mine(self) -> str:
        """The token of this screen; one that has none is given one."""
        if "screen" not in g:
            g.screen = token() or self.room.new_token()
        return str(g.screen)

    @contextmanager
    def host(self) -> Iterator[str]:
        """The same, of one that is host meanwhile. Raises NotAllowedError."""
        with self.room.as_host(self.mine()):
            yield self.mine()


def create(room: Room, *, lately: Callable[[], dict[str, Any]]) -> tuple[Blueprint, ...]:
    """Blueprints of seats, of becoming host, and of the host. lately: `known` and `played` of the room."""
    screens = _Screens(room, lately)
    return _seats(screens, room), _becoming(screens, room), _host(screens, room)


def _seats(screens: _Screens, room: Room) -> Blueprint:
    seats = Blueprint("seats", __name__)

    @seats.after_app_request
    def met(response: Response) -> Response:
        """A page brings the token.

        Of two first requests that are under way at once each would bring its own, and the seat that one took
        would be lost with the answer of the other.
        """
        page = response.status_code == HTTPStatus.OK and response.mimetype == "text/html"
        if page and not room.knows(request.cookies.get(room.cookie)):
            return screens.known_by(token() or room.new_token(), response)
        return response

    @seats.get("/join")
    def page() -> str:
        return render_template("join.html")

    @seats.get("/api/v1/room")
    @endpoint(gives=RoomShape)
    def look() -> Response:
        """Who sits where."""
        return screens.answer()

    @seats.post("/api/v1/room/seat")
    @endpoint(gives=RoomShape, errors=(403, 422, 503))
    def sit(wanted: Sit) -> Response:
        """Take a seat, or leave it."""
        room.sit(screens.mine(), wanted.name, source())
        return screens.answer()

    @seats.post("/api/v1/room/scorekeeper")
    @endpoint(gives=RoomShape, errors=(403, 422, 503))
    def scorekeeper(wanted: Scorekeeper) -> Response:
        """Let one seat keep the score, or pass that on."""
        room.set_scorekeeper(screens.mine(), wanted.name)
        return screens.answer()

    @seats.post("/api/v1/room/hints")
    @endpoint(gives=RoomShape, errors=(403, 422, 503))
    def hints(wanted: Hints) -> Response:
        """Hints of a player."""
        room.set_hints(screens.mine(), wanted.name, on=wanted.on, tv=wanted.tv, address=source())
        return screens.answer()

    @seats.post("/api/v1/room/voice")
    @endpoint(gives=RoomShape, errors=(403, 503))
    def voice(wanted: Voice) -> Response:
        """Let this screen, or the television, speak."""
        room.set_voice(screens.mine(), on=wanted.on, tv=wanted.tv)
        return screens.answer()

    @seats.post("/api/v1/room/needs-aloud")
    @endpoint(gives=RoomShape, errors=(403, 503))
    def needs_aloud(wanted: Switch) -> Response:
        """Whether it also says what the next throw has to bring."""
        room.set_needs_aloud(screens.mine(), on=wanted.on)
        return screens.answer()

    return seats


def _becoming(screens: _Screens, room: Room) -> Blueprint:
    becoming = Blueprint("becoming_host", __name__, url_prefix="/api/v1/room")

    @becoming.post("/ask")
    @endpoint(gives=RoomShape, errors=(403,))
    def ask(wanted: Switch) -> Response:
        """Ask to be host, or no longer; somebody at the table has to say yes."""
        if wanted.on:
            room.ask_host(screens.mine(), origin.address())
        else:
            room.ask_no_more(screens.mine())
        return screens.answer()

    @becoming.post("/number")
    @endpoint(gives=RoomShape, errors=(403, 503))
    def number(wanted: Number) -> Response:
        """Become host by the number that the station shows."""
        room.type_number(screens.mine(), origin.address(), wanted.number)
        return screens.answer()

    @becoming.post("/host")
    @endpoint(gives=RoomShape, errors=(403, 503))
    def host(wanted: Pin) -> Response:
        """Become host by the PIN."""
        room.claim_host(screens.mine(), wanted.pin or "", origin.address())
        return screens.answer()

    return becoming


def _host(screens: _Screens, room: Room) -> Blueprint:
    hosts = Blueprint("hosts", __name__, url_prefix="/api/v1/room")

    @hosts.post("/pin")
    @endpoint(gives=RoomShape, errors=(403, 503))
    def pin(wanted: Pin) -> Response:
        """Set or remove the host's PIN."""
        with screens.host() as mine:
            room.set_pin(mine, wanted.pin)
        return screens.answer()

    @hosts.post("/pass")
    @endpoint(gives=RoomShape, errors=(403, 422, 503))
    def pass_on(wanted: Pass) -> Response:
        """Pass the host's role on."""
        with screens.host() as mine:
            room.pass_host(mine, wanted.to)
        return screens.answer()

    @hosts.post("/set-up")
    @endpoint(gives=RoomShape, errors=(403, 503))
    def set_up() -> Response:
        """The first-run pages are through."""
        room.check_settings(screens.mine())
        room.set_up()
        return screens.answer()

    @hosts.post("/only-seated")
    @endpoint(gives=RoomShape, errors=(403, 503))
    def only_seated(wanted: Switch) -> Response:
        """Let others only look."""
        with screens.host():
            room.set_only_seated(on=wanted.on)
        return screens.answer()

    @hosts.post("/next-confirms")
    @endpoint(gives=RoomShape, errors=(403, 503))
    def next_confirms(wanted: Switch) -> Response:
        """Let the next throw confirm a sure one."""
        room.set_next_confirms(screens.mine(), on=wanted.on)
        return screens.answer()

    @hosts.post("/roles")
    @endpoint(gives=RoomShape, errors=(403, 503))
    def roles(wanted: Switch) -> Response:
        """Let each screen play its own seat only."""
        with screens.host():
            room.set_roles(on=wanted.on)
        return screens.answer()

    @hosts.get("/screens")
    @endpoint(errors=(403,))
    def sessions() -> Screens:
        """Who is here."""
        with screens.host() as mine:
            return Screens(room.screens(mine))

    @hosts.post("/screens/<session>/role")
    @endpoint(errors=(403, 422, 503))
    def give_role(session: str, wanted: Given) -> Screens:
        """Say what a screen may do."""
        with screens.host() as mine:
            room.give_role(session, wanted.role)
            return Screens(room.screens(mine))

    @hosts.delete("/screens/<session>")
    @endpoint(errors=(403, 422, 503))
    def end_session(session: str) -> Screens:
        """End the session of a screen."""
        with screens.host() as mine:
            room.end_session(session)
            return Screens(room.screens(mine))

    return hosts
