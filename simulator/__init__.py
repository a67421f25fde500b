"""The simulated tray: a drawn tray, dice and hand, filmed by a drawn camera.

It ships in the product as the demo, as the test bench of the reader and as the source of recorded
frames. Only tests and `yacht record` may ask it for the faces it draws.
"""

from simulator.geometry import CameraView
from simulator.scene import Scene, SceneLight, SceneSensor, SceneTray
from simulator.simulated_tray import SimulatedTray

__all__ = [
    "CameraView",
    "Scene",
    "SceneLight",
    "SceneSensor",
    "SceneTray",
    "SimulatedTray",
]
