"""The profile of one fixed camera over one tray: a value with a versioned file, readable by a person."""

import json
import re
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from pydantic import AfterValidator, Field, TypeAdapter, ValidationError

from calibration.lens import Finite, Lens, Side
from calibration.outline import Points
from messages.atomic_write import write_whole
from messages.camera_names import camera_label
from messages.errors import BadInputError
from messages.regular_file import read_regular

VERSION = 2
"""Counts up when a file of an older version can no longer be read as it is."""

Corners = Annotated[tuple[tuple[Finite, Finite], ...], Field(min_length=3)]


def _beside(name: str) -> str:
    """The name of a file beside the profile, never elsewhere."""
    if not name or name != Path(name).name or "\\" in name:
        raise ValueError(name)
    return name


@dataclass(frozen=True, slots=True)
class KnownDice:
    """The dice in use. edge_mm: of each die laid out; bodies, pips: names of colours, die by die."""

    edge_mm: tuple[Finite, ...] = ()
    bodies: tuple[str, ...] = ()
    pips: tuple[str, ...] = ()

    @property
    def count(self) -> int:
        """Number of dice."""
        return len(self.edge_mm)


@dataclass(frozen=True, slots=True)
class LightFigures:
    """The light it was made in. brightness: mean of the tray, 0-255. warmth: red over blue. noise: 0-255."""

    brightness: Finite
    warmth: Finite
    noise: Finite


