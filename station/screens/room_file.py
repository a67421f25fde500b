"""The stored room and its file, which is written as a whole or not at all."""

import hashlib
import hmac
import secrets
from collections import Counter
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any, assert_never

from pydantic import BaseModel, ConfigDict, Field

from messages.atomic_write import replace_file
from messages.errors import FailedError, os_error_as
from messages.regular_file import read_regular
from station.contract.names import is_name
from station.game.renames import Renamed
from station.screens.bounds import LIMITS, Kind
from station.screens.people import KeptPeople
from station.screens.roles import Role

PIN_ROUNDS = 100_000
RENAMES_MAX = 20
"""Remembered; of older ones it is not known who had the name before."""
HOSTS_MAX = 50
"""Screens of which it is remembered that they were host."""
ROOM_NAME = "room.json"
ASIDE = ".damaged"
"""Ending of a file that could not be read."""


class KeptPin(BaseModel):
    """The host's PIN, as it is kept."""

    model_config = ConfigDict(strict=True)
    salt: Annotated[str, Field(pattern="^([0-9a-f]{2})+$")]
    hash: str

    @classmethod
    def of(cls, pin: str) -> "KeptPin":
        """The stored hash of a PIN."""
        salt = secrets.token_hex(16)
        return cls(salt=salt, hash=_hash(pin, salt))

    def is_it(self, pin: str) -> bool:
        """Whether it is this one."""
        return hmac.compare_digest(self.hash, _hash(pin, self.salt))


def _hash(pin: str, salt: str) -> str:
    return hashlib.pbkdf2_hmac("sha256", pin.encode(), bytes.fromhex(salt), PIN_ROUNDS).hex()


class KeptRename(BaseModel):
    """A player's new name, and what stood under it before: that stays there when the name is taken back."""

    model_config = ConfigDict(strict=True)
    old: str
    new: str
    seats: list[str] = []
    scorekeeper: bool = False
    profile: bool = False
    hints: tuple[bool | None, bool | None] = (None, None)
    """Wishes of the old name and of the new one."""
    tv_hints: tuple[bool | None, bool | None] = (None, None)


class KeptRoom(BaseModel):
    """The file: screens by the hash of their token; what it has besides is from another version."""

    model_config = ConfigDict(strict=True)
    seats: dict[str, str] = {}
    hosts: list[str] = []
    were_host: list[str] = []
    """Present and former hosts that were not dismissed: after a change of the PIN they enter the new one."""
    scorekeepers: list[str] = []
    scorekeeper: str | None = None
    """The seat whose screens alone have the controls."""
    pin: KeptPin | None = None
    roles: bool = False
    hints: dict[str, bool] = {}
    tv_hints: dict[str, bool] = {}
    only_seated: bool = False
    next_confirms: bool | None = None
    """None: as the settings of the station say."""
    voice: str | None = None
    tv_voice: bool = False
    needs_aloud: bool = False
    phone: str | None = None
    """The screen that is the camera."""
    people: KeptPeople = KeptPeople()
    set_up: bool = False
    renames: list[KeptRename] = []
    secret: Annotated[str, Field(pattern="^([0-9a-f]{2})*$")] = ""
    """The key by which the station recognises its tokens, hexadecimal."""

    def with_access_of(self, other: "KeptRoom") -> "KeptRoom":
        """The same, but who may do what is as in `other`."""
        return self.model_copy(update={name: getattr(other, name) for name in ACCESS})

    @property
    def protected(self) -> bool:
        """Whether somebody has seen to it that not everybody may do everything."""
        return bool(self.hosts or self.pin)

    def screens(self) -> set[str]:
        """Marks of all screens that have something here."""
        return {*self.seats, *self.hosts, *self.scorekeepers, *filter(None, (self.voice, self.phone))}

    def role(self, mark: str) -> Role:
        """The role of a screen."""
        if mark in self.hosts:
            return Role.HOST
        seat = self.seats.get(mark)
        if mark in self.scorekeepers or (seat is not None and seat == self.scorekeeper):
            return Role.SCOREKEEPER
        return Role.PLAYER if mark in self.seats else Role.VIEWER

    def keeps_score(self, mark: str) -> bool:
        """Whether a screen may act for all."""
        return self.role(mark) in {Role.HOST, Role.SCOREKEEPER}

    def lasting_seats(self, known: Collection[str], each: int) -> frozenset[str]:
        """Screens whose seats never give way: of a role, and of each known name so many, the oldest."""
        there = Counter[str]()
        stay = set(self.scorekeepers) | set(self.hosts)
        for mark, name in self.seats.items():
            there[name] += 1
            if name == self.scorekeeper or (name in known and there[name] <= each):
                stay.add(mark)
        return frozenset(stay)

    def added(self, kind: Kind) -> tuple[str, ...]:
        """The additions of that kind, the oldest first."""
        match kind:
            case Kind.SEAT:
                return tuple(self.seats)
            case Kind.HINTS:
                return tuple(dict.fromkeys((*self.hints, *self.tv_hints)))
            case Kind.PROFILE:
                return tuple(self.people.profiles)
            case Kind.NAME:
                return tuple(self.people.names)
            case Kind.RULES | Kind.PICTURE:
                return ()  # files of their own
            case _:
                assert_never(kind)

    def bounded(self) -> "KeptRoom":
        """The same without what no screen could have added: of too much the oldest stays."""
        for kind in (Kind.HINTS, Kind.PROFILE, Kind.NAME):
            names = [each for each in self.added(kind) if is_name(each)]
            for each in {*self.added(kind)} - {*names[: LIMITS[kind].house]}:
                self.take_away(kind, each)
        self.people.names = {old: new for old, new in self.people.names.items() if is_name(new)}
        return self

    def take_away(self, kind: Kind, key: str) -> None:
        """Forget what was added."""
        there: dict[Kind, tuple[dict[str, Any], ...]] = {
            Kind.SEAT: (self.seats,),
            Kind.HINTS: (self.hints, self.tv_hints),
            Kind.PROFILE: (self.people.profiles,),
            Kind.NAME: (self.people.names,),
        }
        for each in there.get(kind, ()):
            each.pop(key, None)

    def note_hosts(self) -> None:
        """Whoever is host is remembered as one."""
        self.were_host = list(dict.fromkeys((*self.were_host, *self.hosts)))[-HOSTS_MAX:]

    def take_role(self, mark: str) -> None:
        """A screen is neither host nor scorekeeper any more."""
        self.hosts = [each for each in self.hosts if each != mark]
        self.were_host = [each for each in self.were_host if each != mark]
        self.scorekeepers = [each for each in self.scorekeepers if each != mark]

    def rename(self, renamed: Renamed) -> None:
        """Seats and hints of the old name are those of the new one.

        Taken back, what stood under the name before somebody got it stays: it is of another person.
        """
        old, new = renamed.old, renamed.new
        given = self._take_rename(new, old) if renamed.back else None
        if not renamed.back:
            self._note_rename(old, new)
        stays = given or KeptRename(old=new, new=old)
        self.seats = {
            mark: new if name == old and mark not in stays.seats else name
            for mark, name in self.seats.items()
        }
        if self.scorekeeper == old and not stays.scorekeeper:
            self.scorekeeper = new
        for wishes, before in ((self.hints, stays.hints), (self.tv_hints, stays.tv_hints)):
            _rename_wish(wishes, old, new, before)
        if not stays.profile:
            self.people.share_profile(old, new)

    def _note_rename(self, old: str, new: str) -> None:
        given = KeptRename(
            old=old,
            new=new,
            seats=[mark for mark, name in self.seats.items() if name == new],
            scorekeeper=self.scorekeeper == new,
            profile=new in self.people.profiles,
            hints=(self.hints.get(old), self.hints.get(new)),
            tv_hints=(self.tv_hints.get(old), self.tv_hints.get(new)),
        )
        self.renames = [*self.renames, given][-RENAMES_MAX:]

    def _take_rename(self, old: str, new: str) -> KeptRename | None:
        """The latest rename of that kind, which is none any more."""
        for index in reversed(range(len(self.renames))):
            if (self.renames[index].old, self.renames[index].new) == (old, new):
                return self.renames.pop(index)
        return None


