"""The camera of the settings: a real one, or the simulated tray."""

import random
from collections.abc import Sequence

from simulator import SimulatedTray
from vision.cameras.real_camera_factory import open_real_camera
from vision.cameras.wanted import AS_IT_COMES, Wanted
from vision.frame import Camera


def open_camera(
    spec: str,
    *,
    rng: random.Random | None = None,
    dice: int = 5,
    fps: float = 15.0,
    paced: bool = False,
    controls: Sequence[tuple[str, float]] = (),
    wanted: Wanted = AS_IT_COMES,
) -> Camera:
    """The camera that `spec` names, as `open_real_camera` says; not started yet.

    rng, dice: for the simulated tray. fps: of the simulated tray and of a folder of stills.
    """
    return open_real_camera(
        spec,
        simulated=lambda: SimulatedTray(rng, dice=dice, fps=fps),
        fps=fps,
        paced=paced,
        controls=controls,
        wanted=wanted,
    )
