"""The room: seats, hosts, hints and other settings that screens share besides the game.

A screen is known by a token in a cookie that the station gave it, of which only a hash is kept; so a seat
survives sleep, reload, a change of Wi-Fi and a restart of the station. Nothing here is part of the game:
losing it loses no score.

Nobody is host until somebody at the table makes a screen host (`host_requests`). Playing is open to all,
until a host sets a PIN, lets only seated screens play, or gives roles (`roles`).
"""

import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from math import ceil
from pathlib import Path
from threading import RLock

from messages.errors import BadInputError, FailedError, NotAllowedError, RefusalError
from station.contract.command import Command
from station.contract.names import clean_name
from station.contract.pairing import Pairing
from station.contract.view import TableView
from station.game.renames import Renamed
from station.screens.bounds import Kind, RoomBounds
from station.screens.host_requests import HostRequests
from station.screens.people import KeptPeople, People
from station.screens.permissions import Permissions
from station.screens.roles import Role
from station.screens.room_file import KeptPin, KeptRoom, RoomFile
from station.screens.sessions import Session, Sessions
from station.screens.shown import PublicRoom, You, public, you
from station.screens.tokens import TOKEN_MAX, cookie_name, hashed, is_ours, new_token
from station.screens.tries import HOUSE, Tries

SCREENS_EACH = 3
"""Screens of one known name whose seats never give way, the oldest ones."""


def _nobody() -> None:
    """None: the player of the last step is not known."""


