"""Who sits where, who is host, who wants hints: what screens share besides the game.

A screen is known by a random token in a cookie, of which only a hash is kept; so a seat survives sleep,
reload, a change of Wi-Fi and a restart of the station. Nothing here is part of the game: losing it loses
no score.
"""

import hashlib
import hmac
import json
import secrets
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import Any

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
        self._data: dict[str, Any] = {
            "seats": {},
            "hosts": [],
            "pin": None,
            "hints": {},
            "tv_hints": {},
            "only_seated": False,
            "voice": None,
            "set_up": False,
        }
        self._data |= self._load()
        self._number = 0
        self._wrong = 0
        self._boxes_undone = 0

    # -- reading -------------------------------------------------------------------------------------

    def public(self) -> tuple[int, dict[str, Any]]:
        """Number of the last change, and what every screen may know."""
        with self._lock:
            data = self._data
            return self._number, {
                "seats": sorted(set(data["seats"].values())),
                "hints": sorted(name for name, on in data["hints"].items() if on),
                "tv_hints": sorted(name for name, on in data["tv_hints"].items() if on),
                "pin": data["pin"] is not None,
                "only_seated": data["only_seated"],
                "voice": data["voice"] is not None,
                "set_up": data["set_up"],
            }

    def wants_hints(self, name: str) -> bool:
        """Whether a player of that name asked for hints."""
        with self._lock:
            return bool(self._data["hints"].get(name))

    def of(self, token: str | None) -> dict[str, Any]:
        """What concerns one screen: its seat, whether it is host, whether it is the one that speaks."""
        with self._lock:
            mark = hashed(token) if token else ""
            return {
                "seat": self._data["seats"].get(mark),
                "host": self._is_host(mark),
                "voice": bool(mark) and self._data["voice"] == mark,
            }

    def _is_host(self, mark: str) -> bool:
        return self._data["pin"] is None or mark in self._data["hosts"]

    # -- changing ------------------------------------------------------------------------------------

    def sit(self, token: str, name: str | None) -> None:
        """Take the seat of a player; None gives the seat up."""
        with self._lock:
            seats = self._data["seats"]
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
                self._data["pin"], self._data["hosts"] = None, []
            else:
                salt = secrets.token_hex(16)
                self._data["pin"] = {"salt": salt, "hash": _pin_hash(pin, salt)}
                self._data["hosts"] = [hashed(token)]
            self._changed()

    def claim_host(self, token: str, pin: str) -> None:
        """Become host by the PIN. Raises NotAllowedError when it is wrong, or was too often."""
        with self._lock:
            kept = self._data["pin"]
            if kept is None:
                return
            if self._wrong >= TRIES_MAX:
                raise NotAllowedError("room/pin_locked")
            if not hmac.compare_digest(kept["hash"], _pin_hash(pin, kept["salt"])):
                self._wrong += 1
                raise NotAllowedError("room/pin_wrong")
            self._wrong = 0
            if hashed(token) not in self._data["hosts"]:
                self._data["hosts"].append(hashed(token))
            self._changed()

    def pass_host(self, token: str, to: str) -> None:
        """Give the host's role to the screens of a seated player, and keep it no longer."""
        with self._lock:
            heirs = [mark for mark, name in self._data["seats"].items() if name == to]
            if not heirs:
                raise RefusalError("room/no_heir", name=to)
            kept = [mark for mark in self._data["hosts"] if mark != hashed(token)]
            self._data["hosts"] = [*kept, *(mark for mark in heirs if mark not in kept)]
            self._changed()

    def set_hints(self, name: str, *, on: bool, tv: bool = False) -> None:
        """Whether a player wants hints; tv: whether they agree to hints on the big screen."""
        with self._lock:
            self._data["tv_hints" if tv else "hints"][name] = on
            self._changed()

    def set_voice(self, token: str, *, on: bool) -> None:
        """Let this screen, and no other, speak; or nobody."""
        with self._lock:
            self._data["voice"] = hashed(token) if on else None
            self._changed()

    def set_only_seated(self, *, on: bool) -> None:
        """Whether screens without a seat only look."""
        with self._lock:
            self._data["only_seated"] = on
            self._changed()

    def set_up(self) -> None:
        """The first-run pages are through."""
        with self._lock:
            self._data["set_up"] = True
            self._changed()

    # -- deciding ------------------------------------------------------------------------------------

    def check_host(self, token: str | None) -> None:
        """Raise NotAllowedError unless this screen is host, or nobody protects the station."""
        with self._lock:
            if not self._is_host(hashed(token) if token else ""):
                raise NotAllowedError("room/host_only")

    def check(self, token: str | None, command: AnyCommand, state: TableView) -> None:
        """Raise NotAllowedError unless this screen may give this command in this state.

        Taking back the last box is everybody's; going back further than that, correcting an earlier box,
        changing who plays and ending a game are the host's where there is a PIN.
        """
        with self._lock:
            mark = hashed(token) if token else ""
            host = self._is_host(mark)
            seated = mark in self._data["seats"] or (host and self._data["pin"] is not None)
            if self._data["only_seated"] and not seated:
                raise NotAllowedError("room/no_seat")
            at_turn_start = state.finished or not state.throws_done
            if host:
                return
            if isinstance(command, EndGame):
                raise NotAllowedError("room/host_ends", code="room/host_only")
            if isinstance(command, CorrectBox):
                raise NotAllowedError("room/host_corrects", code="room/host_only")
            if isinstance(command, RenamePlayer | RemovePlayer | MovePlayer):
                raise NotAllowedError("room/host_people", code="room/host_only")
            if _goes_back(command) and at_turn_start and self._boxes_undone:
                raise NotAllowedError("room/host_goes_back", code="room/host_only")

    def carried_out(self, command: AnyCommand, before: TableView, after: TableView) -> None:
        """Note a command that was done, to know how far back people have gone.

        before, after: the state as it was and as it became. Only a turn that was played, or a game that was
        begun, lets everybody take back a step more. What belongs to a name follows the player who is called
        otherwise, also when that is undone.
        """
        back = _goes_back(command)
        turn_over = before.throws_done and not after.throws_done
        begun = after.phase == "throwing" and before.phase in {"lobby", "finished"}
        with self._lock:
            if back and not before.throws_done:
                self._boxes_undone += 1
            elif not back and (turn_over or begun):
                self._boxes_undone = 0
            if renamed := _renamed(before, after):
                self._rename(renamed)

    def _rename(self, names: Mapping[str, str]) -> None:
        """Seats and hints of the old names are those of the new ones. names: old -> new."""
        data = self._data
        data["seats"] = {mark: names.get(name, name) for mark, name in data["seats"].items()}
        for key in ("hints", "tv_hints"):
            data[key] = {names.get(name, name): on for name, on in data[key].items()}
        with suppress(FailedError):  # the game has it already
            self._changed()

    # -- inside --------------------------------------------------------------------------------------

    def _load(self) -> dict[str, Any]:
        if self._path is None:
            return {}
        try:
            data = json.loads(self._path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError):
            # Seats and hints are no scores: a damaged file is set aside, and the evening goes on.
            with suppress(OSError):
                self._path.replace(self._path.with_suffix(".damaged"))
            return {}
        known = (
            {key: value for key, value in data.items() if key in self._data} if isinstance(data, dict) else {}
        )
        return {
            key: value
            for key, value in known.items()
            if isinstance(value, type(self._data[key])) or self._data[key] is None
        }

    def _changed(self) -> None:
        self._number += 1
        if self._path is None:
            return
        rough = self._path.with_suffix(".part")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            rough.write_text(json.dumps(self._data, indent=1), encoding="utf-8")
            rough.chmod(0o600)
            rough.replace(self._path)
        except OSError as error:
            raise FailedError("room/not_kept", path=str(self._path), why=str(error.strerror)) from error
