"""https with a certificate of the house's own: a front that takes TLS off and hands the bytes to the pages.

The server of the pages speaks plain http only. This front listens on a port beside it, and joins every
connection to one of its own to that server. It knows nothing of HTTP: live lines, pictures and uploads go
through it alike. One thread, whatever the number of screens.
"""

import asyncio
import contextlib
import socket
import ssl
import threading
from collections.abc import Coroutine
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from messages.errors import BadInputError
from messages.message import Message

HANDSHAKE_S = 10.0
"""Who has not agreed on a key by then is hung up on."""

HANDSHAKE_STEPS = 3
"""So often either side of a handshake has something to say, in TLS 1.2 and 1.3."""

CHUNK_BYTES = 65_536

STOP_S = 1.5
"""So long `stop` waits for the thread."""

X509_V_FLAG_NO_CHECK_TIME = 0x200000
"""Of OpenSSL's x509_vfy.h, since 1.1.0; the ssl module has no name for it."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """What a certificate says: the names it is for, and from when until when it is good (UTC)."""

    names: tuple[str, ...]
    begins: datetime
    ends: datetime


class _LockedKeyError(Exception):
    """OpenSSL asks for a pass phrase; nobody is there to type it."""


def context(certificate: Path, key: Path | None = None) -> ssl.SSLContext:
    """What TLS needs to know, of two PEM files.

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
    """What the certificate says that `context` was made of, whether it is good now or not.

    The ssl module tells it only of a certificate that another side has shown and that was found good. So
    both sides are played here, in memory, and the file itself is what the asking side trusts, at any time.
    Raises BadInputError where they do not agree: the certificate is for something else than https.
    """
    asking = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    asking.check_hostname = False
    asking.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN | ssl.VerifyFlags(X509_V_FLAG_NO_CHECK_TIME)
    try:
        asking.load_verify_locations(certificate)
        told = _shown(context, asking)
    except ssl.SSLError as error:
        why = getattr(error, "verify_message", "") or (error.reason or str(error)).lower().replace("_", " ")
        raise BadInputError("https/refused", code="input/bad", path=str(certificate), why=why) from None
    begins, ends = (
        datetime.fromtimestamp(ssl.cert_time_to_seconds(str(told[key])), UTC)
        for key in ("notBefore", "notAfter")
    )
    names = told.get("subjectAltName", ())
    return Certificate(tuple(str(name) for kind, name in names if kind == "DNS"), begins, ends)


def _shown(context: ssl.SSLContext, asking: ssl.SSLContext) -> dict[str, Any]:
    """What the side `asking` is shown by the side of `context`, as `ssl.SSLSocket.getpeercert` gives it."""
    there, back = ssl.MemoryBIO(), ssl.MemoryBIO()
    server = context.wrap_bio(there, back, server_side=True)
    client = asking.wrap_bio(back, there)
    for _ in range(HANDSHAKE_STEPS):
        for side in (client, server):
            with contextlib.suppress(ssl.SSLWantReadError):
                side.do_handshake()
    return client.getpeercert() or {}


def _check(what: str, path: Path, mark: bytes) -> None:
    """Refuse a file that is none; what: "certificate" or "key"; mark: what such a PEM file has in it."""
    file = Message(f"https/file/{what}")
    try:
        text = path.read_bytes()
    except FileNotFoundError:
        raise BadInputError("https/missing", what=file, path=str(path)) from None
    except OSError as error:
        raise BadInputError(
            "https/unreadable", what=file, path=str(path), why=error.strerror or str(error)
        ) from None
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


class TlsFront:
    """Takes TLS off. `start` and `stop` once each."""

    def __init__(self, listening: socket.socket, context: ssl.SSLContext, pages: tuple[str, int]) -> None:
        """Listen on a socket that is bound and listens already; join to `pages` (address, port)."""
        self._listening = listening
        self._context = context
        self._pages = pages
        self._thread = threading.Thread(target=self._run, name="https", daemon=True)
        self._loop = asyncio.new_event_loop()
        self._ending = asyncio.Event()
        self._joined: set[asyncio.Task[Any]] = set()
        self._behind: dict[int, str] = {}

    def address_of(self, port: int) -> str | None:
        """The address of the screen whose bytes come to the pages from this local port; None: none does."""
        return self._behind.get(port)

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self._listening.getsockname()[1])

    def start(self) -> None:
        """Connections are taken from now on."""
        self._thread.start()

    def stop(self) -> None:
        """Cut every connection and end the thread, within `STOP_S`."""
        if self._thread.ident is None:
            self._loop.close()
        else:
            with contextlib.suppress(RuntimeError):  # the loop has ended by itself
                self._loop.call_soon_threadsafe(self._ending.set)
            self._thread.join(STOP_S)
        self._listening.close()

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._serve())

    async def _serve(self) -> None:
        server = await asyncio.start_server(
            self._join,
            sock=self._listening,
            ssl=self._context,
            ssl_handshake_timeout=HANDSHAKE_S,
            ssl_shutdown_timeout=1.0,
        )
        await self._ending.wait()
        server.close()
        if self._joined:
            await asyncio.wait(self._joined, timeout=STOP_S / 2)

    async def _join(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection of a screen, until either side hangs up or the station stops."""
        this = asyncio.current_task()
        assert this is not None  # noqa: S101 - asyncio runs this as a task of its own
        self._joined.add(this)
        this.add_done_callback(self._joined.discard)
        with contextlib.suppress(OSError):  # a phone out of reach, pages that are closing: both are no news
            try:
                inner_reader, inner_writer = await asyncio.open_connection(*self._pages)
            except OSError:
                writer.transport.abort()
                raise
            port = inner_writer.get_extra_info("sockname")[1]
            self._behind[port] = str(writer.get_extra_info("peername")[0])
            try:
                await _first(_pump(reader, inner_writer), _pump(inner_reader, writer), self._ending.wait())
            finally:
                self._behind.pop(port, None)
                inner_writer.close()
                if self._ending.is_set():
                    writer.transport.abort()
                else:
                    writer.close()


async def _first(*pumps: Coroutine[Any, Any, object]) -> None:
    """Run all until the first ends, then end the others."""
    tasks = [asyncio.ensure_future(pump) for pump in pumps]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """What comes in on one side goes out on the other, no faster than it is taken there."""
    while data := await reader.read(CHUNK_BYTES):
        writer.write(data)
        await writer.drain()
