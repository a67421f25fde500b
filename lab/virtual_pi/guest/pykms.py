"""Stands in for the Pi's display library: picamera2 imports it for a preview nobody opens here."""


class _AnyName(type):
    """Has every attribute."""

    def __getattr__(cls, name: str) -> str:
        return name


class PixelFormat(metaclass=_AnyName):
    """Names of formats, as many as are asked for."""
