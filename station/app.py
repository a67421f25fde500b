"""The composition root: builds a station from its settings, starts it in order and stops it in order."""

import logging
import random
import threading
import time
from collections.abc import Collection
from pathlib import Path

from messages.errors import FailedError
from messages.message import Message
from simulator.thrower import SimulatedHand
from station import games, resources
from station.advice.advisor import Advisor
from station.advice.budget import NORMAL, SMALL
from station.advice.lamp_hints import LampHints
from station.camera.camera_service import CameraService
from station.camera.opened_camera import OpenedCamera
from station.config import Config
from station.config.machine import on_a_pi
from station.contract.check import Check, Level
from station.data_folder import data_files
from station.devices.factory import on_page, open_devices
from station.devices.panel import Panel
from station.devices.simulated import SimulatedButtons, SimulatedLamps
from station.features.listed import FEATURES
from station.game.log.state import State
from station.health import checks, diagnosis
from station.health.log_tail import LogTail
from station.health.supervisor import SILENT_S, Pulse, Supervisor
from station.integrations.factory import open_integrations
from station.rescue import Rescue
from station.running import Parts
from station.screens.room import Room
from station.server import systemd
from station.server.entrances import Entrances
from station.server.https import SecureDoor
from station.server.web_part import WebPart
from station.server.web_server import WebServer
from station.stop_request import StopRequest
from station.store import Copier, Places, Store, wall_clock
from station.store.clock_of_run import running_s
from station.store.house_rules import RULES_FOLDER, HouseRules
from station.table.play import Habits, Listeners
from station.table.table import Table
from station.table.trial import try_to_open
from web.bounds import bounds
from web.core.config import WebConfig
from web.factory import create_app
from web.table.viewers import LIVE, RESERVE

log = logging.getLogger(__name__)

LOOK_S = 1.0
"""Between two looks at the parts."""

STARVED_S = 5.0
"""When this long passes between two looks, this process could not run: a driver kept it from doing so."""

WRITE_MAX_S = 600.0
"""A card that has taken so long for one step may be found again at a new start."""

STOP_S = 0.8
"""All threads together are waited for this long when the station stops: it has two seconds in all."""


def answers(silent_s: float, writes_s: float) -> bool:
    """Whether the table lives: it answers, or waits for a slow card, for which a new start would wait, too.

    silent_s: seconds since it last answered. writes_s: seconds since the write began that goes on now.
    """
    return silent_s < SILENT_S / 2 or 0 < writes_s < WRITE_MAX_S


