"""Tells systemd how the station is: ready, alive, stopping.

The whole protocol is one datagram to the socket named in the environment (sd_notify(3)); without
systemd there is no such name, and nothing is sent.
"""

import os
import socket
from collections.abc import Mapping

_MICROSECONDS = 1_000_000


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
