"""Certificates of the house's own for https: read, refused where they will not do, and what they say."""

import contextlib
import ssl
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from messages.errors import BadInputError, cause
from messages.message import Message

HANDSHAKE_STEPS = 3
"""The most messages of either side in a handshake, in TLS 1.2 and 1.3."""

RENEW_DAYS = 30
"""Days before its end at which a certificate gets a warning: a family is not at the station every week."""

X509_V_FLAG_NO_CHECK_TIME = 0x200000
"""From OpenSSL's x509_vfy.h, since 1.1.0; the ssl module has no name for it."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """The names in a certificate, and its period of validity (UTC)."""

    names: tuple[str, ...]
    begins: datetime
    ends: datetime

    def ending(self, now: datetime) -> bool:
        """Whether it is over, or soon will be."""
        return (self.ends - now).days < RENEW_DAYS


class _LockedKeyError(Exception):
    """OpenSSL asks for a pass phrase; nobody is there to type it."""


def context(certificate: Path, key: Path | None = None) -> ssl.SSLContext:
    """The TLS context of two PEM files.

    certificate: the station's own, followed by those that vouch for it. key: its private key; None where it
    stands in the same file.
    Raises BadInputError with a sentence for every file that will not do.
    """
    _check("certificate", certificate, b"-----BEGIN CERTIFICATE-----")
    if key is not None:
        _check("key", key, b"PRIVATE KEY-----")
    made = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    made.set_alpn_protocols(["http/1.1"])
    try:
        made.load_cert_chain(certificate, key, password=_no_pass_phrase)
    except _LockedKeyError:
        raise BadInputError("https/locked", key=str(key or certificate)) from None
    except ssl.SSLError as error:
        raise _unusable(certificate, key, error) from None
    return made


def read(context: ssl.SSLContext, certificate: Path) -> Certificate:
    """The names and dates of the certificate in `context`, whether it is valid now or not.

    The ssl module gives them only for a verified certificate of the other side. So client and server do a
    handshake in memory, and the client trusts the file itself, at any time.
    Raises BadInputError if the handshake fails: the certificate is not for https.
    """
    asking = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    asking.check_hostname = False
    asking.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN | ssl.VerifyFlags(X509_V_FLAG_NO_CHECK_TIME)
    try:
        asking.load_verify_locations(certificate)
        fields = _own_certificate(context, asking)
    except ssl.SSLError as error:
        why = getattr(error, "verify_message", "") or (error.reason or str(error)).lower().replace("_", " ")
        raise BadInputError("https/refused", code="input/bad", path=str(certificate), why=why) from None
    begins, ends = (
        datetime.fromtimestamp(ssl.cert_time_to_seconds(str(fields[key])), UTC)
        for key in ("notBefore", "notAfter")
    )
    names = fields.get("subjectAltName", ())
    return Certificate(tuple(str(name) for kind, name in names if kind == "DNS"), begins, ends)


def _own_certificate(context: ssl.SSLContext, asking: ssl.SSLContext) -> dict[str, Any]:
    """The certificate of `context` as the client `asking` gets it, in the form of `SSLSocket.getpeercert`."""
    there, back = ssl.MemoryBIO(), ssl.MemoryBIO()
    server = context.wrap_bio(there, back, server_side=True)
    client = asking.wrap_bio(back, there)
    for _ in range(HANDSHAKE_STEPS):
        for side in (client, server):
            with contextlib.suppress(ssl.SSLWantReadError):
                side.do_handshake()
    return client.getpeercert() or {}


def _check(what: str, path: Path, mark: bytes) -> None:
    """Refuse a file without one. what: "certificate" or "key"; mark: what such a PEM file has in it."""
    file = Message(f"https/file/{what}")
    try:
        text = path.read_bytes()
    except FileNotFoundError:
        raise BadInputError("https/missing", what=file, path=str(path)) from None
    except OSError as error:
        raise BadInputError("https/unreadable", what=file, path=str(path), why=cause(error)) from None
    if mark not in text:
        raise BadInputError(Message(f"https/no-pem/{what}", path=str(path)), code="https/bad")


def _no_pass_phrase() -> str:
    raise _LockedKeyError


def _unusable(certificate: Path, key: Path | None, error: ssl.SSLError) -> BadInputError:
    named = {"certificate": str(certificate), "key": str(key or certificate)}
    if error.reason == "KEY_VALUES_MISMATCH":
        return BadInputError("https/mismatch", code="https/bad", **named)
    if key is None and b"PRIVATE KEY-----" not in certificate.read_bytes():
        return BadInputError("https/no-key", code="https/bad", **named)
    why = (error.reason or str(error)).lower().replace("_", " ")
    return BadInputError("https/unusable", code="https/bad", why=why, **named)
