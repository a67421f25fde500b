"""From where a request comes."""

import ipaddress

from flask import request

from station.server.proxy import PASSED, Passed, is_passed_on, plain


def address() -> str:
    """The address of the screen of this request."""
    return plain(request.remote_addr or "")


def trusted_by_browsers() -> bool:
    """Whether browsers take the origin for a secure one: https, or a name of this machine itself."""
    name = request.host.rpartition(":")[0] or request.host
    return request.is_secure or name == "localhost" or _is_loopback(name.strip("[]"))


def passed() -> Passed | None:
    """How a proxy of the settings passed the request on; None where none of them did."""
    found: Passed | None = request.environ.get(PASSED)
    return found


def beside() -> bool:
    """Whether the request is from this machine itself: its own address, by its own name.

    A proxy of the settings has to run here, too, and to send a request of this machine; no other may.
    """
    name = request.host.rpartition(":")[0] or request.host
    own = _is_loopback(address()) and (name in {"localhost", "[::1]"} or _is_loopback(name))
    way = passed()
    if way is None:
        return own and not is_passed_on(request.environ)
    return own and way.known and all(map(_is_loopback, way.by))


def _is_loopback(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False
