"""What the pages of the station and those of the board have in common."""

from collections.abc import Sequence
from pathlib import Path

from flask import Flask, Response

from messages.errors import BadInputError
from web.core import assets, compression, errors, headers, i18n

BODY_MAX_BYTES = 64 * 1024
"""House rules are the longest that is sent, commands take 5 kB at most. A backup has its own limit."""
TOO_LARGE = BadInputError("request/too_large")


def new_app(
    name: str,
    *,
    language: str,
    names: tuple[str, ...],
    frames: tuple[str, ...],
    parts: Sequence[Path] = (),
) -> Flask:
    """An application without pages, whose requests are guarded and whose answers are packed.

    name: of the package whose files it serves. language: of screens that ask for none there is. names: more
    by which screens may ask for it. frames: whose pages may show its own in a frame. parts: folders with what
    features bring to the pages.
    """
    app = Flask(name, static_folder=None)
    app.json.sort_keys = False  # type: ignore[attr-defined]  # the provider's, missing in its base class
    app.config["MAX_CONTENT_LENGTH"] = BODY_MAX_BYTES
    i18n.install(app, default=language)
    headers.install(app, names, frames)
    errors.install(app)
    assets.install(app, parts)
    compression.install(app)
    return app


def named(response: Response, name: str, how: str = "inline") -> Response:
    """The answer as a file of that name. how: to look at (inline), or to keep (attachment)."""
    response.headers["Content-Disposition"] = f'{how}; filename="{name}"'
    return response
