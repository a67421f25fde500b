"""One error shape for everything that goes wrong between a request and its answer.

`{"error": {"code": "room/what", "message": "A sentence."}}`, whatever the status and the path: programs
read the code, people the sentence. Pages get the same sentence as a page.
"""

import logging
from http import HTTPStatus
from typing import Any

from flask import Flask, Response, jsonify, render_template, request
from pydantic import ValidationError
from werkzeug.exceptions import HTTPException

from messages.errors import BadInputError, FailedError, RefusalError, YachtError
from messages.message import Message
from web.core.i18n import said, tell, told

LOG = logging.getLogger(__name__)

SENTENCES: dict[int, tuple[str, str]] = {
    400: ("request/bad", "This request cannot be understood."),
    403: ("request/forbidden", "This screen may not do that."),
    404: ("request/not_found", "There is nothing at this address."),
    405: ("request/method", "This address does not answer that kind of request."),
    413: ("request/too_large", "This request is larger than anything the station needs to hear."),
    415: ("request/not_json", "Send this as JSON: content-type: application/json."),
    500: ("station/error", "Something went wrong inside the station; it has been written to the log."),
}
"""HTTP status -> (code, sentence) for what the framework itself turns away."""


def body(code: str, message: Message | str) -> dict[str, Any]:
    """The error shape: code, sentence in the language of the screen, and the values in it, if any."""
    error: dict[str, Any] = {"code": code, "message": said(tell(message))}
    if isinstance(message, Message) and message.items and message.key != "text":
        error["values"] = {name: told(value) for name, value in message.items}
    return {"error": error}


def status_of(error: YachtError) -> int:
    """The HTTP status for an error of the station.

    Refused 422, 409 when the version is stale, 403 when another screen might or the station was asked for by
    a strange name; not understood 400; could not be done 503.
    """
    if error.code == "request/host":
        return HTTPStatus.FORBIDDEN
    if error.code.startswith("room/") and isinstance(error, RefusalError):
        return HTTPStatus.UNPROCESSABLE_ENTITY if error.code == "room/no_heir" else HTTPStatus.FORBIDDEN
    if isinstance(error, RefusalError):
        stale = error.code.endswith("stale_version") or type(error).__name__ == "StaleVersionError"
        return HTTPStatus.CONFLICT if stale else HTTPStatus.UNPROCESSABLE_ENTITY
    if isinstance(error, BadInputError):
        return HTTPStatus.BAD_REQUEST
    if isinstance(error, FailedError):
        return HTTPStatus.SERVICE_UNAVAILABLE
    return HTTPStatus.INTERNAL_SERVER_ERROR


def sentence_of(error: ValidationError) -> str:
    """What pydantic found, as one sentence about the first thing that is wrong."""
    first = error.errors(include_url=False)[0]
    where = ".".join(str(part) for part in first["loc"] if not _is_tag(part, error))
    what = first["msg"].removeprefix("Value error, ").removeprefix("Input should be ")
    if first["type"] == "extra_forbidden":
        return f"The field '{where}' is not known here."
    if first["type"] == "missing":
        return f"The field '{where}' is missing."
    if first["type"].startswith("union_tag"):
        return f"The field 'command' must be one of those in the API description: {what}."
    return f"The field '{where}' is not right: it should be {what}." if where else f"{what}."


def _is_tag(part: int | str, error: ValidationError) -> bool:
    """Whether a step of the path is only the name of the command that pydantic chose."""
    return isinstance(part, str) and len(error.errors()[0]["loc"]) > 1 and part == error.errors()[0]["loc"][0]


def _answer(status: int, code: str, message: Message | str) -> Response:
    # A form of a page is sent by a person, who wants a page back.
    by_hand = request.method == "GET" or "text/html" in request.accept_mimetypes.values()
    if request.path.startswith("/api/") or not by_hand:
        response = jsonify(body(code, message))
    else:
        response = Response(
            render_template("problem.html", status=status, code=code, message=said(tell(message)))
        )
    response.status_code = status
    return response


def install(app: Flask) -> None:
    """Let every error of `app` leave it in the one shape."""

    @app.errorhandler(YachtError)
    def of_station(error: YachtError) -> Response:
        return _answer(status_of(error), error.code, error.message)

    @app.errorhandler(ValidationError)
    def of_request(error: ValidationError) -> Response:
        return _answer(HTTPStatus.BAD_REQUEST, "request/invalid", sentence_of(error))

    @app.errorhandler(HTTPException)
    def of_framework(error: HTTPException) -> Response:
        status = error.code or 500
        code, sentence = SENTENCES.get(status, ("request/failed", error.description or "It did not work."))
        response = _answer(status, code, sentence)
        allowed = error.get_response().headers.get("Allow")
        if allowed:
            response.headers["Allow"] = allowed
        return response

    @app.errorhandler(Exception)
    def of_nobody(error: Exception) -> Response:
        LOG.error("unforeseen error at %s %s", request.method, request.path, exc_info=error)
        return _answer(HTTPStatus.INTERNAL_SERVER_ERROR, *SENTENCES[500])
