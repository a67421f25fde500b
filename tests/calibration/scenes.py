"""Pictures with known truth: trays with markers, boards through known lenses."""

import dataclasses
import random
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens import Lens
from calibration.profile import CalibrationProfile
from calibration.target import BOARD
from calibration.tray_geometry import carried
from simulator import CameraView, Scene, SceneLight, SceneSensor, SceneTray
from simulator.draw import draw
from simulator.scene import Material, SceneDie, Thing
from simulator.things import corner_markers

Image = NDArray[np.uint8]
HD = (1280, 720)


@dataclass(frozen=True)
class Station:
    """A camera over a tray. markers: with the four printed markers laid out."""

    scene: Scene

    @property
    def corners_px(self) -> NDArray[np.float64]:
        """Where the corners of the floor really are, clockwise from the top left."""
        x, y = self.scene.tray.half_mm
        return self.scene.view.project([(-x, y, 0.0), (x, y, 0.0), (x, -y, 0.0), (-x, -y, 0.0)])

    def grid(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Points all over the floor: mm (x right, y down), and their pixels."""
        x, y = self.scene.tray.half_mm
        world = np.array([(a, b, 0.0) for a in np.linspace(-x, x, 9) for b in np.linspace(-y, y, 7)])
        return world[:, :2] * [1.0, -1.0], self.scene.view.project(world)

    @property
    def mm_per_px(self) -> float:
        """On the floor, in the middle."""
        spots = self.scene.view.project([(0, 0, 0), (1, 0, 0), (0, 1, 0)])
        return 1 / float(np.sqrt(abs(np.linalg.det(spots[1:] - spots[0]))))

    def picture(
        self, *, dice: tuple[SceneDie, ...] = (), things: tuple[Thing, ...] = (), markers: bool = False
    ) -> Image:
        """What the camera sees."""
        laid = (*things, *(corner_markers(self.scene.tray) if markers else ()))
        return _drawn(self.scene, dice, laid)


@lru_cache(maxsize=32)
def _drawn(scene: Scene, dice: tuple[SceneDie, ...], things: tuple[Thing, ...]) -> Image:
    """Drawn once, read only: many tests look at the same picture."""
    image = draw(dataclasses.replace(scene, dice=dice, things=things)).image
    image.setflags(write=False)
    return image


@lru_cache(maxsize=32)
def station(seed: int, *, size_wh: tuple[int, int] | None = None) -> Station:
    """A camera anywhere from 25 to 80 cm, tilted up to 35 degrees, with a lens that bends either way."""
    rng = random.Random(seed)
    size = size_wh or rng.choice(((1280, 720), (1280, 960), (1920, 1080)))
    height, focal = rng.uniform(250, 800), size[0] * rng.uniform(0.7, 1.1)
    view = CameraView(
        size, focal, height, rng.uniform(0, 35), rng.gauss(0, 3), (0, 0), rng.uniform(-0.12, 0.08)
    )
    half = (0.32 * height / focal * size[0], 0.32 * height / focal * size[1])
    tray = SceneTray(material=rng.choice(list(Material)), half_mm=half, corner_mm=1.0, rim_mm=(8.0, 12.0))
    lamp = (rng.uniform(-500, 500), rng.uniform(300, 600), rng.uniform(500, 900))
    sensor = SceneSensor(
        noise=rng.uniform(0.2, 1.0), blur_px=rng.uniform(0.5, 0.9), jpeg=rng.choice((None, 85))
    )
    return Station(Scene((), view, tray, SceneLight(lamp_mm=lamp), sensor, seed=seed))


def board_view(
    lens: Lens, turn: tuple[float, float, float], place: tuple[float, float, float], seed: int = 0
) -> Image:
    """The lens board through a lens: turn (Rodrigues), place of its top left corner in mm before the lens."""
    scale = 8.0
    width, height = (round(side * scale) for side in BOARD.size_mm)
    margin = round(8 * scale)
    flat = BOARD.opencv().generateImage((width, height))
    flat = cv2.copyMakeBorder(flat, margin, margin, margin, margin, cv2.BORDER_CONSTANT, value=(255,))
    ideal = _ideal(lens)
    rays = np.column_stack([ideal, np.ones(len(ideal))]) @ np.linalg.inv(lens.matrix).T
    rotation, _ = cv2.Rodrigues(np.array(turn))
    normal = rotation[:, 2]
    share = (normal @ np.array(place)) / (rays @ normal)
    on_board = (rays * share[:, None] - place) @ rotation
    spot = (on_board[:, :2] * scale + margin - 0.5).astype(np.float32)
    spot[share <= 0] = -9999
    mapped = spot.reshape(lens.size_wh[1], lens.size_wh[0], 2)
    light = (cv2.GaussianBlur(flat, (0, 0), 2.0) / 255.0).astype(np.float32)
    seen = cv2.remap(light, mapped[..., 0], mapped[..., 1], cv2.INTER_LINEAR, borderValue=(0.35,))
    seen = cv2.GaussianBlur(seen, (0, 0), 0.7) * 200 + 25
    noisy = seen + np.random.default_rng(seed).normal(0, 2, seen.shape)
    return np.asarray(cv2.cvtColor(np.clip(noisy, 0, 255).astype(np.uint8), cv2.COLOR_GRAY2BGR), np.uint8)


def _ideal(lens: Lens) -> NDArray[np.float64]:
    """Where every pixel (row by row) would be through a straight lens; linear between some."""
    step, (width, height) = 4, lens.size_wh
    x, y = np.meshgrid(np.arange(0, width + step, step), np.arange(0, height + step, step))
    coarse = lens.straightened(np.column_stack([x.ravel(), y.ravel()])).reshape(*x.shape, 2)
    along, down = np.arange(width) / step, np.arange(height) / step
    left, top = along.astype(int), down.astype(int)
    share, fall = (along - left)[None, :, None], (down - top)[:, None, None]
    across = coarse[:, left] * (1 - share) + coarse[:, left + 1] * share
    return np.asarray(across[top] * (1 - fall) + across[top + 1] * fall).reshape(-1, 2)


def on_floor(profile: CalibrationProfile, pixels: NDArray[np.float64]) -> NDArray[np.float64]:
    """Picture pixels (n, 2) of points on the floor -> mm in the tray (n, 2), by the profile's homography."""
    straight = pixels if profile.lens is None else profile.lens.straightened(pixels)
    return carried(np.reshape(profile.to_mm or (), (3, 3)), straight)
