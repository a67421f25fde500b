"""Seats that no person plays."""

WORDS = ("(?i:computer)",)
