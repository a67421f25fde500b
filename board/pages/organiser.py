"""Access to changing the evening: for screens that know the code, and the board's own."""

import hmac
from hashlib import sha256

from flask import request
from werkzeug.wrappers import Response

from messages.errors import NotAllowedError
from station.screens.tokens import cookie_name
from station.screens.tries import HOUSE, Tries
from web.core import origin

OLD_COOKIE = "organiser"
"""Name of the cookie before it contained the board's number."""
DAY_S = 86_400


class Organiser:
    """Knows the organiser's screens by a cookie that only the code gives.

    secret: of this board, kept with its evening; without it six digits could be tried out by the cookie.
    """

    def __init__(self, code: str, secret: str, tries: Tries) -> None:
        self._code, self._tries = code, tries
        self._mark = hmac.new(secret.encode(), code.encode(), sha256).hexdigest()
        self._cookie = cookie_name("organiser", secret)

    def is_one(self) -> bool:
        """Whether this screen is an organiser's: it knows the code, or is the board's own."""
        cookies = (request.cookies.get(name, "") for name in (self._cookie, OLD_COOKIE))
        mark = self._mark.encode()
        return origin.beside() or any(hmac.compare_digest(each.encode(), mark) for each in cookies)

    def check(self) -> None:
        """Raises NotAllowedError for any other screen."""
        if not self.is_one():
            raise NotAllowedError("board/organiser_only")

    def enter(self, code: str, response: Response) -> Response:
        """Make a screen one by the code. Raises NotAllowedError where it is wrong, or was too often."""
        address = origin.address()
        wait_s = self._tries.wait_s(address, HOUSE)
        if wait_s > 0:
            raise NotAllowedError("board/wait", count=round(wait_s) + 1)
        if not hmac.compare_digest(code.strip().encode(), self._code.encode()):
            self._tries.wrong(address, HOUSE)
            raise NotAllowedError("board/wrong_code")
        self._tries.right(address)
        response.set_cookie(
            self._cookie, self._mark, max_age=30 * DAY_S, httponly=True, samesite="Strict", path="/"
        )
        return response
