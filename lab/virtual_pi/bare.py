"""The station on a machine whose process 1 is `guest/bare.sh`: a program and its disk, without systemd."""

import ctypes
import fcntl
import os
import socket
import struct
import subprocess
import sys
from pathlib import Path

HOST, DATA = Path("/run/host"), Path("/run/data/games")
_POWER_OFF = 0x4321FEDC
_SIOCSIFFLAGS, _IFF_UP, _IFF_RUNNING = 0x8914, 0x1, 0x40


def is_process_1() -> bool:
    """Whether nobody else has started this machine."""
    return os.getpid() == 1


def start_station(settings: str) -> None:
    """Bring up the loopback, and start the station with these settings on the disk's own games."""
    with socket.socket() as any_socket:
        up = struct.pack("16sh14x", b"lo", _IFF_UP | _IFF_RUNNING)
        fcntl.ioctl(any_socket, _SIOCSIFFLAGS, up)
    file = Path("/run/station.toml")
    file.write_text(settings)
    words = ("run", "--config", str(file), "--data", str(DATA))
    subprocess.Popen([sys.executable, "-c", "from station.cli import main; main()", *words])


def switch_off() -> None:
    """As `poweroff` does."""
    os.sync()
    ctypes.CDLL(None).reboot(_POWER_OFF)
