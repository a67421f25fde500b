"""Dice of 10 cm on a lawn, seen from 2.5 m: the simulated tray at that scale.

All lengths are those of a table's tray, drawn out as the dice are; what hands do stays a hand's.
"""

from calibration.usual import USUAL_DIE_MM
from simulator.geometry import CameraView
from simulator.scene import Material, Scene, SceneLight, SceneTray

EDGE_MM = 100.0
HEIGHT_MM = 2500.0
HALF_MM = (830.0, 590.0)
"""Half of the frame that lies on the grass."""
_TABLE = SceneLight()
_LARGER = EDGE_MM / USUAL_DIE_MM


def lawn(seed: int) -> Scene:
    """A frame on the grass under one lamp, without dice. seed: of grain and structure."""
    x, y, z = _TABLE.lamp_mm
    return Scene(
        view=CameraView(height_mm=HEIGHT_MM),
        tray=SceneTray(
            material=Material.FELT,
            floor=(70, 112, 58),
            half_mm=HALF_MM,
            corner_mm=110.0,
            rim_mm=(60.0, 60.0),
            table=(84, 120, 60),
            table_material=Material.CLOTH,
        ),
        light=SceneLight(lamp_mm=(x * _LARGER, y * _LARGER, z * _LARGER), size_mm=_TABLE.size_mm * _LARGER),
        seed=seed,
    )
