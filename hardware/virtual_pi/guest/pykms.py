"""Stands in for the Pi's display library: picamera2 imports it for a preview nobody opens here."""


class PixelFormat:
    """Names only."""

    RGB888 = BGR888 = YUV420 = YVU420 = XRGB8888 = XBGR8888 = None
