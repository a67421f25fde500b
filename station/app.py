"""The composition root: builds a station from its settings, starts it in order and stops it in order."""

import errno
import logging
import random
import socket
import threading
from dataclasses import dataclass
from typing import Any

import waitress

from calibration.profile import Profile
from station import sd_notify
from station.config import Config
from station.devices.hand import SimulatedHand
from station.devices.opening import open_devices
from station.devices.panel import Panel
from station.errors import FailedError
from station.store import Store
from station.table import Table
from station.watcher import Watcher
from vision.cameras import open_camera
from vision.cameras.simulated import SimulatedTray
from vision.frame import Camera
from vision.pipeline import Reader
from web import create_app
from web.config import WebConfig

log = logging.getLogger(__name__)

PROFILE_NAME = "profile.json"
"""Name of the profile in the data folder, where the settings give no other."""

SPARE_THREADS = 16
"""Server threads beyond those that viewers keep: with too few, waitress stops answering altogether."""

STALLED_MS = 15_000
"""A screen that takes nothing for so long (a phone out of reach) is let go by the kernel."""


@dataclass(frozen=True, slots=True)
class Found:
    """What the machine has: the camera and a word about it, the buttons."""

    camera: Camera
    note: str


def find_camera(config: Config) -> Found:
    """The camera of the settings, not started. Raises BadInputError for one there cannot be."""
    rng = random.Random(config.simulated.seed)  # noqa: S311 - dice of a game, no secrets
    camera = open_camera(config.camera, rng=rng, paced=True)
    if not isinstance(camera, SimulatedTray):
        return Found(camera, camera.name)
    tray = SimulatedTray(rng, fps=config.simulated.fps, pace=config.simulated.pace)
    auto = config.camera == "auto"
    return Found(tray, "no camera here: using the simulated tray" if auto else tray.name)


class Station:
    """One station: table, camera, buttons, pages. `start` and `stop` once each.

    Raises what its parts raise, each with a sentence: BadInputError for settings that cannot be,
    StoreError for the database, FailedError for a port or pins that are taken.
    """

    def __init__(self, config: Config) -> None:
        self.config = config
        profile_path = config.profile or config.data / PROFILE_NAME
        wanted = config.profile is not None or profile_path.exists()
        profile = Profile.load(profile_path) if wanted else None
        found = find_camera(config)
        self.note = found.note
        buttons, lamps = open_devices(config)
        self.socket = listen(config.host, config.port)
        try:
            self.store = Store(config.data)
        except BaseException:
            self.socket.close()
            raise
        tray = found.camera
        rng = random.Random(config.simulated.seed)  # noqa: S311 - dice of a game, no secrets
        hand = SimulatedHand(tray, rng) if isinstance(tray, SimulatedTray) else None
        self.table = Table(self.store, thrower=hand)
        self.watcher = Watcher(tray, Reader(profile=profile), self.table)
        self.panel = Panel(buttons, lamps, self.table, press=config.press)
        self.buttons_name = buttons.name
        self.port = int(self.socket.getsockname()[1])
        self.addresses = addresses(config.host, self.port)
        web = WebConfig(
            viewers_max=config.viewers_max,
            data_dir=config.data,
            addresses=self.addresses,
            language=config.language,
        )
        self.app = create_app(self.table, web, frame_jpeg=self.watcher.frame_jpeg)
        self._server: Any = None
        self._stop = threading.Event()

    def start(self) -> None:
        """Everything runs when this returns."""
        self._server = waitress.create_server(
            self.app,
            sockets=[self.socket],
            threads=self.config.viewers_max + SPARE_THREADS,
            outbuf_high_watermark=65_536,
            ident=None,
            clear_untrusted_proxy_headers=True,
        )
        threading.Thread(target=self._server.run, name="web", daemon=True).start()
        self.watcher.start()
        self.panel.start()
        sd_notify.notify("READY=1")

    def wait(self) -> None:
        """Until `ask_to_stop` is called; meanwhile systemd's watchdog is fed as long as the table answers."""
        interval_s = sd_notify.watchdog_interval_s()
        while not self._stop.wait(interval_s):
            self.table.snapshot()
            sd_notify.notify("WATCHDOG=1")

    def ask_to_stop(self, *_: object) -> None:
        """Let `wait` return; may be called from a signal handler."""
        self._stop.set()

    def stop(self) -> None:
        """Stop in the reverse order; what was acknowledged is on the disk already."""
        sd_notify.notify("STOPPING=1")
        self.app.extensions["viewers"].close()
        self.table.close()
        self.panel.stop()
        if not self.watcher.stop():
            log.warning("the camera did not let go in time")
        if self._server is not None:
            self._server.task_dispatcher.shutdown(cancel_pending=True, timeout=1)
            self._server.close()
        self.socket.close()
        self.store.close()


def listen(host: str, port: int) -> socket.socket:
    """A listening socket. Raises FailedError when the port is taken or not allowed."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, STALLED_MS)
    try:
        listening.bind((host, port))
        listening.listen(128)
    except OSError as error:
        listening.close()
        raise FailedError(_why_not(host, port, error), code="web/port") from error
    return listening


def _why_not(host: str, port: int, error: OSError) -> str:
    match error.errno:
        case errno.EADDRINUSE:
            return (
                f"Port {port} is in use, perhaps by another Yacht Station; stop that one, or choose another "
                "port with --port."
            )
        case errno.EACCES:
            return f"Port {port} is reserved for the system; choose one from 1024 on with --port."
        case _:
            return f"The station cannot listen on {host} ({error.strerror or error}); look at --host."


def addresses(host: str, port: int) -> tuple[str, ...]:
    """Where screens reach the station: by name, then by IP; only by IP where it listens on one address."""
    if host not in {"0.0.0.0", "::"}:  # noqa: S104 - asked for, not bound to
        shown = f"[{host}]" if ":" in host else host
        return (f"http://{shown}:{port}",)
    name = socket.gethostname().split(".")[0]
    return (f"http://{name}.local:{port}", f"http://{own_ip()}:{port}")


def own_ip() -> str:
    """The address other machines in the house see; 127.0.0.1 where there is no network.

    Connecting a datagram socket sends nothing: it only asks the system which address it would use. The
    target is one reserved for documentation (RFC 5737).
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"
