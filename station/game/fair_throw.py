"""Dice that nobody can choose: two sides fix a throw together before either knows what it will show.

Pure. Commit and reveal (M. Blum, Coin flipping by telephone, 1981): each side draws a secret and tells the
other its hash; only when both hashes are told do they tell the secrets. The faces come from both secrets, so
one honest side makes them fair. Neither can change its secret afterwards without the hash telling it.

Who reveals last knows the throw a moment earlier and could stop there. That gains nothing: `secret_of` gives
the same secret for the same throw however often it is tried, so the next try shows the same faces.
"""

import hashlib
import hmac
from dataclasses import dataclass

from messages.errors import RefusalError

SECRET_BYTES = 32
SCHEME = b"yacht-station/throw/1"
EVEN = 252
"""The largest multiple of 6 in a byte: larger ones are passed over, or low faces came more often."""


@dataclass(frozen=True, slots=True)
class Throw:
    """Which throw it is: game, last event before it, number of dice. A secret counts for no other."""

    game: int
    after: int
    dice: int

    @property
    def name(self) -> bytes:
        """It in bytes, for hashes."""
        return SCHEME + f"/{self.game}/{self.after}/{self.dice}".encode()


def secret_of(key: bytes, throw: Throw) -> bytes:
    """A side's secret for a throw. key: 32 bytes by chance that the side tells nobody."""
    return hmac.digest(key, throw.name, "sha256")


def commitment(throw: Throw, side: str, secret: bytes) -> str:
    """What is told first: a hash that fixes the secret and does not tell it. side: who says it."""
    return hashlib.sha256(b"|".join((throw.name, side.encode(), secret))).hexdigest()


def faces(
    throw: Throw, secrets: tuple[bytes, bytes], commitments: tuple[str, str], sides: tuple[str, str]
) -> tuple[int, ...]:
    """What the dice show, once both have told their secrets.

    Raises RefusalError `homes/unfair` for a secret that is not the one its side was committed to.

    >>> a, b = bytes(32), bytes(range(32))
    >>> throw = Throw(game=1, after=7, dice=5)
    >>> told = commitment(throw, "here", a), commitment(throw, "there", b)
    >>> faces(throw, (a, b), told, ("here", "there"))
    (2, 1, 6, 6, 3)
    """
    for side, secret, told in zip(sides, secrets, commitments, strict=True):
        if len(secret) != SECRET_BYTES or not hmac.compare_digest(commitment(throw, side, secret), told):
            raise RefusalError("homes/unfair", home=side)
    mixed = bytes(a ^ b for a, b in zip(*secrets, strict=True))
    found: list[int] = []
    block = 0
    while len(found) < throw.dice:
        stream = hashlib.sha256(throw.name + mixed + block.to_bytes(4)).digest()
        found += [byte % 6 + 1 for byte in stream if byte < EVEN]
        block += 1
    return tuple(found[: throw.dice])
