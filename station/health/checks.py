"""Health checks: what is well, what is not, and what to do about it.

Each check is a function of where to look; nothing here changes anything. On a machine that is no Pi the
checks of a Pi say nothing.
"""

import importlib.metadata
import os
import platform
import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path

from calibration.profile import Profile
from messages.errors import BadInputError, YachtError
from station.server.tls import Certificate
from station.store.database_file import FILE_NAME, inspect

ROOM_WARNING_BYTES = 500_000_000
ROOM_PROBLEM_BYTES = 50_000_000
"""A year of games takes a few megabytes; SD cards die young when they are full."""
WARM_C, HOT_C = 75.0, 82.0
"""From 80 °C on a Raspberry Pi slows itself down (its documentation, "Thermal throttling")."""
OLDEST = datetime(2025, 1, 1, tzinfo=UTC)
"""A clock before this one was never set: a Pi without network starts in the past."""
PROFILE_OLD_DAYS = 365
RENEW_DAYS = 30
"""So long before its end a certificate is warned of: a family is not at the station every week."""


class Level(StrEnum):
    """How it is, from best to worst."""

    OK = "ok"
    INFO = "info"
    WARNING = "warning"
    PROBLEM = "problem"


@dataclass(frozen=True, slots=True)
class Check:
    """One line: what was looked at, how it is, and in a sentence what to do."""

    name: str
    status: Level
    message: str

    def to_json(self) -> dict[str, str]:
        """As the page and `yacht doctor --json` give it."""
        return {"name": self.name, "status": self.status.value, "message": self.message}


def worst(checks: Iterable[Check]) -> Level:
    """The worst of them.

    >>> worst([Check("a", Level.OK, ""), Check("b", Level.WARNING, "")])
    <Level.WARNING: 'warning'>
    """
    order = list(Level)
    return max((check.status for check in checks), key=order.index, default=Level.OK)


def attempted(name: str, check: Callable[[], Check]) -> Check:
    """The check, or a problem in its place when it failed itself."""
    try:
        return check()
    except YachtError as error:
        return Check(name, Level.PROBLEM, str(error))
    except OSError as error:
        return Check(name, Level.PROBLEM, f"Could not be looked at: {error.strerror or error}.")


def machine(
    data: Path, profile: Path, *, root: Path = Path("/"), now: datetime | None = None
) -> tuple[Check, ...]:
    """The checks that need no camera and no server. root: where /sys and /proc are."""
    return (
        attempted("Database", lambda: database(data)),
        attempted("Disk", lambda: disk(data)),
        attempted("Profile", lambda: calibrated(profile, now or datetime.now(UTC))),
        clock(now or datetime.now(UTC)),
        *raspberry(root),
        versions(),
    )


def database(data: Path) -> Check:
    """Whether the database is there, sound and can be written."""
    path = data / FILE_NAME
    if not path.exists():
        return Check("Database", Level.INFO, f"None yet in {data.resolve()}; the first game makes it.")
    games = inspect(path)
    if not os.access(path, os.W_OK) or not os.access(data, os.W_OK):
        return Check(
            "Database", Level.PROBLEM, f"{path} cannot be written; look at the rights of its folder."
        )
    return Check(
        "Database", Level.OK, f"{path} is sound; finished games: {games}; {path.stat().st_size // 1024} kB."
    )


def disk(data: Path) -> Check:
    """Whether there is room for more games."""
    folder = next(part for part in (data.resolve(), *data.resolve().parents) if part.exists())
    free = shutil.disk_usage(folder).free
    text = f"{free / 1e9:.1f} GB free at {folder}."
    if free < ROOM_PROBLEM_BYTES:
        return Check("Disk", Level.PROBLEM, f"{text} Make room, or games can no longer be recorded.")
    if free < ROOM_WARNING_BYTES:
        return Check("Disk", Level.WARNING, f"{text} Make room soon.")
    return Check("Disk", Level.OK, text)


