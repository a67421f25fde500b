"""Asks a camera over HTTP, and takes its answers apart: one picture, or many in one answer.

A camera is in the house: there is no proxy, and its certificate is self-signed.
"""

import ssl
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import suppress
from http.client import HTTPException, HTTPResponse
from typing import Any
from urllib.error import HTTPError
from urllib.parse import SplitResult, quote, unquote, urlunsplit

from messages.errors import CameraError

ANSWER_S = 4.0
"""How long a camera may take for the next bytes of an answer."""
PICTURE_S = 8.0
"""How long a picture may take until all of it is there."""
PICTURE_BYTES_MAX = 16_000_000
HEADS_BYTES_MAX = 16_000
CHUNK_BYTES = 1 << 16
TOO_OFTEN = (429, 503)
PASSWORD = (401, 403)
SAFE = "/%:@!$&'()*+,;=~?-._"
"""What may stand in an address as it is."""


class TooOftenError(CameraError):
    """The camera refuses frequent requests. wait_s: how long to wait, if it says so."""

    wait_s = 0.0


class _EndedError(Exception):
    """An answer has ended, or takes too long."""


class _Basic(urllib.request.HTTPBasicAuthHandler):
    def http_error_401(self, *request: Any) -> Any:
        """Nothing where a way is asked for that nobody here knows: the answer is the 401 then."""
        with suppress(ValueError):
            return super().http_error_401(*request)
        return None


class _Digest(urllib.request.HTTPDigestAuthHandler):
    def http_error_401(self, *request: Any) -> Any:
        """As above."""
        with suppress(ValueError):
            return super().http_error_401(*request)
        return None


class Asker:
    """Asks one address, by Basic or Digest where that is wanted. url: with its name and password, if any."""

    def __init__(self, url: SplitResult, place: str) -> None:
        self._place = place
        bare = url._replace(
            netloc=url.netloc.rpartition("@")[2],
            path=quote(url.path, SAFE),
            query=quote(url.query, SAFE),
            fragment="",
        )
        self._address = urlunsplit(bare)
        passwords = urllib.request.HTTPPasswordMgrWithPriorAuth()
        if url.username is not None:
            passwords.add_password(None, self._address, unquote(url.username), unquote(url.password or ""))
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        self._opener = urllib.request.OpenerDirector()
        for handler in (
            urllib.request.HTTPHandler(),
            urllib.request.HTTPSHandler(context=context),
            urllib.request.HTTPDefaultErrorHandler(),
            urllib.request.HTTPRedirectHandler(),
            urllib.request.HTTPErrorProcessor(),
            _Basic(passwords),
            _Digest(passwords),
            urllib.request.UnknownHandler(),
        ):
            self._opener.add_handler(handler)

    def __call__(self) -> HTTPResponse:
        """Its answer, to be closed. Raises CameraError with what it answers, where it gives nothing."""
        place = self._place
        try:
            answer: HTTPResponse = self._opener.open(self._address, timeout=ANSWER_S)
        except HTTPError as error:
            error.close()
            raise _refused(error, place) from None
        except HTTPException:
            raise CameraError("camera/stream_foreign", place=place) from None
        except OSError:
            raise CameraError("camera/stream_silent", place=place) from None
        return answer


def _refused(error: HTTPError, place: str) -> CameraError:
    if error.code in PASSWORD:
        return CameraError("camera/stream_password", place=place, status=error.code)
    if error.code not in TOO_OFTEN:
        return CameraError("camera/stream_status", place=place, status=error.code)
    often = TooOftenError("camera/stream_often", place=place, status=error.code)
    wait = error.headers.get("Retry-After", "")
    often.wait_s = float(wait) if wait.isascii() and wait.isdigit() else 0.0
    return often


class _Bytes:
    """The bytes of an answer, as they come; its functions raise _EndedError where there are no more."""

    def __init__(self, answer: HTTPResponse, clock: Callable[[], float]) -> None:
        self._answer, self._clock = answer, clock
        self._held = bytearray()
        self.begin()

    def begin(self) -> None:
        """From here on the next picture has its time."""
        self._until_s = self._clock() + PICTURE_S

    def _more(self, most: int) -> None:
        if self._clock() > self._until_s or len(self._held) > most:
            raise _EndedError
        try:
            chunk = self._answer.read1(CHUNK_BYTES)
        except (OSError, HTTPException, ValueError) as error:
            raise _EndedError from error
        if not chunk:
            raise _EndedError
        self._held += chunk

    def before(self, mark: bytes, most: int = PICTURE_BYTES_MAX) -> bytes:
        """What comes before a mark, which is passed over."""
        looked = 0
        while (at := self._held.find(mark, looked)) < 0:
            looked = max(0, len(self._held) - len(mark))
            self._more(most)
        found = bytes(self._held[:at])
        del self._held[: at + len(mark)]
        return found

    def take(self, length: int) -> bytes:
        """So many bytes."""
        while len(self._held) < length:
            self._more(PICTURE_BYTES_MAX)
        found = bytes(self._held[:length])
        del self._held[:length]
        return found

    def rest(self) -> bytes:
        """All that comes until the end."""
        try:
            while True:
                self._more(PICTURE_BYTES_MAX)
        except _EndedError:
            return bytes(self._held)


def whole(answer: HTTPResponse, clock: Callable[[], float]) -> bytes:
    """All of an answer, or as much of it as comes in time; it is closed then."""
    with answer:
        return _Bytes(answer, clock).rest()


def parts_of(answer: HTTPResponse, clock: Callable[[], float]) -> Iterator[bytes]:
    """The parts of multipart/x-mixed-replace (RFC 2046, 5.1), until it ends or takes too long.

    Cameras write the dashes before a boundary, or not, and many leave out how long a part is.
    """
    read = _Bytes(answer, clock)
    try:
        mark = (answer.headers.get_boundary() or "").strip("-").encode()
        if mark:
            read.before(mark)
        else:
            while not mark:
                mark = read.before(b"\n", HEADS_BYTES_MAX).strip().strip(b"-")
        while True:
            length = _length(read)
            part = read.before(mark) if length is None else read.take(length)
            yield part
            read.begin()
            if length is not None:
                read.before(mark)
    except _EndedError:
        return


def _length(read: _Bytes) -> int | None:
    """How long the part is whose headers come now, as far as they say so."""
    length = None
    begun = False
    while (line := read.before(b"\n", HEADS_BYTES_MAX).strip()) or not begun:
        begun = begun or b":" in line or not line  # what is left of the line of the boundary
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length" and value.strip().isdigit():
            length = int(value)
    return length if length is None or length <= PICTURE_BYTES_MAX else None
