"""Dice that nobody can choose: two sides fix a throw together before either knows what it will show.

Pure. Commit and reveal (M. Blum, Coin flipping by telephone, 1981): each side draws a secret and tells the
other its hash; both reveal their secrets once both hashes are known. The faces come from both secrets, so
one honest side makes them fair. Neither can change its secret afterwards without the hash telling it.

Who reveals last knows the throw a moment earlier and could stop there. That gains nothing: `secret_of` gives
the same secret for the same throw however often it is tried, the other side remembers the hash, and such a
throw is not taken back: the next try shows the same faces. Both secrets stand in the log, where anybody can
work the faces out again.
"""

import hashlib
import hmac
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, count, islice

from messages.errors import RefusalError
from station.features.two_homes.option import HOME, WITHOUT_TRAY
from station.game.evolve import evolve, of_last_game, replay
from station.game.log.event import Event
from station.game.log.slots import Die
from station.game.log.state import State
from station.game.situation import may_roll
from station.game.steps.accept_roll import RollAccepted

SECRET_BYTES = 32
THROWS_KEY = "homes.key"
"""The file of which the host makes its secrets: with that of another log, throws of the same number repeated
them.
"""
SCHEME = b"yacht-station/throw/1"
EVEN = 252
"""The largest multiple of 6 in a byte: larger ones are passed over, or low faces came more often."""
HOST, GUEST = "host", "guest"

Secrets = tuple[bytes, bytes]
"""The secrets of host and guest."""


@dataclass(frozen=True, slots=True)
class FairThrow:
    """The identity of a throw: game, number of throws fixed so before it, dice of the game.

    A secret counts for no other throw. Held dice do not matter: each slot has its face in any case.
    """

    game: int
    number: int
    dice: int

    @property
    def name(self) -> bytes:
        """It in bytes, for hashes."""
        return SCHEME + f"/{self.game}/{self.number}/{self.dice}".encode()


def secret_of(key: bytes, throw: FairThrow) -> bytes:
    """A side's secret for a throw. key: 32 bytes by chance that the side tells nobody."""
    return hmac.digest(key, throw.name, "sha256")


def commitment(throw: FairThrow, side: str, secret: bytes) -> str:
    """The commitment: a hash that fixes the secret without revealing it. side: whose."""
    return hashlib.sha256(b"|".join((throw.name, side.encode(), secret))).hexdigest()


def check_secret(throw: FairThrow, side: str, secret: bytes, promise: str | None) -> None:
    """Raise RefusalError `homes/unfair` unless it is the secret that the side was committed to."""
    right = len(secret) == SECRET_BYTES and promise is not None
    if not right or not hmac.compare_digest(commitment(throw, side, secret), promise or ""):
        raise RefusalError("homes/unfair")


def faces(throw: FairThrow, secrets: Secrets) -> tuple[int, ...]:
    """The faces of the dice, by slot.

    >>> faces(FairThrow(game=1, number=0, dice=5), (bytes(32), bytes(range(32))))
    (3, 4, 6, 2, 5)
    """
    mixed = bytes(a ^ b for a, b in zip(*secrets, strict=True))
    blocks = (hashlib.sha256(throw.name + mixed + block.to_bytes(4)).digest() for block in count())
    even = (byte for byte in chain.from_iterable(blocks) if byte < EVEN)
    return tuple(byte % 6 + 1 for byte in islice(even, throw.dice))


def due(state: State, home: str) -> FairThrow:
    """The throw that the active player of that home, who has no tray, may ask for now.

    Raises RefusalError that says why there is none.
    """
    rules = may_roll(state)
    if not WITHOUT_TRAY.of(state.player) or HOME.of(state.player) != home:
        raise RefusalError("homes/has_tray", name=state.player.name)
    return FairThrow(state.game, sum(is_fair(event) for event in of_last_game(state.past)), rules.dice)


def alone(_throw: FairThrow) -> Secrets:
    """Refuse a throw without anybody to draw it with. Raises RefusalError."""
    raise RefusalError("homes/host_only")


def is_fair(event: Event) -> bool:
    """Whether it is a throw that two sides fixed."""
    return isinstance(event, RollAccepted) and bool(event.secrets)


