"""Assumptions about dice and tray where nothing else was set or measured."""

USUAL_DIE_MM = 16.0
"""Edge of a die."""
MARGIN_MM = 15.0
"""Margin to be seen around the tray, for a camera not hung to the millimetre; a third is enough."""