@dataclass(frozen=True, slots=True)
class CalibrationProfile:
    """All a reader may know beforehand; everything but the version may be unknown (None).

    outline: corners of the tray's floor in pixels of the picture, in order; what lies outside does not
    exist. mm_per_px: scale in the plane of the dice's top faces, at the outline's middle. die_mm: edge of
    a die. name: "kitchen". made: date and time, ISO 8601. camera: its name. size_wh: of the picture it was
    made for. tray_mm: width and depth. to_mm: homography (nine numbers, row by row) from picture pixels
    (made straight, if there is a lens) to mm on the floor, origin in the tray's middle, x to the right, y
    down. reference: file beside the profile with the empty tray. controls: settings of the camera that
    were locked. keeper: corners of the dice keeper, as `outline`; a die whose middle lies in it is held.
    """

    version: int = VERSION
    outline: Corners | None = None
    mm_per_px: Finite | None = None
    die_mm: Finite | None = None
    name: str = "table"
    made: str | None = None
    camera: str | None = None
    size_wh: tuple[Side, Side] | None = None
    tray_mm: tuple[Finite, Finite] | None = None
    to_mm: Annotated[tuple[Finite, ...], Field(min_length=9, max_length=9)] | None = None
    lens: Lens | None = None
    dice: KnownDice | None = None
    light: LightFigures | None = None
    reference: Annotated[str, AfterValidator(_beside)] | None = None
    controls: tuple[tuple[str, Finite], ...] = ()
    keeper: Corners | None = None

    @property
    def die_px(self) -> float | None:
        """Edge of a die in pixels, None when it is not known.

        >>> CalibrationProfile(mm_per_px=0.4, die_mm=16.0).die_px
        40.0
        """
        if self.mm_per_px is None or self.die_mm is None:
            return None
        return self.die_mm / self.mm_per_px

    def controls_of(self, camera: str) -> tuple[tuple[str, float], ...]:
        """The controls to set on that camera; none if the profile belongs to another camera.

        >>> CalibrationProfile(camera="USB camera 0", controls=(("focus", 30.0),)).controls_of("USB camera 2")
        ()
        """
        return self.controls if self.camera in (None, camera) else ()

    def for_picture(self, size_wh: tuple[int, int], camera: str | None = None) -> "CalibrationProfile":
        """The profile as it fits pictures of that size: itself, or scaled where the shape is the same.

        Raises BadInputError when it was made for another camera or for pictures of another shape.
        """
        if camera is not None and self.camera is not None and camera != self.camera:
            raise BadInputError(
                "calibration/profile/other_camera",
                name=self.name,
                camera=camera_label(self.camera),
                other=camera_label(camera),
            )
        if self.size_wh is None or self.size_wh == size_wh:
            return self
        (width, height), (new_width, new_height) = self.size_wh, size_wh
        if abs(new_width / width - new_height / height) > 0.002 * new_width / width:
            turned = abs(new_height / width - new_width / height) <= 0.01 * new_height / width
            raise BadInputError(
                f"calibration/profile/{'turned' if turned else 'other_shape'}",
                name=self.name,
                width=width,
                height=height,
                new_width=new_width,
                new_height=new_height,
            )
        return self._scaled(new_width / width, size_wh)

    def _scaled(self, factor: float, size_wh: tuple[int, int]) -> "CalibrationProfile":
        shrink = np.diag([1 / factor, 1 / factor, 1.0])
        return replace(
            self,
            size_wh=size_wh,
            outline=_times(self.outline, factor),
            keeper=_times(self.keeper, factor),
            mm_per_px=None if self.mm_per_px is None else self.mm_per_px / factor,
            to_mm=None if self.to_mm is None else _flat(np.reshape(self.to_mm, (3, 3)) @ shrink),
            lens=None if self.lens is None else self.lens.scaled(factor, size_wh),
        )

    def moved(self, change: NDArray[np.float64]) -> "CalibrationProfile":
        """The profile after the camera was bumped a little.

        change: (2, 3), takes pixels of the old picture to where the same things are now.
        """
        if self.outline is None:
            return self
        whole = np.vstack([change, [0, 0, 1]])
        back = np.linalg.inv(whole)
        larger = float(np.sqrt(abs(np.linalg.det(whole))))
        return replace(
            self,
            mm_per_px=None if self.mm_per_px is None else self.mm_per_px / larger,
            outline=_changed(self.outline, change),
            keeper=None if self.keeper is None else _changed(self.keeper, change),
            to_mm=None if self.to_mm is None else _flat(np.reshape(self.to_mm, (3, 3)) @ back),
        )

    def save(self, path: Path) -> None:
        """Write the profile as JSON; whatever stood there stays whole until the new file is complete.

        Raises FailedError when it cannot be written.
        """
        write_whole(path, self._text().encode(), "profile")

    def _text(self) -> str:
        """The file: an entry a line, numbers that belong together side by side."""
        text = json.dumps(self.to_json(), indent=1)
        flat = re.compile(r"\[\s*([^\[\]{}]*?)\s*\]")
        return flat.sub(lambda found: "[" + re.sub(r",\s+", ", ", found[1]) + "]", text) + "\n"

    def to_json(self) -> dict[str, Any]:
        """The JSON of the file, without unknown values."""
        return {name: value for name, value in asdict(self).items() if value not in (None, ())}

    @classmethod
    def load(cls, path: Path) -> "CalibrationProfile":
        """Read a profile.

        Raises BadInputError for a missing file, nonsense, or a newer version.
        """
        try:
            data: Any = json.loads(read_regular(path))
        except FileNotFoundError:
            raise BadInputError("calibration/profile/missing", path=str(path)) from None
        except (OSError, ValueError, RecursionError):
            raise BadInputError("calibration/profile/no_profile", path=str(path)) from None
        return cls.from_json(data, str(path))

    @classmethod
    def from_json(cls, data: Any, path: str) -> "CalibrationProfile":
        """The profile in the parsed JSON document of a file, of this or an older version.

        Raises BadInputError as `load` does.
        """
        if not isinstance(data, dict) or not isinstance(data.get("version"), int):
            raise BadInputError("calibration/profile/no_profile", path=path)
        if data["version"] > VERSION:
            raise BadInputError("calibration/profile/newer", path=path, theirs=data["version"], ours=VERSION)
        data = _migrated(data)
        unknown = sorted(set(data) - set(cls.__dataclass_fields__))
        if unknown:
            raise BadInputError("calibration/profile/entry", path=path, entry=str(unknown[0]))
        try:
            profile = _DOCUMENT.validate_python({key: each for key, each in data.items() if each is not None})
        except ValidationError:
            raise BadInputError("calibration/profile/value", path=path) from None
        edges = () if profile.dice is None else profile.dice.edge_mm
        lengths = (profile.mm_per_px, profile.die_mm, *(profile.tray_mm or ()), *edges)
        if any(length is not None and not 0 < length < 1e4 for length in lengths):
            raise BadInputError("calibration/profile/length", path=path)
        return profile


def _migrated(data: dict[str, Any]) -> dict[str, Any]:
    """A document of any older version as this version has it."""
    if data["version"] < 1:
        raise BadInputError("calibration/profile/older", version=data["version"])
    # Version 1 knew outline, mm_per_px and die_mm, which mean the same today.
    return {**data, "version": VERSION}


def _times(corners: Points | None, factor: float) -> Points | None:
    return None if corners is None else tuple((x * factor, y * factor) for x, y in corners)


def _changed(corners: Points, change: NDArray[np.float64]) -> Points:
    """The corners after a change, (2, 3)."""
    there = np.column_stack([np.array(corners), np.ones(len(corners))]) @ change.T
    return tuple((float(x), float(y)) for x, y in there)


def _flat(matrix: NDArray[Any]) -> tuple[float, ...]:
    return tuple(float(value) for value in (matrix / matrix[2, 2]).ravel())


_DOCUMENT = TypeAdapter(CalibrationProfile)
