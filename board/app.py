"""The composition root of the board: builds it from the settings, starts and stops it in order."""

import secrets
from contextlib import ExitStack, closing
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING

from board.hall import Hall
from board.pages.factory import bound, create_board
from board.pages.live import LIVE
from board.store import BoardLog, Database, SqliteFile
from messages.errors import BadInputError
from messages.message import Message
from station.config import Config
from station.contract.check import Check, Level
from station.health import checks
from station.server import systemd
from station.server.entrances import Entrances
from station.server.https import SecureDoor
from station.server.proxy import Proxies
from station.server.web_server import WebServer
from station.stop_request import StopRequest

if TYPE_CHECKING:
    from board.listener import Listener


CODE_DIGITS = 6
STOP_S = 3.0
FOLDER = "board"


class Board:
    """Everything of `yacht board`. Raises YachtError where it cannot be built."""

    def __init__(self, config: Config) -> None:
        self.config = config
        with ExitStack() as undo:
            self.store = undo.enter_context(closing(BoardLog(_database(config))))
            entrances = Entrances(config.model_copy(update={"port": config.board.port}))
            self.entrances = undo.enter_context(closing(entrances))
            self.code = self.store.fact("code", _code())
            self.hall = Hall(self.store, config.mqtt.topic)
            self.listener = self._listener()
            self.app = create_board(
                self.hall,
                title=config.board.title,
                code=self.code,
                secret=self.store.fact("secret", secrets.token_hex(16)),
                language=config.language,
                names=self.entrances.names,
                frames=config.frames,
                viewers_max=config.board.viewers_max,
                checks=self.checks,
            )
            self._open = undo.pop_all()
        self._stop = StopRequest()
        self._server: WebServer | None = None

    def _listener(self) -> "Listener | None":
        if self.config.mqtt.host is None:
            return None
        from board.listener import Listener  # noqa: PLC0415 - paho, only where there is a broker

        return Listener(self.config.mqtt, self.hall.receive, self.hall.notices.note, self.hall.next_games)

    @property
    def addresses(self) -> tuple[str, ...]:
        """The addresses for screens, best first."""
        return (*self.entrances.secure_addresses, *self.entrances.addresses)

    def start(self) -> None:
        """Begin to serve, and to listen."""
        self._server = WebServer(
            self.app,
            self.entrances.another(),
            viewers_max=self.config.board.viewers_max,
            bounds=bound,
            live=LIVE,
            proxies=Proxies(self.config.proxy),
        )
        secure = self.entrances.another_secure()
        if secure is not None:
            SecureDoor(self._server, *secure)
        self._server.start()
        if self.listener is not None:
            self.listener.start()
        systemd.notify("READY=1")

    def wait(self) -> None:
        """Until `ask_to_stop`."""
        interval_s = systemd.watchdog_interval_s()
        while not self._stop.wait(interval_s or 1.0):
            systemd.notify("WATCHDOG=1")

    def ask_to_stop(self, *_: object) -> None:
        """Let `wait` return; may be called from a signal handler."""
        self._stop.ask()

    def stop(self) -> None:
        """Stop; what was acknowledged is in the store already."""
        systemd.notify("STOPPING=1")
        self.app.extensions["lines"].close()
        if self.listener is not None:
            self.listener.stop(STOP_S)
        if self._server is not None:
            self._server.task_dispatcher.shutdown(cancel_pending=True, timeout=STOP_S)
            self._server.close()
        self._open.close()

    def checks(self) -> tuple[Check, ...]:
        """The checks for the page of health."""
        broker = (
            (Check("mqtt", Level.INFO, Message("board/no_broker")),)
            if self.listener is None
            else self.listener.checks()
        )
        return (
            *broker,
            *self.hall.notices.checks(),
            Check("board-store", Level.OK, Message("board/store/good", where=self.store.where)),
            *checks.https(self.entrances.certificate, datetime.now(UTC)),
            checks.attempted("disk", partial(checks.disk, self.config.data)),
            checks.versions(),
        )


def _code() -> str:
    return f"{secrets.randbelow(10**CODE_DIGITS):0{CODE_DIGITS}}"


def _database(config: Config) -> Database:
    """The one of the settings. Raises StoreError."""
    if config.board.database is None:
        return SqliteFile(config.data / FOLDER)
    try:
        from board.postgresql import PostgresqlServer  # noqa: PLC0415 - only leagues have psycopg
    except ImportError as error:
        raise BadInputError("board/store/no_psycopg", code="config/bad") from error
    return PostgresqlServer(config.board.database, config.board.database_password_file)
