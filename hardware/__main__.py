"""Draws every picture and fills in every table of docs/build.md: `python -m hardware`."""

import sys

from hardware.pages import write

sys.exit(write())
