"""A copy of everything to take away, and to bring back: `/api/v1/backup` and `/api/v1/restore`."""

import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

from flask import Blueprint, Response, request
from pydantic import BaseModel

from messages.errors import FailedError, os_error_as
from station.screens.room import Room
from station.table.table import Table
from web.core.application import named
from web.core.collaborators import GameArchive
from web.core.endpoints import endpoint
from web.core.errors import OtherKindError
from web.join.seats import token

KIND = "application/vnd.sqlite3"
BACKUP_MAX_BYTES = 512 * 1024 * 1024
"""A year of evenings takes a few megabytes; this is there so that a mistake cannot fill the disk."""

RESTORE = "/api/v1/restore"

PIECE_BYTES = 1024 * 1024


class Restored(BaseModel):
    """`kept`: the file that has the games of before; null where there were none."""

    kept: str | None


def _not_written(path: Path, why: str) -> FailedError:
    """That there is no room for what comes in. HTTP 503."""
    return FailedError("store/not-written", code="store/failed", path=str(path), why=why)


def create(table: Table, archive: GameArchive, room: Room, restored: Callable[[], None]) -> Blueprint:
    """The blueprint; both are the host's.

    restored: called when the files of a copy have taken the place of those that were there.
    """
    api = Blueprint("backups", __name__, url_prefix="/api/v1")

    @api.get("/backup")
    @endpoint(gives="For yacht restore.", kind=KIND, errors=(403, 503))
    def backup() -> Response:
        """A copy of everything."""
        room.check_host(token())
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder) / "yacht-backup.sqlite3"
            archive.backup(copy)
            return named(Response(copy.read_bytes(), mimetype=KIND), copy.name, "attachment")

    @api.post("/restore")
    @endpoint(takes=KIND, errors=(403, 422, 503))
    def restore() -> Restored:
        """Put a backup back."""
        room.check_host(token())
        # A form of another site can send text and forms without asking; this kind it cannot.
        if request.mimetype != KIND:
            raise OtherKindError("request/not_copy", kind=KIND)
        request.max_content_length = BACKUP_MAX_BYTES
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder) / "yacht-backup.sqlite3"
            with os_error_as(partial(_not_written, copy)), copy.open("wb") as file:
                while piece := request.stream.read(PIECE_BYTES):
                    file.write(piece)
            path = table.stored.restore(copy)
        restored()
        return Restored(kept=None if path is None else path.name)

    return api
