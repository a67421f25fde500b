"""The addresses on which the station listens, and those for screens."""

import errno
import fcntl
import socket
import struct
from contextlib import suppress

from messages.errors import FailedError, cause

STALLED_MS = 15_000
"""The kernel drops a connection whose screen acknowledges nothing for this long (a phone out of reach)."""


SIOCGIFFLAGS, SIOCGIFADDR = 0x8913, 0x8915
IFF_LOOPBACK, IFF_RUNNING = 0x8, 0x40
"""The ioctls for the flags and the address of a network interface (netdevice(7))."""

EVERYWHERE = "::"
"""Every network of this machine, by IPv6 and by IPv4."""

EVERY = frozenset({"0.0.0.0", EVERYWHERE})  # noqa: S104 - compared with, not bound to
"""Hosts that mean more than one address."""


def listen(host: str, port: int, *, option: str = "--port") -> socket.socket:
    """A listening socket; for `EVERYWHERE` one that takes IPv4 too, or only that where there is no IPv6.

    option: by which the port can be chosen, for the sentence.
    Raises FailedError when the port is taken or not allowed, or the host is none of this machine's.
    """
    if host == EVERYWHERE and not socket.has_dualstack_ipv6():
        host = "0.0.0.0"  # noqa: S104 - tablets in the house are whom it is for
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listening = socket.socket(family, socket.SOCK_STREAM)
    except OSError as error:  # no such addresses on this machine, or none allowed to this process
        raise _not_listening(host, port, error, option) from error
    if host == EVERYWHERE:
        listening.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, STALLED_MS)
    try:
        listening.bind((host, port))
        listening.listen(128)
    except OSError as error:
        listening.close()
        raise _not_listening(host, port, error, option) from error
    return listening


def within(listening: socket.socket) -> tuple[str, int]:
    """Address and port by which this machine itself reaches a listening socket."""
    host, port = listening.getsockname()[:2]
    return ("127.0.0.1" if host in EVERY else host), port


def _not_listening(host: str, port: int, error: OSError, option: str) -> FailedError:
    match error.errno:
        case errno.EADDRINUSE:
            return FailedError("listening/in-use", code="web/port", port=port, option=option)
        case errno.EACCES:
            return FailedError("listening/reserved", code="web/port", port=port, option=option)
        case _:
            return FailedError("listening/no-such-host", code="web/port", host=host, why=cause(error))


def addresses(host: str, port: int, scheme: str = "http") -> tuple[str, ...]:
    """The station's addresses: by name, then by IP; only by IP if it listens on one address."""
    if host not in EVERY:
        address = f"[{host}]" if ":" in host else host
        return (f"{scheme}://{address}:{port}",)
    name = socket.gethostname().split(".")[0]
    return (f"{scheme}://{name}.local:{port}", f"{scheme}://{own_ip()}:{port}")


def own_ip() -> str:
    """The address other machines in the house see; 127.0.0.1 where there is no network.

    Connecting a datagram socket sends nothing: it only asks the system which address it would use. The
    target is one reserved for documentation (RFC 5737). There is no way there from a network that leads
    nowhere else, such as one of which this machine is the access point: then it is the address on the first
    line that is plugged in.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        with suppress(OSError):
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        with suppress(OSError):
            lines = (_address_on(name, probe) for _, name in socket.if_nameindex())
            return next(filter(None, lines), "127.0.0.1")
    return "127.0.0.1"


def _address_on(name: str, probe: socket.socket) -> str | None:
    """The address of this machine on a line to others; None on a loopback, an unplugged one, or without."""
    request = struct.pack("256s", name.encode())
    try:
        (flags,) = struct.unpack("H", fcntl.ioctl(probe, SIOCGIFFLAGS, request)[16:18])
        if flags & IFF_LOOPBACK or not flags & IFF_RUNNING:
            return None
        return socket.inet_ntoa(fcntl.ioctl(probe, SIOCGIFADDR, request)[20:24])
    except OSError:
        return None
