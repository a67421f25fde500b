"""Headers on every answer: nothing from outside runs here, and nothing from outside may command the table."""

import ipaddress
import socket
from functools import cache
from http import HTTPStatus
from urllib.parse import urlsplit

from flask import Flask, Response, abort, request

from messages.errors import NotAllowedError
from station.server import proxy
from web.core import origin

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
    "media-src 'self' blob: data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; "
    "worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'self'"
)
"""No inline script, no inline style, no other host: the browser itself refuses what should not be there.

Who may show a page in a frame stands last: the settings add to it.
"""

PERMISSIONS = "camera=(), microphone=(), geolocation=()"

NO_DOCUMENTS = frozenset({"text/javascript", "text/css", "font/woff2"})
"""Kinds that no browser opens as a page: the policy of the page they belong to counts, and with thirty
of them it would cost a first visit 12 kB."""

HOUSE_DOMAINS = (".local", ".home.arpa", ".lan", ".home", ".internal", ".localdomain", ".fritz.box")
"""Ends of names that mean something only within one house (RFC 6762, RFC 8375, and what routers give out)."""

ADDRESS_MAX = 200
"""Characters of an address that a message shows."""
FORBIDDEN = "request/forbidden"


@cache
def own_names() -> frozenset[str]:
    """What this machine calls itself; without a network the full name may take some seconds."""
    return frozenset(name.lower() for name in (socket.gethostname(), socket.getfqdn()))


def split_host(netloc: str) -> str:
    """The name or address in "name:port", in small letters; "" where there is none to be found.

    >>> [split_host(each) for each in ("Yacht.local:8080", "[::1]:8080", "[x", "")]
    ['yacht.local', '::1', '', '']
    """
    try:
        return (urlsplit(f"//{netloc}").hostname or "").removesuffix(".")
    except ValueError:
        return ""


def is_ours(host: str, names: frozenset[str] = frozenset()) -> bool:
    """Whether only this house can mean us by that name or address; `names` are further ones of ours.

    A page from outside cannot know our address, but the owner of a name on the internet may let it lead here
    (DNS rebinding), and its pages are then, for the browser, pages of ours. What has no dot, or one of
    `HOUSE_DOMAINS`, nobody outside owns; an address is no name. "*.x" among `names` is every name in x.

    >>> [is_ours(each) for each in ("localhost", "192.168.1.20", "fd00::20", "yacht.local", "evil.example")]
    [True, True, True, True, False]
    """
    if not host:
        return False
    try:
        ipaddress.ip_address(host)
    except ValueError:
        pass
    else:
        return True
    if "." not in host or host.endswith(HOUSE_DOMAINS):
        return True
    return host in names or f"*.{host.partition('.')[2]}" in names or host in own_names()


def install(app: Flask, names: tuple[str, ...] = (), frames: tuple[str, ...] = ()) -> None:
    """Let every answer of `app` carry the policy, and turn other sites' requests away.

    names: further names by which screens may ask for this station. frames: origins of other pages that may
    show its own in a frame.
    """
    further = frozenset(name.lower() for name in names)
    policy = " ".join((POLICY, *frames))

    @app.before_request
    def only_by_our_names() -> None:
        """Who sends no Host is no browser, and cannot be led here."""
        host = request.headers.get("Host", "")
        if host and not is_ours(split_host(host), further):
            raise NotAllowedError("request/host", name=host)

    app.before_request(_only_from_here)

    @app.after_request
    def guarded(response: Response) -> Response:
        headers = response.headers
        headers.setdefault("X-Content-Type-Options", "nosniff")
        headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
        if response.mimetype in NO_DOCUMENTS:
            return response
        headers["X-Pages"] = app.extensions["pages"]  # a page that was there before an update finds out
        headers.setdefault("Content-Security-Policy", policy)
        if origin.trusted_by_browsers():  # elsewhere they complain of it
            headers.setdefault("Cross-Origin-Opener-Policy", "same-origin")
        headers.setdefault("Referrer-Policy", "same-origin")  # without one, a form of ours has no Origin
        headers.setdefault("Permissions-Policy", PERMISSIONS)
        # Going back to a page would show it as it was before: other games, another language.
        if request.path.startswith("/api/") or response.mimetype == "text/html":
            headers.setdefault("Cache-Control", "no-store")
        return response


def _only_from_here() -> None:
    """A page of another site, open in the same browser, must not play along.

    Browsers say where a request comes from: in Origin always, in Sec-Fetch-Site where it is https. A proxy
    that drops a header of the settings is named in the refusal.
    """
    if request.method in {"GET", "HEAD", "OPTIONS"}:
        return
    page, way = request.headers.get("Origin"), origin.passed()
    missing = () if way is None else way.missing
    if page is not None and _netloc(page) != request.host:
        header = proxy.HOST if proxy.HOST in missing else "Host"
        refused = {"code": FORBIDDEN, "page": page[:ADDRESS_MAX], "host": request.host, "header": header}
        raise NotAllowedError("request/other_page", **refused)
    secure = page is not None and page.startswith("https:")
    lost = [each for each in missing if each == proxy.FOR or (each == proxy.PROTO and secure)]
    if way is not None and lost:
        raise NotAllowedError("request/proxy", code=FORBIDDEN, proxy=way.by[0], header=lost[0])
    if request.headers.get("Sec-Fetch-Site", "same-origin") == "cross-site":
        abort(HTTPStatus.FORBIDDEN)


def _netloc(origin: str) -> str:
    try:
        return urlsplit(origin).netloc
    except ValueError:  # "http://[x": no browser sends that
        return ""
