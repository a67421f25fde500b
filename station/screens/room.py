"""Who sits where, who is host, who wants hints: what screens share besides the game.

A screen is known by a token in a cookie that the station gave it, of which only a hash is kept; so a seat
survives sleep, reload, a change of Wi-Fi and a restart of the station. Nothing here is part of the game:
losing it loses no score.

Nobody is host until somebody at the table makes a screen host (`host_requests`). Playing is open to all,
until a host sets a PIN, lets only seated screens play, or gives roles (`roles`).
"""

import hashlib
import hmac
import secrets
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from threading import RLock
from typing import Annotated

from pydantic import Field

from messages.errors import BadInputError, FailedError, NotAllowedError, RefusalError
from station.contract.commands import (
    AnyCommand,
    CopyCommand,
    CorrectBox,
    EndGame,
    MovePlayer,
    RemovePlayer,
    RenamePlayer,
)
from station.contract.view import TableView
from station.screens.host_requests import HostRequests
from station.screens.people import KeptPeople, People, Profile
from station.screens.roles import Role, goes_back, may_play
from station.screens.room_file import KeptPin, KeptRoom, RoomFile
from station.screens.sessions import Session, Sessions
from station.screens.tries import Tries

PIN_ROUNDS = 100_000
SCREENS_MAX = 200
"""Screens remembered; the oldest goes first. A family has ten, a club evening fifty."""
TOKEN_MAX = 64


@dataclass(frozen=True, slots=True)
class PublicRoom:
    """What every screen may know."""

    seats: Annotated[tuple[str, ...], Field(description="Names of those who have a screen of their own.")]
    hints: Annotated[tuple[str, ...], Field(description="Who wants hints.")]
    tv_hints: Annotated[tuple[str, ...], Field(description="Who agrees to hints on the big screen.")]
    host: Annotated[bool, Field(description="Whether there is a host.")]
    asking: Annotated[int, Field(description="How many screens ask to be host now.")]
    pin: Annotated[bool, Field(description="Whether a host's PIN is set.")]
    only_seated: Annotated[bool, Field(description="Whether screens without a seat only look on.")]
    roles: Annotated[bool, Field(description="Whether each screen plays its own seat only.")]
    scorekeeper: Annotated[
        str | None, Field(description="Whose screens alone have the controls; null where all have.")
    ]
    voice: Annotated[bool, Field(description="Whether some screen speaks.")]
    set_up: Annotated[bool, Field(description="Whether the first-run pages are through.")]
    profiles: Annotated[tuple[Profile, ...], Field(description="How those look and sound who chose it.")]


@dataclass(frozen=True, slots=True)
class You:
    """What concerns the screen that asks."""

    seat: str | None
    host: bool
    role: Role
    voice: Annotated[bool, Field(description="Whether it is the one that speaks.")]
    asking: Annotated[bool, Field(description="Whether it asks to be host.")]
    button: Annotated[bool, Field(description="Whether holding the confirm button makes it host.")]
    number: Annotated[
        str | None,
        Field(
            description="What a screen that asks has to type; told only to a screen of the station itself."
        ),
    ]


def hashed(token: str) -> str:
    """What is kept of a screen's token."""
    return hashlib.blake2b(token.encode(), digest_size=16).hexdigest()


def _pin_hash(pin: str, salt: str) -> str:
    return hashlib.pbkdf2_hmac("sha256", pin.encode(), bytes.fromhex(salt), PIN_ROUNDS).hex()


def _renamed(before: TableView, after: TableView) -> dict[str, str]:
    """Old name -> new one of those who are called otherwise."""
    if before.game != after.game or len(before.players) != len(after.players):
        return {}
    was, now = ([player.name for player in view.players] for view in (before, after))
    return {old: new for old, new in zip(was, now, strict=True) if old not in now and new not in was}


def _nobody() -> None:
    """For a table of which nobody knows whose step was the last."""


