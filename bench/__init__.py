"""Benchmarks: they print, tests assert."""

import os

# As many threads as a station takes (station/resources.py), before a section loads numpy.
os.environ.setdefault("OMP_NUM_THREADS", "1")
