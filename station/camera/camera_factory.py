"""The camera of the settings: a real one, or the simulated tray."""

import random
from collections.abc import Callable
from functools import partial

from calibration.profile import CalibrationProfile
from messages.errors import BadInputError, CameraError
from simulator import SimulatedTray, lawn
from simulator.scene import DieStyle
from simulator.styles import STYLES
from station.config import Config, Picture
from vision.cameras.live import LiveCamera
from vision.cameras.real_camera_factory import open_real_camera
from vision.cameras.sensors import Size
from vision.cameras.wanted import AS_IT_COMES, CaptureSettings
from vision.frame import Camera, Frame


class AwaitedCamera(Camera):
    """One that this machine has not: it is looked for again at each start, which says what is wrong.

    find: opens it, or raises BadInputError.
    """

    def __init__(self, name: str, find: Callable[[], Camera]) -> None:
        self._name, self._find = name, find
        self._found: Camera | None = None

    @property
    def name(self) -> str:
        """As the settings have it, until it is found."""
        return self._name if self._found is None else self._found.name

    def start(self) -> None:
        """Look for it, and open it."""
        if self._found is None:
            try:
                self._found = self._find()
            except BadInputError as error:
                raise CameraError(error.message) from error
        self._found.start()

    def read(self, timeout_s: float = 1.0) -> Frame | None:
        """As the camera that was found does."""
        assert self._found is not None  # noqa: S101 - it was started
        return self._found.read(timeout_s)

    def stop(self) -> None:
        """Release it, if it was found."""
        if self._found is not None:
            self._found.stop()


def open_camera(
    spec: str,
    *,
    rng: random.Random | None = None,
    dice: int = 5,
    paced: bool = False,
    wanted: CaptureSettings = AS_IT_COMES,
) -> Camera:
    """The camera that `spec` names, as `open_real_camera` says; not started yet.

    rng, dice: for the simulated tray.
    """
    drawn = partial(SimulatedTray, rng, dice=dice)
    return open_real_camera(spec, simulated=drawn, paced=paced, wanted=wanted)


def find_camera(
    config: Config,
    wanted: CaptureSettings,
    profile: CalibrationProfile | None = None,
    *,
    insisted: bool = True,
) -> Camera:
    """The camera of the settings, not started; it holds what calibration had it hold.

    wanted: what is to be made of its picture. insisted: whether somebody asks for just this camera now; one
    that only stands in the settings, which may be those of another machine, is waited for.

    Raises BadInputError for dice nobody owns, and for a camera there cannot be where somebody insisted on it.
    """
    rng = random.Random(config.simulated.seed)  # noqa: S311 - dice of a game, no secrets
    looks = _looks(config)
    find = partial(open_camera, config.camera, rng=rng, paced=True, wanted=wanted)
    try:
        camera = find()
    except BadInputError:
        if insisted:
            raise
        return AwaitedCamera(config.camera, find)
    if isinstance(camera, LiveCamera) and profile is not None:
        camera.keep(profile.controls_of(camera.name))
    if not isinstance(camera, SimulatedTray):
        return camera
    settings = config.simulated
    drawn = partial(
        SimulatedTray, rng, styles=looks, size_wh=wanted.taken_wh, fps=settings.fps, pace=settings.pace
    )
    if settings.scale == "table":
        return drawn()
    return drawn(edge_mm=lawn.EDGE_MM, scene=lawn.lawn(rng.randrange(2**31)))


def wanted_of(picture: Picture, usual_wh: Size | None = None) -> CaptureSettings:
    """The settings of the picture, as cameras take them. usual_wh: see `CaptureSettings`."""
    return CaptureSettings(
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
    """The styles of the simulated dice. Raises BadInputError for dice nobody owns."""
    for name in config.simulated.dice:
        if name not in STYLES:
            raise BadInputError("config/no-dice", code="config/bad", name=name, known=tuple(STYLES))
    return tuple(STYLES[name] for name in config.simulated.dice)
