"""The version that runs, and a newer release: `/api/v1/update`."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

from flask import Blueprint, request
from pydantic import BaseModel, ConfigDict, Field

from messages.errors import RefusalError
from station.contract.fields import Body
from station.screens.room import Room
from web.core.endpoints import endpoint
from web.core.errors import OtherKindError
from web.core.i18n import sentence
from web.join.seats import token

if TYPE_CHECKING:
    from station.updates.updates import Found, Updates

KIND = "application/zip"
UPDATE = "/api/v1/update"
RELEASE_MAX_BYTES = 512 * 1024 * 1024
"""All packages for all systems; a release that brings none has a few."""
PIECE_BYTES = 1024 * 1024


class NewerShape(BaseModel):
    """A newer release that can be installed. `place`: `stick`, or `sent` by the host."""

    version: str
    notes: str
    place: str


class UpdateShape(BaseModel):
    """The version that runs, and what there is that is newer; null where there is nothing.

    `fault`: what is wrong with a file on the stick. `failed`: a release that did not answer, so that the one
    before it runs again.
    """

    running: str
    newer: NewerShape | None
    fault: str | None
    failed: str | None


class Wanted(Body):
    """The release that was shown."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"version": "0.3.0"}]})
    version: Annotated[str, Field(max_length=40)]


class Begun(BaseModel):
    """`version`: the release that the station now starts with. Pages load themselves anew once it answers."""

    version: str


def create(updates: "Updates | None", room: Room) -> Blueprint:
    """The blueprint. Everybody sees what there is; to take a file and to install it is the host's."""
    api = Blueprint("update", __name__, url_prefix=UPDATE)

    def there() -> "Updates":
        if updates is None:
            raise RefusalError("update/not-here")
        return updates

    @api.get("")
    @endpoint(errors=(422,))
    def look() -> UpdateShape:
        """The version that runs, and a newer release if there is one."""
        return _shape(there().look())

    @api.post("")
    @endpoint(takes=KIND, errors=(403, 422, 503))
    def take() -> UpdateShape:
        """Send a release file."""
        room.check_host(token())
        mine = there()
        # As with a copy: a form of another site cannot send this kind.
        if request.mimetype != KIND:
            raise OtherKindError("update/not-zip", kind=KIND)
        request.max_content_length = RELEASE_MAX_BYTES
        return _shape(mine.take(iter(lambda: request.stream.read(PIECE_BYTES), b"")))

    @api.post("/install")
    @endpoint(errors=(403, 422, 503))
    def install(wanted: Wanted) -> Begun:
        """Install a release that is there, and start anew with it."""
        room.check_host(token())
        there().install(wanted.version)
        return Begun(version=wanted.version)

    return api


def _shape(found: "Found") -> UpdateShape:
    newer = found.newer
    return UpdateShape(
        running=found.running,
        newer=None if newer is None else NewerShape.model_validate(asdict(newer)),
        fault=None if found.fault is None else sentence(found.fault),
        failed=found.failed,
    )
