"""Stands in for PiDNG, which has no wheel: picamera2 imports it for raw pictures nobody takes here."""
