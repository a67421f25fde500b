"""One error shape for everything that goes wrong between a request and its answer.

`{"error": {"code": "room/what", "message": "A sentence."}}`, whatever the status and the path: programs
read the code, people the sentence. Pages get the same sentence as a page.
"""

import logging
from http import HTTPStatus
from typing import Any

from flask import Flask, Response, jsonify, render_template, request
from werkzeug.exceptions import HTTPException

from messages.errors import BadInputError, FailedError, NotAllowedError, RefusalError, YachtError
from messages.message import Message
from web.core.i18n import in_words, sentence

LOG = logging.getLogger(__name__)

KEYS = {
    400: "request/bad",
    403: "request/forbidden",
    404: "request/not_found",
    405: "request/method",
    413: "request/too_large",
    415: "request/not_json",
    500: "station/error",
}
"""HTTP status -> code and sentence of what the framework itself turns away."""


class OtherKindError(BadInputError):
    """What was sent is declared as something else than this address takes. HTTP 415."""


def body(code: str, message: Message | str) -> dict[str, Any]:
    """The error shape: code, sentence in the language of the screen, and the values in it, if any."""
    error: dict[str, Any] = {"code": code, "message": sentence(message)}
    if isinstance(message, Message) and message.items:
        error["values"] = {name: in_words(value) for name, value in message.items}
    return {"error": error}


def status_of(error: YachtError) -> int:  # noqa: PLR0911 - one for each status
    """The HTTP status for an error of the station.

    Refused 422, 409 when the version is stale, 404 for a past game that goes on, 403 when another screen
    might; not understood 400; could not be done 503.
    """
    match error:
        case NotAllowedError():
            return HTTPStatus.FORBIDDEN
        case RefusalError(code="version/stale"):
            return HTTPStatus.CONFLICT
        case RefusalError(code="history/goes_on"):
            return HTTPStatus.NOT_FOUND
        case RefusalError():
            return HTTPStatus.UNPROCESSABLE_ENTITY
        case OtherKindError():
            return HTTPStatus.UNSUPPORTED_MEDIA_TYPE
        case BadInputError():
            return HTTPStatus.BAD_REQUEST
        case FailedError():
            return HTTPStatus.SERVICE_UNAVAILABLE
        case _:
            return HTTPStatus.INTERNAL_SERVER_ERROR


def _answer(status: int, code: str, message: Message | str) -> Response:
    # A form of a page is sent by a person, who wants a page back.
    by_hand = request.method == "GET" or "text/html" in request.accept_mimetypes.values()
    if request.path.startswith("/api/") or not by_hand:
        response = jsonify(body(code, message))
    else:
        response = Response(
            render_template("problem.html", status=status, code=code, message=sentence(message))
        )
    response.status_code = status
    return response


def install(app: Flask) -> None:
    """Let every error of `app` leave it in the one shape."""

    @app.errorhandler(YachtError)
    def of_station(error: YachtError) -> Response:
        return _answer(status_of(error), error.code, error.message)

    @app.errorhandler(HTTPException)
    def of_framework(error: HTTPException) -> Response:
        status = error.code or 500
        key = KEYS.get(status)
        text = Message(key) if key else error.description or ""
        response = _answer(status, key or "request/failed", text)
        allowed = error.get_response().headers.get("Allow")
        if allowed:
            response.headers["Allow"] = allowed
        return response

    @app.errorhandler(Exception)
    def of_nobody(error: Exception) -> Response:
        LOG.error("unforeseen error at %s %s", request.method, request.path, exc_info=error)
        return _answer(HTTPStatus.INTERNAL_SERVER_ERROR, KEYS[500], Message(KEYS[500]))
