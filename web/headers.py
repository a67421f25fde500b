"""Headers on every answer: nothing from outside runs here, and nothing from outside may command the table."""

from http import HTTPStatus
from urllib.parse import urlsplit

from flask import Flask, Response, abort, request

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
    "media-src 'self' blob: data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; "
    "worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'self'"
)
"""No inline script, no inline style, no other host: the browser itself refuses what should not be there."""


def install(app: Flask) -> None:
    """Let every answer of `app` carry the policy, and turn other sites' requests away."""

    @app.before_request
    def only_from_here() -> None:
        """A page of another site, open in the same browser, must not play along.

        Browsers say where a request comes from: in Origin always, in Sec-Fetch-Site where it is https.
        """
        if request.method in {"GET", "HEAD", "OPTIONS"}:
            return
        origin = request.headers.get("Origin")
        foreign = origin is not None and urlsplit(origin).netloc != request.host
        if foreign or request.headers.get("Sec-Fetch-Site", "same-origin") == "cross-site":
            abort(HTTPStatus.FORBIDDEN)

    @app.after_request
    def guarded(response: Response) -> Response:
        headers = response.headers
        headers.setdefault("Content-Security-Policy", POLICY)
        headers.setdefault("X-Content-Type-Options", "nosniff")
        headers.setdefault("Referrer-Policy", "same-origin")  # without one, a form of ours has no Origin
        headers.setdefault("Permissions-Policy", "camera=(), microphone=(), geolocation=()")
        if request.path.startswith("/api/"):
            headers.setdefault("Cache-Control", "no-store")
        return response
