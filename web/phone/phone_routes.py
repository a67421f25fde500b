"""A phone as the camera: its page `/camera`, and over HTTP what it sends, `/api/v1/phone`."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from flask import Blueprint, Response, make_response, render_template, request
from pydantic import BaseModel, ConfigDict, Field

from calibration.outline import Points
from messages.errors import FailedError, NotAllowedError
from station.camera.phones import Phone, Phones, Standing, Trouble, Wants
from station.contract.fields import Body
from web.core import headers
from web.core.endpoints import endpoint
from web.core.errors import OtherKindError
from web.join.seats import Switch, token

if TYPE_CHECKING:
    from station.camera.calibrator import Calibrator

KIND = "image/jpeg"
PICTURE, WORD = "/api/v1/phone/picture", "/api/v1/phone/word"
SENT = frozenset({PICTURE, WORD})
"""Messages of the camera; who waits for its pictures may have the same address."""
PICTURE_MAX_BYTES = 6_000_000
"""Of a large picture; one of 1280 by 720 has some 150,000."""


class PictureAsked(BaseModel):
    """What picture it is."""

    small: Annotated[bool, Field(description="Whether it is a small one, sent while something moves.")] = (
        False
    )


class PhoneWord(Body):
    """What a phone says of itself. Without a trouble: nothing has moved since its large picture."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"fps": 14.5, "wished": [], "held": []}]})
    trouble: Trouble | None = None
    fps: Annotated[float, Field(ge=0, le=1000, description="How often a second it looks; 0: not known.")] = (
        0.0
    )
    wished: Annotated[tuple[str, ...], Field(max_length=9, description="What it was told to hold.")] = ()
    held: Annotated[tuple[str, ...], Field(max_length=9, description="Of that, what it holds.")] = ()


class ChoosePhone(Body):
    """Which phone is the camera; null: none."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"id": None}]})
    id: Annotated[str | None, Field(max_length=40)]


@dataclass(frozen=True, slots=True)
class PhoneAnswer:
    """What a phone is to do.

    standing: what this screen is. wants: which pictures are of use: `word` that nothing has moved, a `fresh`
    large one of what lies still, a `large` one whatever moves. long_px: the longer side of a large one. hold:
    of light and focus.
    """

    standing: Standing
    wants: Wants
    long_px: int
    hold: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PhoneReport:
    """Which phone is the camera.

    in_use: whether a phone is the camera of this station at all. standing: what this screen is. may_choose:
    whether it decides which one is. outline: of the tray, in pixels of a picture of size_wh.
    """

    in_use: bool = False
    standing: Standing = Standing.NONE
    may_choose: bool = False
    camera: Phone | None = None
    asking: tuple[Phone, ...] = ()
    outline: Points | None = None
    size_wh: tuple[int, int] | None = None


class _Answers:
    """Identifies the phone, and answers with what it is to do."""

    def __init__(self, phones: Callable[[], Phones | None]) -> None:
        self.phones = phones

    def there(self) -> Phones:
        """Raises FailedError where another camera is in use."""
        found = self.phones()
        if found is None:
            raise FailedError("phone/not_in_use")
        return found

    def camera(self) -> Phones:
        """The same, for the phone that is the camera. Raises NotAllowedError for another screen."""
        self.there().check(token())
        return self.there()

    def answer(self) -> PhoneAnswer:
        it = self.there()
        return PhoneAnswer(it.standing(token()), it.line.wanted, it.line.long_px, it.line.hold)


def create(
    phones: Callable[[], Phones | None],
    calibration: "Calibrator | None",
    secure: Callable[[], tuple[str, ...]],
) -> tuple[Blueprint, Blueprint]:
    """The blueprints: the page with who is the camera, and what the camera sends.

    phones: None while the camera is no phone. secure: addresses of the pages by https.
    """
    answers = _Answers(phones)
    return _choosing(answers, calibration, secure), _sending(answers)


def _choosing(
    answers: _Answers, calibration: "Calibrator | None", secure: Callable[[], tuple[str, ...]]
) -> Blueprint:
    pages = Blueprint("phone", __name__)

    @pages.get("/camera")
    def page() -> Response:
        response = make_response(render_template("camera.html", secure=secure()))
        response.headers["Permissions-Policy"] = headers.PERMISSIONS.replace("camera=()", "camera=(self)")
        return response

    @pages.get("/api/v1/phone")
    @endpoint()
    def look() -> PhoneReport:
        """Which phone is the camera."""
        phones, mine = answers.phones(), token()
        if phones is None:
            return PhoneReport()
        outline, size_wh = (calibration.outline() if calibration else None) or (None, None)
        return PhoneReport(
            in_use=True,
            standing=phones.standing(mine),
            may_choose=phones.may_choose(mine),
            camera=phones.camera(mine),
            asking=phones.asking(mine),
            outline=outline,
            size_wh=size_wh,
        )

    @pages.post("/api/v1/phone/ask")
    @endpoint(errors=(403, 503))
    def ask(wanted: Switch) -> PhoneAnswer:
        """Be the camera, ask to be where there is one, or no longer; who asks says so every few seconds."""
        phones, mine = answers.there(), token()
        if mine is None:
            raise NotAllowedError("phone/no_screen")
        if wanted.on:
            phones.ask(mine)
        else:
            phones.withdraw(mine)
        return answers.answer()

    @pages.post("/api/v1/phone/choose")
    @endpoint(errors=(403, 422, 503))
    def choose(wanted: ChoosePhone) -> PhoneAnswer:
        """Let a phone that asks be the camera."""
        answers.there().choose(token(), wanted.id)
        return answers.answer()

    return pages


def _sending(answers: _Answers) -> Blueprint:
    api = Blueprint("phone_sending", __name__)

    @api.post(PICTURE)
    @endpoint(takes=KIND, errors=(403, 503))
    def picture(query: PictureAsked) -> PhoneAnswer:
        """A picture of the phone that is the camera; the next one once this is answered."""
        line = answers.camera().line
        if request.mimetype != KIND:
            raise OtherKindError("phone/not_jpeg", kind=KIND)
        request.max_content_length = PICTURE_MAX_BYTES
        line.put(request.get_data(), small=query.small)
        return answers.answer()

    @api.post(WORD)
    @endpoint(errors=(403, 503))
    def word(wanted: PhoneWord) -> PhoneAnswer:
        """That nothing has moved, or why the phone can send no pictures."""
        line = answers.camera().line
        line.look_rate(wanted.fps)
        line.holds(wanted.wished, wanted.held)
        if wanted.trouble is None:
            line.still()
        else:
            line.tell(wanted.trouble)
        return answers.answer()

    return api
