"""Boxes that are announced after the first throw of a turn."""
