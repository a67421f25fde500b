"""How long the body of a request may be: known before anything of it is kept."""

from collections.abc import Callable, Mapping

from werkzeug.http import parse_cookie

from messages.errors import NotAllowedError
from station.screens.room import Room
from station.screens.tokens import hashed
from station.server.web_server import Bound
from web.core.application import BODY_MAX_BYTES, TOO_LARGE
from web.join.seats import token_in
from web.phone.phone_routes import PICTURE, PICTURE_MAX_BYTES
from web.setup.backups import BACKUP_MAX_BYTES, RESTORE
from web.setup.update_routes import RELEASE_MAX_BYTES, UPDATE

LONG = {RESTORE: BACKUP_MAX_BYTES, UPDATE: RELEASE_MAX_BYTES}
"""What the host sends."""


def bounds(room: Room) -> Callable[[str, Mapping[str, str]], Bound]:
    """Path and headers of a request -> the bound of its body.

    What is long is the host's; a picture is the camera's, where a phone is that.
    """

    def of(path: str, headers: Mapping[str, str]) -> Bound:
        if path not in {*LONG, PICTURE}:
            return Bound(BODY_MAX_BYTES, TOO_LARGE)
        token = token_in(parse_cookie(headers.get("COOKIE", "")), room)
        if path == PICTURE:
            is_camera = bool(token) and hashed(token) == room.phone
            refusal = TOO_LARGE if is_camera else NotAllowedError("phone/not_camera")
            return Bound(PICTURE_MAX_BYTES if is_camera else BODY_MAX_BYTES, refusal)
        try:
            room.check_host(token)
        except NotAllowedError as refusal:
            return Bound(BODY_MAX_BYTES, refusal)
        return Bound(LONG[path], TOO_LARGE)

    return of
