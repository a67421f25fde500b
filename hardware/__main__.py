"""Draws the pictures and fills in the tables of the docs that follow from the code: `python -m hardware`."""

import sys

from hardware.pages import write

sys.exit(write())
