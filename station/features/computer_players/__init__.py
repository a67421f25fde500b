"""Seats that no person plays."""
