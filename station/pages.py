"""The pages of a station, and the server that gives them."""

import threading
from collections.abc import Callable

from station.advice.advisor import Advisor
from station.camera.camera_service import CameraService
from station.camera.phones import Phones
from station.config import Config
from station.config.machine import on_a_pi
from station.contract.averages import Average
from station.contract.check import Check
from station.devices.factory import on_page
from station.health.log_tail import LogTail
from station.kept_games import KeptGames
from station.screens.room import Room
from station.server import own_certificate
from station.server.entrances import Entrances
from station.server.https import SecureDoor
from station.server.proxy import Proxies
from station.server.web_part import WebPart
from station.server.web_server import WebServer
from station.table.table import Table
from station.updates.updates import Updates
from web.bounds import bounds
from web.core.config import WebConfig
from web.factory import create_app
from web.history.named import NamedArchive
from web.history.statistics import averages
from web.phone.phone_routes import SENT
from web.table.viewers import LIVE, RESERVE


class Pages:
    """Raises BadInputError for a certificate that cannot be, FailedError for a port that is taken."""

    def __init__(self, config: Config) -> None:
        self._config = config
        self.entrances = Entrances(config, config.data / own_certificate.NAME)
        self.log_tail = LogTail()
        self.web = WebPart(self.entrances.inside, self.serve)
        self.server: WebServer | None = None
        self._secure: SecureDoor | None = None
        self._serving = threading.Lock()

    def build(
        self,
        table: Table,
        camera: CameraService,
        kept: KeptGames,
        advisor: Advisor,
        *,
        room: Room,
        checks: Callable[[], tuple[Check, ...]],
        die_picture: Callable[[str, int], bytes | None],
        restored: Callable[[], None],
        updates: Updates | None,
    ) -> None:
        """The pages and the API of this table. The rest: as `create_app`."""
        config, self._room, self.rescue = self._config, room, kept.shown_at(table)
        self._games = NamedArchive(kept.store, room.people.display_name)
        phones = Phones(camera.opened.line, room)
        self.app = create_app(
            table,
            WebConfig(
                viewers_max=config.viewers_max,
                data_dir=config.data,
                addresses=lambda: self.entrances.addresses,
                secure_addresses=lambda: self.entrances.secure_addresses,
                names=self.entrances.names,
                frames=config.frames,
                language=config.language,
                long_press_s=config.press.long_s,
                buttons=on_page(config, on_a_pi=on_a_pi()),
            ),
            frame_jpeg=camera.watcher.frame_jpeg,
            moments=camera.watcher.moments,
            die_picture=die_picture,
            pictures=camera.pictures,
            archive=kept.store,
            advisor=advisor,
            house_rules=kept.house_rules,
            checks=checks,
            log_tail=self.log_tail.text,
            calibration=camera.calibrator,
            picture=camera.opened.picture.choice,
            phones=lambda: None if camera.opened.phone is None else phones,
            camera=camera.opened.choice,
            room=room,
            restored=restored,
            rescue=self.rescue,
            https=self,
            updates=updates,
        )

    def averages(self) -> tuple[Average, ...]:
        """The averages of everybody who played here, by their current names."""
        return averages(self._games.games())

    def serve(self) -> None:
        """Serve them; a server there was before is closed, the ports stay."""
        with self._serving:
            if self.server is not None:
                self.server.abandon()
            self.server = WebServer(
                self.app,
                self.entrances.another(),
                viewers_max=self._config.viewers_max + RESERVE,
                bounds=bounds(self._room),
                own=self.web.own,
                live=LIVE,
                apart=SENT,
                proxies=Proxies(self._config.proxy),
            )
            self._open_secure(self.server)
            self.server.start()

    def _open_secure(self, server: WebServer) -> None:
        secure = self.entrances.another_secure()
        self._secure = None if secure is None else SecureDoor(server, *secure)

    @property
    def makes_own(self) -> bool:
        """Whether https can be switched here."""
        return self.entrances.makes_own

    @property
    def secure_address(self) -> str | None:
        """The https address for phones; None without https."""
        return self.entrances.best_secure

    def switch(self, *, on: bool) -> None:
        """See `Entrances.switch`: only the port of https is opened or closed; http goes on.

        Connections by https there are already last until who has them leaves.
        """
        with self._serving:
            if self._secure is not None:
                self._secure.close()
                self._secure = None
            self.entrances.switch(on=on)
            if self.server is not None:
                self._open_secure(self.server)
                self.server.pull_trigger()

    def ask_to_stop(self) -> None:
        """Whoever waits for a page may still get it; no other is begun."""
        if self.server is not None:
            self.server.task_dispatcher.set_thread_count(0)

    def stop(self, timeout_s: float) -> None:
        """Wait so long for pages that are being made, and let the ports go."""
        if self.server is not None:
            self.server.task_dispatcher.shutdown(cancel_pending=True, timeout=timeout_s)
            self.server.close()
        self.entrances.close()
