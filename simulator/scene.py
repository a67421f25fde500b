"""What can be drawn: dice, tray, light, sensor, and the scene they make together."""

from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np

from calibration.usual import USUAL_DIE_MM
from simulator.geometry import CameraView, Doubles, face_up, resting_height, tilt_deg, upper_face
from vision.reading import Colour

Rgb = tuple[int, int, int]
"""A colour as people write it: red, green, blue, 0-255, gamma-coded."""


@dataclass(frozen=True, slots=True)
class DieStyle:
    """How a die is made. Lengths are fractions of half the edge.

    body, pips, one_pip: colours. colour: the word for the body. rounding: radius of the edges.
    ball: radius of the sphere that cuts the corners off (None: none). pip_radius, pip_offset: size of a
    pip and how far it is from the middle. pip_depth: 0 printed, 1 a half sphere. big_one: the one
    is drawn larger by this factor. gloss: 0 dull - 1 polished. clearness: 0 solid - 1 glass.
    marbled: 0-1 pearl or wood grain. second: another colour swirled into the body (two-tone dice).
    two_way, three_way, six_way: which of the two directions these faces have.
    """

    body: Rgb = (238, 238, 234)
    pips: Rgb = (22, 22, 24)
    colour: Colour = Colour.WHITE
    one_pip: Rgb | None = None
    four_pip: Rgb | None = None
    big_one: float = 1.0
    rounding: float = 0.16
    ball: float | None = None
    pip_radius: float = 0.19
    pip_offset: float = 0.52
    pip_depth: float = 0.45
    gloss: float = 0.5
    clearness: float = 0.0
    marbled: float = 0.0
    second: Rgb | None = None
    two_way: bool = False
    three_way: bool = False
    six_way: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class SceneDie:
    """A die in the world.

    position_mm: of its middle. rotation: die to world, (3, 3). stacked: on top of another die.
    """

    style: DieStyle
    edge_mm: float
    position_mm: tuple[float, float, float]
    rotation: Doubles = field(default_factory=lambda: np.eye(3))
    stacked: bool = False

    @property
    def face(self) -> int:
        """The face that is nearest to up, 1-6."""
        return upper_face(self.rotation)

    @property
    def tilt_deg(self) -> float:
        """How far it is from lying flat."""
        return tilt_deg(self.rotation)

    @property
    def corners_mm(self) -> Doubles:
        """Its eight corners in the world as if they were sharp, (8, 3)."""
        half = self.edge_mm / 2
        cube = np.array([[x, y, z] for x in (-half, half) for y in (-half, half) for z in (-half, half)])
        return np.asarray(cube @ self.rotation.T + np.array(self.position_mm), np.float64)


def lying(
    style: DieStyle, face: int, at_mm: tuple[float, float], yaw: float, edge_mm: float = USUAL_DIE_MM
) -> SceneDie:
    """A die that lies flat on the floor with `face` up."""
    rotation = face_up(face, yaw)
    return SceneDie(style, edge_mm, (*at_mm, resting_height(rotation, edge_mm)), rotation)


class Material(StrEnum):
    """What a tray's floor, a rim or a table is made of."""

    FELT = "felt"
    LEATHER = "leather"
    WOOD = "wood"
    CARDBOARD = "cardboard"
    PLASTIC = "plastic"
    CLOTH = "cloth"
    PAPER = "paper"


@dataclass(frozen=True, slots=True)
class SceneTray:
    """A tray: a floor with a rim on a table.

    half_mm: half of the inner width and depth. corner_mm: radius of its corners (both halves: round).
    rim_mm: width and height of the rim; height 0 is a mat. second: the other colour of a print.
    """

    material: Material = Material.FELT
    floor: Rgb = (38, 94, 62)
    second: Rgb = (235, 228, 210)
    half_mm: tuple[float, float] = (140.0, 100.0)
    corner_mm: float = 18.0
    rim_mm: tuple[float, float] = (11.0, 22.0)
    rim: Rgb = (104, 66, 38)
    rim_material: Material = Material.WOOD
    table: Rgb = (168, 142, 112)
    table_material: Material = Material.WOOD


@dataclass(frozen=True, slots=True)
class SceneLight:
    """A lamp and the rest of the room.

    lamp_mm: where the lamp hangs. size_mm: its diameter (small: hard shadows). lamp, room: strength at
    the tray's middle; 1 in all is well exposed. warmth: 0 daylight - 1 candle. shades: strips of shadow
    cast by things outside the picture: (x, y, direction in degrees, darkness 0-1), mm.
    """

    lamp_mm: tuple[float, float, float] = (-480.0, 430.0, 760.0)
    size_mm: float = 200.0
    lamp: float = 0.62
    room: float = 0.42
    warmth: float = 0.15
    shades: tuple[tuple[float, float, float, float], ...] = ()


@dataclass(frozen=True, slots=True)
class SceneSensor:
    """What lens and sensor do to the picture.

    exposure: 1 is right. blur_px: sigma of the lens's softness. noise: 1 is a cheap webcam in a lit room.
    vignette: loss of light in the corners, 0-1. jpeg: quality 1-100, or None for none. shake_px: length
    and direction (degrees) of the smear of a moved camera.
    """

    exposure: float = 1.0
    blur_px: float = 0.7
    noise: float = 0.6
    vignette: float = 0.18
    jpeg: int | None = None
    shake_px: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Thing:
    """An object that is no die. kind: a name in simulator.things; size_mm: its length.

    lift_mm, lean: of what is held into the picture: height of its middle over the floor, and how far it is
    turned about its own x and y axis, radians.
    """

    kind: str
    at_mm: tuple[float, float]
    yaw: float = 0.0
    size_mm: float = 24.0
    seed: int = 0
    lift_mm: float = 0.0
    lean: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class SceneHand:
    """A hand over the tray. at_mm: middle of the palm; yaw: direction of the fingers, radians, 0 = +x."""

    at_mm: tuple[float, float]
    yaw: float = 1.57
    open: bool = True
    skin: Rgb = (214, 164, 134)
    height_mm: float = 55.0


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """Everything there is to draw. seed: of the grain of materials and of the sensor's noise."""

    dice: tuple[SceneDie, ...] = ()
    view: CameraView = field(default_factory=CameraView)
    tray: SceneTray = SceneTray()
    light: SceneLight = SceneLight()
    sensor: SceneSensor = SceneSensor()
    things: tuple[Thing, ...] = ()
    hand: SceneHand | None = None
    seed: int = 0
