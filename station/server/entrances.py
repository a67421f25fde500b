"""The ports for browsers: one for http and, with a certificate, one for https."""

import contextlib
import socket
import ssl
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from messages.errors import BadInputError, FailedError, YachtError, os_error_as
from station.config import Config
from station.server import own_certificate, tls
from station.server.listening import addresses, listen, own_ip, within

if TYPE_CHECKING:
    from messages.message import Message


class Entrances:
    """The ports of the settings, listening.

    own: file of the certificate that the station made for itself, where the settings name none; None where it
    makes none. What is wrong with that one keeps no station from starting.
    Raises BadInputError for a certificate that cannot be, FailedError for a port that is taken.
    """

    def __init__(self, config: Config, own: Path | None = None) -> None:
        self._config = config
        self._own = own if config.certificate is None else None
        self._secure: tuple[socket.socket, ssl.SSLContext] | None = None
        self.certificate: tls.Certificate | Message | None = None
        """The certificate of https, or what is wrong with it; None without https."""
        secure = None if config.certificate is None else tls.context(config.certificate, config.key)
        self.socket = listen(config.host, config.port)
        self.port = int(self.socket.getsockname()[1])
        with contextlib.ExitStack() as undo:
            undo.callback(self.close)
            if config.certificate is not None and secure is not None:
                self._open_secure(secure, config.certificate)
            elif self._own is not None and self._own.exists():
                try:
                    self._open_own(self._own)
                except YachtError as error:
                    self.certificate = error.message
            undo.pop_all()

    def _open_secure(self, context: ssl.SSLContext, certificate: Path) -> None:
        """Open the port for https."""
        self._secure = listen(self._config.host, self._config.https_port, option="--https-port"), context
        try:
            self.certificate = tls.read(context, certificate)
        except BadInputError as error:
            self.certificate = error.message

    def _open_own(self, path: Path) -> None:
        """Listen with the certificate that was made here; with a new one where it soon ends.

        Raises YachtError with a sentence.
        """
        context = tls.context(path)
        if tls.read(context, path).ending(datetime.now(UTC)):
            self._make_own(path)
            context = tls.context(path)
        self._open_secure(context, path)

    def _make_own(self, path: Path) -> None:
        host = socket.gethostname().split(".")[0]
        own_certificate.make(path, (host, f"{host}.local", "localhost", *self._config.names, own_ip()))

    @property
    def makes_own(self) -> bool:
        """Whether `switch` may be called: the settings name no certificate."""
        return self._own is not None

    def switch(self, *, on: bool) -> None:
        """Open https with a certificate made for it, or close it; it is so at the next start, too.

        Raises FailedError with a sentence where it cannot be made, or the settings name a certificate.
        """
        if self._own is None:
            raise FailedError("https/of-settings")
        if on:
            self._make_own(self._own)
        else:
            with os_error_as(lambda why: FailedError("https/not-made", why=why)):
                self._own.unlink(missing_ok=True)
        if self._secure is not None:
            # At once, though a loop may wait for it: else the port would be taken a while longer.
            self._secure[0].shutdown(socket.SHUT_RDWR)
            self._secure[0].close()
        self._secure = self.certificate = None
        if on:
            self._open_own(self._own)

    @property
    def addresses(self) -> tuple[str, ...]:
        """The current http addresses: the network may come up after the station, or change."""
        return addresses(self._config.host, self.port)

    @property
    def secure_addresses(self) -> tuple[str, ...]:
        """The same by https; none without."""
        if self._secure is None:
            return ()
        return addresses(self._config.host, int(self._secure[0].getsockname()[1]), "https")

    @property
    def best_secure(self) -> str | None:
        """The https address for phones: by a name in the house's certificate, else by number."""
        by_name = [name for name in self._certified if self._own is None and "*" not in name]
        if self._secure is None or not by_name:
            return self.secure_addresses[-1] if self._secure is not None else None
        return f"https://{by_name[0]}:{self._secure[0].getsockname()[1]}"

    @property
    def _certified(self) -> tuple[str, ...]:
        """The names of the certificate."""
        return self.certificate.names if isinstance(self.certificate, tls.Certificate) else ()

    @property
    def inside(self) -> tuple[str, int]:
        """The address for requests from this machine."""
        return within(self.socket)

    @property
    def names(self) -> tuple[str, ...]:
        """Names by which screens ask for this station: those of the settings and of the certificate."""
        return (self._config.host, *self._config.names, *self._certified)

    def another(self) -> socket.socket:
        """The port of http once more, for a server that may close it."""
        return self.socket.dup()

    def another_secure(self) -> tuple[socket.socket, ssl.SSLContext] | None:
        """The same of https, with its certificate; None without."""
        return None if self._secure is None else (self._secure[0].dup(), self._secure[1])

    def close(self) -> None:
        """Close all."""
        if self._secure is not None:
            self._secure[0].close()
        self.socket.close()
