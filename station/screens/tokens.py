"""Tokens: what a screen is known by. The station signs those it gives out, and keeps only a hash of each."""

import hashlib
import hmac
import secrets

TOKEN_MAX = 64


def cookie_name(kind: str, secret: str) -> str:
    """Name of a cookie of this station. A browser sends a host's cookies to all of its ports.

    >>> cookie_name("screen", "00"), cookie_name("screen", "01")
    ('screen-5755e8cb', 'screen-bd7a72cb')
    """
    number = hashlib.blake2b(secret.encode(), digest_size=4, person=b"cookie").hexdigest()
    return f"{kind}-{number}"


def hashed(token: str | None) -> str:
    """The mark of a screen's token, which is stored; empty for none."""
    return hashlib.blake2b(token.encode(), digest_size=16).hexdigest() if token else ""


def new_token(secret: str) -> str:
    """A token for a screen that has none. secret: the station's, hexadecimal."""
    token = secrets.token_urlsafe(24)
    return f"{token}.{_signature(token, secret)}"


def is_ours(token: str, secret: str) -> bool:
    """Whether a station with that secret gave out this token."""
    first, _, signature = token.rpartition(".")
    return bool(first) and hmac.compare_digest(signature.encode(), _signature(first, secret).encode())


def _signature(token: str, secret: str) -> str:
    return hashlib.blake2b(token.encode(), digest_size=10, key=bytes.fromhex(secret)).hexdigest()
