"""What people have added, for the host, who takes each away: `/api/v1/room/added`."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from flask import Blueprint
from pydantic import ConfigDict, Field

from messages.errors import RefusalError
from station.contract.fields import Body
from station.screens.bounds import Addition, Kind
from station.screens.room import Room
from station.store.house_rules import HouseRules
from web.core.endpoints import endpoint
from web.join.seats import token

if TYPE_CHECKING:
    from station.camera.calibrator import Calibrator


@dataclass(frozen=True, slots=True)
class Added:
    """What people have added."""

    added: tuple[Addition, ...]


class TakeAway(Body):
    """One of them."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"kind": "hints", "id": "Ana"}]})
    kind: Kind
    id: Annotated[str, Field(max_length=200)]


@dataclass(frozen=True, slots=True)
class AddedKind:
    """What there is of one kind, and what removes one of them."""

    there: Callable[[], Iterable[str]]
    take_away: Callable[[str], object]


def create(room: Room, house_rules: HouseRules, calibration: "Calibrator | None") -> Blueprint:
    """The blueprint."""
    api = Blueprint("added", __name__, url_prefix="/api/v1/room/added")
    shelves: Mapping[Kind, AddedKind] = {
        **{kind: _of_room(room, kind) for kind in (Kind.HINTS, Kind.PROFILE, Kind.NAME)},
        Kind.RULES: AddedKind(house_rules.texts, house_rules.delete),
    }
    if calibration is not None:
        profiles = AddedKind(lambda: (each.key for each in calibration.state().profiles), calibration.forget)
        shelves = {**shelves, Kind.PICTURE: profiles}

    def everything() -> Added:
        return Added(
            tuple(
                Addition(kind, key, room.bounds.source(kind, key))
                for kind, shelf in shelves.items()
                for key in shelf.there()
            )
        )

    @api.get("")
    @endpoint(errors=(403,))
    def look() -> Added:
        """What people have added, the oldest of each kind first."""
        room.check_host(token())
        return everything()

    @api.post("/remove")
    @endpoint(errors=(403, 422, 503))
    def remove(wanted: TakeAway) -> Added:
        """Take one of them away."""
        room.check_host(token())
        shelf = shelves.get(wanted.kind)
        if shelf is None or wanted.id not in set(shelf.there()):
            raise RefusalError("room/not_added", name=wanted.id)
        shelf.take_away(wanted.id)
        return everything()

    return api


def _of_room(room: Room, kind: Kind) -> AddedKind:
    def take_away(key: str) -> None:
        with room.as_host(token()):
            room.take_away(kind, key)

    return AddedKind(lambda: room.added(kind), take_away)
