"""The household's own sounds: files in `sounds/` of the data folder that replace those of the pages.

`yacht.mp3` plays for everybody, `yacht-Ana.mp3` for Ana. The folder is read each time: a new file counts at
once.
"""

import unicodedata
from http import HTTPStatus
from pathlib import Path

from flask import Blueprint, Response, request

from messages.regular_file import read_regular

FOLDER = "sounds"
KINDS = {".mp3": "audio/mpeg", ".ogg": "audio/ogg", ".wav": "audio/wav", ".m4a": "audio/mp4"}
MOST_BYTES = 4_000_000
"""Of a file: a minute of music."""


def own_sound(folder: Path, event: str, player: str) -> Path | None:
    """The file for an event: the player's own, else everybody's; None where there is none.

    Names are compared, never joined to a path: every answer is a file of this folder.
    """
    try:
        files = {_plain(each.stem): each for each in sorted(folder.iterdir()) if each.suffix.lower() in KINDS}
    except OSError:
        return None
    return files.get(_plain(f"{event}-{player}")) or files.get(_plain(event))


def _plain(name: str) -> str:
    """Capitals, and how a system writes accents, make no difference."""
    return unicodedata.normalize("NFC", name).casefold()


def create(data_dir: Path | None) -> Blueprint:
    """The blueprint."""
    routes = Blueprint("own_sounds", __name__)

    @routes.get("/sounds/<event>")
    def sound(event: str) -> Response:
        """The file, or no content where the sound is that of the pages."""
        found = own_sound(data_dir / FOLDER, event, request.args.get("player", "")) if data_dir else None
        try:
            content = read_regular(found) if found and found.stat().st_size <= MOST_BYTES else b""
        except OSError:
            content = b""
        if found is None or not content:
            return Response(status=HTTPStatus.NO_CONTENT)
        return Response(content, content_type=KINDS[found.suffix.lower()])

    return routes
