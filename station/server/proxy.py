"""A proxy that the settings name: the station goes by those for whom it asks, where they can be believed."""

import ipaddress
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from station.config.proxy_settings import ProxySettings

PASSED = "yacht.passed"
"""Key in the WSGI environment for the `Passed` of a request that came through such a proxy."""
FOR, PROTO, HOST = "X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host"
ADDED = ("X_FORWARDED_FOR", "FORWARDED", "X_REAL_IP", "VIA")
"""Headers that a proxy adds to requests."""


@dataclass(frozen=True, slots=True)
class Passed:
    """The way of a request. by: the addresses of the proxies, the nearest first.

    known: whether they say for whom. missing: headers of the settings that are not there, or say nothing; not
    where it may be a browser on the proxy's machine, which asks directly.
    """

    by: tuple[str, ...]
    known: bool
    missing: tuple[str, ...]


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


def is_address(text: str) -> bool:
    """Whether it is one, IPv4 or IPv6."""
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True


def is_passed_on(environ: Mapping[str, Any]) -> bool:
    """Whether a proxy has forwarded the request: it added a header, or speaks HTTP/1.0, as no browser does.

    nginx with nothing but `proxy_pass` adds no header, and speaks HTTP/1.0 by default.
    """
    has_header = any(f"HTTP_{name}" in environ for name in ADDED)
    return has_header or environ.get("SERVER_PROTOCOL") == "HTTP/1.0"


def _by_another_port(environ: Mapping[str, Any]) -> bool:
    """Whether the browser sent the request to another port than the station's."""
    port = environ.get("HTTP_HOST", "").rpartition("]")[2].partition(":")[2] or "80"
    return bool(environ["wsgi.url_scheme"] == "http" and port != environ.get("SERVER_PORT"))


class Proxies:
    """The proxies of the settings."""

    def __init__(self, settings: ProxySettings) -> None:
        self._networks = tuple(ipaddress.ip_network(each) for each in settings.addresses)
        self._headers: tuple[str, ...] = settings.headers

    def knows(self, address: str) -> bool:
        """Whether a proxy has that address."""
        return is_address(address) and any(ipaddress.ip_address(address) in each for each in self._networks)

    def way(self, peer: str, forwarded: str) -> tuple[str, ...]:
        """The addresses that a request passed, the nearest first, the screen's own last.

        forwarded: the header X-Forwarded-For, to which each proxy appends its sender's address. Entries
        before the last address that is not a known proxy may be forged.

        >>> ours = Proxies(ProxySettings(addresses=("127.0.0.1",)))
        >>> ours.way("127.0.0.1", "10.9.9.9, 192.168.1.30"), ours.way("192.168.1.30", "127.0.0.1")
        (('127.0.0.1', '192.168.1.30'), ('192.168.1.30',))
        """
        found = [plain(peer)]
        forwarded_by = [each.strip() for each in forwarded.split(",")] if FOR in self._headers else []
        while forwarded_by and self.knows(found[-1]) and is_address(forwarded_by[-1]):
            found.append(plain(forwarded_by.pop()))
        return tuple(found)

    def screen(self, peer: str, headers: Mapping[str, str]) -> str:
        """The address of the screen. headers: as waitress has them, such as "X_FORWARDED_FOR"."""
        return self.way(peer, headers.get("X_FORWARDED_FOR", ""))[-1]

    def before(self, application: Any) -> Any:
        """The application behind the proxies: it sees the screen's address and the host name it requested."""

        def application_behind(environ: dict[str, Any], start: Callable[..., Any]) -> Any:
            peer = plain(environ.get("REMOTE_ADDR", ""))
            if self.knows(peer):
                self._put_right(environ, peer)
            return application(environ, start)

        return application_behind if self._networks else application

    def _put_right(self, environ: dict[str, Any], peer: str) -> None:
        """Take the last entry of each header: that of the nearest proxy."""
        headers = {name: environ.get(f"HTTP_{name.upper().replace('-', '_')}", "") for name in self._headers}
        way = self.way(peer, headers.get(FOR, ""))
        last = {name: value.rpartition(",")[2].strip() for name, value in headers.items()}
        known, scheme = len(way) > 1, last.get(PROTO, "").lower()
        good = {FOR: known, PROTO: scheme in {"http", "https"}}
        sure = is_passed_on(environ) or _by_another_port(environ)
        missing = tuple(name for name in self._headers if sure and not good.get(name, last[name]))
        environ[PASSED] = Passed(way[:-1] or way, known, missing)
        environ["REMOTE_ADDR"] = way[-1]
        if good[PROTO]:
            environ["wsgi.url_scheme"] = scheme
        if last.get(HOST):
            environ["HTTP_HOST"] = last[HOST]
