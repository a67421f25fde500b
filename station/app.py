"""The composition root: builds a station from its settings, starts it in order and stops it in order."""

import logging
import random
import ssl
import threading
import time
from collections import deque
from dataclasses import dataclass
from pathlib import Path

from calibration.profile import Points, Profile
from messages.errors import BadInputError, FailedError, YachtError
from messages.message import Message
from simulator import SimulatedTray, lawn
from simulator.person import SimulatedPerson
from simulator.scene import DieStyle
from simulator.styles import STYLES
from simulator.thrower import SimulatedHand
from station import games, resources
from station.advice.advisor import Advisor
from station.advice.budget import NORMAL, SMALL
from station.advice.computer_players import ComputerPlayers
from station.advice.lamp_hints import LampHints
from station.camera import correction_crops, throw_pictures
from station.camera.calibrator import Calibrator
from station.camera.camera_access import CameraAccess
from station.camera.camera_factory import open_camera
from station.camera.correction_crops import CorrectionSaver
from station.camera.picture_choice import PictureChoice
from station.camera.profile_guard import ProfileGuard
from station.camera.profiles import Profiles
from station.camera.self_timing import SMALLER_WH, SelfTiming, Speed
from station.camera.throw_pictures import ThrowPictures
from station.camera.watcher import Watcher
from station.config import Config, Picture
from station.devices.factory import open_devices
from station.devices.panel import Panel
from station.devices.simulated import SimulatedButtons, SimulatedLamps
from station.game.state import State
from station.health import checks, diagnosis
from station.health.checks import Check, Level
from station.health.supervisor import Supervisor
from station.integrations.factory import mirror_log, open_integrations
from station.parts import SILENT_S, AdvisorPart, CameraPart, WebPart, table_pulse
from station.rescue import Rescue
from station.screens.room import Room
from station.server import systemd, tls
from station.server.listening import addresses, listen, within
from station.server.web_server import WebServer
from station.store import Copier, Places, Store, wall_clock
from station.store.house_rules import FOLDER_NAME, HouseRules
from station.table import Table
from vision.cameras.live import LiveCamera
from vision.cameras.wanted import Wanted
from vision.frame import Camera
from web import create_app
from web.bounds import bounds
from web.core.config import WebConfig
from web.table.viewers import LIVE, RESERVE

log = logging.getLogger(__name__)

PROFILE_NAME = "profile.json"
"""Name of the profile in the data folder, where the settings give no other."""

FIRST_PICTURE_S = 30.0
"""So long a camera may take to start."""

LOOK_S = 1.0
"""Between two looks at the parts."""

STARVED_S = 5.0
"""When so long passes between two looks, this process could not run: a driver kept it from doing so."""

GIVE_BACK_S = 5.0
"""Free memory is given back to the system so often; it takes a few milliseconds."""

SLOW_S = 1.5
"""A throw that is offered later than this is waited for; health says what helps."""

STOP_S = 0.8
"""All threads together are waited for so long when the station stops: it has two seconds in all."""


@dataclass(frozen=True, slots=True)
class Found:
    """What the machine has: the camera and a word about it, the buttons."""

    camera: Camera
    note: str


def find_camera(config: Config, profile: Profile | None = None, picture: Picture | None = None) -> Found:
    """The camera of the settings, not started; it holds what calibration had it hold.

    picture: what is made of the picture, where that is not what the settings say.

    Raises BadInputError for one there cannot be.
    """
    rng = random.Random(config.simulated.seed)  # noqa: S311 - dice of a game, no secrets
    controls = () if profile is None else profile.controls
    camera = open_camera(
        config.camera, rng=rng, paced=True, controls=controls, wanted=wanted_of(picture or config.picture)
    )
    if not isinstance(camera, SimulatedTray):
        return Found(camera, camera.name)
    told = config.simulated
    looks = _looks(config)
    if told.scale == "table":
        tray = SimulatedTray(rng, styles=looks, fps=told.fps, pace=told.pace)
    else:
        scene = lawn.lawn(rng.randrange(2**31))
        tray = SimulatedTray(
            rng, styles=looks, edge_mm=lawn.EDGE_MM, scene=scene, fps=told.fps, pace=told.pace
        )
    auto = config.camera == "auto"
    return Found(tray, "no camera here: using the simulated tray" if auto else tray.name)


