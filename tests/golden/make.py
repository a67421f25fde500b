"""Makes the golden frames anew: `python -m tests.golden.make`. They are drawn, so anyone can.

Two recordings of throws (as `yacht record` writes them) and a still of every hard case. They are kept
because drawing may change: what was once read must still be read.
"""

import random
import shutil
from pathlib import Path

import cv2

from simulator import CameraView, Scene, SceneLight, SceneTray
from simulator.cases import CASES, example
from simulator.recordings import record_examples, record_throws
from simulator.scene import Material
from simulator.styles import STYLES
from vision.cameras.recording import Recorder

FOLDER = Path(__file__).parent
QUALITY = 76
SMALL = CameraView(size_wh=(640, 360), focal_px=575)
WITHOUT = frozenset({"12 megapixels", "1080p"})
"""Their pictures would be larger than all others together."""
SEED = 1938


def make(folder: Path) -> None:
    """Write throws-white, throws-mixed and stills into the folder; what stands there goes."""
    cv2.setNumThreads(1)
    for name in ("throws-white", "throws-mixed", "stills"):
        shutil.rmtree(folder / name, ignore_errors=True)
    with Recorder(folder / "throws-white", quality=QUALITY) as recorder:
        record_throws(recorder, random.Random(SEED), 2, scene=Scene(view=SMALL, seed=1), rest_s=0.6)
    leather = SceneTray(material=Material.LEATHER, floor=(74, 44, 28), half_mm=(130.0, 95.0), corner_mm=40)
    evening = SceneLight(lamp_mm=(300.0, 500.0, 600.0), warmth=0.5, lamp=0.6, room=0.35)
    looks = [STYLES[name] for name in ("ivory", "red", "black", "green clear", "yellow")]
    with Recorder(folder / "throws-mixed", quality=QUALITY) as recorder:
        scene = Scene(view=SMALL, tray=leather, light=evening, seed=2)
        record_throws(recorder, random.Random(SEED + 1), 2, styles=looks, scene=scene, rest_s=0.6)
    with Recorder(folder / "stills", quality=QUALITY) as recorder:
        names = [name for name in CASES if name not in WITHOUT]
        record_examples(recorder, lambda name, _: example(name, SEED), names, 1)


if __name__ == "__main__":
    make(FOLDER)
