"""Text goes out compressed, so that the first visit over a weak Wi-Fi is short; assets are squeezed once."""

import gzip
from http import HTTPStatus

from flask import Flask, Response, request

SMALLEST_BYTES = 500
"""Below this the header and the frame of gzip eat most of what compressing saves."""

TEXTS = (
    "text/html",
    "text/css",
    "text/javascript",
    "application/javascript",
    "application/json",
    "application/manifest+json",
    "image/svg+xml",
)


def install(app: Flask) -> None:
    """Let `app` compress what is text and not a stream."""
    squeezed: dict[str, bytes] = {}

    @app.after_request
    def compress(response: Response) -> Response:
        whole = response.status_code == HTTPStatus.OK and request.method == "GET"
        if not whole or response.mimetype not in TEXTS:
            return response
        response.headers.add("Vary", "Accept-Encoding")
        if not request.accept_encodings.quality("gzip"):
            return response
        # By default Flask passes files through unread.
        response.direct_passthrough = False
        asset = request.path.startswith("/assets/")
        found = squeezed.get(request.path) if asset else None
        if found is None:
            data = response.get_data()
            if len(data) < SMALLEST_BYTES:
                return response
            found = gzip.compress(data, 9 if asset else 6, mtime=0)
        if asset:
            squeezed[request.path] = found
        response.set_data(found)
        response.headers["Content-Encoding"] = "gzip"
        return response
