"""Both ends of a throw that two stations draw together, as they speak over the line between two homes.

The guest asks twice: with the hash of its secret, then, when it has the host's, with the secret. The host
writes the throw down and tells its own. What breaks in between is tried again, and shows the same faces.
"""

import logging
import os
import secrets
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Lock
from typing import Any

from messages.errors import BadInputError, StoreError
from messages.regular_file import read_regular
from station.features.two_homes.fair_throw import SECRET_BYTES, FairThrow, GuestSide, HostSide, Secrets
from station.features.two_homes.line.home_messages import HostResponse, ThrowRequest
from station.features.two_homes.line.other_home import OtherHome
from station.game.log.event import Event
from station.table.table import Table

log = logging.getLogger(__name__)


def kept_key(path: Path | None, *, new: bool = False) -> bytes:
    """The key of which the host's secrets are made, the same after a restart; new: another from now on.

    path: its file in the data folder, for the station's user alone; None, or one that cannot be written:
    it lasts as long as the process.
    """
    key = secrets.token_bytes(SECRET_BYTES)
    if path is None:
        return key
    try:
        if not new and path.exists() and len(kept := read_regular(path)) == SECRET_BYTES:
            return kept
        path.unlink(missing_ok=True)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(key)
    except OSError as error:
        log.warning("%s is not kept: %s", path, error)
    return key


class HostThrows:
    """The end of the station that keeps the game."""

    def __init__(self, table: Table, key_file: Path | None) -> None:
        self._home, self._key_file = OtherHome(table), key_file
        self._side = HostSide(kept_key(key_file))

    def forget(self) -> None:
        """Another log took the place of the one before: commitments for its throws no longer count."""
        self._side = HostSide(kept_key(self._key_file, new=True))

    def answer(self, guest: str, after: int, request: ThrowRequest) -> dict[str, Any]:
        """The response to a guest that requests a throw. Raises RefusalError, BadInputError, StoreError."""
        throw = self._home.due(after, guest)
        if request.commitment is not None:
            return {"commitment": self._side.commit(guest, throw, request.commitment)}
        if request.secret is None:
            raise BadInputError("homes/odd")
        both = self._side.reveal(guest, throw, _bytes(request.secret))
        return {"number": self._home.take_fair(after, guest, both), "secret": both[0].hex()}


class GuestThrows:
    """The end of the station that plays along. request: ask the host behind an event; gives its answer."""

    def __init__(self, request: Callable[[int, dict[str, Any]], HostResponse]) -> None:
        self._request = request
        self._side = GuestSide(secrets.token_bytes(SECRET_BYTES))
        self._lock = Lock()  # a throw is drawn while the host's log comes in

    def follow(self, past: Sequence[Event]) -> None:
        """Look at all throws of the host's log. Raises RefusalError `homes/unfair` (`GuestSide.follow`)."""
        with self._lock:
            self._side.follow(past)

    def __call__(self, after: int, throw: FairThrow) -> tuple[Secrets, int]:
        """Both secrets, and the number under which the host has written the throw down.

        Raises RefusalError, `homes/unfair` among them, StoreError where it is not known whether it counts.
        """
        with self._lock:
            commitment = self._side.commit(throw)
        promised = self._request(after, {"throw": {"commitment": commitment}}).commitment
        if promised is None:
            raise StoreError("homes/line")
        with self._lock:
            own = self._side.reveal(throw, promised)
        answer = self._request(after, {"throw": {"secret": own.hex()}})
        if answer.number is None or answer.secret is None:
            raise StoreError("homes/line")
        both = _bytes(answer.secret), own
        with self._lock:
            self._side.check(throw, both)
        return both, answer.number


def _bytes(text: str) -> bytes:
    """A secret in hex; none where it is nonsense, which nobody was committed to."""
    try:
        return bytes.fromhex(text)
    except ValueError:
        return b""
