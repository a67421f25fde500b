"""What the room remembers, and its file: whole and on the disk, or as it was before."""

import hashlib
import hmac
import secrets
from contextlib import suppress
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from calibration.atomic_write import replace_file
from messages.errors import FailedError, os_error_as
from station.screens.people import KeptPeople
from station.screens.roles import Role

PIN_ROUNDS = 100_000
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
        """What is kept of a PIN."""
        salt = secrets.token_hex(16)
        return cls(salt=salt, hash=_hash(pin, salt))

    def is_it(self, pin: str) -> bool:
        """Whether it is this one."""
        return hmac.compare_digest(self.hash, _hash(pin, self.salt))


def _hash(pin: str, salt: str) -> str:
    return hashlib.pbkdf2_hmac("sha256", pin.encode(), bytes.fromhex(salt), PIN_ROUNDS).hex()


class KeptRoom(BaseModel):
    """The file: screens by the hash of their token; what it has besides is from another version."""

    model_config = ConfigDict(strict=True)
    seats: dict[str, str] = {}
    hosts: list[str] = []
    scorekeepers: list[str] = []
    scorekeeper: str | None = None
    """The seat whose screens alone have the controls."""
    pin: KeptPin | None = None
    roles: bool = False
    hints: dict[str, bool] = {}
    tv_hints: dict[str, bool] = {}
    only_seated: bool = False
    voice: str | None = None
    people: KeptPeople = KeptPeople()
    set_up: bool = False
    secret: Annotated[str, Field(pattern="^([0-9a-f]{2})*$")] = ""
    """By which the station knows the tokens it gave out, hexadecimal."""

    def screens(self) -> set[str]:
        """Marks of all screens that have something here."""
        return {*self.seats, *self.hosts, *self.scorekeepers, *([self.voice] if self.voice else ())}

    def role(self, mark: str) -> Role:
        """What a screen is here."""
        if mark in self.hosts:
            return Role.HOST
        seat = self.seats.get(mark)
        if mark in self.scorekeepers or (seat is not None and seat == self.scorekeeper):
            return Role.SCOREKEEPER
        return Role.PLAYER if mark in self.seats else Role.VIEWER

    def keeps_score(self, mark: str) -> bool:
        """Whether a screen may act for all."""
        return self.role(mark) in {Role.HOST, Role.SCOREKEEPER}

    def take_role(self, mark: str) -> None:
        """A screen is neither host nor scorekeeper any more."""
        self.hosts = [each for each in self.hosts if each != mark]
        self.scorekeepers = [each for each in self.scorekeepers if each != mark]

    def rename(self, old: str, new: str) -> None:
        """Seats and hints of the old name are those of the new one."""
        self.seats = {mark: new if name == old else name for mark, name in self.seats.items()}
        self.scorekeeper = new if self.scorekeeper == old else self.scorekeeper
        for wishes in (self.hints, self.tv_hints):
            if old in wishes:
                wishes[new] = wishes.pop(old)
        if old in self.people.profiles:
            self.people.profiles.setdefault(new, self.people.profiles[old])


class RoomFile:
    """`room.json` in a folder; without one, nothing is kept beyond the process."""

    def __init__(self, folder: Path | None) -> None:
        self.path = folder / ROOM_NAME if folder else None
        # As long as what could not be read lies there, a restart opens nothing either.
        self.unread = self.aside is not None and self.aside.exists()

    @property
    def aside(self) -> Path | None:
        """Where a file goes that cannot be read."""
        return None if self.path is None else self.path.with_suffix(ASIDE)

    def load(self) -> KeptRoom:
        """What was kept; what cannot be read is set aside, and the evening goes on."""
        if self.path is None:
            return KeptRoom()
        try:
            return KeptRoom.model_validate_json(self.path.read_bytes())
        except FileNotFoundError:
            return KeptRoom()
        except (OSError, ValueError):
            self.unread = True
            with suppress(OSError):
                self.path.replace(self.path.with_suffix(ASIDE))
            return KeptRoom()

    def save(self, kept: KeptRoom) -> None:
        """Put it on the disk, or leave what is there. Raises FailedError `room/not_kept`."""
        if self.path is None:
            return
        with os_error_as(lambda why: FailedError("room/not_kept", path=str(self.path), why=why)):
            replace_file(self.path, kept.model_dump_json(indent=1).encode(), 0o600)
