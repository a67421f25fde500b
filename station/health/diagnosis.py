"""The checks that touch devices and the network, for `yacht doctor`: camera, buttons, https, port."""

import grp
import json
import os
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from datetime import datetime
from http.client import HTTPException
from pathlib import Path
from typing import Any

from messages.camera_names import camera_label
from messages.errors import CameraError, FailedError
from messages.message import Message
from station.config import Config
from station.contract.check import Check, Level
from station.contract.view import DeviceView
from station.devices.factory import on_pins
from station.devices.pin_conflicts import conflicts
from station.health.checks import attempted, certified
from station.server import tls
from station.server.listening import EVERY, addresses, listen
from vision.cameras.live import FIRST_S, LiveCamera
from vision.frame import Camera, EndOfRecording

HEADER = Path("/dev/gpiochip0")
ITS_OWN = ("camera", "speed")
"""Checks that nobody but the running station can make: it has the camera."""


def running(
    config: Config, language: str, fetch: Callable[[str, str], Any] | None = None
) -> tuple[Check, ...] | None:
    """The checks that only a running station can do, from the one at these settings' port; None for none.

    Those of its camera and of its speed, in that language.
    """
    host = "127.0.0.1" if config.host in EVERY else config.host
    try:
        report = (fetch or _fetch)(f"http://{host}:{config.port}/api/v1/health", language)
        found = [
            Check(str(each["id"]), Level(each["status"]), str(each["message"])) for each in report["checks"]
        ]
    except (OSError, HTTPException, ValueError, TypeError, KeyError):
        return None
    its_own = tuple(each for each in found if each.id in ITS_OWN)
    return its_own or None  # a board answers there too, and has no camera


def _fetch(url: str, language: str) -> Any:
    request = urllib.request.Request(url, headers={"Accept-Language": language})  # noqa: S310 - always http
    with urllib.request.urlopen(request, timeout=5.0) as answer:  # noqa: S310 - always http to this machine
        return json.load(answer)


def port(config: Config, *, answers: bool) -> Check:
    """Whether the station answers there, or could."""
    if answers:
        return Check("port", Level.OK, Message("health/port/answers", port=config.port))
    try:
        listen(config.host, config.port).close()
    except FailedError as error:
        return Check("port", Level.PROBLEM, error.message)
    return Check("port", Level.INFO, Message("health/port/free", port=config.port))


def https(config: Config, now: datetime) -> tuple[Check, ...]:
    """The certificate of these settings; nothing where they name none."""
    path = config.certificate
    if path is None:
        return ()

    def look() -> Check:
        return certified(tls.read(tls.context(path, config.key), path), now)

    return (attempted("certificate", look),)


def address(config: Config) -> Check:
    """The check of the address for screens."""
    found = addresses(config.host, config.port)
    if any("127.0.0.1" in one for one in found):
        return Check("address", Level.WARNING, Message("health/address/no-network", addresses=found))
    return Check("address", Level.OK, Message("health/address/good", addresses=found))


def camera_of(seen: DeviceView) -> Check:
    """The camera as the running station has it; before it has one it has no name."""
    if seen.ok and not seen.name:
        return Check("camera", Level.INFO, Message("health/camera/none"))
    if seen.ok:
        return Check("camera", Level.OK, Message("health/camera/in-use", camera=seen.name))
    return Check("camera", Level.PROBLEM, seen.message)


def shows_a_part(source: Camera) -> Message | None:
    """A warning that a running camera shows only a part of its field of view; None if unknown."""
    view = source.view if isinstance(source, LiveCamera) else None
    if view is None or view.whole:
        return None
    if view.across_deg is None or view.along_deg is None:
        return Message("health/camera/part", camera=camera_label(source.name), share=view.share)
    angles = f"{view.across_deg:.0f}x{view.along_deg:.0f}"
    return Message(
        "health/camera/part-angles", camera=camera_label(source.name), share=view.share, angles=angles
    )


