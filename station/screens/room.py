"""Who sits where, who is host, who wants hints: what screens share besides the game.

A screen is known by a random token in a cookie, of which only a hash is kept; so a seat survives sleep,
reload, a change of Wi-Fi and a restart of the station. Nothing here is part of the game: losing it loses
no score.
"""

import hashlib
import hmac
import secrets
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from messages.errors import BadInputError, FailedError, NotAllowedError, RefusalError
from station.contract.commands import (
    AnyCommand,
    Button,
    CorrectBox,
    EndGame,
    MovePlayer,
    Press,
    RemovePlayer,
    RenamePlayer,
    Undo,
)
from station.contract.view import TableView

FILE_NAME = "room.json"
PIN_ROUNDS = 100_000
SCREENS_MAX = 200
"""Screens remembered; the oldest goes first. A family has ten, a club evening fifty."""

TRIES_MAX = 8
"""Wrong PINs in a row after which only a restart of the station lets anyone try again."""


ASIDE = ".damaged"
"""Ending of a file that could not be read."""


@dataclass(frozen=True, slots=True)
class PublicRoom:
    """What every screen may know."""

    seats: Annotated[tuple[str, ...], Field(description="Names of those who have a screen of their own.")]
    hints: Annotated[tuple[str, ...], Field(description="Who wants hints.")]
    tv_hints: Annotated[tuple[str, ...], Field(description="Who agrees to hints on the big screen.")]
    pin: Annotated[bool, Field(description="Whether a host's PIN is set.")]
    only_seated: Annotated[bool, Field(description="Whether screens without a seat only look on.")]
    voice: Annotated[bool, Field(description="Whether some screen speaks.")]
    set_up: Annotated[bool, Field(description="Whether the first-run pages are through.")]


@dataclass(frozen=True, slots=True)
class You:
    """What concerns the screen that asks."""

    seat: str | None
    host: bool
    voice: Annotated[bool, Field(description="Whether it is the one that speaks.")]


class _Pin(BaseModel):
    """The host's PIN, as it is kept."""

    model_config = ConfigDict(strict=True)
    salt: Annotated[str, Field(pattern="^([0-9a-f]{2})+$")]
    hash: str


class _Kept(BaseModel):
    """The file: screens by the hash of their token; what it has besides is from another version."""

    model_config = ConfigDict(strict=True)
    seats: dict[str, str] = {}
    hosts: list[str] = []
    pin: _Pin | None = None
    hints: dict[str, bool] = {}
    tv_hints: dict[str, bool] = {}
    only_seated: bool = False
    voice: str | None = None
    set_up: bool = False


def hashed(token: str) -> str:
    """What is kept of a screen's token."""
    return hashlib.blake2b(token.encode(), digest_size=16).hexdigest()


def _pin_hash(pin: str, salt: str) -> str:
    return hashlib.pbkdf2_hmac("sha256", pin.encode(), bytes.fromhex(salt), PIN_ROUNDS).hex()


def _goes_back(command: AnyCommand) -> bool:
    return isinstance(command, Undo) or (isinstance(command, Press) and command.button is Button.UNDO)


def _renamed(before: TableView, after: TableView) -> dict[str, str]:
    """Old name -> new one of those who are called otherwise."""
    if before.game != after.game or len(before.players) != len(after.players):
        return {}
    was, now = ([player.name for player in view.players] for view in (before, after))
    return {old: new for old, new in zip(was, now, strict=True) if old not in now and new not in was}


