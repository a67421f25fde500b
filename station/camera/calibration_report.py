"""What a calibration has found, as the page and the API are told it."""

from collections.abc import Sequence
from typing import Any

from calibration import lens as lens_step
from calibration import light as light_step
from calibration.dice_in_use import usual_edge_mm
from calibration.lens import Lens, View
from calibration.profile import KnownDice, Profile
from calibration.session import Sureness
from calibration.tray_geometry import TrayFound
from vision.reading import DieReading, Reading


def left_to_right(reading: Reading) -> list[DieReading]:
    """The dice of a reading as people name them."""
    return sorted(reading.dice, key=lambda die: die.center[0])


def about(profile: Profile) -> dict[str, Any]:
    """A profile in a line."""
    return {
        "name": profile.name,
        "made": profile.made,
        "camera": profile.camera,
        "tray_mm": None if profile.tray_mm is None else list(profile.tray_mm),
        "dice": None if profile.dice is None else profile.dice.count,
    }


def tray(found: TrayFound | None, message: str) -> dict[str, Any] | None:
    """The tray; outline in pixels of the picture."""
    if found is None:
        return None
    return {
        "message": message,
        "outline": [[round(float(x), 1), round(float(y), 1)] for x, y in found.outline],
        "tray_mm": [round(side, 1) for side in found.size_mm],
    }


def dice(known: KnownDice | None) -> dict[str, Any] | None:
    """The dice: their number, smallest and largest edge in mm (one where they are a set), their colours."""
    if known is None:
        return None
    colours = list(dict.fromkeys(known.bodies))
    usual = usual_edge_mm(known)
    edges = [usual, usual] if usual is not None else [min(known.edge_mm), max(known.edge_mm)]
    return {"count": known.count, "edge_mm": edges, "colours": colours}


def light(report: light_step.LightReport | None, held: str) -> dict[str, Any] | None:
    """The light report: each complaint with what to do about it; where (pixels); what is held."""
    if report is None:
        return None
    complaints = [
        {"id": each.value, "what": light_step.ADVICE[each][0], "advice": light_step.ADVICE[each][1]}
        for each in report.complaints
    ]
    return {
        "good": report.good,
        "complaints": complaints,
        "spots": [list(spot) for spot in report.spots],
        "dim": [[[round(x, 1), round(y, 1)] for x, y in part] for part in report.dim],
        "held": held,
    }


def lens(views: Sequence[View], size_wh: tuple[int, int] | None, known: Lens | None) -> dict[str, Any]:
    """How far the lens is known; missing: fields (across, down) of the grid over the picture."""
    now = lens_step.progress(views, size_wh or (1, 1))
    return {
        "views": now.views,
        "grid": list(lens_step.GRID),
        "missing": [list(field) for field in now.missing],
        "enough": now.enough,
        "message": now.in_words,
        "known": None if known is None else known.in_words,
    }


def check(sureness: Sureness, throw: Reading | None) -> dict[str, Any]:
    """How sure it is, and the throw that waits for a nod."""
    reading = None
    if throw is not None:
        reading = {
            "status": throw.status.value,
            "reasons": [reason.value for reason in throw.reasons],
            "dice": [
                {"face": die.face, "center": list(die.center), "size": die.size}
                for die in left_to_right(throw)
            ],
        }
    return {
        "throws": sureness.throws,
        "dice": sureness.dice,
        "wrong": sureness.wrong,
        "unsure": sureness.unsure,
        "message": sureness.in_words,
        "reading": reading,
    }
