"""What is taken for granted of dice and their tray where nobody has said or measured anything else."""

USUAL_DIE_MM = 16.0
"""Edge of a die."""
MARGIN_MM = 15.0
"""What is to be seen around the tray, for a camera not hung to the millimetre; a third will do."""
