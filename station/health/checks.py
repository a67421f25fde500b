"""Health checks: what is well, what is not, and what to do about it.

Each check is a function of where to look; nothing here changes anything. On a machine that is no Pi the
checks of a Pi say nothing.
"""

import importlib.metadata
import os
import platform
import shutil
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from functools import cache, partial
from pathlib import Path

from messages.errors import BadInputError, YachtError, cause
from messages.message import Message
from station.config.machine import on_a_pi
from station.contract.check import Check, Level
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

SLOW_S = 1.5
"""A throw that is offered later than this is waited for; health says what helps."""

SLOW_WRITE_S = 2.0
"""A step takes a card some ten milliseconds; one that needs so long is worn, fake or on its way out."""

UNKNOWN = Message("health/untold")

PACKAGES = ("yacht-station", "opencv-python", "numpy", "flask", "waitress", "gpiozero", "pydantic")


def worst(checks: Iterable[Check]) -> Level:
    """The worst of them.

    >>> worst([Check("a", Level.OK, ""), Check("b", Level.WARNING, "")])
    <Level.WARNING: 'warning'>
    """
    order = list(Level)
    return max((check.status for check in checks), key=order.index, default=Level.OK)


def attempted(what: str, check: Callable[[], Check]) -> Check:
    """The check, or a problem in its place when it failed itself."""
    try:
        return check()
    except YachtError as error:
        return Check(what, Level.PROBLEM, error.message)
    except OSError as error:
        return Check(what, Level.PROBLEM, Message("health/not-looked-at", why=cause(error)))


def machine(
    data: Path, profile: Path, *, scarce: bool = False, games: Callable[[], int] | None = None
) -> tuple[Check, ...]:
    """The checks that need no camera and no server. scarce: memory is. games: as `database` has it."""
    now = datetime.now(UTC)
    return (
        attempted("database", lambda: database(data, games)),
        attempted("disk", lambda: disk(data)),
        attempted("profile", lambda: calibrated(profile, now)),
        *memory(scarce=scarce),
        clock(now),
        *raspberry(Path("/")),
        versions(),
    )


def database(data: Path, games: Callable[[], int] | None = None) -> Check:
    """Whether the database is there, sound and can be written.

    games: how many are finished, from a station that has read the whole of it at its start and reads it again
    for every copy; without it the whole is read now, which takes a while after years of games.
    """
    path = data / FILE_NAME
    if games is None and not path.exists():
        return Check("database", Level.INFO, Message("health/database/none", folder=str(data.resolve())))
    finished = inspect(path) if games is None else games()
    if not os.access(path, os.W_OK) or not os.access(data, os.W_OK):
        return Check("database", Level.PROBLEM, Message("health/database/read-only", path=str(path)))
    size_kb = path.stat().st_size // 1024
    sound = Message("health/database/sound", path=str(path), games=finished, size=size_kb)
    return Check("database", Level.OK, sound)


def disk(data: Path) -> Check:
    """Whether there is room for more games."""
    folder = next(part for part in (data.resolve(), *data.resolve().parents) if part.exists())
    free = shutil.disk_usage(folder).free
    check, free_gb = partial(Check, "disk"), free / 1e9
    if free < ROOM_PROBLEM_BYTES:
        return check(Level.PROBLEM, Message("health/disk/full", free=free_gb, folder=str(folder)))
    if free < ROOM_WARNING_BYTES:
        return check(Level.WARNING, Message("health/disk/nearly-full", free=free_gb, folder=str(folder)))
    return check(Level.OK, Message("health/disk/free", free=free_gb, folder=str(folder)))


def calibrated(profile: Path, now: datetime) -> Check:
    """Whether camera and tray were calibrated, and when."""
    from calibration.profile import CalibrationProfile  # noqa: PLC0415 - OpenCV, of which a board has no need

    if not profile.exists():
        return Check("profile", Level.INFO, Message("health/profile/none"))
    try:
        CalibrationProfile.load(profile)
    except BadInputError as error:
        return Check("profile", Level.PROBLEM, error.message)
    days = (now - datetime.fromtimestamp(profile.stat().st_mtime, UTC)).days
    if days > PROFILE_OLD_DAYS:
        return Check("profile", Level.WARNING, Message("health/profile/old", count=days))
    return Check("profile", Level.OK, Message("health/profile/good", count=days))


def memory(*, scarce: bool) -> tuple[Check, ...]:
    """A note that the station saves memory, and what it leaves out; nothing if it need not."""
    return (Check("memory", Level.INFO, Message("health/memory/small")),) if scarce else ()


