"""Advice ready for use: value tables, hints, chances to win, and the lamps that show them."""
