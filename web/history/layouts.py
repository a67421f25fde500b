"""The layouts of score sheets on paper."""

from station.contract.paper import Layout
from station.features.listed import FEATURES

LAYOUTS = {
    "normal": Layout(columns=6),
    "large": Layout(columns=2, row_mm=14, least_mm=11, label_mm=92, column_mm=44, size_pt=20),
    "many": Layout(columns=12, landscape=True),
    **{name: each for feature in FEATURES for name, each in feature.layouts.items()},
}
"""By the names that `/sheet.pdf` takes; their words stand under `html/paper/`."""
