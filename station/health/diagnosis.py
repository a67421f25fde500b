"""The checks that touch devices and the network, for `yacht doctor`: camera, buttons, https, port."""

import grp
import json
import os
import urllib.error
import urllib.request
from collections.abc import Callable
from datetime import datetime
from http.client import HTTPException
from pathlib import Path
from typing import Any

from messages.errors import CameraError, FailedError
from station.config import Config
from station.health.checks import Check, Level, attempted, certified
from station.server import tls
from station.server.listening import EVERY, addresses, listen
from vision.frame import Camera, EndOfRecording

FIRST_FRAME_S = 5.0
"""A camera that gives no frame within this time after its start is called silent."""

HEADER = Path("/dev/gpiochip0")


def running(config: Config, fetch: Callable[[str], Any] | None = None) -> dict[str, Any] | None:
    """The state of the station that answers at the port of these settings, or None."""
    host = "127.0.0.1" if config.host in EVERY else config.host
    url = f"http://{host}:{config.port}/api/v1/state"
    try:
        state = (fetch or _fetch)(url)
    except (OSError, HTTPException, ValueError):
        return None
    return state if isinstance(state, dict) and "waiting_for" in state else None


def _fetch(url: str) -> Any:
    with urllib.request.urlopen(url, timeout=2.0) as answer:  # noqa: S310 - always http to this machine
        return json.load(answer)


def port(config: Config, state: dict[str, Any] | None) -> Check:
    """Whether the station answers there, or could."""
    if state is not None:
        return Check("Port", Level.OK, f"A station answers on port {config.port}.")
    try:
        listen(config.host, config.port).close()
    except FailedError as error:
        return Check("Port", Level.PROBLEM, str(error))
    return Check("Port", Level.INFO, f"Port {config.port} is free; no station is running.")


def https(config: Config, now: datetime) -> tuple[Check, ...]:
    """The certificate of these settings; nothing where they name none."""
    path = config.certificate
    if path is None:
        return ()

    def look() -> Check:
        return certified(tls.read(tls.context(path, config.key), path), now)

    return (attempted("Certificate", look),)


def address(config: Config) -> Check:
    """Where screens find it."""
    found = addresses(config.host, config.port)
    if any("127.0.0.1" in one for one in found):
        return Check(
            "Address", Level.WARNING, f"{' or '.join(found)}: no network; other screens cannot reach it."
        )
    return Check("Address", Level.OK, " or ".join(found))


def camera_of(state: dict[str, Any]) -> Check:
    """The camera as the running station has it."""
    camera = state.get("camera", {})
    if camera.get("ok"):
        return Check("Camera", Level.OK, f"The {camera.get('name')}, in use by the running station.")
    return Check("Camera", Level.PROBLEM, str(camera.get("message")))


def camera(source: Camera, *, simulated: bool) -> Check:
    """Whether a camera gives fresh pictures, and of what size."""
    try:
        with source:
            frame = source.read(FIRST_FRAME_S)
    except EndOfRecording:
        return Check("Camera", Level.PROBLEM, f"{source.name}: there are no frames in it.")
    except CameraError as error:
        return Check("Camera", Level.PROBLEM, str(error))
    if frame is None:
        return Check("Camera", Level.PROBLEM, f"The {source.name} gives no pictures; look at its cable.")
    height, width = frame.image.shape[:2]
    if simulated:
        return Check(
            "Camera", Level.INFO, f"None found: the simulated tray takes its place ({width}x{height})."
        )
    return Check("Camera", Level.OK, f"{source.name}, {width}x{height}.")


def buttons(config: Config, *, on_a_pi: bool, header: Path = HEADER) -> Check:
    """Whether the pins can be had."""
    if config.buttons == "none" or (config.buttons == "auto" and not on_a_pi):
        return Check("Buttons", Level.INFO, "Only those on the page.")
    if not header.exists():
        return Check("Buttons", Level.PROBLEM, f"There are no pins here ({header} is missing).")
    if not os.access(header, os.R_OK | os.W_OK):
        return Check("Buttons", Level.PROBLEM, f"{header} is not allowed; {join('gpio')}")
    wired = ", ".join(f"{name} {pin}" for name, pin in config.pins.used())
    return Check("Buttons", Level.OK, f"Pins can be had: {wired}. Try them with 'yacht doctor --buttons'.")


def join(group: str) -> str:
    """How to get the rights of a group."""
    try:
        grp.getgrnam(group)
    except KeyError:
        return "start the station as its service does, or as root."
    return f"add the station's user to the group {group}: sudo usermod -aG {group} USER, then log in again."
