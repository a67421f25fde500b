"""What is known of one fixed camera over one tray: a value with a versioned file."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Self

from station.errors import BadInputError

VERSION = 1
"""Counts up when a file of an older version can no longer be understood as it stands."""


@dataclass(frozen=True, slots=True)
class Profile:
    """All a reader may know beforehand; everything but the version may be unknown (None).

    outline: corners of the tray's floor in pixels, in order. mm_per_px: scale in the plane of the
    dice's top faces. die_mm: edge of a die.
    """

    version: int = VERSION
    outline: tuple[tuple[float, float], ...] | None = None
    mm_per_px: float | None = None
    die_mm: float | None = None

    @property
    def die_px(self) -> float | None:
        """Edge of a die in pixels, None when it is not known.

        >>> Profile(mm_per_px=0.4, die_mm=16.0).die_px
        40.0
        """
        if self.mm_per_px is None or self.die_mm is None:
            return None
        return self.die_mm / self.mm_per_px

    def save(self, path: Path) -> None:
        """Write the profile as JSON."""
        path.write_text(json.dumps(asdict(self), indent=1) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a profile.

        Raises BadInputError for a missing file, nonsense, or another version.
        """
        try:
            data: Any = json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise BadInputError(f"There is no profile {path}; make one with 'yacht calibrate'.") from None
        except (OSError, UnicodeDecodeError, json.JSONDecodeError):
            raise BadInputError(f"{path} is not a profile; make one with 'yacht calibrate'.") from None
        return cls.from_json(data, str(path))

    @classmethod
    def from_json(cls, data: Any, name: str = "the profile") -> Self:
        """The profile in a parsed JSON document; raises BadInputError as `load` does."""
        if not isinstance(data, dict) or data.get("version") != VERSION:
            raise BadInputError(f"{name} is not a profile of version {VERSION}; calibrate again.")
        try:
            outline = data.get("outline")
            corners = None if outline is None else tuple((float(x), float(y)) for x, y in outline)
            scale, edge = (None if data.get(k) is None else float(data[k]) for k in ("mm_per_px", "die_mm"))
        except (TypeError, ValueError):
            raise BadInputError(f"{name} holds a value that is no number; calibrate again.") from None
        if any(length is not None and not 0 < length < 1e4 for length in (scale, edge)):
            raise BadInputError(f"{name} holds a length that cannot be; calibrate again.")
        return cls(outline=corners, mm_per_px=scale, die_mm=edge)
