"""The height of the camera above the tray, and its field of view from there.

A camera is a pinhole here: at the distance d it sees 2 d tan(angle / 2) in each direction. That holds
for a camera that looks straight down through a lens that draws straight lines; a fish-eye sees a little
more at the rim.
"""

import math
from dataclasses import dataclass

from calibration.usual import MARGIN_MM, USUAL_DIE_MM
from messages.errors import BadInputError
from messages.message import Message
from vision.cameras.sensors import PICTURE_WH, SENSORS, whole_crop

_HEIGHT_MAX_MM = 5_000
DIE_PX_MIN = 30
"""Edge of a die's top in the picture below which pips are only a few pixels wide (a pip is about a fifth)."""
CARD_MM = 85.60
"""Long side of a bank card (ISO/IEC 7810, ID-1)."""
RULER_MM, LAID_MM = 300.0, 30.0
"""A usual ruler, and how much of either end is on a stack of books."""
LEAN_MAX_DEG = 35.0
"""Beyond this angle a die shows the camera more than two thirds as much of its side as of its top."""


@dataclass(frozen=True, slots=True)
class CameraOptics:
    """The field of view of a camera. Angles in degrees; `near_mm` is its closest focus."""

    id: str
    title: str
    across_deg: float
    along_deg: float
    near_mm: float
    source: str

    def __post_init__(self) -> None:
        if not (0 < self.along_deg < 170 and 0 < self.across_deg < 170):  # noqa: PLR2004 - a pinhole's limit
            raise BadInputError("camera/mounting/angles")


@dataclass(frozen=True, slots=True)
class CameraPlacement:
    """A camera above the middle of the tray, looking down.

    height_mm: lens above the tray's floor. seen_mm: what it sees of the floor, long side first.
    die_px: edge of a die's top in the picture. lean_deg: how far a die in the corner is seen from the side.
    """

    height_mm: float
    seen_mm: tuple[float, float]
    die_px: float
    lean_deg: float


@dataclass(frozen=True, slots=True)
class BookStand:
    """Two stacks of books with rulers across, and the phone on top.

    height_mm: of the stacks, lens above the tray's floor. apart_mm: between them; nearer they are seen.
    """

    across_deg: float
    along_deg: float
    height_mm: float
    apart_mm: float
    messages: tuple[Message, ...]


LENSES = (
    # A picture of 16:9 does not show all that a sensor of 4:3 sees.
    *(
        CameraOptics(
            sensor.lens_id,
            sensor.title,
            *sensor.field_deg(whole_crop(sensor.native_wh, PICTURE_WH)),
            sensor.near_mm,
            sensor.lens_source,
        )
        for sensor in SENSORS
    ),
    CameraOptics("usb-78", "USB camera with 78° on its box", 70.4, 43.3, 100, "78° corner to corner, 16:9"),
    CameraOptics("usb-60", "USB camera with 60° on its box", 53.4, 31.6, 300, "60° corner to corner, 16:9"),
)


def lens(lens_id: str) -> CameraOptics:
    """The lens of that id.

    Raises BadInputError naming those there are.

    >>> round(lens("pi3").across_deg, 1)
    66.0
    """
    for each in LENSES:
        if each.id == lens_id:
            return each
    raise BadInputError("camera/mounting/no_lens", lens=lens_id, lenses=tuple(each.id for each in LENSES))


def measured(share: float, ratio: float, *, length_mm: float, from_mm: float) -> CameraOptics:
    """The optics of a camera by something of known length, which it shows as it looks straight down.

    share: of the picture's longer side that the length takes. ratio: shorter side of the picture to the
    longer one. from_mm: from the lens to the object. Raises BadInputError for what cannot be.

    A card that takes half of the picture from 13 cm away:

    >>> round(measured(0.5, 9 / 16, length_mm=CARD_MM, from_mm=130).across_deg, 1)
    66.7
    """
    if not (0 < share <= 1 and 0 < ratio <= 1 and length_mm > 0 and from_mm > 0):
        raise BadInputError("camera/mounting/measure")
    half = length_mm / share / 2 / from_mm
    across, along = (math.degrees(2 * math.atan(each)) for each in (half, half * ratio))
    return CameraOptics("own", "phone", across, along, 0, "measured")