def falls_short(source: Camera) -> Message | None:
    """A note on a running camera: a missing package, settings it does not support."""
    part = shows_a_part(source)
    if part is not None or not isinstance(source, LiveCamera) or not source.refused:
        return part
    settings = tuple(Message(f"camera/picture/{name}") for name in source.refused)
    return Message("health/camera/refused", camera=camera_label(source.name), settings=settings)


def watched(seen: DeviceView, age_s: float | None, source: Camera, came: Sequence[int] = ()) -> Check:
    """The check of the station's camera.

    age_s: of its newest picture; None before the first. came: USB cameras that it might use instead.
    """
    found = camera_of(seen)
    if age_s is None or found.status is not Level.OK:
        return found
    # A working camera may have a note, such as that it was bumped.
    note = seen.message or falls_short(source)
    if came:
        note = Message("health/camera/came", camera=camera_label(f"USB camera {came[0]}"))
    fresh = Message("health/camera/fresh", camera=seen.name, age=age_s)
    return Check("camera", Level.WARNING if note else Level.OK, note or fresh)


def camera(source: Camera, *, simulated: bool) -> Check:
    """Whether a camera gives fresh pictures, and of what size."""
    try:
        with source:
            frame = source.read(FIRST_S)
            short = falls_short(source)
    except EndOfRecording:
        return Check(
            "camera", Level.PROBLEM, Message("health/camera/no-frames", camera=camera_label(source.name))
        )
    except CameraError as error:
        return Check("camera", Level.PROBLEM, error.message)
    if frame is None:
        return Check(
            "camera", Level.PROBLEM, Message("health/camera/silent", camera=camera_label(source.name))
        )
    if short is not None:
        return Check("camera", Level.WARNING, short)
    size = f"{frame.image.shape[1]}x{frame.image.shape[0]}"
    if simulated:
        return Check("camera", Level.INFO, Message("health/camera/simulated", size=size))
    return Check(
        "camera", Level.OK, Message("health/camera/good", camera=camera_label(source.name), size=size)
    )


def buttons(config: Config, *, on_a_pi: bool, header: Path = HEADER, root: Path = Path("/")) -> Check:
    """Whether the pins can be had, and whether the board has them for something else."""
    if not on_pins(config, on_a_pi=on_a_pi):
        return Check("buttons", Level.INFO, Message("health/buttons/page"))
    if not header.exists():
        return Check("buttons", Level.PROBLEM, Message("health/buttons/none", header=str(header)))
    if not os.access(header, os.R_OK | os.W_OK):
        return Check("buttons", Level.PROBLEM, not_allowed(header, "gpio"))
    taken = _taken(config, root)
    if taken is not None:
        return Check("buttons", Level.WARNING, taken)
    wired = tuple(Message("pin/wired", part=part, pin=pin) for part, pin in config.pins.used())
    return Check("buttons", Level.OK, Message("health/buttons/good", wired=wired))


def panel(seen: DeviceView, config: Config, *, on_a_pi: bool, root: Path = Path("/")) -> Check:
    """The check of buttons and lamps: they may work although the board uses one of their pins."""
    taken = _taken(config, root) if on_pins(config, on_a_pi=on_a_pi) else None
    note = seen.message or taken
    return Check("buttons", Level.OK if seen.ok and not note else Level.WARNING, note or seen.name)


def _taken(config: Config, root: Path) -> Message | None:
    """The parts wired to pins that the board uses otherwise, in words; None if there are none."""
    clashes = tuple(
        Message("pin/clash", part=each.part, pin=each.pin, bus=each.bus.name)
        for each in conflicts(config.pins, root)
    )
    return Message("health/buttons/conflict", clashes=clashes) if clashes else None


def not_allowed(header: Path, group: str) -> Message:
    """The message that access to the pins is denied, and how to get the rights of the group."""
    try:
        grp.getgrnam(group)
    except KeyError:
        return Message("health/buttons/no-rights", header=str(header))
    return Message("health/buttons/not-in-group", header=str(header), group=group)
