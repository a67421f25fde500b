"""How long the body of a request may be: known before anything of it is kept."""

from collections.abc import Callable, Mapping

from werkzeug.http import parse_cookie

from messages.errors import NotAllowedError
from station.screens.room import Room
from station.server.web_server import Bound
from web.core.application import BODY_MAX_BYTES, TOO_LARGE
from web.join.seats import token_in
from web.setup.backups import BACKUP_MAX_BYTES, RESTORE


def bounds(room: Room) -> Callable[[str, Mapping[str, str]], Bound]:
    """Path and headers of a request -> the bound of its body: a backup is long, and the host's."""

    def of(path: str, headers: Mapping[str, str]) -> Bound:
        if path != RESTORE:
            return Bound(BODY_MAX_BYTES, TOO_LARGE)
        try:
            room.check_host(token_in(parse_cookie(headers.get("COOKIE", "")), room))
        except NotAllowedError as refusal:
            return Bound(BODY_MAX_BYTES, refusal)
        return Bound(BACKUP_MAX_BYTES, TOO_LARGE)

    return of
