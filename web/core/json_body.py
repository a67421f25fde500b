"""Reading what a request brings."""

from http import HTTPStatus
from typing import Any

from flask import abort, request
from werkzeug.exceptions import HTTPException

from messages.errors import BadInputError


def json_body() -> Any:
    """The JSON of this request.

    Aborts with 415 where it is no JSON by its header, 413 where it is too long; raises BadInputError
    (400) where it cannot be parsed or is no object.
    """
    if not request.is_json:
        abort(HTTPStatus.UNSUPPORTED_MEDIA_TYPE)
    try:
        data = request.get_json()
    except RecursionError as error:
        raise BadInputError("request/deep", code="request/bad") from error
    except HTTPException as error:
        if error.code == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
            raise
        raise BadInputError("request/no_json", code="request/bad") from error
    if not isinstance(data, dict):
        raise BadInputError("request/no_object", code="request/bad")
    return data
