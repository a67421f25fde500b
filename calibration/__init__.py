"""Calibration of one camera over one tray: the profile and how it is made."""
