"""Messages for people as keys with values, the errors, and atomic file writing."""

from pathlib import Path

FONTS = Path(__file__).parent / "fonts"
"""The folder of the typefaces of paper and display."""