ACCESS = frozenset(KeptRoom.model_fields) - {"hints", "tv_hints", "people", "set_up", "next_confirms"}
"""The fields that decide about access; they are not restored from a copy."""


def _rename_wish(
    wishes: dict[str, bool], old: str, new: str, before: tuple[bool | None, bool | None]
) -> None:
    """A wish follows its player. before: those of the new name and the old one when that was given."""
    theirs, others = before
    wish = wishes.pop(old, None)
    if others is not None:
        wishes[old] = others
        given = others if theirs is None else theirs
        wish = theirs if wish == given else wish
    if wish is not None:
        wishes[new] = wish


class RoomFile:
    """`room.json` in a folder; without one, nothing is kept beyond the process."""

    def __init__(self, folder: Path | None) -> None:
        self.path = folder / ROOM_NAME if folder else None
        # As long as the file that could not be read is there, a restart opens nothing either.
        self.unread = self.aside is not None and self.aside.exists()

    @property
    def aside(self) -> Path | None:
        """The path to which an unreadable file is moved."""
        return None if self.path is None else self.path.with_suffix(ASIDE)

    def load(self) -> KeptRoom:
        """The stored room; an unreadable file is moved aside, and the evening goes on."""
        try:
            return self.read()
        except (OSError, ValueError):
            self.unread = True
            if self.path is not None:
                with suppress(OSError):
                    self.path.replace(self.path.with_suffix(ASIDE))
            return KeptRoom()

    def read(self) -> KeptRoom:
        """The stored room; the file stays where it is. Raises OSError, ValueError."""
        try:
            return KeptRoom() if self.path is None else parsed(read_regular(self.path))
        except FileNotFoundError:
            return KeptRoom()

    def save(self, kept: KeptRoom) -> None:
        """Put it on the disk, or leave what is there. Raises FailedError `room/not_kept`."""
        if self.path is None:
            return
        with os_error_as(lambda why: FailedError("room/not_kept", path=str(self.path), why=why)):
            replace_file(self.path, written(kept), 0o600)


def parsed(content: bytes) -> KeptRoom:
    """Parse a file, within bounds. Raises ValueError."""
    return KeptRoom.model_validate_json(content).bounded()


def written(kept: KeptRoom) -> bytes:
    """The content of the file."""
    return kept.model_dump_json(indent=1).encode()


def with_access_here(content: bytes, folder: Path) -> bytes:
    """The file of a copy, but who may do what is as in this folder. Raises OSError, ValueError."""
    here = RoomFile(folder).read()
    return written(parsed(content).with_access_of(here))