def wanted_of(picture: Picture) -> Wanted:
    """The settings of the picture, as cameras take them."""
    return Wanted(
        size_wh=picture.size,
        fps=picture.fps,
        rotation=picture.rotation,
        mirrored=picture.mirrored,
        flicker_hz=picture.flicker_hz,
        hdr=picture.hdr,
        short_exposure=picture.exposure == "short",
        exposure_ms=picture.exposure_ms,
        number=picture.number,
    )


def fitting(picture: Picture, speed: Speed | None) -> Picture:
    """The settings of the picture, smaller where they name no size and this machine is slow."""
    if speed is None or not speed.smaller or picture.size is not None:
        return picture
    return picture.model_copy(update={"size": SMALLER_WH})


def _looks(config: Config) -> tuple[DieStyle, ...]:
    """How the simulated dice look. Raises BadInputError for dice nobody owns."""
    for name in config.simulated.dice:
        if name not in STYLES:
            raise BadInputError("config/no-dice", code="config/bad", name=name, known=tuple(STYLES))
    return tuple(STYLES[name] for name in config.simulated.dice)


class LogTail(logging.Handler):
    """Keeps the last lines of the log, for the problem bundle."""

    def __init__(self, lines: int = 500) -> None:
        super().__init__(logging.INFO)
        self._lines: deque[str] = deque(maxlen=lines)
        self.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
        """Keep one more."""
        self._lines.append(self.format(record))

    def text(self) -> str:
        """The last lines, oldest first."""
        return "\n".join(self._lines)