class Room:
    """The shared settings of the screens; thread-safe.

    folder: where `room.json` is kept; None forgets with the process. A change is on the disk, or has not
    happened. clock: seconds, monotonic.
    """

    def __init__(self, folder: Path | None = None, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._file = RoomFile(folder)
        self._lock = RLock()
        self._kept = self._file.load()
        self._kept.secret = self._kept.secret or secrets.token_hex(16)
        self._tries = Tries(clock)
        self.requests = HostRequests(clock)
        self.requests.granted = self._make_host
        self.sessions = Sessions(clock)
        self.people = People(self._changing_people, lambda: self._kept.people, self._check_own)
        self._number = 0
        self._boxes_undone = 0

    def reload(self) -> None:
        """Read the file anew, a copy of it was put back; who is host now stays host."""
        with self._lock:
            before, kept = self._kept, self._file.load()
            kept.secret = before.secret
            kept.hosts = list(dict.fromkeys((*kept.hosts, *before.hosts)))
            self._kept = kept
            self._number += 1
            with suppress(FailedError):  # it holds until the station ends, then
                self._file.save(kept)

    # -- tokens --------------------------------------------------------------------------------------

    def new_token(self) -> str:
        """A token for a screen that has none."""
        token = secrets.token_urlsafe(24)
        return f"{token}.{self._signature(token)}"

    def knows(self, token: str | None) -> bool:
        """Whether the station gave out this token: one that somebody else made up is nobody's."""
        if not token or len(token) > TOKEN_MAX:
            return False
        first, _, signature = token.rpartition(".")
        if first and hmac.compare_digest(signature.encode(), self._signature(first).encode()):
            return True
        with self._lock:  # of before there were signatures
            return hashed(token) in self._kept.screens()

    def _signature(self, token: str) -> str:
        key = bytes.fromhex(self._kept.secret)
        return hashlib.blake2b(token.encode(), digest_size=10, key=key).hexdigest()

    # -- reading -------------------------------------------------------------------------------------

    def public(self) -> tuple[tuple[int, int], PublicRoom]:
        """What every screen may know, and numbers that change with it."""
        with self._lock:
            kept, asking = self._kept, self.requests.count
            return (self._number, asking), PublicRoom(
                seats=tuple(sorted(set(kept.seats.values()))),
                hints=tuple(sorted(name for name, on in kept.hints.items() if on)),
                tv_hints=tuple(sorted(name for name, on in kept.tv_hints.items() if on)),
                host=bool(kept.hosts),
                asking=asking,
                pin=kept.pin is not None,
                only_seated=kept.only_seated,
                roles=kept.roles,
                scorekeeper=kept.scorekeeper,
                voice=kept.voice is not None,
                set_up=kept.set_up,
                profiles=self.people.profiles(),
            )

    def wants_hints(self, name: str) -> bool:
        """Whether a player of that name asked for hints."""
        with self._lock:
            return self._kept.hints.get(name, False)

    def of(self, token: str | None, *, beside: bool = False) -> You:
        """What concerns one screen. beside: it stands at the station itself, where the number may be read."""
        with self._lock:
            mark = hashed(token) if token else ""
            return You(
                seat=self._kept.seats.get(mark),
                host=mark in self._kept.hosts,
                role=self._role(mark),
                voice=bool(mark) and self._kept.voice == mark,
                asking=self.requests.asks(mark),
                button=self.requests.buttons,
                number=self.requests.number if beside else None,
            )

    def _role(self, mark: str) -> Role:
        if mark in self._kept.hosts:
            return Role.HOST
        seat = self._kept.seats.get(mark)
        if mark in self._kept.scorekeepers or (seat is not None and seat == self._kept.scorekeeper):
            return Role.SCOREKEEPER
        return Role.PLAYER if mark in self._kept.seats else Role.VIEWER

    def _keeps_score(self, mark: str) -> bool:
        return self._role(mark) in {Role.HOST, Role.SCOREKEEPER}

    # -- host ----------------------------------------------------------------------------------------

    def ask_host(self, token: str, address: str) -> None:
        """This screen asks to be host; a person at the table has to say yes. Raises NotAllowedError."""
        with self._lock:
            keys = self._keys(token, address)
            self._check_wait(*keys)
            self._tries.wrong(*keys)  # until somebody says yes
        self.requests.ask(hashed(token), address)

    def ask_no_more(self, token: str) -> None:
        """This screen does not want to be host after all."""
        self.requests.withdraw(hashed(token))

    def type_number(self, token: str, address: str, number: str) -> None:
        """Become host by the number that the station shows. Raises NotAllowedError."""
        mark = hashed(token)
        with self._lock:
            keys = self._keys(token, address)
            if not self.requests.asks(mark):
                raise NotAllowedError("room/not_asking")
            self._check_wait(*keys)
            if not self.requests.typed(mark, number):
                self._tries.wrong(*keys)
                raise NotAllowedError("room/number_wrong")
            self._tries.right(*keys)
            self._make_host(mark)

    def claim_host(self, token: str, pin: str, address: str) -> None:
        """Become host by the PIN. Raises NotAllowedError when it is wrong, or was too often."""
        with self._lock:
            kept = self._kept.pin
            if kept is None or hashed(token) in self._kept.hosts:
                self.check_host(token)
                return
            keys = self._keys(token, address)
            self._check_wait(*keys)
            if not hmac.compare_digest(kept.hash, _pin_hash(pin, kept.salt)):
                self._tries.wrong(*keys)
                raise NotAllowedError("room/pin_wrong")
            self._tries.right(*keys)
            self._make_host(hashed(token))

    def _make_host(self, mark: str) -> None:
        with self._changing() as kept:
            if mark not in kept.hosts:
                kept.hosts.append(mark)
        self._tries.right(mark)

    def _keys(self, token: str, address: str) -> tuple[str, ...]:
        """Under what tries are counted: the address; a screen that has something here also by itself."""
        mark = hashed(token)
        return (address, mark) if mark in self._kept.screens() else (address,)

    def _check_wait(self, *keys: str) -> None:
        wait_s = self._tries.wait_s(*keys)
        if wait_s > 0:
            raise NotAllowedError("room/wait", count=ceil(wait_s))

    def set_pin(self, token: str, pin: str | None) -> None:
        """Protect the game by a PIN of 4 to 8 digits, or take it away; other hosts then type the new one."""
        if pin is not None and not (pin.isascii() and pin.isdigit() and 4 <= len(pin) <= 8):  # noqa: PLR2004 - as said
            raise BadInputError("room/pin")
        with self._changing() as kept:
            if pin is None:
                kept.pin = None
            else:
                salt = secrets.token_hex(16)
                kept.pin = KeptPin(salt=salt, hash=_pin_hash(pin, salt))
                kept.hosts = [hashed(token)]

    def pass_host(self, token: str, to: str) -> None:
        """Give the host's role to the screens of a seated player, and keep it no longer."""
        with self._changing() as kept:
            heirs = [mark for mark, name in kept.seats.items() if name == to]
            if not heirs:
                raise RefusalError("room/no_heir", name=to)
            others = [mark for mark in kept.hosts if mark != hashed(token)]
            kept.hosts = [*others, *(mark for mark in heirs if mark not in others)]

    def screens(self, token: str | None) -> tuple[Session, ...]:
        """Every screen the station has to do with, for the host; token: of the screen that asks."""
        with self._lock:
            kept = self._kept
            marks = dict.fromkeys((*kept.hosts, *kept.scorekeepers, *kept.seats, *self.sessions.marks()))
            mine = hashed(token) if token else ""
            return tuple(
                self.sessions.told(mark, role=self._role(mark), seat=kept.seats.get(mark), you=mark == mine)
                for mark in marks
            )

    def give_role(self, session: str, role: Role) -> None:
        """A screen has this role from now on; a player plays the seat it takes. Raises RefusalError."""
        mark = self._find(session)
        with self._changing() as kept:
            kept.hosts = [each for each in kept.hosts if each != mark]
            kept.scorekeepers = [each for each in kept.scorekeepers if each != mark]
            match role:
                case Role.HOST:
                    kept.hosts.append(mark)
                case Role.SCOREKEEPER:
                    kept.scorekeepers.append(mark)
                case Role.VIEWER:
                    kept.seats.pop(mark, None)
                case Role.PLAYER:
                    pass

    def end_session(self, session: str) -> None:
        """A screen loses seat, role and voice, and is a stranger from now on. Raises RefusalError."""
        mark = self._find(session)
        with self._changing() as kept:
            kept.seats.pop(mark, None)
            kept.hosts = [each for each in kept.hosts if each != mark]
            kept.scorekeepers = [each for each in kept.scorekeepers if each != mark]
            kept.voice = None if kept.voice == mark else kept.voice
        self.requests.withdraw(mark)
        self.sessions.end(mark)

    def saw(self, token: str, address: str, agent: str) -> None:
        """A screen has asked for something. agent: what its browser says of itself."""
        self.sessions.saw(hashed(token), address, agent)

    def _find(self, session: str) -> str:
        with self._lock:
            for mark in (*self._kept.screens(), *self.sessions.marks()):
                if self.sessions.name(mark) == session:
                    return mark
        raise RefusalError("room/no_session")

    # -- changing ------------------------------------------------------------------------------------

    def sit(self, token: str, name: str | None) -> None:
        """Take the seat of a player; None gives the seat up. Raises NotAllowedError where it is another's."""
        mark = hashed(token)
        with self._changing() as kept:
            taken = any(each != mark and theirs == name for each, theirs in kept.seats.items())
            guarded = kept.roles or (name is not None and name == kept.scorekeeper)
            if guarded and taken and not self._keeps_score(mark):
                raise NotAllowedError("room/seat_taken", name=str(name))
            kept.seats.pop(mark, None)
            if name is not None:
                kept.seats[mark] = name
            if kept.roles and len(kept.seats) > SCREENS_MAX:
                raise RefusalError("room/full")  # else strangers could sit until players have no seat
            while len(kept.seats) > SCREENS_MAX:
                kept.seats.pop(next(iter(kept.seats)))

    def set_scorekeeper(self, token: str, name: str | None) -> None:
        """Let the screens of that seat alone have the controls; None: all have them.

        A scorekeeper passes it on; where there is no host, anybody takes it. Raises NotAllowedError, and
        RefusalError for a name without a screen.
        """
        with self._lock:
            if not self._keeps_score(hashed(token)):
                self.check_settings(token)
        with self._changing() as kept:
            if name is not None and name not in kept.seats.values():
                raise RefusalError("room/no_heir", name=name)
            kept.scorekeeper = name

    def set_hints(self, token: str | None, name: str, *, on: bool, tv: bool = False) -> None:
        """Whether a player wants hints; tv: whether they agree to hints on the big screen."""
        self._check_own(token, name)
        with self._changing() as kept:
            (kept.tv_hints if tv else kept.hints)[name] = on

    def set_voice(self, token: str, *, on: bool) -> None:
        """Let this screen, and no other, speak; or nobody."""
        mark = hashed(token)
        if self._kept.voice not in {None, mark}:
            self._check_own(token, None)
        with self._changing() as kept:
            kept.voice = mark if on else None

    def set_only_seated(self, *, on: bool) -> None:
        """Whether screens without a seat only look."""
        with self._changing() as kept:
            kept.only_seated = on

    def set_roles(self, *, on: bool) -> None:
        """Whether each screen plays its own seat only."""
        with self._changing() as kept:
            kept.roles = on

    def set_up(self) -> None:
        """The first-run pages are through."""
        with self._changing() as kept:
            kept.set_up = True

    # -- deciding ------------------------------------------------------------------------------------

    def check_host(self, token: str | None) -> None:
        """Raise NotAllowedError unless this screen is host: to delete, restore or fetch takes one."""
        with self._lock:
            if (hashed(token) if token else "") not in self._kept.hosts:
                raise self._host_only("room/host_only" if self._kept.hosts else "room/no_host")

    def check_settings(self, token: str | None) -> None:
        """Raise NotAllowedError unless this screen is host, or there is none yet and nothing to protect."""
        with self._lock:
            if self._kept.hosts or self._kept.pin or self._file.unread:
                self.check_host(token)

    def check(
        self,
        token: str | None,
        command: AnyCommand,
        state: TableView,
        last: Callable[[], str | None] = _nobody,
    ) -> None:
        """Raise NotAllowedError unless this screen may give this command in this state.

        Where there is a PIN, taking back the last box is everybody's, and where all play at once, a copy is
        its player's; going back further, correcting an earlier box, changing who plays and ending a game are
        the host's. Where roles are given, `roles` says. Who keeps the score has the controls alone, but for
        the copies. last: whose step `undo` would take back.
        """
        with self._lock:
            mark = hashed(token) if token else ""
            role, seat = self._role(mark), self._kept.seats.get(mark)
            if role is Role.HOST:
                return
            copies = state.simultaneous and isinstance(command, CopyCommand)
            if self._kept.scorekeeper and role is not Role.SCOREKEEPER and not copies:
                raise NotAllowedError("room/scorekeeper_only", name=self._kept.scorekeeper)
            if self._kept.roles:
                if role is Role.VIEWER:
                    raise NotAllowedError("room/no_seat")
                if role is Role.PLAYER and not may_play(seat or "", command, state, last):
                    raise NotAllowedError("room/own_seat", name=seat or "")
                return
            if self._kept.only_seated and role is Role.VIEWER:
                raise NotAllowedError("room/no_seat")
            if self._kept.pin is not None or self._locked():
                self._check_protected(command, state)
                if copies and isinstance(command, CopyCommand):
                    self._check_copy(seat, command.player, state)

    def _check_protected(self, command: AnyCommand, state: TableView) -> None:
        """What the PIN keeps for the host."""
        at_turn_start = state.finished or not state.throws_done
        if isinstance(command, EndGame):
            raise self._host_only("room/host_ends")
        if isinstance(command, CorrectBox):
            raise self._host_only("room/host_corrects")
        if isinstance(command, RenamePlayer | RemovePlayer | MovePlayer):
            raise self._host_only("room/host_people")
        if goes_back(command) and at_turn_start and self._boxes_undone:
            raise self._host_only("room/host_goes_back")

    def _check_own(self, token: str | None, name: str | None) -> None:
        """Where roles are given, who keeps no score changes what is their own only."""
        with self._lock:
            mark = hashed(token) if token else ""
            own = name is not None and self._kept.seats.get(mark) == name
            if self._kept.roles and not own and not self._keeps_score(mark):
                raise NotAllowedError("room/not_yours")

    def _check_copy(self, seat: str | None, player: int | None, state: TableView) -> None:
        """Where all play at once, a player acts for the own copy, the table for those without a screen."""
        player = state.active_player if player is None else player
        if player is None or player >= len(state.players):
            return  # the game refuses it
        name = state.players[player].name
        if name != seat and (seat is not None or name in self._kept.seats.values()):
            raise NotAllowedError("room/own_copy", name=name)

    def carried_out(self, command: AnyCommand, before: TableView, after: TableView) -> None:
        """Note a command that was done, to know how far back people have gone.

        before, after: the state as it was and as it became. Only a turn that was played, or a game that was
        begun, lets everybody take back a step more. What belongs to a name follows the player who is called
        otherwise, also when that is undone.
        """
        back = goes_back(command)
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
        """Seats and hints of the old names are those of the new ones, for the game has them already."""
        kept = self._kept
        kept.seats = {mark: names.get(name, name) for mark, name in kept.seats.items()}
        kept.scorekeeper = names.get(kept.scorekeeper or "", kept.scorekeeper)
        kept.hints = {names.get(name, name): on for name, on in kept.hints.items()}
        kept.tv_hints = {names.get(name, name): on for name, on in kept.tv_hints.items()}
        for old, new in names.items():
            if old in kept.people.profiles and new not in kept.people.profiles:
                kept.people.profiles[new] = kept.people.profiles[old]
        self._number += 1
        with suppress(FailedError):
            self._file.save(kept)

    # -- inside --------------------------------------------------------------------------------------

    def _locked(self) -> bool:
        """Whether there may have been protection that nobody can read any more, and no host since."""
        return self._file.unread and not self._kept.hosts

    def _host_only(self, key: str) -> NotAllowedError:
        """The refusal of what is the host's; it says what to do where nobody can be host."""
        if self._locked() and self._file.path is not None:
            path = str(self._file.aside)
            return NotAllowedError(
                "room/unreadable", code="room/host_only", path=path, name=self._file.path.name
            )
        return NotAllowedError(key, code="room/host_only")

    @contextmanager
    def _changing(self) -> Iterator[KeptRoom]:
        """What is kept, to be changed; it counts once it is on the disk. Raises FailedError."""
        with self._lock:
            wanted = self._kept.model_copy(deep=True)
            yield wanted
            if wanted.scorekeeper not in wanted.seats.values():
                wanted.scorekeeper = None
            self._file.save(wanted)
            self._kept = wanted
            self._number += 1

    @contextmanager
    def _changing_people(self) -> Iterator[KeptPeople]:
        with self._changing() as kept:
            yield kept.people
