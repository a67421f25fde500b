"""The composition root: builds a station from its settings, starts it in order and stops it in order."""

import logging
import os
import time
from collections.abc import Collection
from pathlib import Path

from station import station_checks
from station.advice.advisor import Advisor
from station.camera.camera_service import CameraService
from station.camera.opened_camera import OpenedCamera
from station.config import Config
from station.contract.check import Check, Level
from station.devices.opened_panel import OpenedPanel
from station.game.log.state import State
from station.integrations.factory import open_integrations
from station.kept_games import KeptGames
from station.open_table import open_table, running_features
from station.pages import Pages
from station.running import FeatureParts
from station.screens.room import Room
from station.updates.updates import Updates
from station.watch import Watch

log = logging.getLogger(__name__)

STOP_S = 0.8
"""All threads together are waited for this long when the station stops: it has two seconds in all."""


class Station:
    """One station: table, camera, buttons, pages. `start` and `stop` once each.

    Raises what its parts raise, each with a sentence: BadInputError for settings that cannot be,
    StoreError for the database, FailedError for a port or pins that are taken.

    settings: the file that `config` was read from, for copies of everything; None for none. insisted: which
    settings were given at this start; without hardware that only the file names the game goes on.
    """

    def __init__(
        self, config: Config, *, settings: Path | None = None, insisted: Collection[str] = ()
    ) -> None:
        self.config = config
        opened = OpenedCamera(config, insisted)
        self.note = opened.name
        self.panel = OpenedPanel(config, insisted)
        self.pages = Pages(config)
        try:
            self.kept = KeptGames(config, settings)
        except BaseException:
            self.pages.stop(0.0)
            raise
        self.store, self.entrances = self.kept.store, self.pages.entrances
        self._running = running_features(config, self.kept)
        self.room = Room(config.data, next_confirms=config.game.confirm == "unsure")
        self.table, self._own_games = open_table(
            config,
            opened,
            self.kept,
            self._running,
            confirmed=self._keep_picture,
            unseen=lambda _: self.camera.watcher.moments.confirm_unseen(),
            corrected=self._keep_correction,
            next_confirms=self.room.next_confirms,
        )
        self.camera = CameraService(config, opened, self.table, stored=self.store.trouble is None)
        self._advisor = Advisor.of_station(config.data, scarce=config.limits.scarce)
        watcher = self.camera.watcher
        parts = FeatureParts(self.table, self._advisor, watcher.moments)
        lines = [line for running in self._running for line in running.join(parts)]
        self.panel.join(self.table, self._advisor, self.room)
        self.updates = Updates.of_process(os.environ, restart=self.ask_to_stop)
        self.pages.build(
            self.table,
            self.camera,
            self.kept,
            self._advisor,
            room=self.room,
            checks=self.checks,
            die_picture=self._die_picture,
            restored=self._restored,
            updates=self.updates,
        )
        self.app = self.pages.app
        extras, self.extras_failed = open_integrations(
            config,
            self.store,
            self.table,
            watcher.frame_jpeg,
            own=self._own_games,
            pair=self.room.pair,
            averages=self.pages.averages,
        )
        self.integrations = (*lines, *extras)
        self.watch = Watch(
            self.table,
            self.store,
            self.pages.web,
            [watcher, self.pages.web, self._advisor, *self.integrations],
            opens=lambda: self.camera.opens,
            answered=None if self.updates is None else self.updates.answered,
        )

    def _keep_picture(self, state: State) -> None:
        """A throw was confirmed. A game kept elsewhere has a number that here is another game's."""
        if self._own_games:
            self.camera.pictures(state)
        else:
            self.camera.watcher.moments.confirm()
        for running in self._running:
            running.thrown(state)

    def _die_picture(self, name: str, slot: int) -> bytes | None:
        """The picture of a die that a feature has, by name and slot."""
        found = (running.picture(name, slot) for running in self._running)
        return next((jpeg for jpeg in found if jpeg is not None), None)

    def _keep_correction(self, x: float, y: float, face: int) -> None:
        """A person set the die at x, y (px) right."""
        if self.config.keep_corrections:
            self.camera.corrected(x, y, face)

    def _restored(self) -> None:
        """A copy was put back: house rules and profile are those of the copy, as seats are already."""
        self.kept.house_rules.reload()
        self.camera.restored()

    def checks(self) -> tuple[Check, ...]:
        """The checks of the station, for the page of health."""
        return station_checks.of_station(self)

    def start(self) -> None:
        """Everything runs when this returns."""
        logging.getLogger().addHandler(self.pages.log_tail)
        self.pages.serve()
        for check in station_checks.of_https(self.entrances.certificate):
            level = logging.INFO if check.status is Level.OK else logging.WARNING
            log.log(level, "certificate: %s", check.message)
        self.kept.copier.start()
        self.pages.rescue.start()
        self.camera.start(self.watch.be_patient)
        self.panel.start()
        for running in self._running:
            running.start()
        for integration in self.integrations:
            integration.start()
        self.watch.start()

    def wait(self) -> None:
        """Until `ask_to_stop` is called; meanwhile the parts are watched over."""
        self.watch.wait()

    def ask_to_stop(self, *_: object) -> None:
        """Let `wait` return; may be called from a signal handler."""
        self.watch.ask_to_stop()

    def stop(self) -> bool:
        """Stop; what was acknowledged is on the disk already.

        All parts are notified first and then waited for, one after the other but all within STOP_S: on a busy
        machine several threads that take their time must not add up.
        False when the camera's thread is still inside its driver: Python must then not be taken down yet.
        """
        end_s = time.monotonic() + STOP_S

        def left_s() -> float:
            return max(end_s - time.monotonic(), 0.0)

        self.watch.stopping()
        self.app.extensions["viewers"].close()
        for integration in self.integrations:
            integration.ask_to_stop()
        self.table.close()
        self.camera.ask_to_stop()
        self.watch.stop()
        self.pages.ask_to_stop()
        for running in self._running:
            running.close()
        self.panel.stop(left_s())
        let_go = self.camera.stop(left_s())
        self.pages.stop(left_s())
        for integration in self.integrations:
            integration.stop(left_s())
        self.kept.stop(left_s())
        self._advisor.close(left_s())
        logging.getLogger().removeHandler(self.pages.log_tail)
        return let_go
