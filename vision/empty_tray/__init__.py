"""The tray as it was when empty, and what a profile tells of a picture."""
