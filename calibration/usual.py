"""What is assumed of dice and their tray where nothing else was set or measured."""

USUAL_DIE_MM = 16.0
"""Edge of a die."""
MARGIN_MM = 15.0
"""What is to be seen around the tray, for a camera not hung to the millimetre; a third will do."""
