"""See the package."""


class Picamera2Camera:
    """Never made."""
