"""Limits for everything that anybody may add to a station, and what is removed for something new.

There is a limit for the house and one for each address. An address at its limit is refused. When the house
is full, the oldest addition of the busiest address makes room; what belongs to somebody of the house stays.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from threading import Lock

from messages.errors import RefusalError
from messages.message import Message


class Kind(StrEnum):
    """What can be added."""

    SEAT = "seat"
    HINTS = "hints"
    PROFILE = "profile"
    NAME = "name"
    RULES = "rules"
    PICTURE = "picture"


@dataclass(frozen=True, slots=True)
class Addition:
    """Something that somebody has added; `address`: from where, null where it was there before this start."""

    kind: Kind
    id: str
    address: str | None


@dataclass(frozen=True, slots=True)
class Limit:
    """The limits of one kind: number in the house, number from one address, and size of all, bytes.

    bytes: None where each has a bound of its own, as a name or a picture of the camera.
    """

    house: int
    address: int
    bytes: int | None = None


LIMITS: Mapping[Kind, Limit] = {
    # A club evening has fifty screens; behind a proxy all have one address.
    Kind.SEAT: Limit(200, 60),
    # One tablet may be used for everybody; two games of twelve.
    Kind.HINTS: Limit(100, 24),
    Kind.PROFILE: Limit(200, 24),
    Kind.NAME: Limit(200, 60),
    # Each makes every state 350 bytes longer.
    Kind.RULES: Limit(40, 20, 500_000),
    # A profile of the camera with its picture of the empty tray, three megabytes.
    Kind.PICTURE: Limit(20, 20),
}


def all_stay(_: str) -> bool:
    """Keep all: for kinds of which nothing is removed."""
    return True


class RoomBounds:
    """Says what there is room for, and remembers from where things came until the end; thread-safe."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._from: dict[tuple[Kind, str], str] = {}
        self.names: Callable[[], Iterable[str]] = tuple
        """Gives the names of the house: who plays, and who has finished a game here."""

    def known(self) -> frozenset[str]:
        """The names of the house. They are looked up where games are: hold no lock meanwhile."""
        return frozenset(self.names())

    def admit_name(
        self, kind: Kind, there: Iterable[str], key: str, address: str, stay: Collection[str]
    ) -> tuple[str, ...]:
        """The same as `admit` of what is as long as a name. stay: those that never give way."""
        return self.admit(kind, dict.fromkeys(there, 0), key, 0, address=address, stays=stay.__contains__)

    def admit(
        self,
        kind: Kind,
        there: Mapping[str, int],
        key: str,
        size: int,
        *,
        address: str = "",
        stays: Callable[[str], bool] = all_stay,
    ) -> tuple[str, ...]:
        """The entry to remove to make room for `key`. Raises RefusalError if there is no room.

        there: what there is, the oldest first, and its bytes, as `size` are those of the new one. address:
        from where it comes; "" is not limited. stays: whether one of them never gives way. What is too long
        pushes out nothing.
        """
        limit, left = LIMITS[kind], dict(there)
        fresh = left.pop(key, None) is None
        with self._lock:
            self._from = {
                each: one for each, one in self._from.items() if each[0] != kind or each[1] in there
            }
            count = Counter(one for (other, _), one in self._from.items() if other == kind)
            if fresh and address and count[address] >= limit.address:
                raise RefusalError("room/enough", what=_several(kind), most=limit.address)
            over = len(left) + 1 - limit.house if fresh else 0
            may = [each for each in left if not stays(each)]
            may.sort(key=lambda each: -count[self._from.get((kind, each), "")])
            gone = may[: max(over, 0)]
            grows = limit.bytes is not None and size > there.get(key, 0)
            if len(gone) < over or (grows and sum(left.values()) + size > (limit.bytes or 0)):
                raise RefusalError("room/full", what=_several(kind), most=limit.house)
            if fresh and address:
                self._from[kind, key] = address
        return tuple(gone)

    def source(self, kind: Kind, key: str) -> str | None:
        """From which address something came; None where it was there before the station started."""
        with self._lock:
            return self._from.get((kind, key))


def _several(kind: Kind) -> Message:
    return Message(f"room/several/{kind}")
