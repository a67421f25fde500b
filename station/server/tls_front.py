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
from typing import Any

HANDSHAKE_S = 10.0
"""Who has not agreed on a key by then is hung up on."""

CHUNK_BYTES = 65_536

STOP_S = 1.5
"""How long `stop` waits for the thread."""


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
