"""The ground floor: what is told to people, as keys with values, its errors, and files written whole."""

from pathlib import Path

FONTS = Path(__file__).parent / "fonts"
"""The folder of the typefaces of paper and display."""
