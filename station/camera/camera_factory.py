"""The camera of the settings: a real one, or the simulated tray."""

import random
from functools import partial

from calibration.profile import Profile
from messages.errors import BadInputError
from simulator import SimulatedTray, lawn
from simulator.scene import DieStyle
from simulator.styles import STYLES
from station.config import Config, Picture
from vision.cameras.live import LiveCamera
from vision.cameras.real_camera_factory import open_real_camera
from vision.cameras.sensors import Size
from vision.cameras.wanted import AS_IT_COMES, Wanted
from vision.frame import Camera


def open_camera(
    spec: str,
    *,
    rng: random.Random | None = None,
    dice: int = 5,
    paced: bool = False,
    wanted: Wanted = AS_IT_COMES,
) -> Camera:
    """The camera that `spec` names, as `open_real_camera` says; not started yet.

    rng, dice: for the simulated tray.
    """
    drawn = partial(SimulatedTray, rng, dice=dice)
    return open_real_camera(spec, simulated=drawn, paced=paced, wanted=wanted)


def find_camera(config: Config, wanted: Wanted, profile: Profile | None = None) -> Camera:
    """The camera of the settings, not started; it holds what calibration had it hold.

    wanted: what is to be made of its picture.

    Raises BadInputError for one there cannot be.
    """
    rng = random.Random(config.simulated.seed)  # noqa: S311 - dice of a game, no secrets
    camera = open_camera(config.camera, rng=rng, paced=True, wanted=wanted)
    if isinstance(camera, LiveCamera) and profile is not None:
        camera.keep(profile.controls_of(camera.name))
    if not isinstance(camera, SimulatedTray):
        return camera
    told = config.simulated
    drawn = partial(
        SimulatedTray, rng, styles=_looks(config), size_wh=wanted.taken_wh, fps=told.fps, pace=told.pace
    )
    if told.scale == "table":
        return drawn()
    return drawn(edge_mm=lawn.EDGE_MM, scene=lawn.lawn(rng.randrange(2**31)))


def wanted_of(picture: Picture, usual_wh: Size | None = None) -> Wanted:
    """The settings of the picture, as cameras take them. usual_wh: see `Wanted`."""
    return Wanted(
        size_wh=picture.size,
        usual_wh=usual_wh,
        fps=picture.fps,
        rotation=picture.rotation,
        mirrored=picture.mirrored,
        flicker_hz=picture.flicker_hz,
        hdr=picture.hdr,
        short_exposure=picture.exposure == "short",
        exposure_ms=picture.exposure_ms,
        number=picture.number,
    )


def _looks(config: Config) -> tuple[DieStyle, ...]:
    """How the simulated dice look. Raises BadInputError for dice nobody owns."""
    for name in config.simulated.dice:
        if name not in STYLES:
            raise BadInputError("config/no-dice", code="config/bad", name=name, known=tuple(STYLES))
    return tuple(STYLES[name] for name in config.simulated.dice)
