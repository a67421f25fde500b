"""Calibration over HTTP, and its page."""