def book_stand(
    phone: CameraOptics, tray_mm: tuple[float, float], *, die_mm: float = USUAL_DIE_MM
) -> BookStand:
    """The placement of a phone above a tray on books. Raises BadInputError as `height_mm`.

    The rulers lie across the shorter side of the picture, where the stacks can stand nearer to each other.

    >>> stand = book_stand(lens("pi3"), (240, 180))
    >>> stand.height_mm, stand.apart_mm
    (300, 230)
    """
    at_mm = math.ceil(height_mm(phone, tray_mm, die_mm=die_mm) / 10) * 10
    seen = place(phone, tray_mm, at_mm, die_mm=die_mm)
    apart_mm = math.ceil(seen.seen_mm[1] / 10) * 10
    messages = [Message("camera/mounting/books", height=at_mm // 10, apart=apart_mm // 10)]
    if apart_mm + 2 * LAID_MM > RULER_MM:
        messages.append(Message("camera/mounting/rod", length=round(apart_mm + 2 * LAID_MM) // 10))
    messages += warnings(phone, seen, tray_mm)
    return BookStand(phone.across_deg, phone.along_deg, at_mm, apart_mm, tuple(messages))


def height_mm(
    camera: CameraOptics,
    tray_mm: tuple[float, float],
    *,
    die_mm: float = USUAL_DIE_MM,
    margin_mm: float = MARGIN_MM,
) -> float:
    """The lowest height of the lens above the floor from which every die in the tray is seen whole.

    tray_mm: its inside, in any order; the longer side is along the longer side of the picture.
    margin_mm: seen around it, for a camera that is not hung to the millimetre.
    What counts is the tray as wide as it is at the top of a die, where the camera sees less of it.
    Raises BadInputError for sizes that cannot be.

    >>> round(height_mm(lens("pi3"), (240, 180)))
    297
    """
    long_mm, short_mm = _sides(tray_mm)
    if not (die_mm > 0 and margin_mm >= 0):
        raise BadInputError("camera/mounting/die_size")
    return die_mm + max(
        (long_mm / 2 + margin_mm) / math.tan(math.radians(camera.across_deg) / 2),
        (short_mm / 2 + margin_mm) / math.tan(math.radians(camera.along_deg) / 2),
    )


def place(
    camera: CameraOptics,
    tray_mm: tuple[float, float],
    at_mm: float,
    *,
    die_mm: float = USUAL_DIE_MM,
) -> CameraPlacement:
    """The field of view of a camera at that height. Raises BadInputError for an impossible height.

    >>> seen = place(lens("pi3"), (240, 180), 300)
    >>> round(seen.seen_mm[0]), round(seen.seen_mm[1]), round(seen.die_px), round(seen.lean_deg)
    (390, 224, 56, 26)
    """
    if not die_mm < at_mm <= _HEIGHT_MAX_MM:
        raise BadInputError("camera/mounting/height", least=f"{die_mm:g}", most=_HEIGHT_MAX_MM)
    long_mm, short_mm = _sides(tray_mm)
    across, along = (math.tan(math.radians(angle) / 2) for angle in (camera.across_deg, camera.along_deg))
    corner_mm = math.hypot(long_mm - die_mm, short_mm - die_mm) / 2
    return CameraPlacement(
        height_mm=at_mm,
        seen_mm=(2 * at_mm * across, 2 * at_mm * along),
        die_px=PICTURE_WH[0] * die_mm / (2 * (at_mm - die_mm) * across),
        lean_deg=math.degrees(math.atan(corner_mm / (at_mm - die_mm))),
    )


def warnings(
    camera: CameraOptics, seen: CameraPlacement, tray_mm: tuple[float, float]
) -> tuple[Message, ...]:
    """The faults of a placement, in words; empty for a good one."""
    long_mm, short_mm = _sides(tray_mm)
    found = []
    if seen.seen_mm[0] < long_mm or seen.seen_mm[1] < short_mm:
        found.append(Message("camera/mounting/higher"))
    if seen.height_mm < camera.near_mm:
        found.append(Message("camera/mounting/near", near=f"{camera.near_mm:g}"))
    if seen.die_px < DIE_PX_MIN:
        found.append(Message("camera/mounting/small", pixels=seen.die_px, least=DIE_PX_MIN))
    if seen.lean_deg > LEAN_MAX_DEG:
        found.append(Message("camera/mounting/lean", degrees=seen.lean_deg))
    return tuple(found)


def _sides(tray_mm: tuple[float, float]) -> tuple[float, float]:
    short_mm, long_mm = sorted(tray_mm)
    if not 0 < short_mm <= long_mm <= _HEIGHT_MAX_MM:
        raise BadInputError("camera/mounting/tray_size", most=_HEIGHT_MAX_MM)
    return long_mm, short_mm
