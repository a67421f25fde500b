"""From where a request comes."""

import ipaddress

from flask import request

PROXY_HEADERS = ("X-Forwarded-For", "Forwarded", "X-Real-IP", "Via")
"""What a proxy adds to the requests that it passes on."""


def plain(address: str) -> str:
    """An address as it is counted: IPv4 as such, without the zone of a link.

    >>> [plain(each) for each in ("::ffff:192.0.2.7", "fe80::1%eth0", "::1")]
    ['192.0.2.7', 'fe80::1', '::1']
    """
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    mapped = found.ipv4_mapped if isinstance(found, ipaddress.IPv6Address) else None
    return str(mapped or found)


def address() -> str:
    """The address of the screen that asks."""
    return plain(request.remote_addr or "")


def trusted_by_browsers() -> bool:
    """Whether browsers take the origin for a secure one: https, or a name of this machine itself."""
    name = request.host.rpartition(":")[0] or request.host
    return request.is_secure or name == "localhost" or _is_loopback(name.strip("[]"))


def beside() -> bool:
    """Whether who asks sits at this machine itself: its own address, asked for by its own name, no proxy."""
    name = request.host.rpartition(":")[0] or request.host
    own = _is_loopback(address()) and (name in {"localhost", "[::1]"} or _is_loopback(name))
    return own and not _by_proxy()


def _by_proxy() -> bool:
    """Whether a proxy has passed the request on: it says so, or speaks HTTP/1.0, as no browser does.

    nginx with nothing but `proxy_pass` adds no header, and speaks HTTP/1.0 unless it is told otherwise.
    """
    said = any(name in request.headers for name in PROXY_HEADERS)
    return said or request.environ.get("SERVER_PROTOCOL") == "HTTP/1.0"


def _is_loopback(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False
