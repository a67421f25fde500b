"""What the sensors of Raspberry Pi's cameras deliver and what their lenses see, as data.

A sensor has modes: it reads out all of itself or only the middle, pixel by pixel or several as one. Given
only the size of the picture, picamera2 often takes a mode that sees the middle alone (its issues 167, 450,
558, 924 and 1233), so the mode is named. All crops are in pixels of the sensor read out whole.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

Size = tuple[int, int]

PICTURE_WH: Size = (1280, 720)
"""The size of the picture requested from a Pi camera."""
WHOLE = 0.97
"""A crop is not exact to the pixel, for colours come in pairs; less than this share is a part."""


class SensorMode(NamedTuple):
    """One way to read a sensor. size_wh: what comes out. crop_xywh: the part of the sensor it is made of."""

    size_wh: Size
    crop_xywh: tuple[int, int, int, int]
    fps: float
    bit_depth: int = 10

    @property
    def binning(self) -> int:
        """How many pixels in a row become one."""
        return round(self.crop_xywh[2] / self.size_wh[0])


class FieldOfView(NamedTuple):
    """What a camera really shows. share: of the width or height a picture of this shape could show, 0 to 1.

    across_deg, along_deg: angles of the picture; None where the lens is not known.
    """

    share: float
    across_deg: float | None = None
    along_deg: float | None = None

    @property
    def whole(self) -> bool:
        """Whether no mode would show more."""
        return self.share >= WHOLE


@dataclass(frozen=True, slots=True)
class Sensor:
    """A sensor with its lens.

    model: libcamera's name. lens_id: that of `yacht height`. native_wh: pixels of the whole sensor.
    across_deg, along_deg: what the lens shows to all of it. near_mm: from where it is sharp as it comes.
    lens_source, modes_source: where the figures are from.
    """

    model: str
    lens_id: str
    title: str
    native_wh: Size
    across_deg: float
    along_deg: float
    near_mm: float
    modes: tuple[SensorMode, ...]
    modes_source: str
    lens_source: str = "Raspberry Pi documentation, camera modules, table of hardware specifications"
    autofocus: bool = False

    def field_deg(self, crop_wh: Size) -> tuple[float, float]:
        """The angles across and along that so many of its pixels see, in the middle of a pinhole's picture.

        >>> tuple(round(angle, 1) for angle in sensor_of("imx219").field_deg((3280, 1845)))
        (62.2, 37.5)
        """
        return (
            _part(self.across_deg, crop_wh[0] / self.native_wh[0]),
            _part(self.along_deg, crop_wh[1] / self.native_wh[1]),
        )


def _part(angle_deg: float, share: float) -> float:
    return 2 * math.degrees(math.atan(math.tan(math.radians(angle_deg) / 2) * share))


_IMX708 = (
    SensorMode((1536, 864), (768, 432, 3072, 1728), 120.13),
    SensorMode((2304, 1296), (0, 0, 4608, 2592), 56.03),
    SensorMode((4608, 2592), (0, 0, 4608, 2592), 14.35),
)
_IMX708_SOURCE = "rpicam-hello --list-cameras (rpicam-apps issue 515)"
_LENSES = "Raspberry Pi documentation, recommended lenses"

SENSORS = (
    Sensor("imx708", "pi3", "Raspberry Pi Camera Module 3", (4608, 2592), 66.0, 41.0, 100,
           _IMX708, _IMX708_SOURCE, autofocus=True),
    Sensor("imx708_wide", "pi3-wide", "Raspberry Pi Camera Module 3 Wide", (4608, 2592), 102.0, 67.0, 50,
           _IMX708, _IMX708_SOURCE, autofocus=True),
    # Its modes of 8 bits see the same as those of 10.
    Sensor("imx219", "pi2", "Raspberry Pi Camera Module 2", (3280, 2464), 62.2, 48.8, 1_000, (
        SensorMode((640, 480), (1000, 752, 1280, 960), 103.33),
        SensorMode((1640, 1232), (0, 0, 3280, 2464), 41.85),
        SensorMode((1920, 1080), (680, 692, 1920, 1080), 47.57),
        SensorMode((3280, 2464), (0, 0, 3280, 2464), 21.19),
    ), "Picamera2.sensor_modes (picamera2 issue 683)"),
    Sensor("ov5647", "pi1", "Raspberry Pi Camera Module 1", (2592, 1944), 53.5, 41.41, 1_000, (
        SensorMode((640, 480), (16, 0, 2560, 1920), 58.92),
        SensorMode((1296, 972), (0, 0, 2592, 1944), 43.25),
        SensorMode((1920, 1080), (348, 434, 1928, 1080), 30.62),
        SensorMode((2592, 1944), (0, 0, 2592, 1944), 15.63),
    ), "rpicam-vid --list-cameras (rpicam-apps issue 427)"),
    # 45° along, as that page has it, does not go with 55° across and square pixels.
    Sensor("imx477", "hq-6mm", "Raspberry Pi HQ Camera with its 6 mm lens", (4056, 3040), 55.0, 42.6, 200, (
        SensorMode((1332, 990), (696, 528, 2664, 1980), 120.05),
        SensorMode((2028, 1080), (0, 440, 4056, 2160), 50.03, 12),
        SensorMode((2028, 1520), (0, 0, 4056, 3040), 40.01, 12),
        SensorMode((4056, 3040), (0, 0, 4056, 3040), 10.0, 12),
    ), "rpicam-hello --list-cameras (rpicam-apps issue 336)", f"{_LENSES}; along by square pixels"),
    Sensor("imx296", "gs-6mm", "Raspberry Pi Global Shutter Camera with the 6 mm lens", (1456, 1088),
           45.0, 34.0, 200, (SensorMode((1456, 1088), (0, 0, 1456, 1088), 60.38),),
           "rpicam-still --list-cameras (allsky issue 3632)", _LENSES),
    Sensor("imx500", "ai", "Raspberry Pi AI Camera", (4056, 3040), 66.0, 52.3, 200, (
        SensorMode((2028, 1520), (0, 0, 4056, 3040), 30.02),
        SensorMode((4056, 3040), (0, 0, 4056, 3040), 10.0),
    ), "rpicam-hello --list-cameras (RPiCamGUI issue 14)"),
)  # fmt: skip


def sensor_of(model: str) -> Sensor | None:
    """The sensor of libcamera's name; one without its infrared filter is the same. None for one of others.

    >>> sensor_of("imx708_wide_noir").title
    'Raspberry Pi Camera Module 3 Wide'
    """
    return next((sensor for sensor in SENSORS if sensor.model == model.removesuffix("_noir")), None)


def whole_crop(native_wh: Size, size_wh: Size) -> Size:
    """The largest part of a sensor that has the shape of the picture.

    >>> whole_crop((3280, 2464), (1280, 720))
    (3280, 1845)
    """
    scale = min(native_wh[0] / size_wh[0], native_wh[1] / size_wh[1])
    return round(size_wh[0] * scale), round(size_wh[1] * scale)


def share_of(crop_wh: Size, native_wh: Size, size_wh: Size) -> float:
    """How much of the width or height that a picture of this shape could show is in a crop, 0 to 1.

    >>> round(share_of((1920, 1080), (3280, 2464), (1280, 720)), 2)
    0.59
    """
    whole = whole_crop(native_wh, size_wh)
    return min(1.0, crop_wh[0] / whole[0], crop_wh[1] / whole[1])


def whole_mode(modes: Iterable[SensorMode], native_wh: Size, size_wh: Size, fps: float) -> SensorMode | None:
    """The mode that shows all a picture of that size can show.

    Of several the one that is fast enough, then large enough, then has the least to transfer. None where
    every mode shows only a part.

    >>> module_3 = sensor_of("imx708")
    >>> whole_mode(module_3.modes, module_3.native_wh, (1280, 720), 20).size_wh
    (2304, 1296)
    """
    whole = [mode for mode in modes if share_of(mode.crop_xywh[2:], native_wh, size_wh) >= WHOLE]

    def burden(mode: SensorMode) -> tuple[bool, bool, int]:
        small = mode.size_wh[0] < size_wh[0] or mode.size_wh[1] < size_wh[1]
        area = math.prod(mode.size_wh)
        return mode.fps < fps, small, -area if small else area

    return min(whole, key=burden, default=None)
