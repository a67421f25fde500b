"""Imported once by the fork server: what `yacht run` imports, and the empty trays of most tests."""

import gc
import tempfile
from pathlib import Path

import station.commands.run  # noqa: F401 - what `yacht run` imports later
from station.app import Station  # noqa: F401 - the same
from station.camera.opened_camera import OpenedCamera
from station.config import load_settings
from tests.shortcuts.kept_trays import keep_trays
from vision.threads import use_threads

SEEDS = (1, 7)
"""Of tests/process and tests/e2e. A station with another seed draws its tray itself."""

use_threads(1)  # none may be running at a fork
keep_trays(setattr)
with tempfile.TemporaryDirectory() as folder:
    file = Path(folder, "station.toml")
    for seed in SEEDS:
        file.write_text(f"[simulated]\nseed = {seed}\n", encoding="utf-8")
        with OpenedCamera(load_settings(file, camera="simulated", data=Path(folder))).camera:
            pass
gc.collect()
gc.freeze()