class Room:
    """The shared settings of the screens; thread-safe.

    folder: where `room.json` is kept; None forgets with the process.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._path = folder / FILE_NAME if folder else None
        self._lock = Lock()
        # As long as what could not be read lies there, a restart forgets no PIN either.
        self._unread = self._path is not None and self._path.with_suffix(ASIDE).exists()
        self._kept = self._load()
        self._number = 0
        self._wrong = 0
        self._boxes_undone = 0

    # -- reading -------------------------------------------------------------------------------------

    def public(self) -> tuple[int, PublicRoom]:
        """Number of the last change, and what every screen may know."""
        with self._lock:
            kept = self._kept
            return self._number, PublicRoom(
                seats=tuple(sorted(set(kept.seats.values()))),
                hints=tuple(sorted(name for name, on in kept.hints.items() if on)),
                tv_hints=tuple(sorted(name for name, on in kept.tv_hints.items() if on)),
                pin=kept.pin is not None,
                only_seated=kept.only_seated,
                voice=kept.voice is not None,
                set_up=kept.set_up,
            )

    def wants_hints(self, name: str) -> bool:
        """Whether a player of that name asked for hints."""
        with self._lock:
            return self._kept.hints.get(name, False)

    def of(self, token: str | None) -> You:
        """What concerns one screen."""
        with self._lock:
            mark = hashed(token) if token else ""
            voice = bool(mark) and self._kept.voice == mark
            return You(self._kept.seats.get(mark), self._is_host(mark), voice)

    def _is_host(self, mark: str) -> bool:
        return not self._locked() if self._kept.pin is None else mark in self._kept.hosts

    # -- changing ------------------------------------------------------------------------------------

    def sit(self, token: str, name: str | None) -> None:
        """Take the seat of a player; None gives the seat up."""
        with self._lock:
            seats = self._kept.seats
            seats.pop(hashed(token), None)
            if name is not None:
                seats[hashed(token)] = name
            while len(seats) > SCREENS_MAX:
                seats.pop(next(iter(seats)))
            self._changed()

    def set_pin(self, token: str, pin: str | None) -> None:
        """Protect the station by a PIN of 4 to 8 digits, or take the protection away; this screen is host."""
        if pin is not None and not (pin.isascii() and pin.isdigit() and 4 <= len(pin) <= 8):  # noqa: PLR2004 - as said
            raise BadInputError("room/pin")
        with self._lock:
            if pin is None:
                self._kept.pin, self._kept.hosts = None, []
            else:
                salt = secrets.token_hex(16)
                self._kept.pin = _Pin(salt=salt, hash=_pin_hash(pin, salt))
                self._kept.hosts = [hashed(token)]
            self._changed()

    def claim_host(self, token: str, pin: str) -> None:
        """Become host by the PIN. Raises NotAllowedError when it is wrong, or was too often."""
        with self._lock:
            kept = self._kept.pin
            if self._locked():
                raise self._host_only("room/host_only")
            if kept is None:
                return
            if self._wrong >= TRIES_MAX:
                raise NotAllowedError("room/pin_locked")
            if not hmac.compare_digest(kept.hash, _pin_hash(pin, kept.salt)):
                self._wrong += 1
                raise NotAllowedError("room/pin_wrong")
            self._wrong = 0
            if hashed(token) not in self._kept.hosts:
                self._kept.hosts.append(hashed(token))
            self._changed()

    def pass_host(self, token: str, to: str) -> None:
        """Give the host's role to the screens of a seated player, and keep it no longer."""
        with self._lock:
            heirs = [mark for mark, name in self._kept.seats.items() if name == to]
            if not heirs:
                raise RefusalError("room/no_heir", name=to)
            kept = [mark for mark in self._kept.hosts if mark != hashed(token)]
            self._kept.hosts = [*kept, *(mark for mark in heirs if mark not in kept)]
            self._changed()

    def set_hints(self, name: str, *, on: bool, tv: bool = False) -> None:
        """Whether a player wants hints; tv: whether they agree to hints on the big screen."""
        with self._lock:
            (self._kept.tv_hints if tv else self._kept.hints)[name] = on
            self._changed()

    def set_voice(self, token: str, *, on: bool) -> None:
        """Let this screen, and no other, speak; or nobody."""
        with self._lock:
            self._kept.voice = hashed(token) if on else None
            self._changed()

    def set_only_seated(self, *, on: bool) -> None:
        """Whether screens without a seat only look."""
        with self._lock:
            self._kept.only_seated = on
            self._changed()

    def set_up(self) -> None:
        """The first-run pages are through."""
        with self._lock:
            self._kept.set_up = True
            self._changed()

    # -- deciding ------------------------------------------------------------------------------------

    def check_host(self, token: str | None) -> None:
        """Raise NotAllowedError unless this screen is host, or nobody protects the station."""
        with self._lock:
            if not self._is_host(hashed(token) if token else ""):
                raise self._host_only("room/host_only")

    def check(self, token: str | None, command: AnyCommand, state: TableView) -> None:
        """Raise NotAllowedError unless this screen may give this command in this state.

        Taking back the last box is everybody's; going back further than that, correcting an earlier box,
        changing who plays and ending a game are the host's where there is a PIN.
        """
        with self._lock:
            mark = hashed(token) if token else ""
            host = self._is_host(mark)
            seated = mark in self._kept.seats or (host and self._kept.pin is not None)
            if self._kept.only_seated and not seated:
                raise NotAllowedError("room/no_seat")
            at_turn_start = state.finished or not state.throws_done
            if host:
                return
            if isinstance(command, EndGame):
                raise self._host_only("room/host_ends")
            if isinstance(command, CorrectBox):
                raise self._host_only("room/host_corrects")
            if isinstance(command, RenamePlayer | RemovePlayer | MovePlayer):
                raise self._host_only("room/host_people")
            if _goes_back(command) and at_turn_start and self._boxes_undone:
                raise self._host_only("room/host_goes_back")

    def carried_out(self, command: AnyCommand, before: TableView, after: TableView) -> None:
        """Note a command that was done, to know how far back people have gone.

        before, after: the state as it was and as it became. Only a turn that was played, or a game that was
        begun, lets everybody take back a step more. What belongs to a name follows the player who is called
        otherwise, also when that is undone.
        """
        back = _goes_back(command)
        turn_over = before.throws_done and not after.throws_done
        begun = after.phase in {"starting", "throwing"} and before.phase in {"lobby", "finished"}
        with self._lock:
            if back and not before.throws_done:
                self._boxes_undone += 1
            elif not back and (turn_over or begun):
                self._boxes_undone = 0
            if renamed := _renamed(before, after):
                self._rename(renamed)

    def _rename(self, names: Mapping[str, str]) -> None:
        """Seats and hints of the old names are those of the new ones. names: old -> new."""
        kept = self._kept
        kept.seats = {mark: names.get(name, name) for mark, name in kept.seats.items()}
        kept.hints = {names.get(name, name): on for name, on in kept.hints.items()}
        kept.tv_hints = {names.get(name, name): on for name, on in kept.tv_hints.items()}
        with suppress(FailedError):  # the game has it already
            self._changed()

    # -- inside --------------------------------------------------------------------------------------

    def _load(self) -> _Kept:
        """What was kept; what cannot be read is set aside, and the evening goes on."""
        if self._path is None:
            return _Kept()
        try:
            return _Kept.model_validate_json(self._path.read_bytes())
        except FileNotFoundError:
            return _Kept()
        except (OSError, ValueError):
            self._unread = True
            with suppress(OSError):
                self._path.replace(self._path.with_suffix(ASIDE))
            return _Kept()

    def _locked(self) -> bool:
        """Whether there may have been a PIN that nobody can read any more."""
        return self._kept.pin is None and self._unread

    def _host_only(self, key: str) -> NotAllowedError:
        """The refusal of what is the host's; it says what to do where nobody can be host."""
        if self._locked() and self._path is not None:
            path = str(self._path.with_suffix(ASIDE))
            return NotAllowedError("room/unreadable", code="room/host_only", path=path, name=FILE_NAME)
        return NotAllowedError(key, code="room/host_only")

    def _changed(self) -> None:
        self._number += 1
        if self._path is None:
            return
        rough = self._path.with_suffix(".part")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            rough.write_text(self._kept.model_dump_json(indent=1), encoding="utf-8")
            rough.chmod(0o600)
            rough.replace(self._path)
        except OSError as error:
            raise FailedError("room/not_kept", path=str(self._path), why=str(error.strerror)) from error
