"""What a calibration has found, as the page and the API get it.

Lengths are mm, places pixels of the picture. A message that is "" has nothing to say.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from calibration.dice_in_use import usual_edge_mm
from calibration.lens import GRID, Lens, LensBoardView, progress
from calibration.light import LightReport
from calibration.outline import Points
from calibration.profile import CalibrationProfile, KnownDice
from calibration.session import Sureness
from calibration.tray_geometry import TrayFound
from messages.errors import BadInputError
from station.contract.area import Area
from station.contract.view import Parts, Text, WithParts
from vision.reading import DieReading, Reading


@dataclass(frozen=True, slots=True)
class ProfileReport:
    """A profile in a line. tray_mm: width and depth. dice: how many."""

    name: str
    made: str | None
    camera: str | None
    tray_mm: tuple[float, float] | None
    dice: int | None


@dataclass(frozen=True, slots=True)
class KeptProfileReport(ProfileReport):
    """One that is kept. key: to choose or delete it by. active: whether it is in use."""

    key: str
    active: bool


@dataclass(frozen=True, slots=True)
class TrayReport:
    """The tray that was found."""

    message: Text
    outline: Points
    tray_mm: tuple[float, float]


@dataclass(frozen=True, slots=True)
class DiceReport:
    """The dice in use. edge_mm: smallest and largest, one number twice where they are a set."""

    count: int
    edge_mm: tuple[float, float]
    colours: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ComplaintReport:
    """One thing that is wrong with the light, and what to do about it."""

    id: str
    what: Text
    advice: Text


@dataclass(frozen=True, slots=True)
class LightingReport:
    """The light. spots: what is burnt out. dim: outlines of darker parts. held: settings of the camera."""

    good: bool
    complaints: tuple[ComplaintReport, ...]
    spots: Points
    dim: tuple[Points, ...]
    held: Text


@dataclass(frozen=True, slots=True)
class LensProgressReport:
    """How far the lens is known. missing: fields (across, down) of the grid over the picture."""

    views: int
    grid: tuple[int, int]
    missing: tuple[tuple[int, int], ...]
    enough: bool
    message: Text
    known: Text | None


@dataclass(frozen=True, slots=True)
class ThrownDieReport:
    """A die of a throw that is checked."""

    face: int
    center: tuple[float, float]
    size: float


@dataclass(frozen=True, slots=True)
class ThrowReport:
    """A throw that waits for a nod; dice from left to right."""

    status: str
    reasons: tuple[str, ...]
    dice: tuple[ThrownDieReport, ...]


@dataclass(frozen=True, slots=True)
class CheckReport:
    """How sure the reader is. dice: checked in all; wrong: of them; unsure: throws."""

    throws: int
    dice: int
    wrong: int
    unsure: int
    message: Text
    reading: ThrowReport | None


@dataclass(frozen=True, slots=True)
class CalibrationReport(WithParts):
    """The whole state of a calibration. empty: whether the empty tray is learnt. keeper: in use."""

    added: ClassVar[str] = "calibration_view"

    camera: str
    simulated: bool
    size_wh: tuple[int, int] | None
    dice_expected: int
    message: Text
    active: ProfileReport | None
    profiles: tuple[KeptProfileReport, ...]
    tray: TrayReport | None
    empty: bool
    light: LightingReport | None
    dice: DiceReport | None
    saved: bool
    lens: LensProgressReport
    check: CheckReport
    parts: Parts = ()


def left_to_right(reading: Reading) -> list[DieReading]:
    """The dice of a reading as people name them."""
    return sorted(reading.dice, key=lambda die: die.center[0])


def profile_report(profile: CalibrationProfile) -> ProfileReport:
    """A profile in a line."""
    dice = None if profile.dice is None else profile.dice.count
    return ProfileReport(profile.name, profile.made, profile.camera, profile.tray_mm, dice)


def kept_report(profile: CalibrationProfile, key: str, *, active: bool) -> KeptProfileReport:
    """One of those that are kept."""
    line = profile_report(profile)
    return KeptProfileReport(line.name, line.made, line.camera, line.tray_mm, line.dice, key, active)


def area_report(area: Area, profile: CalibrationProfile | None, size_wh: tuple[int, int] | None) -> object:
    """An area as it is in pictures of that size, where it is marked."""
    if profile is None or area.of(profile) is None or size_wh is None:
        return area.view(None)
    try:
        corners = area.of(profile.for_picture(size_wh)) or ()
    except BadInputError:  # the profile is of another camera
        return area.view(None)
    return area.view(tuple((round(x, 1), round(y, 1)) for x, y in corners))


def tray_report(found: TrayFound | None, message: Text) -> TrayReport | None:
    """The tray, once it is found."""
    if found is None:
        return None
    width_mm, depth_mm = found.size_mm
    outline = tuple((round(float(x), 1), round(float(y), 1)) for x, y in found.outline)
    return TrayReport(message, outline, (round(width_mm, 1), round(depth_mm, 1)))


def dice_report(known: KnownDice | None) -> DiceReport | None:
    """The dice, once they are known."""
    if known is None:
        return None
    usual = usual_edge_mm(known)
    edges = (min(known.edge_mm), max(known.edge_mm)) if usual is None else (usual, usual)
    return DiceReport(known.count, edges, tuple(dict.fromkeys(known.bodies)))


def lighting_report(report: LightReport | None, held: Text) -> LightingReport | None:
    """The light, once the empty tray is learnt."""
    if report is None:
        return None
    complaints = tuple(ComplaintReport(each.value, *each.messages) for each in report.complaints)
    dim = tuple(tuple((round(x, 1), round(y, 1)) for x, y in part) for part in report.dim)
    return LightingReport(report.good, complaints, report.spots, dim, held)


def lens_report(
    views: Sequence[LensBoardView], size_wh: tuple[int, int] | None, known: Lens | None
) -> LensProgressReport:
    """The lens and its board."""
    now = progress(views, size_wh or (1, 1))
    message = None if known is None else known.message
    return LensProgressReport(now.views, GRID, now.missing, now.enough, now.message, message)


def check_report(sureness: Sureness, throw: Reading | None) -> CheckReport:
    """How sure it is, and the throw that waits for a nod."""
    reading = None
    if throw is not None:
        dice = tuple(ThrownDieReport(die.face, die.center, die.size) for die in left_to_right(throw))
        reading = ThrowReport(throw.status.value, tuple(reason.value for reason in throw.reasons), dice)
    counts = (sureness.throws, sureness.dice, sureness.wrong, sureness.unsure)
    return CheckReport(*counts, sureness.message, reading)
