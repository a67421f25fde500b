"""Tells systemd how the station is: ready, alive, stopping.

The whole protocol is one datagram to the socket named in the environment (sd_notify(3)); without
systemd there is no such name, and nothing is sent.
"""

import os
import socket
import threading
from collections.abc import Callable, Mapping

_MICROSECONDS = 1_000_000
OPENING_S = 180.0
"""The watchdog's time limit while a camera is opened."""


def notify(state: str, environ: Mapping[str, str] = os.environ) -> None:
    r"""Send `READY=1`, `WATCHDOG=1`, `STOPPING=1` or `STATUS=a sentence`; several are joined by newlines.

    Never raises: a station that plays must not stop because nobody listens to how it is.

    >>> notify("READY=1\nSTATUS=waiting for players", environ={})
    """
    address = environ.get("NOTIFY_SOCKET", "")
    if not address:
        return
    if address.startswith("@"):  # an abstract socket: its name begins with a zero byte
        address = "\0" + address[1:]
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as sender:
            sender.settimeout(0)
            sender.sendto(state.encode(), address)
    except OSError:
        return


def watchdog_interval_s(environ: Mapping[str, str] = os.environ, pid: int | None = None) -> float | None:
    """Seconds between two `WATCHDOG=1`, or None where systemd does not watch this process.

    A quarter of the time systemd waits: a camera's driver may keep Python from running for half of it while
    it opens, and the beat before that must not be old already (sd_watchdog_enabled(3) advises half).

    >>> watchdog_interval_s({"WATCHDOG_USEC": "30000000"})
    7.5
    >>> watchdog_interval_s({}) is None
    True
    """
    if environ.get("WATCHDOG_PID", str(pid or os.getpid())) != str(pid or os.getpid()):
        return None
    try:
        timeout_us = int(environ.get("WATCHDOG_USEC", ""))
    except ValueError:
        return None
    return timeout_us / _MICROSECONDS / 4 if timeout_us > 0 else None


class Watchdog:
    """The watchdog: systemd's timeout for the next `WATCHDOG=1` of this process.

    Some drivers keep Python from running while a camera is opened (libcamera's virtual camera for 17 s, on a
    slower machine for more than the unit's WatchdogSec); meanwhile it waits longer (WATCHDOG_USEC of
    sd_notify(3)).
    """

    def __init__(self, environ: Mapping[str, str] = os.environ) -> None:
        self.interval_s = watchdog_interval_s(environ)
        self._environ, self._patient = environ, False
        self._lock = threading.Lock()

    def be_patient(self, opens: Callable[[], bool]) -> None:
        """Have systemd wait longer while a camera is opened, else as the unit says; only changes are sent.

        Several threads may call: the one that opens a camera, and the one that checks periodically.
        """
        if self.interval_s is None:
            return
        with self._lock:
            patient = opens()
            if patient is self._patient:
                return
            self._patient = patient
            usual_us = int(self._environ["WATCHDOG_USEC"])
            wait_us = max(round(OPENING_S * _MICROSECONDS), usual_us) if patient else usual_us
            notify(f"WATCHDOG_USEC={wait_us}", self._environ)
