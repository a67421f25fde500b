"""Where browsers come in: a port of http, and with a certificate one of https beside it."""

import contextlib
import socket
import ssl
from typing import TYPE_CHECKING

from messages.errors import BadInputError
from station.config import Config
from station.server import tls
from station.server.listening import addresses, listen, within

if TYPE_CHECKING:
    from messages.message import Message


class Entrances:
    """The ports of the settings, listening.

    Raises BadInputError for a certificate that cannot be, FailedError for a port that is taken.
    """

    def __init__(self, config: Config) -> None:
        self._config = config
        self._secure: tuple[socket.socket, ssl.SSLContext] | None = None
        self.certificate: tls.Certificate | Message | None = None
        """The certificate of https, or what is wrong with it; None without https."""
        secure = None if config.certificate is None else tls.context(config.certificate, config.key)
        self.socket = listen(config.host, config.port)
        self.port = int(self.socket.getsockname()[1])
        with contextlib.ExitStack() as undo:
            undo.callback(self.close)
            if secure is not None:
                self._open_secure(secure)
            undo.pop_all()

    def _open_secure(self, context: ssl.SSLContext) -> None:
        """What https needs."""
        config = self._config
        self._secure = listen(config.host, config.https_port, option="--https-port"), context
        assert config.certificate is not None  # noqa: S101 - the context was made of it
        try:
            self.certificate = tls.read(context, config.certificate)
        except BadInputError as error:
            self.certificate = error.message

    @property
    def addresses(self) -> tuple[str, ...]:
        """Where screens reach it by http now: the network may come after the station, or change."""
        return addresses(self._config.host, self.port)

    @property
    def secure_addresses(self) -> tuple[str, ...]:
        """The same by https; none without."""
        if self._secure is None:
            return ()
        return addresses(self._config.host, int(self._secure[0].getsockname()[1]), "https")

    @property
    def inside(self) -> tuple[str, int]:
        """Where this machine itself asks for pages."""
        return within(self.socket)

    @property
    def names(self) -> tuple[str, ...]:
        """Names by which screens ask for this station: those of the settings and of the certificate."""
        told = self.certificate.names if isinstance(self.certificate, tls.Certificate) else ()
        return (self._config.host, *self._config.names, *told)

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