def rolled(state: State, throw: FairThrow, secrets: Secrets) -> RollAccepted:
    """The throw as an event: what is held stays, the others show what both secrets say."""
    held = {die.slot: die for die in state.held_dice}
    shown = enumerate(faces(throw, secrets), start=1)
    dice = tuple(held.get(slot) or Die(slot, face) for slot, face in shown)
    host, guest = secrets
    return RollAccepted(dice, typed=True, drawn=True, secrets=(host.hex(), guest.hex()))


def secrets_of(event: RollAccepted) -> Secrets:
    """Both secrets of a throw that was fixed so. Raises RefusalError `homes/unfair` where they are not."""
    try:
        host, guest = (bytes.fromhex(each) for each in event.secrets)
    except ValueError as error:
        raise RefusalError("homes/unfair") from error
    return host, guest


def drawn_throws(past: Sequence[Event]) -> tuple[tuple[FairThrow, Secrets], ...]:
    """The throws of the last game that were fixed so, with their secrets.

    Raises RefusalError `homes/unfair` where dice show anything else than their secrets say.
    """
    game = of_last_game(past)
    if not any(map(is_fair, game)):
        return ()
    state, found = State(), []
    for event in game:
        if isinstance(event, RollAccepted) and event.secrets:
            throw, secrets = due(state, HOME.of(state.player)), secrets_of(event)
            if event.dice != rolled(state, throw, secrets).dice:
                raise RefusalError("homes/unfair")
            found.append((throw, secrets))
        state = evolve(state, event)
    return tuple(found)


class HostSide:
    """The memory of the station that keeps the game. key: the same after a restart."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._promised: dict[str, tuple[FairThrow, str]] = {}

    def commit(self, guest: str, throw: FairThrow, promise: str) -> str:
        """A guest is committed to a secret; so is the host, to the same one for every request."""
        self._promised[guest] = throw, promise
        return commitment(throw, HOST, secret_of(self._key, throw))

    def reveal(self, guest: str, throw: FairThrow, secret: bytes) -> Secrets:
        """The guest reveals its secret. Raises RefusalError `homes/unfair` for another than it promised."""
        known, promise = self._promised.get(guest, (None, None))
        check_secret(throw, GUEST, secret, promise if known == throw else None)
        return secret_of(self._key, throw), secret


class GuestSide:
    """The memory of the station that plays along. key: another one after a restart.

    What it revealed before is of no use then. A throw that comes a second time, because the host has put
    a backup back, gets another secret: the host knows the one of the first.
    """

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._promised: dict[FairThrow, str] = {}
        self._written: set[FairThrow] = set()
        self._times: Counter[FairThrow] = Counter()

    def commit(self, throw: FairThrow) -> str:
        """The commitment."""
        if throw in self._written:
            self._forget(throw)
        return commitment(throw, GUEST, self._secret(throw))

    def reveal(self, throw: FairThrow, promise: str) -> bytes:
        """The host is committed too: now the own secret may be revealed.

        Raises RefusalError `homes/promise` if it was committed to another secret for this throw, as after a
        restored copy there: it knows the own secret already, and could choose. The next attempt has another
        one.
        """
        if self._promised.setdefault(throw, promise) != promise:
            self._forget(throw)
            raise RefusalError("homes/promise")
        return self._secret(throw)

    def check(self, throw: FairThrow, secrets: Secrets) -> None:
        """Raise RefusalError `homes/unfair` for a throw of the own that is not what both promised."""
        if throw in self._promised:
            check_secret(throw, HOST, secrets[0], self._promised[throw])
            if secrets[1] != self._secret(throw):
                raise RefusalError("homes/unfair")
            self._written.add(throw)

    def follow(self, past: Sequence[Event]) -> None:
        """Look at all throws of the host's log. Raises RefusalError `homes/unfair` as `check` does."""
        for throw, secrets in drawn_throws(past):
            self.check(throw, secrets)
        game = replay(of_last_game(past)[:1]).game
        for throw in [each for each in self._promised if each.game != game]:
            self._forget(throw)

    def _secret(self, throw: FairThrow) -> bytes:
        return secret_of(self._key + self._times[throw].to_bytes(4), throw)

    def _forget(self, throw: FairThrow) -> None:
        self._promised.pop(throw, None)
        self._written.discard(throw)
        self._times[throw] += 1