def calibrated(profile: Path, now: datetime) -> Check:
    """Whether camera and tray were calibrated, and when."""
    if not profile.exists():
        return Check("Profile", Level.INFO, "Not calibrated; 'yacht calibrate' makes reading surer.")
    try:
        Profile.load(profile)
    except BadInputError as error:
        return Check("Profile", Level.PROBLEM, str(error))
    days = (now - datetime.fromtimestamp(profile.stat().st_mtime, UTC)).days
    if days > PROFILE_OLD_DAYS:
        return Check(
            "Profile", Level.WARNING, f"Calibrated {days} days ago; do it again with 'yacht calibrate'."
        )
    return Check("Profile", Level.OK, f"Calibrated {days} days ago.")


def clock(now: datetime) -> Check:
    """Whether the time of day can be right."""
    if now < OLDEST:
        return Check("Clock", Level.WARNING, f"It says {now:%Y-%m-%d}; connect the network once, or set it.")
    return Check("Clock", Level.OK, f"{now:%Y-%m-%d %H:%M} UTC.")


def certified(told: Certificate, now: datetime) -> Check:
    """Whether screens take the certificate of https, and for how long."""
    name = "Certificate"
    if now < told.begins:
        message = f"It is good only from {told.begins:%Y-%m-%d}; look at the clock of this machine."
        return Check(name, Level.PROBLEM, message)
    ends = f"{told.ends:%Y-%m-%d}"
    again = "Make a new one, then start the station again."
    if now > told.ends:
        return Check(name, Level.PROBLEM, f"It was good until {ends}; screens refuse https. {again}")
    if (told.ends - now).days < RENEW_DAYS:
        return Check(name, Level.WARNING, f"It is good only until {ends}. {again}")
    return Check(name, Level.OK, f"Good until {ends}.")


def versions() -> Check:
    """What is installed."""
    names = ("yacht-station", "opencv-python", "numpy", "flask", "waitress", "gpiozero", "pydantic")
    found = []
    for name in names:
        try:
            found.append(f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            found.append(f"{name} missing")
    return Check("Versions", Level.INFO, f"Python {platform.python_version()}, {', '.join(found)}.")


# -- a Raspberry Pi ----------------------------------------------------------------------------------


def raspberry(root: Path) -> tuple[Check, ...]:
    """Temperature and power of a Pi; nothing on other machines."""
    if "Raspberry Pi" not in _text(root / "proc/device-tree/model"):
        return ()
    return (temperature(root), power(root))


def temperature(root: Path) -> Check:
    """How warm the processor is."""
    try:
        celsius = int(_text(root / "sys/class/thermal/thermal_zone0/temp")) / 1000
    except ValueError:
        return Check("Temperature", Level.INFO, "This machine does not tell it.")
    if celsius >= HOT_C:
        return Check(
            "Temperature", Level.PROBLEM, f"{celsius:.0f} °C: it slows down; give it air or a heat sink."
        )
    if celsius >= WARM_C:
        return Check("Temperature", Level.WARNING, f"{celsius:.0f} °C: warm; it needs air.")
    return Check("Temperature", Level.OK, f"{celsius:.0f} °C.")


def power(root: Path) -> Check:
    """Under-voltage and throttling: bits 0 and 2 of get_throttled say now, 16 and 18 since the start."""
    try:
        bits = int(_text(root / "sys/devices/platform/soc/soc:firmware/get_throttled"), 16)
    except ValueError:
        return Check("Power", Level.INFO, "This machine does not tell it.")
    if bits & 0b1:
        return Check("Power", Level.PROBLEM, "Too little voltage now; use the supply made for this Pi.")
    if bits & 0b100:
        return Check("Power", Level.PROBLEM, "It is slowed down now, by heat or too weak a supply.")
    if bits & (1 << 16):
        return Check("Power", Level.WARNING, "Too little voltage since the start; a better supply is wanted.")
    if bits & (1 << 18):
        return Check("Power", Level.WARNING, "It was slowed down since the start; look at supply and heat.")
    return Check("Power", Level.OK, "Good since the start.")


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip("\0 \n")
    except OSError:
        return ""