class Station:
    """One station: table, camera, buttons, pages. `start` and `stop` once each.

    Raises what its parts raise, each with a sentence: BadInputError for settings that cannot be,
    StoreError for the database, FailedError for a port or pins that are taken.

    settings: the file that `config` was read from, for copies of everything; None for none.
    """

    def __init__(self, config: Config, *, settings: Path | None = None) -> None:
        self.config = config
        self.profile_path = config.profile or config.data / PROFILE_NAME
        guard = self._guard()
        self.timing = SelfTiming(config.data)
        self.picture = PictureChoice(config.data, fitting(config.picture, self.timing.speed))
        found = find_camera(config, None if guard is None else guard.profile, self.picture.now)
        self.note = found.note
        buttons, lamps = open_devices(config)
        self.buttons_name = buttons.name
        secure = None if config.certificate is None else tls.context(config.certificate, config.key)
        self.socket = listen(config.host, config.port)
        self.port = int(self.socket.getsockname()[1])
        self.addresses = addresses(config.host, self.port)
        self.front: tls.TlsFront | None = None
        self.secure_addresses: tuple[str, ...] = ()
        self._certificate: tls.Certificate | Message | str = ""
        try:
            if secure is not None:
                self._build_front(secure)
            self._open_store(settings)
        except BaseException:
            self.socket.close()
            if self.front is not None:
                self.front.stop()
            raise
        self._build_table(found.camera)
        self._build_eyes(found.camera, guard)
        self.advisor = Advisor(config.data, budget=SMALL if config.limits.memory == "small" else NORMAL)
        self.computers = ComputerPlayers(self.advisor, self.table, self._by_itself_s())
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
        self._stop = threading.Event()
        self._watchdog = systemd.Watchdog()
        self._table_pulse = table_pulse(self.table)
        self._web = WebPart(within(self.socket), self._serve)
        self.integrations = open_integrations(
            config, self.store, self.table, self.watcher.frame_jpeg, self.mirror
        )
        self.supervisor = Supervisor(
            [CameraPart(self.watcher), self._web, AdvisorPart(self.advisor), *self.integrations]
        )

    def _build_front(self, context: ssl.SSLContext) -> None:
        """What https needs."""
        secure = listen(self.config.host, self.config.https_port, option="--https-port")
        self.front = tls.TlsFront(secure, context, within(self.socket))
        self.secure_addresses = addresses(self.config.host, self.front.port, "https")
        assert self.config.certificate is not None  # noqa: S101 - the context was made of it
        try:
            self._certificate = tls.read(context, self.config.certificate)
        except BadInputError as error:
            self._certificate = error.message

    def _open_store(self, settings: Path | None) -> None:
        """The games, and who copies them at the end of each."""
        config = self.config
        places = Places(config.data, config.backups_kept, config.backups_second, settings)
        self.copier = Copier(places, now=wall_clock)
        self.store = Store(config.data, settings=settings, finished=self.copier.ask, rescue=True)
        self._places = places

    def _certified(self) -> tuple[Check, ...]:
        """How the certificate is that was read at the start, as https uses it; nothing without https."""
        told = self._certificate
        if isinstance(told, tls.Certificate):
            return (checks.certified(told, wall_clock()),)
        return (Check("certificate", Level.PROBLEM, told),) if told else ()

    def _build_table(self, camera: Camera) -> None:
        """The game, and the hand that throws where the tray is simulated."""
        rng = random.Random(self.config.simulated.seed)  # noqa: S311 - dice of a game, no secrets
        hand = SimulatedHand(camera, rng, self._keeper) if isinstance(camera, SimulatedTray) else None
        self.house_rules = HouseRules(self.config.data / FOLDER_NAME)
        self.mirror = mirror_log(self.config, self.store)
        self.table = Table(
            self.mirror or self.store,
            home=self.config.mqtt.station_used if self.mirror else "",
            guests=self.config.homes.guests,
            thrower=hand,
            house_rules=lambda: {**games.texts(), **self.house_rules.texts()},
            held_aside=self.config.held_dice == "aside",
            asks_before_zero=self.config.ask_before_zero,
            computer_dice_drawn=self.config.computer.dice == "simulated",
            confirmed=self._keep_picture,
            corrected=self._keep_correction if self.config.keep_corrections else None,
        )

    def _keeper(self) -> Points | None:
        """The dice keeper that is marked in the profile in use."""
        profile = Profiles(self.profile_path, wall_clock).current()
        return None if profile is None else profile.keeper

    def _by_itself_s(self) -> float | None:
        """After how long decisions of computer players are carried out unasked; None for never."""
        return self.config.computer.pause_s if self.config.computer.by_itself else None

    def _keep_correction(self, x: float, y: float, face: int) -> None:
        """A person set the die at x, y (px) right."""
        CorrectionSaver(self.watcher.seen, self.config.data / correction_crops.FOLDER_NAME)(x, y, face)

    def _keep_picture(self, state: State) -> None:
        """A throw was confirmed."""
        self.pictures(state)

    def _build_eyes(self, camera: Camera, guard: ProfileGuard | None) -> None:
        """Who looks through the camera, and who calibrates it."""
        self._camera = camera
        sensor = isinstance(camera, LiveCamera) and "://" not in self.config.camera
        self.watcher = Watcher(camera, self.table, guard=guard, sensor=sensor)
        kept = self.config.data / throw_pictures.FOLDER_NAME if self.config.keep_pictures else None
        self.pictures = ThrowPictures(self.watcher.moments.film, kept)
        self._look_by(self.timing.speed)
        if isinstance(camera, LiveCamera):
            self.picture.use = self._show_otherwise
            self.picture.refused = lambda: camera.refused
        self.calibrator = Calibrator(
            CameraAccess(
                self.watcher,
                lambda: camera.name,
                dice=lambda: self.table.dice_expected,
                person=SimulatedPerson(camera) if isinstance(camera, SimulatedTray) else None,
                hold=camera.hold if isinstance(camera, LiveCamera) else None,
                release=camera.release if isinstance(camera, LiveCamera) else None,
                across_deg=self._across_deg,
                dice_px=self._dice_px,
            ),
            Profiles(self.profile_path, wall_clock),
            use=self.calibrated,
            now=wall_clock,
        )

    def _across_deg(self) -> float | None:
        """What the lens sees along the longer side of the picture."""
        view = self._camera.view if isinstance(self._camera, LiveCamera) else None
        return None if view is None else view.across_deg

    def _dice_px(self) -> tuple[float, ...]:
        """Edges of the dice in the newest picture."""
        seen = self.watcher.seen()
        return () if seen is None else tuple(die.size for die in seen[1].dice)

    def _look_by(self, speed: Speed | None) -> None:
        """Look as often as this machine can."""
        if speed is not None:
            self.watcher.looks_max = speed.looks

    def _timed(self, speed: Speed) -> Speed:
        """This machine was timed: what is made of it. A calibration is for one size of the picture."""
        free = not (self.profile_path.exists() or self.picture.chosen or self.config.picture.size)
        speed = speed.model_copy(update={"smaller": free and speed.wants_smaller})
        self._look_by(speed)
        self.picture.given = fitting(self.config.picture, speed)
        self.picture.reload()
        return speed

    def _show_otherwise(self, picture: Picture) -> None:
        """Have the camera make something else of its picture."""
        assert isinstance(self._camera, LiveCamera)  # noqa: S101 - no other is asked
        self._camera.want(wanted_of(picture))
        self.watcher.reopen()

    def _build_pages(self) -> None:
        """The pages and the API."""
        self.log_tail = LogTail()
        self.rescue = Rescue(self.table, self.store, self._places)
        self.app = create_app(
            self.table,
            WebConfig(
                viewers_max=self.config.viewers_max,
                data_dir=self.config.data,
                addresses=self.addresses,
                secure_addresses=self.secure_addresses,
                names=self._names(),
                language=self.config.language,
            ),
            frame_jpeg=self.watcher.frame_jpeg,
            moments=self.watcher.moments,
            pictures=self.pictures,
            archive=self.store,
            advisor=self.advisor,
            house_rules=self.house_rules,
            checks=self.checks,
            log_tail=self.log_tail.text,
            calibration=self.calibrator,
            picture=self.picture,
            room=self.room,
            behind=self._behind,
            restored=self._restored,
            rescue=self.rescue,
        )

    def _behind(self, port: int) -> str | None:
        """The screen behind a connection of the https front; None for any other connection."""
        return None if self.front is None else self.front.address_of(port)

    def _names(self) -> tuple[str, ...]:
        """Names by which screens ask for this station: those of the settings and of the certificate."""
        told = self._certificate.names if isinstance(self._certificate, tls.Certificate) else ()
        return (self.config.host, *self.config.names, *told)

    def start(self) -> None:
        """Everything runs when this returns."""
        logging.getLogger().addHandler(self.log_tail)
        self._serve()
        if self.front is not None:
            self.front.start()
        for check in self._certified():
            level = logging.INFO if check.status is Level.OK else logging.WARNING
            log.log(level, "certificate: %s", check.message)
        self.copier.start()
        self.rescue.start()
        self._watchdog.be_patient(patient=self._camera_opens)
        self.watcher.start()
        if self.config.profile is None:  # else the settings have chosen
            threading.Thread(target=self._choose_profile, name="profile", daemon=True).start()
        self._start_panel()
        self.computers.start()
        for integration in self.integrations:
            integration.start()
        if isinstance(self._camera, LiveCamera):
            self.timing.begin(self._timed)
        for pulse in (self._table_pulse, self._web.pulse):
            pulse.reset()
            pulse.start()
        threading.Thread(target=self._give_memory_back, name="memory", daemon=True).start()
        systemd.notify("READY=1")

    def _give_memory_back(self) -> None:
        """What the start took and does not need any more, and what piles up later."""
        if not self._stop.wait(GIVE_BACK_S):
            resources.settle()
        while not self._stop.wait(GIVE_BACK_S):
            resources.give_back()

    def _serve(self) -> None:
        """Serve the pages; a server there was before is closed, the port stays."""
        if self._server is not None:
            self._server.abandon()
        self._server = WebServer(
            self.app,
            self.socket.dup(),
            viewers_max=self.config.viewers_max + RESERVE,
            bounds=bounds(self.room),
            behind=self._behind,
            live=LIVE,
        )
        self._server.start()

    def _choose_profile(self) -> None:
        """Of several profiles the one whose tray the camera sees."""
        try:
            name = self.calibrator.settle(FIRST_PICTURE_S)
        except YachtError as error:
            log.info("the profile stays as it is: %s", error)
        else:
            if name is not None:
                log.info("the camera sees the tray of the profile %s", name)

    def _start_panel(self) -> None:
        """Buttons and lamps; where they cannot be had and nobody insisted on them, the game goes on."""
        try:
            self.panel.start()
        except FailedError as error:
            if self.config.buttons == "gpio":
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
            self._watchdog.be_patient(patient=self._camera_opens)
            if self._table_pulse.silent_s < SILENT_S / 2 and not self.supervisor.is_off("web"):
                systemd.notify("WATCHDOG=1")

    @property
    def _camera_opens(self) -> bool:
        """Whether a camera is being opened, or tried to be: it gives no pictures."""
        age_s = self.watcher.frame_age_s
        return isinstance(self._camera, LiveCamera) and (age_s is None or age_s > SILENT_S / 2)

    def _restored(self) -> None:
        """A copy was put back: seats, house rules and profile are those of the copy."""
        self.room.reload()
        self.picture.reload()
        self.house_rules.reload()
        try:
            self.calibrated()
        except BadInputError as error:  # of the settings, which a copy does not change while the station runs
            log.warning("no profile in use: %s", error)

    def calibrated(self) -> None:
        """Read with the profile that has just been written. Raises BadInputError as `_guard` does."""
        self.watcher.use(self._guard())

    def _guard(self) -> ProfileGuard | None:
        """Watches over the profile of the settings, or the one in the data folder if there is one.

        Raises BadInputError when the one of the settings cannot be read. The other must not keep a game from
        being played: what is wrong with it is logged, and the guard says that it is read without.
        """
        if self.config.profile is None and not self.profile_path.exists():
            return None
        profile = None
        try:
            profile = Profile.load(self.profile_path)
        except BadInputError as error:
            if self.config.profile is not None:
                raise
            log.warning("no profile in use: %s", error)
        return ProfileGuard(profile, self.profile_path.parent)

    def checks(self) -> tuple[Check, ...]:
        """How the station is, for the page: what `yacht doctor` says, and how old the last frame is."""
        age_s = self.watcher.frame_age_s
        state = self.table.snapshot()
        camera = diagnosis.camera_of(state.camera)
        if age_s is not None and camera.status is Level.OK:
            # A camera that works may still have something to say: that it was bumped, say.
            said = state.camera.message or diagnosis.falls_short(self._camera)
            level = Level.WARNING if said else Level.OK
            fresh = Message("health/camera/fresh", camera=state.camera.name, age=age_s)
            camera = Check("camera", level, said or fresh)
        buttons = state.buttons
        level = Level.OK if buttons.ok else Level.WARNING
        return (
            camera,
            Check("buttons", level, buttons.message or buttons.name),
            *self._quickness(),
            self.supervisor.check(),
            *checks.machine(self.config.data, self.profile_path, games=self.store.count),
            *self._certified(),
            *(integration.check() for integration in self.integrations),
            *(Check("copies", Level.WARNING, told) for told in self.copier.failed[:1]),
        )

    def _quickness(self) -> tuple[Check, ...]:
        """How long after it lies still a throw is offered: measured, or else expected, once that is known."""
        found = self.watcher.offered_s
        if found is None and self.timing.speed is not None:
            found = self.timing.speed.offered_s
        if found is None:
            return ()
        level, how = (Level.OK, "offers") if found <= SLOW_S else (Level.WARNING, "slow")
        return (Check("speed", level, Message(f"health/speed/{how}", seconds=found)),)

    def ask_to_stop(self, *_: object) -> None:
        """Let `wait` return; may be called from a signal handler."""
        self._stop.set()

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
        self.watcher.ask_to_stop()
        self.timing.close()
        for pulse in (self._table_pulse, self._web.pulse):
            pulse.ask_to_stop()
        if self._server is not None:
            self._server.task_dispatcher.set_thread_count(0)
        self.hints.close()
        self.computers.close()
        if self.front is not None:
            self.front.stop()
        self.panel.stop(left_s())
        let_go = self.watcher.stop(left_s())
        if not let_go:
            log.warning("the camera did not let go in time")
        if self._server is not None:
            self._server.task_dispatcher.shutdown(cancel_pending=True, timeout=left_s())
            self._server.close()
        self.socket.close()
        for integration in self.integrations:
            integration.stop(left_s())
        self.copier.stop(left_s())
        self.store.close()
        self.advisor.close(left_s())
        logging.getLogger().removeHandler(self.log_tail)
        return let_go