def clock(now: datetime) -> Check:
    """Whether the time of day can be right."""
    check = partial(Check, "clock")
    if now < OLDEST:
        return check(Level.WARNING, Message("health/clock/unset", day=f"{now:%Y-%m-%d}"))
    return check(Level.OK, Message("health/clock/says", time=f"{now:%Y-%m-%d %H:%M}"))


def certified(certificate: Certificate, now: datetime) -> Check:
    """Whether screens take the certificate of https, and for how long."""
    if now < certificate.begins:
        early = Message("health/certificate/early", day=certificate.begins.date())
        return Check("certificate", Level.PROBLEM, early)
    ends = certificate.ends.date()
    if now > certificate.ends:
        return Check("certificate", Level.PROBLEM, Message("health/certificate/over", day=ends))
    if certificate.ending(now):
        return Check("certificate", Level.WARNING, Message("health/certificate/ending", day=ends))
    return Check("certificate", Level.OK, Message("health/certificate/good", day=ends))


def https(certificate: Certificate | Message | None, now: datetime) -> tuple[Check, ...]:
    """The check of the certificate, or its fault; nothing without https."""
    if isinstance(certificate, Certificate):
        return (certified(certificate, now),)
    return () if certificate is None else (Check("certificate", Level.PROBLEM, certificate),)


def quickness(offered_s: float | None) -> tuple[Check, ...]:
    """The check of the time from rest to offer of a throw; nothing while it is unknown."""
    if offered_s is None:
        return ()
    level, how = (Level.OK, "offers") if offered_s <= SLOW_S else (Level.WARNING, "slow")
    return (Check("speed", level, Message(f"health/speed/{how}", seconds=offered_s)),)


def writing(now_s: float, longest_s: float) -> Check:
    """The check of the disk's times for a step, in seconds: the present one, and the longest of the last."""
    check = partial(Check, "writing")
    if now_s > SLOW_WRITE_S:
        return check(Level.PROBLEM, Message("health/writing/waits", seconds=now_s))
    if longest_s > SLOW_WRITE_S:
        return check(Level.WARNING, Message("health/writing/slow", seconds=longest_s))
    return check(Level.OK, Message("health/writing/good", seconds=longest_s))


@cache
def installed() -> tuple[tuple[str, str], ...]:
    """The packages that matter, each with its version, "" where it is missing; looked up once."""
    return tuple((name, _version(name)) for name in PACKAGES)


def _version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return ""


def versions() -> Check:
    """The installed versions."""
    found = [
        f"{name} {version}" if version else Message("health/versions/missing", package=name)
        for name, version in installed()
    ]
    versions = (f"Python {platform.python_version()}", *found)
    return Check("versions", Level.INFO, Message("health/versions/told", versions=versions))


# -- a Raspberry Pi ----------------------------------------------------------------------------------


def raspberry(root: Path) -> tuple[Check, ...]:
    """Temperature and power of a Pi; nothing on other machines."""
    if not on_a_pi(root):
        return ()
    return (temperature(root), power(root))


def temperature(root: Path) -> Check:
    """The check of the processor's temperature."""
    check = partial(Check, "temperature")
    try:
        celsius = int(_text(root / "sys/class/thermal/thermal_zone0/temp")) / 1000
    except ValueError:
        return check(Level.INFO, UNKNOWN)
    if celsius >= HOT_C:
        return check(Level.PROBLEM, Message("health/temperature/hot", celsius=celsius))
    if celsius >= WARM_C:
        return check(Level.WARNING, Message("health/temperature/warm", celsius=celsius))
    return check(Level.OK, Message("health/temperature/good", celsius=celsius))


def power(root: Path) -> Check:
    """Under-voltage and throttling: bits 0 and 2 of get_throttled say now, 16 and 18 since the start."""
    check = partial(Check, "power")
    try:
        bits = int(_text(root / "sys/devices/platform/soc/soc:firmware/get_throttled"), 16)
    except ValueError:
        return check(Level.INFO, UNKNOWN)
    if bits & 0b1:
        return check(Level.PROBLEM, Message("health/power/low"))
    if bits & 0b100:
        return check(Level.PROBLEM, Message("health/power/slow"))
    if bits & (1 << 16):
        return check(Level.WARNING, Message("health/power/was-low"))
    if bits & (1 << 18):
        return check(Level.WARNING, Message("health/power/was-slow"))
    return check(Level.OK, Message("health/power/good"))


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip("\0 \n")
    except OSError:
        return ""