class Room:
    """The shared settings of the screens; thread-safe.

    folder: where `room.json` is kept; None forgets with the process. A change is on the disk, or has not
    happened; what is kept is one value, another one after each change, so that who only reads never waits for
    the disk. next_confirms: whether the next throw confirms a sure one, until somebody chooses here.
    clock: seconds, monotonic.
    """

    def __init__(
        self,
        folder: Path | None = None,
        *,
        next_confirms: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._file, self._next_confirms = RoomFile(folder), next_confirms
        self._lock = RLock()
        self._on_disk = False
        """Whether what is kept is surely in the file: what changes nothing is not written again then."""
        self._kept = self._load()
        self._tries = Tries(clock)
        self.requests = HostRequests(clock)
        self.requests.granted = self._make_host
        self.sessions = Sessions(clock)
        self.bounds = RoomBounds()
        self.people = People(self._changing_people, lambda: self._kept.people, self._check_own, self.bounds)
        self._may = Permissions(lambda: self._kept, self._file)
        self._number = 0
        self._pairing: Pairing | None = None

    def _load(self) -> KeptRoom:
        """The stored room; a station without a secret gets one, and stores it if it can."""
        kept = self._file.load()
        if not kept.secret:
            kept.secret = secrets.token_hex(16)
            with suppress(FailedError):
                self._file.save(kept)
        return kept

    @contextmanager
    def exchanging(self) -> Iterator[None]:
        """While the file is replaced: a change waits, and changes the new one."""
        with self._lock:
            yield
            self.reload()

    def reload(self) -> None:
        """Read the file again after a restore; permissions stay as they are."""
        with self._lock:
            kept = self._file.load().with_access_of(self._kept)
            self._kept = kept
            self._number += 1
            with suppress(FailedError):  # it holds until the station ends, then
                self._file.save(kept)

    def past_changed(self) -> None:
        """Past games have changed: every screen is notified, and requests what it shows of them."""
        with self._lock:
            self._number += 1

    # -- tokens --------------------------------------------------------------------------------------

    @property
    def cookie(self) -> str:
        """Name of the cookie with the token."""
        return cookie_name("screen", self._kept.secret)

    def new_token(self) -> str:
        """A token for a screen that has none."""
        return new_token(self._kept.secret)

    def knows(self, token: str | None) -> bool:
        """Whether the station gave out this token: one that somebody else made up is nobody's."""
        if not token or len(token) > TOKEN_MAX:
            return False
        if is_ours(token, self._kept.secret):
            return True
        return hashed(token) in self._kept.screens()  # from before there were signatures

    # -- reading -------------------------------------------------------------------------------------

    def public(self) -> tuple[tuple[int, int], PublicRoom]:
        """The part of the room that every screen gets, and numbers that change with it."""
        number = self._number  # first: what is read after it is as new or newer
        kept, asking = self._kept, self.requests.count
        people, confirms = self.people.profiles(), self.next_confirms()
        return (number, asking), public(kept, asking, people, self._pairing, next_confirms=confirms)

    def pair(self, pairing: Pairing | None) -> None:
        """The board of a club says who meets here next; None: nobody."""
        with self._lock:
            self._number += pairing != self._pairing
            self._pairing = pairing

    def wants_hints(self, name: str) -> bool:
        """Whether a player of that name has hints switched on."""
        return self._kept.hints.get(name, False)

    def of(self, token: str | None, *, beside: bool = False) -> You:
        """The part of the room for one screen. beside: at the station, where the number may be read."""
        return you(self._kept, hashed(token), self.requests, beside=beside)

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
            house = () if hashed(token) in self._kept.were_host else (HOUSE,)
            self._check_wait(*house, key="room/wait_house")
            if not kept.is_it(pin):
                self._tries.wrong(*keys, *house)
                raise NotAllowedError("room/pin_wrong")
            self._tries.right(*keys)
            self._make_host(hashed(token))

    def _make_host(self, mark: str) -> None:
        with self._changing(on_disk=False) as kept:  # where nothing can be written, somebody has to help
            if mark not in kept.hosts:
                kept.hosts.append(mark)
        self._tries.right(mark)

    def _keys(self, token: str, address: str) -> tuple[str, ...]:
        """Under what tries are counted: the address; a screen that has something here also by itself.

        One that was host before is counted by itself alone, so that no stranger makes it wait.
        """
        mark = hashed(token)
        if mark in self._kept.were_host:
            return (mark,)
        return (address, mark) if mark in self._kept.screens() else (address,)

    def _check_wait(self, *keys: str, key: str = "room/wait") -> None:
        wait_s = self._tries.wait_s(*keys)
        if wait_s > 0:
            raise NotAllowedError(key, code="room/wait", count=ceil(wait_s))

    def set_pin(self, token: str, pin: str | None) -> None:
        """Protect the game by a PIN of 4 to 8 digits, or take it away; other hosts then type the new one."""
        if pin is not None and not (pin.isascii() and pin.isdigit() and 4 <= len(pin) <= 8):  # noqa: PLR2004 - as in the message
            raise BadInputError("room/pin")
        with self._changing() as kept:
            kept.pin = None if pin is None else KeptPin.of(pin)
            if pin is not None:
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
            return tuple(self.screen(mark, token) for mark in marks)

    def screen(self, mark: str, token: str | None) -> Session:
        """One screen, as another one that asks with a token may see it."""
        kept = self._kept
        return self.sessions.describe(
            mark, role=kept.role(mark), seat=kept.seats.get(mark), you=mark == hashed(token)
        )

    @property
    def phone(self) -> str | None:
        """Mark of the screen that is the camera."""
        return self._kept.phone

    def set_phone(self, mark: str | None) -> None:
        """Let this screen be the camera, or none."""
        with self._changing(on_disk=False) as kept:
            kept.phone = mark

    def give_role(self, session: str, role: Role) -> None:
        """A screen has this role from now on; a player plays the seat it takes. Raises RefusalError."""
        mark = self._find(session)
        with self._changing() as kept:
            kept.take_role(mark)
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
            kept.take_role(mark)
            kept.voice = None if kept.voice == mark else kept.voice
            kept.phone = None if kept.phone == mark else kept.phone
        self.requests.withdraw(mark)
        self.sessions.end(mark)

    def saw(self, token: str, address: str, agent: str) -> None:
        """A screen has sent a request. agent: what its browser says of itself."""
        self.sessions.saw(hashed(token), address, agent)

    def _find(self, session: str) -> str:
        with self._lock:
            for mark in (*self._kept.screens(), *self.sessions.marks()):
                if self.sessions.name(mark) == session:
                    return mark
        raise RefusalError("room/no_session")

    # -- changing ------------------------------------------------------------------------------------

    def sit(self, token: str, name: str | None, address: str = "") -> None:
        """Take the seat of a player; None gives the seat up.

        address: of the screen; "" is not limited. Raises NotAllowedError where the seat is another's,
        RefusalError where there is no room for one more.
        """
        mark, name = hashed(token), None if name is None else clean_name(name)
        known = self.bounds.known()
        with self._changing() as kept:
            if name == kept.seats.get(mark):
                return
            taken = kept.roles and name in kept.seats.values()
            if name is not None and (taken or name == kept.scorekeeper) and not kept.keeps_score(mark):
                raise NotAllowedError("room/seat_taken", name=name)
            if name is not None:
                stay = kept.lasting_seats(known, SCREENS_EACH)
                for gone in self.bounds.admit_name(Kind.SEAT, kept.seats, mark, address, stay):
                    del kept.seats[gone]
            kept.seats.pop(mark, None)
            if name is not None:
                kept.seats[mark] = name

    def set_scorekeeper(self, token: str, name: str | None) -> None:
        """Let the screens of that seat alone have the controls; None: all have them.

        A scorekeeper passes it on; where there is no host, anybody takes it. Raises NotAllowedError, and
        RefusalError for a name without a screen.
        """
        with self._changing() as kept:
            if not kept.keeps_score(hashed(token)):
                self.check_settings(token)
            if name is not None and name not in kept.seats.values():
                raise RefusalError("room/no_heir", name=name)
            kept.scorekeeper = name

    def set_hints(
        self, token: str | None, name: str, *, on: bool, tv: bool = False, address: str = ""
    ) -> None:
        """Whether a player wants hints; tv: whether they agree to hints on the big screen.

        address: of the screen; "" is not limited. Raises RefusalError where there is no room for one more.
        """
        name, known = clean_name(name), self.bounds.known()
        with self._changing() as kept:
            self._check_own(token, name)
            for gone in self.bounds.admit_name(Kind.HINTS, kept.added(Kind.HINTS), name, address, known):
                kept.take_away(Kind.HINTS, gone)
            (kept.tv_hints if tv else kept.hints)[name] = on

    def set_voice(self, token: str, *, on: bool, tv: bool = False) -> None:
        """Let this screen, or the television (tv), and no other, speak; or nobody."""
        mark = hashed(token)
        with self._changing() as kept:
            if tv or kept.tv_voice or kept.voice not in {None, mark}:
                self._check_own(token, None)
            kept.voice = mark if on and not tv else None
            kept.tv_voice = on and tv

    def set_needs_aloud(self, token: str, *, on: bool) -> None:
        """Whether the screen that speaks also says what the next throw has to bring."""
        with self._changing() as kept:
            self._check_own(token, None)
            kept.needs_aloud = on

    def set_only_seated(self, *, on: bool) -> None:
        """Whether screens without a seat only look."""
        with self._changing() as kept:
            kept.only_seated = on

    def set_roles(self, *, on: bool) -> None:
        """Whether each screen plays its own seat only."""
        with self._changing() as kept:
            kept.roles = on

    def set_next_confirms(self, token: str | None, *, on: bool) -> None:
        """Whether the next throw confirms a sure one. Raises NotAllowedError as `check_settings`."""
        with self._changing() as kept:
            self.check_settings(token)
            kept.next_confirms = on

    def next_confirms(self) -> bool:
        """Whether a sure throw that was shown is confirmed when the next begins."""
        chosen = self._kept.next_confirms
        return self._next_confirms if chosen is None else chosen

    def set_up(self) -> None:
        """The first-run pages are through."""
        with self._changing() as kept:
            kept.set_up = True

    # -- deciding ------------------------------------------------------------------------------------

    def check_host(self, token: str | None) -> None:
        """Raise NotAllowedError unless this screen is host: to delete, restore or fetch takes one."""
        self._may.check_host(hashed(token))

    @contextmanager
    def as_host(self, token: str | None) -> Iterator[None]:
        """The same for a change of the room: within it nobody takes the permission away."""
        with self._lock:
            self.check_host(token)
            yield

    def check_settings(self, token: str | None) -> None:
        """Raise NotAllowedError unless this screen is host, or there is none yet and nothing to protect."""
        self._may.check_settings(hashed(token))

    def check(
        self,
        token: str | None,
        command: Command,
        state: TableView,
        last: Callable[[], str | None] = _nobody,
    ) -> None:
        """Raise NotAllowedError unless this screen may give this command now (`Permissions.check`)."""
        self._may.check(hashed(token), command, state, last)

    def check_outside(self, command: Command, state: TableView) -> None:
        """The same for another program or another home (`Permissions.check_outside`)."""
        self._may.check_outside(command, state)

    def refused(
        self, token: str | None, state: TableView, last: Callable[[], str | None] = _nobody
    ) -> tuple[str, ...]:
        """The commands on offer that this screen may not send (`Permissions.refused`)."""
        return self._may.refused(hashed(token), state, last)

    def _check_own(self, token: str | None, name: str | None) -> None:
        """Raise NotAllowedError with roles, unless the name is this screen's own or it keeps score."""
        self._may.check_own(hashed(token), name)

    def taken_back(self, before: TableView, after: TableView) -> None:
        """Note a step back. before, after: the state as it was and as it became."""
        self._may.taken_back(before, after)

    def rename(self, renamed: Renamed) -> None:
        """A player is renamed, or has the earlier name again: what belongs to the name follows."""
        with self._lock:
            wanted = self._kept.model_copy(deep=True)
            wanted.rename(renamed)
            if wanted != self._kept:
                self._kept = wanted
                self._number += 1
                with suppress(FailedError):  # the game has the new name already
                    self._file.save(wanted)

    # -- what was added ------------------------------------------------------------------------------

    def added(self, kind: Kind) -> tuple[str, ...]:
        """The things of that kind that people have added, the oldest first."""
        return self._kept.added(kind)

    def take_away(self, kind: Kind, key: str) -> None:
        """Forget what somebody has added, if it is there."""
        with self._changing() as kept:
            kept.take_away(kind, key)

    # -- inside --------------------------------------------------------------------------------------

    @contextmanager
    def _changing(self, *, on_disk: bool = True) -> Iterator[KeptRoom]:
        """The stored room, for a change that counts once it is on the disk. Raises FailedError.

        on_disk: else it counts until the station ends where it cannot be written.
        """
        with self._lock:
            wanted = self._kept.model_copy(deep=True)
            wanted.note_hosts()  # also those whom an earlier version did not note
            yield wanted
            wanted.note_hosts()
            # The controls of a scorekeeper who is gone are the host's. Without one anybody may take them.
            if wanted.scorekeeper not in wanted.seats.values() and not (
                wanted.protected or self._file.unread
            ):
                wanted.scorekeeper = None
            if wanted == self._kept and self._on_disk:
                return
            try:
                self._file.save(wanted)
                self._on_disk = True
            except FailedError:
                if on_disk:
                    raise
                self._on_disk = False
            self._kept = wanted
            self._number += 1

    @contextmanager
    def _changing_people(self) -> Iterator[KeptPeople]:
        with self._changing() as kept:
            yield kept.people