class Station:
    """One station: table, camera, buttons, pages. `start` and `stop` once each.

    Raises what its parts raise, each with a sentence: BadInputError for settings that cannot be,
    StoreError for the database, FailedError for a port or pins that are taken.

    settings: the file that `config` was read from, for copies of everything; None for none. insisted: which
    settings were asked for at this start; without hardware that only the file names the game goes on.
    """

    def __init__(
        self, config: Config, *, settings: Path | None = None, insisted: Collection[str] = ()
    ) -> None:
        self.config, self._insisted = config, insisted
        opened = OpenedCamera(config, insisted)
        self.note = opened.name
        buttons, lamps = open_devices(config)
        self.buttons_name = buttons.name
        self.entrances = Entrances(config)
        try:
            self._open_store(settings)
        except BaseException:
            self.entrances.close()
            raise
        self._build_table(opened)
        self.camera = CameraService(config, opened, self.table, stored=self.store.trouble is None)
        self._scarce = config.limits.scarce
        self.advisor = Advisor(config.data, budget=SMALL if self._scarce else NORMAL)
        self.advisor.sweep()
        parts = Parts(self.table, self.advisor, self.camera.watcher.moments)
        lines = [line for running in self.running for line in running.join(parts)]
        self.room = Room(config.data)
        self.hints = LampHints(self.advisor, lambda: self.table.moment()[1], self.room.wants_hints)
        self.room.requests.buttons = "confirm" in buttons.names and not isinstance(buttons, SimulatedButtons)
        self.panel = Panel(
            buttons,
            lamps,
            self.table,
            press=config.press,
            hint=self.hints.slots,
            requests=self.room.requests,
        )
        self._build_pages()
        self._server: WebServer | None = None
        self._stop = StopRequest()
        self._watchdog = systemd.Watchdog()
        # The table cannot be started again by itself: systemd starts the whole station.
        self._table_pulse = Pulse("table", self.table.answers)
        self._web = WebPart(self.entrances.inside, self._serve)
        watcher = self.camera.watcher
        extras, self._extras_failed = open_integrations(
            config, self.store, self.table, watcher.frame_jpeg, own=self._own_games, pair=self.room.pair
        )
        self.integrations = (*lines, *extras)
        self.supervisor = Supervisor([watcher, self._web, self.advisor, *self.integrations])

    def _open_store(self, settings: Path | None) -> None:
        """The games, and who copies them at the end of each."""
        config = self.config
        files = data_files(settings)
        places = Places(config.data, files, config.backups_kept, config.backups_second)
        self.copier = Copier(places, now=wall_clock)
        self.store = Store(
            config.data,
            files=files,
            finished=self.copier.ask,
            rescue=True,
            playable=try_to_open,
            passed_s=running_s,
        )
        self._places = places

    def _certified(self) -> tuple[Check, ...]:
        """How the certificate is that was read at the start, as https uses it; nothing without https."""
        return checks.https(self.entrances.certificate, wall_clock())

    def _build_table(self, opened: OpenedCamera) -> None:
        """The game, and the hand that throws where the tray is simulated."""
        rng = random.Random(self.config.simulated.seed)  # noqa: S311 - dice of a game, no secrets
        tray = opened.simulated
        hand = None if tray is None else SimulatedHand(tray, rng, opened.keeper)
        self.house_rules = HouseRules(self.config.data / RULES_FOLDER)
        found = (feature.run(self.config, self.store) for feature in FEATURES)
        self.running = tuple(each for each in found if each is not None)
        elsewhere = next((each.log for each in self.running if each.log is not None), None)
        self._own_games = elsewhere is None
        self.table = Table(
            elsewhere or self.store,
            thrower=hand,
            house_rules=lambda: {**games.texts(), **self.house_rules.texts()},
            apart=lambda step: threading.Thread(target=step, name="seen", daemon=True).start(),
            at_table=[each.at_table for each in self.running if each.at_table is not None],
            habits=Habits(
                held_aside=self.config.held_dice == "aside",
                unmoved_held=self.config.game.held == "unmoved",
                next_confirms=self.config.game.confirm == "unsure",
                asks_before_zero=self.config.ask_before_zero,
            ),
            listeners=Listeners(
                confirmed=self._keep_picture,
                unseen=lambda _: self.camera.watcher.moments.confirm_unseen(),
                corrected=self._keep_correction,
            ),
        )

    def _keep_picture(self, state: State) -> None:
        """A throw was confirmed. A game kept elsewhere has a number that here is another game's."""
        if self._own_games:
            self.camera.pictures(state)
        else:
            self.camera.watcher.moments.confirm()
        for running in self.running:
            running.thrown(state)

    def _die_picture(self, name: str, slot: int) -> bytes | None:
        """The picture of a die that a feature has, by name and slot."""
        found = (running.picture(name, slot) for running in self.running)
        return next((jpeg for jpeg in found if jpeg is not None), None)

    def _keep_correction(self, x: float, y: float, face: int) -> None:
        """A person set the die at x, y (px) right."""
        if self.config.keep_corrections:
            self.camera.corrected(x, y, face)

    def _build_pages(self) -> None:
        """The pages and the API."""
        self.log_tail = LogTail()
        self.house_rules.changed = self.table.refresh
        self.rescue = Rescue(self.table, self.store, self._places)
        self.app = create_app(
            self.table,
            WebConfig(
                viewers_max=self.config.viewers_max,
                data_dir=self.config.data,
                addresses=lambda: self.entrances.addresses,
                secure_addresses=lambda: self.entrances.secure_addresses,
                names=self.entrances.names,
                language=self.config.language,
                long_press_s=self.config.press.long_s,
                buttons=on_page(self.config, on_a_pi=on_a_pi()),
            ),
            frame_jpeg=self.camera.watcher.frame_jpeg,
            moments=self.camera.watcher.moments,
            die_picture=self._die_picture,
            pictures=self.camera.pictures,
            archive=self.store,
            advisor=self.advisor,
            house_rules=self.house_rules,
            checks=self.checks,
            log_tail=self.log_tail.text,
            calibration=self.camera.calibrator,
            picture=self.camera.opened.picture.choice,
            room=self.room,
            restored=self._restored,
            rescue=self.rescue,
        )

    def start(self) -> None:
        """Everything runs when this returns."""
        logging.getLogger().addHandler(self.log_tail)
        self._serve()
        for check in self._certified():
            level = logging.INFO if check.status is Level.OK else logging.WARNING
            log.log(level, "certificate: %s", check.message)
        self.copier.start()
        self.rescue.start()
        self.camera.start(self._be_patient)
        self._start_panel()
        for running in self.running:
            running.start()
        for integration in self.integrations:
            integration.start()
        for pulse in (self._table_pulse, self._web.pulse):
            pulse.reset()
            pulse.start()
        resources.settle()
        systemd.notify("READY=1")

    def _serve(self) -> None:
        """Serve the pages; a server there was before is closed, the port stays."""
        if self._server is not None:
            self._server.abandon()
        self._server = WebServer(
            self.app,
            self.entrances.another(),
            viewers_max=self.config.viewers_max + RESERVE,
            bounds=bounds(self.room),
            own=self._web.own,
            live=LIVE,
        )
        secure = self.entrances.another_secure()
        if secure is not None:
            SecureDoor(self._server, *secure)
        self._server.start()

    def _start_panel(self) -> None:
        """Buttons and lamps; where they cannot be had and nobody insisted on them, the game goes on."""
        try:
            self.panel.start()
        except FailedError as error:
            if self.config.buttons == "gpio" and "buttons" in self._insisted:
                raise
            log.warning("no buttons: %s", error)
            self.room.requests.buttons = False
            self.panel = Panel(SimulatedButtons(), SimulatedLamps(), self.table)
            self.panel.start()
            self.table.buttons(name=self.buttons_name, ok=False, message=error.message)
            self.buttons_name = Message("buttons/page_instead")

    def wait(self) -> None:
        """Until `ask_to_stop` is called; meanwhile the parts are watched over.

        systemd's watchdog is fed as long as the table answers and there are pages: without either, nothing
        less than a new start of the whole station helps.
        """
        look_s = min(LOOK_S, self._watchdog.interval_s or LOOK_S)
        looked_s = time.monotonic()
        while not self._stop.wait(look_s):
            starved, looked_s = time.monotonic() - looked_s > STARVED_S, time.monotonic()
            if starved:  # nor could any part run, or who asks it
                for pulse in (self._table_pulse, self._web.pulse):
                    pulse.reset()
            else:
                self.supervisor.look()
            time.tzset()  # else another time zone of the machine counts from the next start on only
            self._be_patient()
            table = answers(self._table_pulse.silent_s, self.store.writes.going_on_s)
            if table and not self.supervisor.is_off("web"):
                systemd.notify("WATCHDOG=1")

    def _be_patient(self) -> None:
        """Have systemd wait longer while a camera is opened."""
        self._watchdog.be_patient(lambda: self.camera.opens)

    def _restored(self) -> None:
        """A copy was put back: house rules and profile are those of the copy, as seats are already."""
        self.house_rules.reload()
        self.camera.restored()

    def checks(self) -> tuple[Check, ...]:
        """How the station is, for the page: what `yacht doctor` says, and how old the last frame is."""
        state = self.table.snapshot()
        opened = self.camera.opened
        return (
            diagnosis.watched(state.camera, self.camera.watcher.frame_age_s, opened.camera, opened.came),
            diagnosis.panel(state.buttons, self.config, on_a_pi=on_a_pi()),
            *checks.quickness(self.camera.offered_s),
            checks.writing(self.store.writes.going_on_s, self.store.writes.longest_s),
            self.supervisor.check(),
            *checks.machine(
                self.config.data, opened.profiles.active, scarce=self._scarce, games=self.store.count
            ),
            *self._certified(),
            *(integration.check() for integration in self.integrations),
            *self._extras_failed,
            *(Check("copies", Level.WARNING, told) for told in self.copier.failed[:1]),
            *(Check("log", Level.WARNING, told) for told in (self.store.doubt,) if told is not None),
        )

    def ask_to_stop(self, *_: object) -> None:
        """Let `wait` return; may be called from a signal handler."""
        self._stop.ask()

    def stop(self) -> bool:
        """Stop; what was acknowledged is on the disk already.

        Everybody is told first and then waited for, one after the other but all within STOP_S: on a busy
        machine several threads that take their time must not add up.
        False when the camera's thread is still inside its driver: Python must then not be taken down yet.
        """
        end_s = time.monotonic() + STOP_S

        def left_s() -> float:
            return max(end_s - time.monotonic(), 0.0)

        systemd.notify("STOPPING=1")
        self.app.extensions["viewers"].close()
        for integration in self.integrations:
            integration.ask_to_stop()
        self.table.close()
        self.camera.ask_to_stop()
        for pulse in (self._table_pulse, self._web.pulse):
            pulse.ask_to_stop()
        if self._server is not None:
            self._server.task_dispatcher.set_thread_count(0)
        self.hints.close()
        for running in self.running:
            running.close()
        self.panel.stop(left_s())
        let_go = self.camera.stop(left_s())
        if self._server is not None:
            self._server.task_dispatcher.shutdown(cancel_pending=True, timeout=left_s())
            self._server.close()
        self.entrances.close()
        for integration in self.integrations:
            integration.stop(left_s())
        self.copier.stop(left_s())
        self.store.close()
        self.advisor.close(left_s())
        logging.getLogger().removeHandler(self.log_tail)
        return let_go
