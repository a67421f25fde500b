"""Draws the pictures of docs/build/ and fills in what the docs tabulate from the code."""

import dataclasses
import json
from pathlib import Path

from hardware import house, pictures, wiring
from messages.catalogue import text
from station.camera import mounting
from station.config import Pins
from station.rules.scoring import PATTERNS, Scoring
from vision.cameras.picamera import FPS
from vision.cameras.sensors import PICTURE_WH, SENSORS, share_of, whole_mode
from vision.reading import Reason

DOCS = Path(__file__).parent.parent / "docs"
_TRAYS_MM = ((180.0, 130.0), (240.0, 180.0), (300.0, 220.0))
_LAWN_MM, _LAWN_DIE_MM = (1660.0, 1180.0), 100.0


def drawings() -> dict[str, str]:
    """Every picture by its file name."""
    return {
        "wiring.svg": wiring.draw(Pins()),
        "height.svg": pictures.draw_height(),
        "stand-bracket.svg": pictures.draw_shelf_stand(),
        "stand-printed.svg": pictures.draw_printed_stand(),
        "head.svg": pictures.draw_head(),
        "light.svg": pictures.draw_light(),
        "house.svg": house.draw(),
        "card.svg": pictures.draw_card(),
    }


def heights() -> str:
    """Camera height against tray and lens, as a table in Markdown."""
    lines = [
        "| camera | "
        + " | ".join(f"tray {long:g} by {short:g} mm" for long, short in _TRAYS_MM)
        + " | lawn, {:g} by {:g} m, dice of 10 cm |".format(*(side / 1000 for side in _LAWN_MM)),
        "|---|" + "---:|" * (len(_TRAYS_MM) + 1),
    ]
    for camera in mounting.LENSES:
        cells = []
        for tray, die_mm in (*((tray, 16.0) for tray in _TRAYS_MM), (_LAWN_MM, _LAWN_DIE_MM)):
            height = mounting.height_mm(camera, tray, die_mm=die_mm)
            seen = mounting.place(camera, tray, height, die_mm=die_mm)
            steep = " (steep)" if seen.lean_deg > mounting.LEAN_MAX_DEG else ""
            cells.append(f"{height / 10:.0f} cm{steep}")
        lines.append(f"| {camera.title} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def sensors() -> str:
    """Every mode of every sensor, as a table in Markdown."""
    lines = [
        "| camera | libcamera's name | mode | of the sensor | binning | a second | shows |",
        "|---|---|---:|---:|---:|---:|---:|",
    ]
    for sensor in SENSORS:
        taken = whole_mode(sensor.modes, sensor.native_wh, PICTURE_WH, FPS)
        for mode in sensor.modes:
            crop = mode.crop_xywh[2:]
            size = "{}x{}".format(*mode.size_wh)
            name = f"**{size}**" if mode == taken else size
            share = share_of(crop, sensor.native_wh, PICTURE_WH)
            lines.append(
                f"| {sensor.title} | `{sensor.model}` | {name} | {crop[0]}x{crop[1]} | {mode.binning} "
                f"| {mode.fps:g} | {share:.0%} |"
            )
    return "\n".join(lines)


def fields() -> str:
    """What each camera sees in the picture that is requested, as a table in Markdown."""
    lines = ["| camera | lens across and along | in the picture | focus |", "|---|---:|---:|---|"]
    for sensor in SENSORS:
        seen = mounting.lens(sensor.lens_id)
        focus = "by itself" if sensor.autofocus else "turn the lens"
        lines.append(
            f"| {sensor.title} | {sensor.across_deg:g}° x {sensor.along_deg:g}° "
            f"| {seen.across_deg:.1f}° x {seen.along_deg:.1f}° | {focus} |"
        )
    return "\n".join(lines)


def categories() -> str:
    """Every pattern of rule files, as it tells of itself, with one example, as a table in Markdown."""
    lines = ["| pattern | dice | keys | for example |", "|---|---|---|---|"]
    for pattern in PATTERNS:
        named = " ".join(f"`{category}`" for category in pattern.variants)
        what = str(pattern.__doc__).partition("\n")[0].removesuffix(".")
        lines.append(f"| {named} | {what} | {_keys_in_words(pattern)} | `{_written(pattern)}` |")
    return "\n".join(lines)


def _keys_in_words(pattern: type[Scoring]) -> str:
    """The keys of such a box beside those of all boxes; `points` as the pattern itself says it."""
    keys = [f"`{key}`" for key in pattern.keys]
    if any(field.name == "points" for field in dataclasses.fields(pattern)):
        keys.append(str(pattern.read_paid.__doc__).removesuffix("."))
    return "; ".join(keys) or "none"


def _written(pattern: type[Scoring]) -> str:
    """A box of it in one line: keys are lines of their own in a file."""
    keys = {"category": tuple(pattern.variants)[-1], **pattern.sample}
    return "; ".join(f"{key} = {json.dumps(value)}" for key, value in keys.items())


def reasons() -> str:
    """Every reason for which a reading is not ready, as a table in Markdown."""
    lines = ["| `reasons` | means |", "|---|---|"]
    lines += [f"| `{reason}` | {text(reason.message, 'en')} |" for reason in Reason]
    return "\n".join(lines)


def tables() -> dict[str, dict[str, str]]:
    """Every table by its page and its name there."""
    return {
        "build.md": {"wiring": wiring.table(Pins()), "heights": heights()},
        "house-rules.md": {"categories": categories()},
        "contract.md": {"reasons": reasons()},
        "cameras.md": {"fields": fields(), "sensors": sensors()},
    }


def filled(page: str, rows_of: dict[str, str]) -> str:
    """The page with every table as it is now, each between its two marks."""
    for name, rows in rows_of.items():
        before, start, rest = page.partition(f"<!-- {name} -->\n")
        _, end, after = rest.partition("<!-- end -->")
        if not end:
            raise ValueError(f"the page has no place for the table {name!r}")
        page = before + start + rows + "\n" + end + after
    return page


def write(docs: Path = DOCS) -> int:
    """Write all of it."""
    (docs / "build").mkdir(exist_ok=True)
    for name, drawing in drawings().items():
        (docs / "build" / name).write_text(drawing, encoding="utf-8")
    for name, rows_of in tables().items():
        page = docs / name
        page.write_text(filled(page.read_text(encoding="utf-8"), rows_of), encoding="utf-8")
    return 0
