"""See the package."""


class PICAM2DNG:
    """Never made."""
